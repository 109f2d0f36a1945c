import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDates } from '../../src/domain/dates.ts'
import { toDecimal } from '../../src/domain/decimals.ts'
import { readFigures } from '../../src/domain/figures.ts'
import { arrange } from '../../src/domain/layout.ts'
import { documentOf } from './document-of.ts'

const datesIn = (text: string) => readDates(arrange(documentOf([text]))).map((date) => date.iso)
const figuresIn = (text: string) => readFigures(arrange(documentOf([text]))).map((figure) => figure.decimal)

describe('dates as Spaniards write them', () => {
  test.each([
    ['12/03/2025', '2025-03-12'],
    ['12-3-25', '2025-03-12'],
    ['2025-03-12', '2025-03-12'],
    ['12.03.2025', '2025-03-12'],
    ['12 de marzo de 2025', '2025-03-12'],
    ['12 març 2025', '2025-03-12'],
    ["1 d'abril de 2025", '2025-04-01'],
    ['12-mar-25', '2025-03-12'],
    ['12 de xaneiro de 2025', '2025-01-12'],
    ['2025eko martxoaren 12a', '2025-03-12'],
    ['March 12, 2025', '2025-03-12'],
    ['12 / 03 / 2025', '2025-03-12'],
    ['Madrid, a 5 de septiembre de 2024.', '2024-09-05'],
  ])('%s', (text, iso) => {
    expect(datesIn(text)).toEqual([iso])
  })

  test.each(['31/02/2025', '12.345.678', '99/99/9999', '1/2'])('%s is none', (text) => {
    expect(datesIn(text)).toEqual([])
  })
})

describe('numbers as printed', () => {
  test.each([
    ['1.234,56 €', '1234.56'],
    ['-58,18', '-58.18'],
    ['58,18-', '-58.18'],
    ['(58,18)', '-58.18'],
    ['€ 1.016,78', '1016.78'],
    ['0,082947', '0.082947'],
    ['3.500', '3500'],
  ])('%s', (text, decimal) => {
    expect(figuresIn(text)).toEqual([decimal])
  })

  test('reads the stroke above the line as Spaniards write it, and as thousands where three digits follow', () => {
    expect(toDecimal("1.234'56", ',')).toBe('1234.56')
    expect(toDecimal("743'52", ',')).toBe('743.52')
    expect(toDecimal("1'234.56", '.')).toBe('1234.56')
    expect(toDecimal("12'345", ',')).toBe('12345')
    expect(toDecimal("12'3", ',')).toBeNull()
  })

  test('a date with dots, a code and a telephone are no amounts', () => {
    expect(toDecimal('12.03.2025', ',')).toBeNull()
    expect(toDecimal('1.2.3', ',')).toBeNull()
    expect(figuresIn('REF-22')).toEqual([])
  })

  test('parsing is the inverse of printing in the Spanish and the English way', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (cents) => {
        const whole = String(Math.trunc(cents / 100)).replace(/\B(?=(\d{3})+$)/g, '.')
        const fraction = String(cents % 100).padStart(2, '0')
        const expected = `${Math.trunc(cents / 100)}.${fraction}`
        expect(toDecimal(`${whole},${fraction}`, ',')).toBe(expected)
        expect(toDecimal(`${whole.replaceAll('.', ',')}.${fraction}`, '.')).toBe(expected)
      }),
    )
  })
})
