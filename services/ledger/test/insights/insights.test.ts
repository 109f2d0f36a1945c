import { insightsView, yoyView } from '@asiento/proto/schemas/ledger/insights'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cashForecast } from '../../src/domain/insights/cash-forecast.ts'
import { clientViews } from '../../src/domain/insights/clients.ts'
import { composeInsights, composeYoy } from '../../src/domain/insights/compose.ts'
import type { ClientSums, InsightsFacts, MonthSums } from '../../src/domain/insights/facts.ts'
import { changePct } from '../../src/domain/insights/flows.ts'
import { taxOutlook } from '../../src/domain/insights/tax-outlook.ts'

const month = (name: string, sums: Partial<MonthSums>): MonthSums => ({
  month: name,
  incomeCents: 0,
  expenseCents: 0,
  outputTaxCents: 0,
  inputTaxCents: 0,
  incomeIrpfCents: 0,
  expenseIrpfCents: 0,
  ...sums,
})

const client = (sums: Partial<ClientSums>): ClientSums => ({
  name: 'Cliente',
  vat: null,
  incomeCents: 0,
  invoices: 1,
  collected: 0,
  daysToPay: 0,
  pendingCents: 0,
  overdueCents: 0,
  ...sums,
})

const nothingPending = { count: 0, cents: 0, oldestDays: 0 }

/** The third quarter of 2026 seen from 5 October, worked by hand. */
const facts: InsightsFacts = {
  today: '2026-10-05',
  year: 2026,
  period: 'T3',
  kind: 'autonomo',
  sums: {
    incomeCents: 1000000,
    expenseCents: 400000,
    outputTaxCents: 210000,
    inputTaxCents: 84000,
    incomeIrpfCents: -75000,
    expenseIrpfCents: -19000,
  },
  sumsBefore: null,
  pendingInCents: 242000,
  pendingOutCents: 60500,
  clients: [
    client({ name: 'Uno SL', vat: 'B58818501', incomeCents: 500000, invoices: 2, collected: 1, daysToPay: 75 }),
    client({
      name: 'Uno, S.L.',
      vat: 'ES-B58818501',
      incomeCents: 200000,
      collected: 1,
      daysToPay: 60,
      pendingCents: 242000,
      overdueCents: 121000,
    }),
    client({ name: 'Dos SA', incomeCents: 300000 }),
  ],
  overdueIn: { count: 1, cents: 121000, oldestDays: 20 },
  overdueOut: nothingPending,
  dueSoonOut: { count: 2, cents: 60500, oldestDays: 0 },
  withoutTaxId: 1,
  openingCents: 500000,
  pendingByMonth: [
    { month: '2026-08', inCents: 121000, outCents: 0 },
    { month: '2026-10', inCents: 0, outCents: 60500 },
    { month: '2026-11', inCents: 121000, outCents: 0 },
    { month: '2027-09', inCents: 999900, outCents: 0 },
  ],
  recurring: [
    {
      type: 'expense',
      totalCents: 96800,
      schedule: { startDate: '2026-01-31', endDate: null, frequency: 'monthly', occurrences: 9 },
    },
    {
      type: 'income',
      totalCents: 30000,
      schedule: { startDate: '2026-02-01', endDate: '2026-11-15', frequency: 'quarterly', occurrences: 3 },
    },
  ],
  recentMonths: [
    month('2026-07', {
      incomeCents: 1000000,
      expenseCents: 400000,
      outputTaxCents: 210000,
      inputTaxCents: 84000,
      incomeIrpfCents: -75000,
      expenseIrpfCents: -19000,
    }),
  ],
  recordedTaxes: [],
  withholds: { fees: true, rents: false },
}

