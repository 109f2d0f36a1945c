import { taxModelNames } from '@asiento/proto/schemas/ledger/tax-models'
import { describe, expect, it } from 'vitest'
import { model130 } from '../../src/domain/tax-models/model-130.ts'
import { model347 } from '../../src/domain/tax-models/model-347.ts'
import { model111, model115 } from '../../src/domain/tax-models/model-withholdings.ts'
import { boxOf, draftTaxModel, entriesNeeded, isTaxModel } from '../../src/domain/tax-models/tax-model.ts'
import { filled, taxable } from './taxable.ts'

/** A professional's year, worked by hand; amounts in euros in the comments of each quarter. */
const year = [
  taxable(1, '2026-02-01', { base: 1000000, irpf: -150000 }),
  taxable(2, '2026-03-01', { type: 'expense', base: 400000 }),
  taxable(3, '2026-05-01', { base: 1200000, irpf: -60000 }),
  taxable(4, '2026-06-30', { type: 'expense', base: 300000 }),
  taxable(5, '2026-07-01', { base: 800000 }),
  taxable(6, '2026-09-30', { type: 'expense', base: 100000 }),
  taxable(7, '2026-10-01', { base: 3000000 }),
  taxable(8, '2026-04-10', { type: 'expense', account: '217', base: 200000 }),
]

describe('modelo 130', () => {
  it('first quarter: 10,000 in, 4,000 out, 5 % of 6,000 hard to justify, withheld more than due', () => {
    expect(filled(model130(2026, 'T1', year))).toEqual({
      '01': 10000,
      '02': 4300,
      '03': 5700,
      '04': 1140,
      '06': 1500,
      '07': -360,
    })
  })

  it('second quarter: counted from January; nothing was paid before', () => {
    expect(filled(model130(2026, 'T2', year))).toEqual({
      '01': 22000,
      '02': 7750,
      '03': 14250,
      '04': 2850,
      '06': 2100,
      '07': 750,
      '12': 750,
      '14': 750,
      '17': 750,
      '19': 750,
    })
  })

  it('third quarter: what the second paid is taken off', () => {
    expect(filled(model130(2026, 'T3', year))).toMatchObject({
      '03': 20900,
      '04': 4180,
      '05': 750,
      '07': 1330,
      '19': 1330,
    })
  })

  it('fourth quarter: hard to justify is capped at 2,000 a year', () => {
    const draft = model130(2026, 'T4', year)
    expect(filled(draft)).toMatchObject({
      '01': 60000,
      '02': 10000,
      '03': 50000,
      '04': 10000,
      '05': 2080,
      '07': 5820,
      '19': 5820,
    })
    expect(draft.dueDate).toBe('2027-02-01')
  })

  it('the reduction of low incomes makes a first result negative, which the next quarter makes up for', () => {
    const options = { previousYearNetCents: 850000 }
    expect(filled(model130(2026, 'T1', year, options))).toMatchObject({ '13': 100, '14': -100, '19': -100 })
    expect(filled(model130(2026, 'T2', year, options))).toMatchObject({ '14': 650, '15': 100, '19': 550 })
    expect(filled(model130(2026, 'T3', year, options))).toMatchObject({ '05': 750, '14': 1230, '19': 1230 })
  })

  it('the normal method adds nothing, and 2023 added 7 %', () => {
    expect(filled(model130(2026, 'T1', year, { method: 'normal' }))).toMatchObject({ '02': 4000, '03': 6000 })
    const in2023 = year.map((entry) => ({ ...entry, date: entry.date.replace('2026', '2023') }))
    expect(filled(model130(2023, 'T1', in2023))).toMatchObject({ '02': 4420 })
  })

  it('an asset is no expense, and is named', () => {
    expect(model130(2026, 'T2', year).leftOut.map((each) => each.entryId)).toEqual([8])
    expect(boxOf(model130(2026, 'T2', year), '02')?.entryIds).toEqual([2, 4])
  })
})

