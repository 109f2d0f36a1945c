import { percentOf } from '@asiento/proto/money'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { model303 } from '../../src/domain/tax-models/model-303.ts'
import { model390 } from '../../src/domain/tax-models/model-390.ts'
import { boxOf } from '../../src/domain/tax-models/tax-model.ts'
import { isEuVatNumber } from '../../src/domain/tax-models/vat-lines.ts'
import { filled, taxable } from './taxable.ts'

/** A first quarter of 2026, worked by hand. */
const quarter = [
  taxable(1, '2026-01-15', { base: 100000, lines: [[21, 100000, 21000]], irpf: -15000 }),
  taxable(2, '2026-02-10', { base: 50000, lines: [[10, 50000, 5000]] }),
  taxable(3, '2026-03-05', { base: 20000, lines: [[4, 20000, 800]] }),
  taxable(4, '2026-03-20', { base: -10000, lines: [[21, -10000, -2100]] }),
  taxable(5, '2026-03-25', {
    base: 30000,
    lines: [
      [21, 30000, 6300],
      ['RE', 5.2, 30000, 1560],
    ],
  }),
  taxable(6, '2026-01-20', { type: 'expense', base: 40000, lines: [[21, 40000, 8400]] }),
  taxable(7, '2026-02-15', { type: 'expense', account: '217', base: 400000, lines: [[21, 400000, 84000]] }),
  taxable(8, '2026-03-01', { type: 'expense', account: '600', vat: 'DE123456789', base: 100000 }),
  taxable(9, '2026-03-02', { type: 'expense', concept: 'Obra (inversión del sujeto pasivo)', base: 60000 }),
  taxable(10, '2026-03-03', { vat: 'FR12345678901', base: 70000 }),
  taxable(11, '2026-03-31', { type: 'expense', base: -5000, lines: [[21, -5000, -1050]] }),
  taxable(12, '2026-03-31', { type: 'expense', vat: 'FR12345678901', base: 10000, lines: [[20, 10000, 2000]] }),
  taxable(13, '2026-04-01', { base: 999900, lines: [[21, 999900, 209979]] }),
  taxable(14, '2026-01-05', {
    type: 'expense',
    account: '621',
    base: 80000,
    lines: [[21, 80000, 16800]],
    irpf: -15200,
  }),
  taxable(15, '2026-01-31', { base: 12300, concept: 'Formación exenta' }),
]

describe('modelo 303', () => {
  const draft = model303(2026, 'T1', quarter)

  it('has the boxes of the quarter worked by hand', () => {
    expect(filled(draft)).toEqual({
      '01': 200,
      '02': 4,
      '03': 8,
      '04': 500,
      '05': 10,
      '06': 50,
      '07': 1300,
      '08': 21,
      '09': 273,
      '10': 1000,
      '11': 210,
      '12': 600,
      '13': 126,
      '14': -100,
      '15': -21,
      '169': 0.5,
      '20': 1.4,
      '22': 300,
      '23': 5.2,
      '24': 15.6,
      '157': 1.75,
      '27': 661.6,
      '28': 1800,
      '29': 378,
      '30': 4000,
      '31': 840,
      '36': 1000,
      '37': 210,
      '40': -50,
      '41': -10.5,
      '45': 1417.5,
      '46': -755.9,
      '59': 700,
      '64': -755.9,
      '65': 100,
      '66': -755.9,
      '69': -755.9,
      '71': -755.9,
    })
    expect(draft).toMatchObject({ resultCents: -75590, dueDate: '2026-04-20' })
  })

  it('every box leads to its entries', () => {
    expect(boxOf(draft, '07')?.entryIds).toEqual([1, 5])
    expect(boxOf(draft, '7')?.entryIds).toEqual([1, 5])
    expect(boxOf(draft, '29')?.entryIds).toEqual([6, 9, 14])
    expect(boxOf(draft, '27')?.entryIds).toEqual([1, 2, 3, 4, 5, 8, 9])
    expect(boxOf(draft, '999')).toBeNull()
  })

  it('names what it leaves out and what it cannot know', () => {
    expect(draft.leftOut).toEqual([{ entryId: 12, reason: 'El 20 % no es un tipo de IVA español en su fecha.' }])
    expect(draft.notComputed.find((each) => each.box === '60')?.reason).toMatch(/exportación/)
    const known = new Set(draft.boxes.map((each) => each.box))
    expect(draft.notComputed.filter((each) => known.has(each.box))).toEqual([])
  })

  it('offsets what earlier periods left, no further than to zero', () => {
    const sale = [taxable(1, '2026-01-15', { base: 100000, lines: [[21, 100000, 21000]] })]
    const boxes = (pendingCompensationCents: number) => filled(model303(2026, 'T1', sale, { pendingCompensationCents }))
    expect(boxes(5000)).toMatchObject({ '66': 210, '110': 50, '78': 50, '71': 160 })
    expect(boxes(50000)).toMatchObject({ '66': 210, '110': 500, '78': 210, '87': 290 })
  })

  const rates: [string, string, number, string, string][] = [
    ['5 % of 2024 until September', '2024-09-30', 5, '153', '155'],
    ['7.5 % in the autumn of 2024', '2024-10-01', 7.5, '153', '155'],
    ['2 % in the autumn of 2024', '2024-12-31', 2, '165', '167'],
    ['10 %', '2024-12-31', 10, '04', '06'],
    ['18 % before September 2012', '2012-08-31', 18, '07', '09'],
    ['21 % from September 2012', '2012-09-01', 21, '07', '09'],
  ]
  it.each(rates)('declares %s in its box', (_title, date, rate, base, amount) => {
    const tax = percentOf(10000, rate)
    const draftOf = model303(Number(date.slice(0, 4)), 'Y', [
      taxable(1, date, { base: 10000, lines: [[rate, 10000, tax]] }),
    ])
    expect(filled(draftOf)).toMatchObject({ [base]: 100, [amount]: tax / 100, '27': tax / 100 })
  })

  it('has no box for a rate after its end, and says so', () => {
    const late = model303(2025, 'T1', [taxable(1, '2025-01-01', { base: 10000, lines: [[5, 10000, 500]] })])
    expect(late.resultCents).toBe(0)
    expect(late.leftOut.map((each) => each.entryId)).toEqual([1])
  })

  const surcharges: [string, number, string, string][] = [
    ['2024-09-30', 0.5, '16', '18'],
    ['2024-10-01', 0.5, '168', '170'],
    ['2026-01-01', 1.4, '19', '21'],
    ['2026-01-01', 1.75, '156', '158'],
    ['2024-11-01', 1, '16', '18'],
  ]
  it.each(surcharges)('declares the recargo of %s at %d %% in its box', (date, rate, base, amount) => {
    const tax = percentOf(100000, rate)
    const entry = taxable(1, date, {
      base: 100000,
      lines: [
        [21, 100000, 21000],
        ['RE', rate, 100000, tax],
      ],
    })
    expect(filled(model303(Number(date.slice(0, 4)), 'Y', [entry]))).toMatchObject({
      [base]: 1000,
      [amount]: tax / 100,
    })
  })

  it('leaves IGIC out', () => {
    const entry = taxable(1, '2026-01-01', { base: 10000, lines: [[7, 10000, 700]] })
    const canary = { ...entry, taxLines: entry.taxLines.map((line) => ({ ...line, taxType: 'IGIC' as const })) }
    expect(model303(2026, 'T1', [canary])).toMatchObject({ resultCents: 0, leftOut: [{ entryId: 1 }] })
  })

  it.each([
    ['DE123456789', true],
    ['fr 12 345678901', true],
    ['EL123456789', true],
    ['ESB58818501', false],
    ['B58818501', false],
    ['X1234567L', false],
    ['GB123456789', false],
    [null, false],
  ])('%s is a VAT number of another member state: %s', (vat, expected) => {
    expect(isEuVatNumber(vat)).toBe(expected)
  })
})