describe('insights', () => {
  const view = composeInsights(facts)

  it('fit the public shape', () => {
    expect(insightsView.parse(view)).toEqual(view)
  })

  it('sum the period up: VAT charged less borne; 111 of 190 and 130 of 20 % of 6,000 less 750', () => {
    expect(view).toMatchObject({ period: 'T3', year: 2026, from: '2026-07-01', to: '2026-09-30' })
    expect(view.summary).toEqual({
      income: 10000,
      expense: 4000,
      result: 6000,
      vat_due: 1260,
      irpf_due: 640,
      pending_in: 2420,
      pending_out: 605,
    })
    expect(composeInsights({ ...facts, kind: 'sociedad' }).summary.irpf_due).toBe(190)
  })

  it('know a client by its tax id however it is written', () => {
    expect(view.clients).toEqual([
      {
        name: 'Uno SL',
        vat: 'B58818501',
        income: 7000,
        share: 70,
        invoices: 3,
        avg_days_to_pay: 67.5,
        pending: 2420,
        overdue: 1210,
      },
      {
        name: 'Dos SA',
        vat: null,
        income: 3000,
        share: 30,
        invoices: 1,
        avg_days_to_pay: null,
        pending: 0,
        overdue: 0,
      },
    ])
  })

  it('forecast six months, each opening with the closing before', () => {
    expect(view.cash_forecast).toEqual([
      { month: '2026-10', opening: 5000, expected_in: 1210, expected_out: 3473, closing: 2737 },
      { month: '2026-11', opening: 2737, expected_in: 1510, expected_out: 968, closing: 3279 },
      { month: '2026-12', opening: 3279, expected_in: 0, expected_out: 968, closing: 2311 },
      { month: '2027-01', opening: 2311, expected_in: 0, expected_out: 968, closing: 1343 },
      { month: '2027-02', opening: 1343, expected_in: 0, expected_out: 968, closing: 375 },
      { month: '2027-03', opening: 375, expected_in: 0, expected_out: 968, closing: -593 },
    ])
  })

  it('alert in Spanish, the most severe first', () => {
    expect(view.alerts.map((alert) => [alert.severity, alert.code])).toEqual([
      ['critical', 'negative_cash'],
      ['warning', 'overdue_income'],
      ['warning', 'tax_due_soon'],
      ['warning', 'tax_due_soon'],
      ['warning', 'tax_due_soon'],
      ['warning', 'client_concentration'],
      ['info', 'payments_due_soon'],
      ['info', 'slow_payer'],
      ['info', 'missing_tax_id'],
    ])
    expect(view.alerts[1]).toEqual({
      code: 'overdue_income',
      severity: 'warning',
      message: '1 cobro vencido por 1.210,00 €; el más antiguo, de hace 20 días.',
      data: { count: 1, amount: 1210, oldest_days: 20 },
    })
    expect(view.alerts[4]?.message).toBe(
      'El modelo 303 de T3 de 2026 se presenta hasta el 20/10/2026 (unos 1.260,00 €).',
    )
  })

  it('compare with the year before', () => {
    const before = { ...facts.sums, incomeCents: 2000000, expenseCents: 300000 }
    const codes = composeInsights({ ...facts, sumsBefore: before }).alerts.map((alert) => alert.code)
    expect(codes).toEqual(expect.arrayContaining(['income_drop', 'expense_growth']))
  })

  it('say nothing of an account without entries, and divide by nothing', () => {
    const empty = composeInsights({
      ...facts,
      kind: null,
      sums: month('', {}),
      pendingInCents: 0,
      pendingOutCents: 0,
      clients: [],
      overdueIn: nothingPending,
      dueSoonOut: nothingPending,
      withoutTaxId: 0,
      openingCents: 0,
      pendingByMonth: [],
      recurring: [],
      recentMonths: [],
    })
    expect(empty.alerts).toEqual([])
    expect(empty.cash_forecast).toHaveLength(6)
    expect(empty.summary).toEqual({
      income: 0,
      expense: 0,
      result: 0,
      vat_due: 0,
      irpf_due: 0,
      pending_in: 0,
      pending_out: 0,
    })
  })
})

