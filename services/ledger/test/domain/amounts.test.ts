import { ValidationFailure } from '@asiento/proto/errors'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeAmounts, deriveAmounts, type StatedAmounts } from '../../src/domain/amounts.ts'
import type { EntryAmounts } from '../../src/domain/entry.ts'

const brief = ({ baseCents, taxRate, taxCents, irpfRate, irpfCents, totalCents }: EntryAmounts) => ({
  base: baseCents,
  rate: taxRate,
  tax: taxCents,
  irpfRate,
  irpf: irpfCents,
  total: totalCents,
})

describe('amounts that follow from what was stated', () => {
  const cases: [string, StatedAmounts, ReturnType<typeof brief>][] = [
    [
      'base and rate',
      { baseCents: 10_000, taxRate: 21 },
      { base: 10_000, rate: 21, tax: 2100, irpfRate: null, irpf: 0, total: 12_100 },
    ],
    [
      'total and rate',
      { totalCents: 12_100, taxRate: 21 },
      { base: 10_000, rate: 21, tax: 2100, irpfRate: null, irpf: 0, total: 12_100 },
    ],
    [
      'total alone bears no tax',
      { totalCents: 5000 },
      { base: 5000, rate: null, tax: 0, irpfRate: null, irpf: 0, total: 5000 },
    ],
    [
      'a withheld professional fee',
      { baseCents: 100_000, taxRate: 21, irpfRate: 15 },
      { base: 100_000, rate: 21, tax: 21_000, irpfRate: 15, irpf: -15_000, total: 106_000 },
    ],
    [
      'the fee from what was paid',
      { totalCents: 106_000, taxRate: 21, irpfRate: 15 },
      { base: 100_000, rate: 21, tax: 21_000, irpfRate: 15, irpf: -15_000, total: 106_000 },
    ],
    [
      'a positive withholding is read as negative',
      { baseCents: 100_000, taxRate: 21, irpfCents: 15_000 },
      { base: 100_000, rate: 21, tax: 21_000, irpfRate: 15, irpf: -15_000, total: 106_000 },
    ],
    [
      'base and total',
      { baseCents: 10_000, totalCents: 11_000 },
      { base: 10_000, rate: 10, tax: 1000, irpfRate: null, irpf: 0, total: 11_000 },
    ],
    [
      'total and tax',
      { totalCents: 10_400, taxCents: 400 },
      { base: 10_000, rate: 4, tax: 400, irpfRate: null, irpf: 0, total: 10_400 },
    ],
    [
      'the tax takes the cent that rounding leaves',
      { totalCents: 10_000, taxRate: 21 },
      { base: 8264, rate: 21, tax: 1736, irpfRate: null, irpf: 0, total: 10_000 },
    ],
    [
      'a withholding without tax',
      { totalCents: 8500, irpfRate: 15 },
      { base: 10_000, rate: null, tax: 0, irpfRate: 15, irpf: -1500, total: 8500 },
    ],
    [
      'tax rounded line by line',
      { baseCents: 10_003, taxRate: 21, taxCents: 2103, totalCents: 12_106 },
      { base: 10_003, rate: 21, tax: 2103, irpfRate: null, irpf: 0, total: 12_106 },
    ],
    [
      'exempt',
      { baseCents: 10_000, taxRate: 0 },
      { base: 10_000, rate: 0, tax: 0, irpfRate: null, irpf: 0, total: 10_000 },
    ],
    [
      'a corrective invoice is the mirror',
      { totalCents: -12_100, taxRate: 21 },
      { base: -10_000, rate: 21, tax: -2100, irpfRate: null, irpf: 0, total: -12_100 },
    ],
  ]
  it.each(cases)('%s', (_, stated, expected) => {
    expect(brief(deriveAmounts(stated))).toEqual(expected)
  })

  const refused: [string, StatedAmounts, string][] = [
    ['nothing', {}, 'total'],
    ['a base without anything else', { baseCents: 100 }, 'tax_rate'],
    ['a total of 0', { totalCents: 0 }, 'total'],
    ['a base of 0', { baseCents: 0, taxRate: 21 }, 'base'],
    ['a total one cent off', { baseCents: 10_000, taxRate: 21, totalCents: 12_101 }, 'total'],
    ['a tax that is not its rate', { baseCents: 10_000, taxRate: 21, taxCents: 1000 }, 'tax_amount'],
    [
      'a withholding that is not its rate',
      { baseCents: 10_000, taxRate: 0, irpfRate: 15, irpfCents: -100 },
      'irpf_amount',
    ],
    ['signs that differ', { baseCents: 10_000, taxCents: -100 }, 'tax_amount'],
    ['a withholding that leaves nothing', { totalCents: 100, irpfRate: 100 }, 'irpf_rate'],
  ]
  it.each(refused)('refuses %s', (_, stated, field) => {
    const failure = catchFailure(() => deriveAmounts(stated))
    expect(failure.issues[0]?.loc).toEqual(['body', field])
  })

  const rates = fc.constantFrom(0, 4, 5, 10, 21)
  const irpfRates = fc.constantFrom(undefined, 7, 15, 19)
  const cents = fc.integer({ min: 100, max: 10_000_000_000 })

  it('always adds up to the cent, from the base as from the total', () => {
    fc.assert(
      fc.property(cents, rates, irpfRates, (baseCents, taxRate, irpfRate) => {
        const amounts = deriveAmounts({ baseCents, taxRate, irpfRate })
        expect(amounts.baseCents + amounts.taxCents + amounts.irpfCents).toBe(amounts.totalCents)
        const back = deriveAmounts({ totalCents: amounts.totalCents, taxRate, irpfRate })
        expect(back.totalCents).toBe(amounts.totalCents)
        expect(Math.abs(back.baseCents - baseCents)).toBeLessThanOrEqual(1)
        expect(deriveAmounts({ ...amounts, irpfRate: amounts.irpfRate ?? undefined, taxRate })).toEqual(amounts)
      }),
    )
  })

  it('mirrors every amount of a corrective invoice', () => {
    fc.assert(
      fc.property(cents, rates, irpfRates, (totalCents, taxRate, irpfRate) => {
        const plus = deriveAmounts({ totalCents, taxRate, irpfRate })
        const minus = deriveAmounts({ totalCents: -totalCents, taxRate, irpfRate })
        expect(minus.baseCents + plus.baseCents).toBe(0)
        expect(minus.taxCents + plus.taxCents).toBe(0)
        expect(minus.irpfCents + plus.irpfCents).toBe(0)
      }),
    )
  })
})

