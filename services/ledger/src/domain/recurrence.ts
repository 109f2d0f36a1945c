import { addDays } from '@asiento/proto/time'
import { addMonths, daysInMonth } from './period.ts'

export const frequencies = ['weekly', 'monthly', 'quarterly', 'yearly'] as const
export type Frequency = (typeof frequencies)[number]

const monthsApart: Record<Exclude<Frequency, 'weekly'>, number> = { monthly: 1, quarterly: 3, yearly: 12 }

/**
 * The date of the n-th occurrence (0 is the start itself). Counted from the start, so that the 31st is the last day of
 * a shorter month and the 31st again in a longer one.
 */
export function occurrence(startDate: string, frequency: Frequency, index: number): string {
  if (frequency === 'weekly') return addDays(startDate, 7 * index)
  const month = addMonths(startDate.slice(0, 7), monthsApart[frequency] * index)
  const day = Math.min(Number(startDate.slice(8)), daysInMonth(Number(month.slice(0, 4)), Number(month.slice(5))))
  return `${month}-${String(day).padStart(2, '0')}`
}

export interface Schedule {
  startDate: string
  /** Last day on which an occurrence may lie; null: without end. */
  endDate: string | null
  frequency: Frequency
  /** How many occurrences were made already. */
  occurrences: number
}

/** The next occurrence, or null after the end. */
export function nextDate(schedule: Schedule): string | null {
  const date = occurrence(schedule.startDate, schedule.frequency, schedule.occurrences)
  return schedule.endDate !== null && date > schedule.endDate ? null : date
}

/** The occurrences that are due on a day and not made yet, oldest first, at most `limit` (downtime is caught up). */
export function dueDates(schedule: Schedule, today: string, limit: number): string[] {
  const due: string[] = []
  for (let count = 0; count < limit; count += 1) {
    const date = nextDate({ ...schedule, occurrences: schedule.occurrences + count })
    if (date === null || date > today) break
    due.push(date)
  }
  return due
}
