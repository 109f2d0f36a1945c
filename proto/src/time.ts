/** An instant as the API prints it: `YYYY-MM-DD HH:MM:SS` in UTC. */
export const timestamp = (instant: Date): string => instant.toISOString().slice(0, 19).replace('T', ' ')

/** The calendar date of an instant in Madrid, where Spanish tax dates are counted: `YYYY-MM-DD`. */
export const madridDate = (instant: Date): string => madrid.format(instant)

const madrid = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid', dateStyle: 'short' })

/** True when `text` is a date that exists, in the form `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** The date `days` days after `date` (both `YYYY-MM-DD`). */
export function addDays(date: string, days: number): string {
  const instant = new Date(`${date}T00:00:00Z`)
  instant.setUTCDate(instant.getUTCDate() + days)
  return instant.toISOString().slice(0, 10)
}