describe('modelos 111 and 115', () => {
  const quarter = [
    taxable(1, '2026-01-10', { type: 'expense', account: '623', vat: '12345678Z', base: 30000, irpf: -4500 }),
    taxable(2, '2026-02-10', { type: 'expense', account: '623', vat: 'ES-12345678-Z', base: 20000, irpf: -3000 }),
    taxable(3, '2026-03-10', { type: 'expense', account: '623', vat: 'X1234567L', base: 100000, irpf: -15000 }),
    taxable(4, '2026-03-31', { type: 'expense', account: '640', vat: null, name: 'Ana', base: 200000, irpf: -20000 }),
    taxable(5, '2026-01-05', { type: 'expense', account: '621', base: 80000, irpf: -15200 }),
    taxable(6, '2026-02-05', { type: 'expense', account: '621', base: 80000, irpf: -15200 }),
    taxable(7, '2026-03-05', { type: 'expense', account: '6210001', base: 80000, irpf: -15200 }),
    taxable(8, '2026-03-05', { base: 100000, irpf: -15000 }),
    taxable(9, '2026-04-01', { type: 'expense', account: '623', base: 100000, irpf: -15000 }),
  ]

  it('count each payee once, work and professionals apart, rents in the 115 only', () => {
    expect(filled(model111(2026, 'T1', quarter))).toEqual({
      '01': 1,
      '02': 2000,
      '03': 200,
      '07': 2,
      '08': 1500,
      '09': 225,
      '28': 425,
      '30': 425,
    })
    expect(filled(model115(2026, 'T1', quarter))).toEqual({ '01': 1, '02': 2400, '03': 456, '05': 456 })
    expect(boxOf(model115(2026, 'T1', quarter), '03')?.entryIds).toEqual([5, 6, 7])
  })

  it('a corrected invoice takes its withholding back', () => {
    const back = taxable(10, '2026-03-20', {
      type: 'expense',
      account: '623',
      vat: 'X1234567L',
      base: -100000,
      irpf: 15000,
    })
    expect(filled(model111(2026, 'T1', [...quarter, back]))).toMatchObject({ '08': 500, '09': 75 })
  })
})

describe('modelo 347', () => {
  const sale = (id: number, date: string, vat: string, base: number, tax: number, name = vat) =>
    taxable(id, date, { vat, name, base, lines: tax === 0 ? [] : [[21, base, tax]] })
  const entries = [
    sale(1, '2026-02-01', 'B58818501', 100000, 21000),
    sale(2, '2026-05-01', 'B58818501', 148352, 31154),
    sale(3, '2026-02-01', 'A58818501', 100000, 21000, 'Justo SA'),
    sale(4, '2026-11-30', 'A58818501', 148352, 31155, 'Justo SA'),
    taxable(5, '2026-03-01', {
      type: 'expense',
      vat: 'A58818501',
      name: 'Justo SA',
      base: 400000,
      lines: [[10, 400000, 40000]],
    }),
    taxable(6, '2026-03-01', { type: 'expense', account: '623', vat: '12345678Z', base: 900000, irpf: -135000 }),
    taxable(7, '2026-03-01', { vat: 'DE123456789', base: 900000 }),
    taxable(8, '2026-03-01', { vat: null, base: 900000 }),
    taxable(9, '2026-03-01', { type: 'expense', account: '640', vat: '12345678Z', base: 900000 }),
    taxable(10, '2025-12-31', { vat: 'B58818501', base: 900000 }),
  ]
  const draft = model347(2026, 'Y', entries)

  it('declares those above 3,005.06 €, not the one at it, sales and purchases apart, by quarters', () => {
    expect(filled(draft)).toEqual({
      '01': 2,
      '02': 7405.07,
      'A-A58818501': 4400,
      'A-A58818501-T1': 4400,
      'B-A58818501': 3005.07,
      'B-A58818501-T1': 1210,
      'B-A58818501-T4': 1795.07,
    })
    expect(boxOf(draft, 'B-A58818501')).toMatchObject({ label: 'Justo SA (A58818501), ventas', entryIds: [3, 4] })
  })

  it('names those it leaves out', () => {
    expect(draft.leftOut.map((each) => each.entryId)).toEqual([6, 7, 8])
  })

  it('is due at the end of February, or on the next working day', () => {
    expect(draft.dueDate).toBe('2027-03-01')
  })
})

describe('any model', () => {
  it('drafts an empty year with zeros, a due date, sources and Spanish labels', () => {
    for (const model of taxModelNames) {
      const draft = draftTaxModel(model, 2026, 'T3', [])
      expect(draft.resultCents).toBe(0)
      expect(draft.dueDate).toMatch(/^202[67]-\d\d-\d\d$/)
      expect(draft.sources.length).toBeGreaterThan(0)
      expect(draft.boxes.length).toBeGreaterThan(1)
      expect(new Set(draft.boxes.map((box) => box.box)).size).toBe(draft.boxes.length)
      expect([...draft.boxes, ...draft.notComputed].every((box) => box.label.length > 3)).toBe(true)
    }
  })

  it('says which days it needs', () => {
    expect(entriesNeeded('303', 2026, 'T2')).toEqual({ from: '2026-04-01', to: '2026-06-30' })
    expect(entriesNeeded('130', 2026, 'M05')).toEqual({ from: '2026-01-01', to: '2026-06-30' })
    expect(entriesNeeded('347', 2026, 'T2')).toEqual({ from: '2026-01-01', to: '2026-12-31' })
    expect([isTaxModel('303'), isTaxModel('200'), isTaxModel('constructor')]).toEqual([true, false, false])
  })
})
