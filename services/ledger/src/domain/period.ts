import type { ReportPeriod } from '@asiento/proto/schemas/ledger/fields'

/** The periods of tax models and reports: quarters, months and the year. */
export type Period = ReportPeriod

export interface DateRange {
  /** First day, `YYYY-MM-DD`. */
  from: string
  /** Last day, inclusive. */
  to: string
}

/** First and last month (1–12) of a period. */
export function periodMonths(period: Period): { first: number; last: number } {
  if (period === 'Y') return { first: 1, last: 12 }
  const number = Number(period.slice(1))
  return period.startsWith('T') ? { first: number * 3 - 2, last: number * 3 } : { first: number, last: number }
}

/** The days of a period, both ends included. */
export function periodRange(year: number, period: Period): DateRange {
  const { first, last } = periodMonths(period)
  return { from: `${year4(year)}-${two(first)}-01`, to: lastDayOfMonth(year, last) }
}

/** The months of a period as `YYYY-MM`. */
export function monthsOf(year: number, period: Period): string[] {
  const { first, last } = periodMonths(period)
  return Array.from({ length: last - first + 1 }, (_, index) => `${year4(year)}-${two(first + index)}`)
}

/** The quarter (`T1`–`T4`) or month (`M01`–`M12`) that a date lies in. */
export const quarterOf = (date: string): Period => `T${Math.ceil(Number(date.slice(5, 7)) / 3)}` as Period

/** The last day of a month (1–12). */
export const lastDayOfMonth = (year: number, month: number): string =>
  `${year4(year)}-${two(month)}-${two(daysInMonth(year, month))}`

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** The month `count` months after `YYYY-MM` (before it, when negative). */
export function addMonths(month: string, count: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + count
  return `${year4(Math.floor(index / 12))}-${two((((index % 12) + 12) % 12) + 1)}`
}

const two = (value: number): string => String(value).padStart(2, '0')
const year4 = (value: number): string => String(value).padStart(4, '0')
