/** Days since 1970-01-01 of a date `YYYY-MM-DD` in the Gregorian calendar, so that windows of days are subtractions. */
export function dayNumber(date: string): number {
  const year = Number(date.slice(0, 4))
  const month = Number(date.slice(5, 7))
  const day = Number(date.slice(8, 10))
  return Date.UTC(year, month - 1, day) / 86_400_000
}

/** The date `YYYY-MM-DD` of a day number; the inverse of {@link dayNumber}. */
export const dateOfDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

/** {@link dayNumber} for many dates of which most repeat: each is worked out once. */
export function dayReader(): (date: string) => number {
  const known = new Map<string, number>()
  return (date) => {
    const found = known.get(date)
    if (found !== undefined) return found
    const day = dayNumber(date)
    known.set(date, day)
    return day
  }
}
