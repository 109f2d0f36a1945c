import { euros } from '@asiento/proto/money'
import type { insightsView, yoyView } from '@asiento/proto/schemas/ledger/insights'
import type { z } from 'zod'
import { addMonths, monthsOf, type Period, periodRange } from '../period.ts'
import { alertsOf } from './alerts.ts'
import { cashForecast } from './cash-forecast.ts'
import { clientViews } from './clients.ts'
import { addFlows, type FlowSums, type InsightsFacts, type MonthSums, noFlows, type TaxpayerKind } from './facts.ts'
import { changePct, flowsOf, flowsView } from './flows.ts'
import { taxOutlook } from './tax-outlook.ts'

export type InsightsView = z.infer<typeof insightsView>
export type YoyView = z.infer<typeof yoyView>

/** The whole answer of `GET /contabilidad/insights`. */
export function composeInsights(facts: InsightsFacts): InsightsView {
  const flows = flowsOf(facts.sums, facts.kind)
  const flowsBefore = facts.sumsBefore === null ? null : flowsOf(facts.sumsBefore, facts.kind)
  const clients = clientViews(facts.clients, facts.sums.incomeCents)
  const taxes = taxOutlook(facts)
  const forecast = cashForecast(facts, taxes)
  return {
    period: facts.period,
    year: facts.year,
    ...periodRange(facts.year, facts.period),
    summary: {
      ...flowsView(flows),
      pending_in: euros(facts.pendingInCents),
      pending_out: euros(facts.pendingOutCents),
    },
    clients,
    alerts: alertsOf({ facts, flows, flowsBefore, clients, forecast, taxes }),
    cash_forecast: forecast,
  }
}

export interface YoyFacts {
  year: number
  period: Period
  kind: TaxpayerKind | null
  /** Months of the period and of the same period a year before; months without entries may be missing. */
  months: readonly MonthSums[]
}

/** The whole answer of `GET /contabilidad/insights/yoy`: one row for each month of the period, empty months too. */
export function composeYoy({ year, period, kind, months }: YoyFacts): YoyView {
  const byMonth = new Map(months.map((each) => [each.month, each]))
  const wanted = monthsOf(year, period)
  const sumsOf = (names: readonly string[]): FlowSums =>
    names.map((month) => byMonth.get(month) ?? noFlows).reduce<FlowSums>(addFlows, noFlows)
  const current = flowsOf(sumsOf(wanted), kind)
  const previous = flowsOf(sumsOf(wanted.map((month) => addMonths(month, -12))), kind)
  return {
    period,
    year,
    current: flowsView(current),
    previous: flowsView(previous),
    change_pct: {
      income: changePct(current.incomeCents, previous.incomeCents),
      expense: changePct(current.expenseCents, previous.expenseCents),
      result: changePct(current.resultCents, previous.resultCents),
      vat_due: changePct(current.vatDueCents, previous.vatDueCents),
      irpf_due: changePct(current.irpfDueCents, previous.irpfDueCents),
    },
    by_month: wanted.map((month) => ({
      month,
      current: resultsOf(byMonth.get(month) ?? noFlows),
      previous: resultsOf(byMonth.get(addMonths(month, -12)) ?? noFlows),
    })),
  }
}

const resultsOf = ({ incomeCents, expenseCents }: FlowSums) => ({
  income: euros(incomeCents),
  expense: euros(expenseCents),
  result: euros(incomeCents - expenseCents),
})