describe('the tax outlook', () => {
  it('has what an autónomo files next, soonest first, estimated from the quarter', () => {
    expect(
      taxOutlook(facts)
        .slice(0, 3)
        .map((tax) => [tax.model, tax.period, tax.dueDate, tax.amountCents]),
    ).toEqual([
      ['111', 'T3', '2026-10-20', 19000],
      ['130', 'T3', '2026-10-20', 45000],
      ['303', 'T3', '2026-10-20', 126000],
    ])
  })

  it('believes what was recorded rather than its estimate, and expects no cash of what is paid', () => {
    const paid = {
      model: '303',
      year: 2026,
      period: 'T3' as const,
      amountCents: 130000,
      status: 'paid' as const,
      dueDate: '2026-10-20',
    }
    const taxes = taxOutlook({ ...facts, recordedTaxes: [paid] })
    expect(taxes.filter((tax) => tax.model === '303' && tax.period === 'T3')).toEqual([{ ...paid }])
    expect(cashForecast(facts, taxes)[0]?.expected_out).toBe(605 + 968 + 450 + 190)
  })

  it('calls a recorded return that is past its day overdue', () => {
    const late = {
      model: '303',
      year: 2026,
      period: 'T2' as const,
      amountCents: 100,
      status: 'pending' as const,
      dueDate: '2026-07-20',
    }
    const [first] = composeInsights({ ...facts, recordedTaxes: [late] }).alerts
    expect(first).toMatchObject({ code: 'tax_overdue', severity: 'critical' })
  })

  it('of a company has no 130 but payments on account', () => {
    const models = new Set(taxOutlook({ ...facts, kind: 'sociedad' }).map((tax) => tax.model))
    expect([models.has('130'), models.has('202'), models.has('200')]).toEqual([false, true, true])
  })
})

describe('year over year', () => {
  const months = [
    month('2025-07', { incomeCents: 100000, expenseCents: 200000 }),
    month('2026-07', { incomeCents: 150000, expenseCents: 100000, outputTaxCents: 31500 }),
    month('2026-09', { incomeCents: 50000 }),
  ]
  const view = composeYoy({ year: 2026, period: 'T3', kind: 'sociedad', months })

  it('fits the public shape and has every month of the period', () => {
    expect(yoyView.parse(view)).toEqual(view)
    expect(view.by_month).toEqual([
      {
        month: '2026-07',
        current: { income: 1500, expense: 1000, result: 500 },
        previous: { income: 1000, expense: 2000, result: -1000 },
      },
      {
        month: '2026-08',
        current: { income: 0, expense: 0, result: 0 },
        previous: { income: 0, expense: 0, result: 0 },
      },
      {
        month: '2026-09',
        current: { income: 500, expense: 0, result: 500 },
        previous: { income: 0, expense: 0, result: 0 },
      },
    ])
  })

  it('has no percentage where there was nothing before, and a rise out of a loss is a rise', () => {
    expect(view.change_pct).toEqual({ income: 100, expense: -50, result: 200, vat_due: null, irpf_due: null })
  })

  it.each([
    [150, 100, 50],
    [0, 100, -100],
    [100, 0, null],
    [0, 0, null],
    [-50, -100, 50],
    [1, 3, -66.67],
  ])('%d after %d is %s %%', (current, previous, expected) => {
    expect(changePct(current, previous)).toBe(expected)
  })
})

describe('for any facts', () => {
  it('shares add up to 100 %, give or take rounding', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1000000 }), { minLength: 1, maxLength: 50 }), (incomes) => {
        const rows = incomes.map((incomeCents, at) => client({ name: `C${at}`, incomeCents }))
        const views = clientViews(
          rows,
          incomes.reduce((sum, each) => sum + each, 0),
        )
        expect(Math.abs(views.reduce((sum, each) => sum + each.share, 0) - 100)).toBeLessThan(
          0.005 * incomes.length + 1e-9,
        )
      }),
    )
  })

  it('a forecast ends with its opening plus all that comes and less all that goes', () => {
    const pending = fc.record({
      month: fc.constantFrom('2026-09', '2026-10', '2026-12', '2027-03', '2027-04'),
      inCents: fc.nat(99999),
      outCents: fc.nat(99999),
    })
    fc.assert(
      fc.property(
        fc.integer({ min: -99999, max: 99999 }),
        fc.array(pending, { maxLength: 10 }),
        (openingCents, pendingByMonth) => {
          const forecast = cashForecast({ today: '2026-10-05', openingCents, pendingByMonth, recurring: [] }, [])
          const expected = pendingByMonth
            .filter((each) => each.month <= '2027-03')
            .reduce((sum, each) => sum + each.inCents - each.outCents, openingCents)
          expect(Math.round((forecast.at(-1)?.closing ?? 0) * 100)).toBe(expected)
          for (const [at, each] of forecast.entries()) if (at > 0) expect(each.opening).toBe(forecast[at - 1]?.closing)
        },
      ),
    )
  })
})