describe('amounts after a change', () => {
  const before = deriveAmounts({ baseCents: 10_000, taxRate: 21 })
  const withheld = deriveAmounts({ baseCents: 10_000, taxRate: 21, irpfRate: 15 })
  const untaxed = deriveAmounts({ totalCents: 12_100 })
  const cases: [string, EntryAmounts, StatedAmounts, [number, number, number, number]][] = [
    ['a new base keeps the rate', before, { baseCents: 20_000 }, [20_000, 4200, 0, 24_200]],
    ['a new total keeps the rate', before, { totalCents: 24_200 }, [20_000, 4200, 0, 24_200]],
    ['a new rate keeps the base', before, { taxRate: 10 }, [10_000, 1000, 0, 11_000]],
    ['a first rate keeps the total', untaxed, { taxRate: 21 }, [10_000, 2100, 0, 12_100]],
    ['a new total without tax stays without', untaxed, { totalCents: 5000 }, [5000, 0, 0, 5000]],
    ['a new base without tax stays without', untaxed, { baseCents: 5000 }, [5000, 0, 0, 5000]],
    ['a new base keeps the withholding rate', withheld, { baseCents: 20_000 }, [20_000, 4200, -3000, 21_200]],
    ['a withholding is added', before, { irpfRate: 15 }, [10_000, 2100, -1500, 10_600]],
    ['a withholding is added without tax', untaxed, { irpfRate: 15 }, [12_100, 0, -1815, 10_285]],
    ['nothing named changes nothing', withheld, {}, [10_000, 2100, -1500, 10_600]],
  ]
  it.each(cases)('%s', (_, current, change, expected) => {
    const after = changeAmounts(current, change)
    expect([after.baseCents, after.taxCents, after.irpfCents, after.totalCents]).toEqual(expected)
  })

  it('asks for the tax when the entry has several rates', () => {
    const several: EntryAmounts = {
      ...before,
      taxRate: null,
      taxLines: [
        { taxType: 'IVA', rate: 21, baseCents: 5000, amountCents: 1050 },
        { taxType: 'IVA', rate: 10, baseCents: 5000, amountCents: 500 },
      ],
      taxCents: 1550,
      totalCents: 11_550,
    }
    expect(catchFailure(() => changeAmounts(several, { totalCents: 20_000 })).issues[0]?.loc).toEqual([
      'body',
      'tax_amount',
    ])
  })
})

function catchFailure(work: () => unknown): ValidationFailure {
  try {
    work()
  } catch (error) {
    if (error instanceof ValidationFailure) return error
    throw error
  }
  throw new Error('it was accepted')
}
