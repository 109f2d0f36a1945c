import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findDuplicate, type InvoiceMark } from '../src/domain/duplicates.ts'
import { numberKey, numbersAlike } from '../src/domain/invoice-number.ts'
import { storedVat, vendorKey, vendorsAlike } from '../src/domain/vendor-key.ts'

describe('invoice numbers', () => {
  it.each([
    ['F-2026/0015', 'f2026-15'],
    ['A 25 / 003', 'A25-3'],
    ['Ｆ２０２６－１５', 'F2026-15'],
    ['0001', '1'],
  ])('%s and %s are one number', (left, right) => {
    expect(numberKey(left)).toBe(numberKey(right))
  })

  it.each([
    ['a zero read as a letter', 'F-2026/0015', 'F-2O26/OO15'],
    ['a lost zero', 'F-1005', 'F-105'],
    ['a lost series', 'A25-6543', '25-6543'],
    ['a one read as a seven', 'F-4417', 'F-4477'],
    ['no separator', 'F-2026-0015', 'F20260015'],
  ])('can differ by %s', (_, left, right) => {
    expect(numbersAlike(left, right)).toBe(true)
    expect(numbersAlike(right, left)).toBe(true)
  })

  it.each([
    ['F-101', 'F-102'],
    ['F-5', 'F-6'],
    ['2026/15', '2026/16'],
    ['F-999', 'F-1000'],
    ['000', '0'],
    ['A-1', 'B-7'],
    ['', 'F-1'],
  ])('%s and %s are two invoices', (left, right) => {
    expect(numbersAlike(left, right)).toBe(false)
  })

  it('takes consecutive numbers for two invoices, whatever they are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (number) => {
        expect(numbersAlike(`F-${number}`, `F-${number + 1}`)).toBe(isZeroGained(number))
      }),
    )
  })

  /** 9 → 10 differ by more than a zero; only numbers whose digits without zeros agree may be taken for one. */
  const isZeroGained = (number: number) => String(number).replaceAll('0', '') === String(number + 1).replaceAll('0', '')
})

describe('vendors', () => {
  it.each([
    [' es-b 12.345.674', 'B12345674'],
    ['В12345674', 'B12345674'],
    ['Ｂ１２３４５６７４', 'B12345674'],
    ['de136695976', 'DE136695976'],
  ])('%s is stored as %s', (text, stored) => {
    expect(storedVat(text)).toBe(stored)
  })

  it.each(['', '   ', '---', 'NIF', 'x'.repeat(40), '1'])('%j is no tax id', (text) => {
    expect(storedVat(text)).toBeNull()
  })

  it('are compared by tax id, and by name only where one was not read', () => {
    const mark = (vat: string | null, name: string | null) => ({ key: vendorKey({ vat, name }), name })
    expect(vendorsAlike(mark('B12345674', 'Pardo, S.L.'), mark('B12345674', 'Otro'))).toBe(true)
    expect(vendorsAlike(mark('B12345674', 'Pardo, S.L.'), mark(null, 'PARDO SL'))).toBe(true)
    expect(vendorsAlike(mark('B12345674', 'Pardo, S.L.'), mark('A28015865', 'Pardo, S.L.'))).toBe(false)
    expect(vendorsAlike(mark(null, null), mark(null, null))).toBe(false)
  })
})

describe('duplicates', () => {
  const invoice: InvoiceMark = {
    vendor: { key: 'B12345674', name: 'Pardo' },
    numberKey: 'F1',
    number: 'F-1',
    totalCents: 100,
    date: '2026-01-01',
  }

  it('names the surest pair, and of equal ones the earliest', () => {
    const earlier = [
      { ...invoice, logId: 5, seq: 5, sameFile: false },
      { ...invoice, logId: 9, seq: 2, sameFile: false },
      { ...invoice, logId: 7, seq: 7, sameFile: true },
    ]
    expect(findDuplicate(invoice, earlier)).toMatchObject({ originalLogId: 7, reason: 'exact_file' })
    expect(findDuplicate(invoice, earlier, [7])).toMatchObject({ originalLogId: 9, reason: 'same_invoice' })
    expect(findDuplicate(invoice, earlier, [5, 7, 9])).toBeNull()
  })

  it('does not take two receipts without amount for one', () => {
    const blank = { ...invoice, numberKey: null, number: null, totalCents: 0 }
    expect(findDuplicate(blank, [{ ...blank, logId: 1, seq: 1, sameFile: false }])).toBeNull()
  })

  it('does not mix up numbers whose parts differ', () => {
    const left = { ...invoice, number: '1-11', numberKey: '111', totalCents: 1, date: '2026-02-01' }
    const right = { ...invoice, number: '11-1', numberKey: '111', logId: 1, seq: 1, sameFile: false }
    expect(findDuplicate(left, [right])).toBeNull()
  })
})
