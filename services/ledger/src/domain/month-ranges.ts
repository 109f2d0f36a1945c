import { lastDayOfMonth } from './period.ts'

/** A range of days; null is without bound. */
export interface OpenRange {
  from: string | null
  to: string | null
}

/** A range taken apart: whole months, and the days at its ends that do not fill one. */
export interface SplitRange {
  /** First days of the first and last whole month, null without bound; absent when no whole month lies in the range. */
  months: OpenRange | null
  edges: readonly { from: string; to: string }[]
}

const firstOfMonth = (date: string): string => `${date.slice(0, 7)}-01`
const lastOfMonth = (date: string): string => lastDayOfMonth(Number(date.slice(0, 4)), Number(date.slice(5, 7)))

/** Takes a range apart, so that what is kept by month answers for the months and single rows only for the edges. */
export function splitRange({ from, to }: OpenRange): SplitRange {
  if (from !== null && to !== null && from > to) return { months: null, edges: [] }
  const head = from === null || from === firstOfMonth(from) ? null : from
  const tail = to === null || to === lastOfMonth(to) ? null : to
  if (head !== null && to !== null && to.slice(0, 7) === head.slice(0, 7))
    return { months: null, edges: [{ from: head, to }] }
  if (tail !== null && from !== null && from.slice(0, 7) === tail.slice(0, 7)) {
    return { months: null, edges: [{ from, to: tail }] }
  }
  const first = head === null ? from : dayAfter(lastOfMonth(head))
  const last = tail === null ? (to === null ? null : firstOfMonth(to)) : monthBefore(tail)
  const edges = [
    ...(head === null ? [] : [{ from: head, to: lastOfMonth(head) }]),
    ...(tail === null ? [] : [{ from: firstOfMonth(tail), to: tail }]),
  ]
  const empty = first !== null && last !== null && first > last
  return { months: empty ? null : { from: first, to: last }, edges }
}

function dayAfter(date: string): string {
  const instant = new Date(`${date}T00:00:00Z`)
  instant.setUTCDate(instant.getUTCDate() + 1)
  return instant.toISOString().slice(0, 10)
}

function monthBefore(date: string): string {
  const instant = new Date(`${firstOfMonth(date)}T00:00:00Z`)
  instant.setUTCMonth(instant.getUTCMonth() - 1)
  return instant.toISOString().slice(0, 10)
}

/** How many rows a month holds within a range; `month` is its first day, and may occur more than once. */
export interface MonthCount {
  month: string
  count: number
}

/**
 * Where a page of a list, newest first, begins: the last day to look at and how many rows to pass over from there. An
 * offset deep in the list then costs no more than one month of it.
 */
export function seek(counts: readonly MonthCount[], offset: number): { to: string | null; offset: number } {
  const byMonth = new Map<string, number>()
  for (const { month, count } of counts) byMonth.set(month, (byMonth.get(month) ?? 0) + count)
  const newestFirst = [...byMonth].sort(([a], [b]) => (a < b ? 1 : -1))
  let rest = offset
  for (const [month, count] of newestFirst) {
    if (rest < count) return { to: lastOfMonth(month), offset: rest }
    rest -= count
  }
  return { to: null, offset }
}
