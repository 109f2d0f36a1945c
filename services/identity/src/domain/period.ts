import { timestamp } from '@asiento/proto/time'

/** The calendar month in UTC that an instant belongs to: its first day, `YYYY-MM-DD`. */
export const periodOf = (instant: Date): string => `${instant.toISOString().slice(0, 7)}-01`

/** When the quota of a month starts anew: the first instant of the next one, `YYYY-MM-DD HH:MM:SS` in UTC. */
export function periodEnd(period: string): string {
  const start = new Date(`${period}T00:00:00Z`)
  return timestamp(new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1)))
}
