import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { vatBook, vatBookColumns } from '../../src/domain/vat-book/vat-book.ts'
import { taxable } from '../tax-models/taxable.ts'

const entries = [
  taxable(3, '2026-02-01', {
    base: 30000,
    lines: [
      [21, 20000, 4200],
      [10, 10000, 1000],
      ['RE', 1.4, 10000, 140],
    ],
    irpf: -4500,
  }),
  taxable(1, '2026-02-01', { base: 10000, lines: [[21, 10000, 2100]] }),
  taxable(2, '2026-01-15', { base: -5000, lines: [[21, -5000, -1050]] }),
  taxable(4, '2026-03-01', { type: 'expense', vat: 'DE123456789', base: 100000 }),
  taxable(5, '2026-03-02', { type: 'expense', base: 40000, lines: [[21, 40000, 8400]] }),
  taxable(6, '2026-03-31', { type: 'expense', account: '640', base: 200000, irpf: -20000 }),
  taxable(7, '2026-03-31', { vat: 'FR12345678901', base: 70000 }),
]

describe('the VAT books', () => {
  const book = vatBook(entries)

  it('have a row for each rate, ordered by date and numbered', () => {
    expect(book.issued.map((row) => [row.order, row.entryId, row.baseCents, row.taxRate, row.taxCents])).toEqual([
      [1, 2, -5000, 21, -1050],
      [2, 1, 10000, 21, 2100],
      [3, 3, 20000, 21, 4200],
      [3, 3, 10000, 10, 1000],
      [4, 7, 70000, 0, 0],
    ])
  })

  it('put the recargo beside the rate of its base, and withholding and total on the first row', () => {
    const rows = book.issued.filter((row) => row.entryId === 3)
    expect(rows.map((row) => [row.surchargeRate, row.surchargeCents, row.irpfCents, row.totalCents])).toEqual([
      [null, 0, -4500, 35340],
      [1.4, 140, 0, 0],
    ])
  })

  it('write what we charge ourselves with its rate, and deduct it', () => {
    expect(book.received[0]).toMatchObject({
      operation: 'intra_community',
      taxRate: 21,
      taxCents: 21000,
      deductibleCents: 21000,
    })
    expect(book.issued.at(-1)).toMatchObject({ operation: 'intra_community', taxCents: 0, deductibleCents: 0 })
  })

  it('leave wages out', () => {
    expect(book.received.map((row) => row.entryId)).toEqual([4, 5])
  })

  it('go on from the number that an earlier period reached', () => {
    expect(vatBook(entries, { issued: 10, received: 5 }).received.map((row) => row.order)).toEqual([6, 7])
  })

  it('have Spanish columns with amounts in euros', () => {
    const [row] = book.received.slice(1)
    if (row === undefined) throw new Error('no row')
    const cells = Object.fromEntries(vatBookColumns.received.map((column) => [column.label, column.value(row)]))
    expect(cells).toMatchObject({
      'Nº de recepción': 2,
      'Base imponible': 400,
      Cuota: 84,
      'Cuota deducible': 84,
      'Total factura': 484,
    })
    expect(vatBookColumns.issued.map((column) => column.label)).not.toContain('Cuota deducible')
  })

  it('add up to their invoices', () => {
    const rates = fc.uniqueArray(fc.constantFrom(4, 10, 21), { maxLength: 3 })
    fc.assert(
      fc.property(fc.array(fc.tuple(rates, fc.integer({ min: 1, max: 99999 })), { maxLength: 20 }), (given) => {
        const ledger = given.map(([each, base], at) =>
          taxable(at + 1, '2026-01-01', {
            base: base * Math.max(1, each.length),
            lines: each.map((rate) => [rate, base, Math.round((base * rate) / 100)] as const),
          }),
        )
        const { totals, issued } = vatBook(ledger)
        const sum = (pick: (at: (typeof ledger)[number]) => number) =>
          ledger.reduce((total, entry) => total + pick(entry), 0)
        expect(totals.issued.baseCents).toBe(sum((entry) => entry.baseCents))
        expect(totals.issued.taxCents).toBe(sum((entry) => entry.taxCents))
        expect(issued.reduce((total, row) => total + row.totalCents, 0)).toBe(sum((entry) => entry.totalCents))
      }),
    )
  })
})
