import type { Cents } from '@asiento/proto/money'
import { addMonths, type Period, quarterOf } from '../period.ts'
import { statutoryDueDate } from '../tax-calendar.ts'
import { addFlows, type FlowSums, type InsightsFacts, noFlows } from './facts.ts'
import { instalment, withheldFromOthers } from './flows.ts'

/** A return that is ahead, or behind and not filed. */
export interface TaxObligation {
  model: string
  year: number
  period: Period
  dueDate: string
  /** Estimated unless recorded; at least 0, as an offset or refund brings no money by its due date. */
  amountCents: Cents
  status: 'open' | 'pending' | 'filed' | 'paid'
}

type OutlookFacts = Pick<InsightsFacts, 'today' | 'kind' | 'recentMonths' | 'recordedTaxes' | 'withholds'>

const quartersAhead = 3

/**
 * The tax calendar from the quarter before today's on: 303, 130 of an autónomo, 111 where somebody was withheld from (rents
 * are paid over with it in the estimate), the informative 390 and 347, and 200 and 202 of a company, which are not
 * estimated. What the owner recorded wins over the estimate. An account without profile and entries has only what was
 * recorded. Soonest first.
 */
export function taxOutlook(facts: OutlookFacts): TaxObligation[] {
  if (facts.kind === null && facts.recentMonths.length === 0) return recorded(facts)
  const first = addMonths(facts.today.slice(0, 7), -3)
  const quarters = Array.from({ length: quartersAhead + 1 }, (_, at) => addMonths(first, at * 3))
  const expected = quarters.flatMap((month) => quarterly(facts, Number(month.slice(0, 4)), quarterOf(`${month}-01`)))
  const years = [...new Set(quarters.map((month) => Number(month.slice(0, 4))))]
  const yearly = years
    .flatMap((year) => yearlyReturns(facts, year - 1))
    .concat(years.flatMap((year) => yearlyReturns(facts, year)))
  const known = new Set<string>()
  return [...recorded(facts), ...expected, ...yearly]
    .filter((each) => {
      const key = `${each.model} ${each.year} ${each.period}`
      return known.has(key) ? false : known.add(key)
    })
    .sort((a, b) => (a.dueDate === b.dueDate ? (a.model < b.model ? -1 : 1) : a.dueDate < b.dueDate ? -1 : 1))
}

function quarterly(facts: OutlookFacts, year: number, period: Period): TaxObligation[] {
  const sums = sumsOfQuarter(facts, year, period)
  const open = (model: string, amountCents: Cents): TaxObligation => ({
    model,
    year,
    period,
    dueDate: statutoryDueDate(model, year, period),
    amountCents: Math.max(0, amountCents),
    status: 'open',
  })
  return [
    open('303', sums.outputTaxCents - sums.inputTaxCents),
    ...(facts.kind === 'sociedad' ? [] : [open('130', instalment(sums))]),
    ...(facts.withholds.fees || withheldFromOthers(sums) > 0 ? [open('111', withheldFromOthers(sums))] : []),
    ...(facts.withholds.rents ? [open('115', 0)] : []),
    ...(facts.kind === 'sociedad' && period !== 'T2' ? [open('202', 0)] : []),
  ]
}

const yearlyReturns = (facts: OutlookFacts, year: number): TaxObligation[] =>
  ['390', '347', ...(facts.kind === 'sociedad' ? ['200'] : [])]
    .map(
      (model): TaxObligation => ({
        model,
        year,
        period: 'Y',
        dueDate: statutoryDueDate(model, year, 'Y'),
        amountCents: 0,
        status: 'open',
      }),
    )
    .filter((each) => each.dueDate >= facts.today)

const recorded = (facts: OutlookFacts): TaxObligation[] =>
  facts.recordedTaxes.map(({ model, year, period, dueDate, amountCents, status }) => ({
    model,
    year,
    period,
    dueDate,
    amountCents: Math.max(0, amountCents),
    status,
  }))

function sumsOfQuarter(facts: OutlookFacts, year: number, period: Period): FlowSums {
  return facts.recentMonths
    .filter(({ month }) => Number(month.slice(0, 4)) === year && quarterOf(`${month}-01`) === period)
    .reduce<FlowSums>(addFlows, noFlows)
}
