import { type Cents, euros } from '@asiento/proto/money'
import { addMonths } from '../period.ts'
import { occurrence } from '../recurrence.ts'
import type { InsightsFacts, RecurringItem } from './facts.ts'
import type { TaxObligation } from './tax-outlook.ts'

export interface ForecastMonth {
  month: string
  opening: number
  expected_in: number
  expected_out: number
  closing: number
}

type ForecastFacts = Pick<InsightsFacts, 'today' | 'openingCents' | 'pendingByMonth' | 'recurring'>

export const forecastMonths = 6

/**
 * Six months from today's: what is in bank and cash, plus pending income, less pending expenses, each in the month it falls
 * due (overdue ones in the first), recurring items that are not entries yet, and taxes that are not paid. Each month
 * opens with the closing of the one before.
 */
export function cashForecast(facts: ForecastFacts, taxes: readonly TaxObligation[]): ForecastMonth[] {
  const months = Array.from({ length: forecastMonths }, (_, at) => addMonths(facts.today.slice(0, 7), at))
  const flows = new Map(months.map((month) => [month, { inCents: 0, outCents: 0 }]))
  const add = (month: string, inCents: Cents, outCents: Cents): void => {
    const flow = flows.get(month < facts.today.slice(0, 7) ? facts.today.slice(0, 7) : month)
    if (flow === undefined) return
    flow.inCents += inCents
    flow.outCents += outCents
  }
  for (const pending of facts.pendingByMonth) add(pending.month, pending.inCents, pending.outCents)
  for (const item of facts.recurring) {
    for (const month of occurrenceMonths(item, months.at(-1) ?? '')) {
      add(month, item.type === 'income' ? item.totalCents : 0, item.type === 'expense' ? item.totalCents : 0)
    }
  }
  for (const tax of taxes) {
    if (tax.status === 'paid') continue
    const behind = tax.status === 'open' && tax.dueDate < facts.today
    if (!behind) add(tax.dueDate.slice(0, 7), 0, tax.amountCents)
  }
  let openingCents = facts.openingCents
  return months.map((month) => {
    const { inCents, outCents } = flows.get(month) ?? { inCents: 0, outCents: 0 }
    const closingCents = openingCents + inCents - outCents
    const view = {
      month,
      opening: euros(openingCents),
      expected_in: euros(inCents),
      expected_out: euros(outCents),
      closing: euros(closingCents),
    }
    openingCents = closingCents
    return view
  })
}

/** More occurrences than a weekly item has in the horizon and in a year of downtime before it. */
const occurrencesMax = 90

/** The months of the occurrences that are still to be made, up to the horizon. */
function occurrenceMonths({ schedule }: RecurringItem, lastMonth: string): string[] {
  const months: string[] = []
  for (let ahead = 0; ahead < occurrencesMax; ahead += 1) {
    const date = occurrence(schedule.startDate, schedule.frequency, schedule.occurrences + ahead)
    if (date.slice(0, 7) > lastMonth || (schedule.endDate !== null && date > schedule.endDate)) break
    months.push(date.slice(0, 7))
  }
  return months
}