describe('modelo 390', () => {
  it('has the boxes of the year worked by hand', () => {
    expect(filled(model390(2026, 'Y', quarter))).toEqual({
      '01': 200,
      '02': 8,
      '03': 500,
      '04': 50,
      '05': 11299,
      '06': 2372.79,
      '25': 1000,
      '26': 210,
      '27': 600,
      '28': 126,
      '29': -100,
      '30': -21,
      '33': 13499,
      '34': 2745.79,
      '601': 300,
      '602': 15.6,
      '47': 2761.39,
      '605': 1800,
      '606': 378,
      '48': 1800,
      '49': 378,
      '613': 4000,
      '614': 840,
      '50': 4000,
      '51': 840,
      '629': 1000,
      '630': 210,
      '639': -50,
      '62': -10.5,
      '64': 1417.5,
      '65': 1343.89,
      '84': 1343.89,
      '86': 1343.89,
      '99': 11899,
      '103': 700,
      '108': 12599,
    })
  })
})

describe('over random years', () => {
  const rate = fc.constantFrom(0, 4, 10, 21)
  const entries = fc
    .array(
      fc.record({
        type: fc.constantFrom('income' as const, 'expense' as const),
        month: fc.integer({ min: 1, max: 12 }),
        base: fc.integer({ min: -500000, max: 500000 }).filter((cents) => cents !== 0),
        rate,
        account: fc.constantFrom('629', '217', '600'),
        vat: fc.constantFrom('B58818501', 'DE123456789', null),
      }),
      { maxLength: 40 },
    )
    .map((rows) =>
      rows.map((row, at) =>
        taxable(at + 1, `2026-${String(row.month).padStart(2, '0')}-15`, {
          type: row.type,
          account: row.type === 'income' ? '705' : row.account,
          vat: row.vat,
          base: row.base,
          lines: row.rate === 0 ? [] : [[row.rate, row.base, percentOf(row.base, row.rate)]],
        }),
      ),
    )

  it('the result is the tax charged less the tax borne, and the quarters add up to the year and to the 390', () => {
    fc.assert(
      fc.property(entries, (ledger) => {
        const expected = ledger.reduce(
          (sum, entry) => sum + (entry.type === 'income' ? entry.taxCents : -entry.taxCents),
          0,
        )
        const quarters = (['T1', 'T2', 'T3', 'T4'] as const).map((period) => model303(2026, period, ledger))
        expect(model303(2026, 'Y', ledger).resultCents).toBe(expected)
        expect(quarters.reduce((sum, draft) => sum + draft.resultCents, 0)).toBe(expected)
        expect(model390(2026, 'Y', ledger).resultCents).toBe(expected)
      }),
    )
  })

  it('a base box is the sum of the bases of its entries', () => {
    fc.assert(
      fc.property(entries, (ledger) => {
        const draft = model303(2026, 'Y', ledger)
        const baseOf = new Map(ledger.map((entry) => [entry.id, entry.baseCents]))
        for (const name of ['01', '04', '07', '10', '14', '28', '30', '36', '38', '40', '59']) {
          const box = boxOf(draft, name)
          expect(box?.valueCents).toBe(box?.entryIds.reduce((sum, id) => sum + (baseOf.get(id) ?? 0), 0))
        }
      }),
    )
  })
})
