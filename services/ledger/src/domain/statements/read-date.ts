/** Dates as banks print them: `31/12/2026`, `31-12-26`, `2026-12-31`, `20261231`, `31 dic 2026`, with or without a time. */
import { daysInMonth } from '../period.ts'

export type DateOrder = 'dmy' | 'mdy' | 'ymd'

const monthNames: Record<string, number> = Object.fromEntries(
  [
    ['ene', 'jan', 'gen', 'urt'],
    ['feb', 'ots'],
    ['mar'],
    ['abr', 'apr'],
    ['may', 'mai'],
    ['jun', 'eka'],
    ['jul', 'uzt'],
    ['ago', 'aug', 'abu'],
    ['sep', 'set', 'ira'],
    ['oct', 'oc', 'urr'],
    ['nov', 'aza'],
    ['dic', 'dec', 'des', 'abe'],
  ].flatMap((names, at) => names.map((name) => [name, at + 1])),
)

/** Day first, unless a column has second numbers above 12 and no such first ones. */
export function dateOrderOf(values: readonly string[]): DateOrder {
  let monthFirst = false
  for (const value of values) {
    const match = /^\s*(\d{1,4})[/.-](\d{1,2})[/.-]\d{1,4}/.exec(value)
    if (match === null) continue
    if ((match[1]?.length ?? 0) === 4) return 'ymd'
    if (Number(match[1]) > 12) return 'dmy'
    if (Number(match[2]) > 12) monthFirst = true
  }
  return monthFirst ? 'mdy' : 'dmy'
}

/** The date as `YYYY-MM-DD`; null where it is none or does not exist in the calendar. */
export function readDate(value: string, order: DateOrder = 'dmy'): string | null {
  const text = value.trim().replace(/[T\s]+\d{1,2}[:.]\d{2}([:.]\d{2}(\.\d+)?)?\s*(h|Z|[+-]\d{2}:?\d{2})?$/i, '')
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  if (compact !== null) return calendarDate(compact[1], compact[2], compact[3])
  const yearFirst = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})$/.exec(text)
  if (yearFirst !== null) return calendarDate(yearFirst[1], yearFirst[2], yearFirst[3])
  const named = /^(\d{1,2})[\s/.-]+(?:de\s+)?([a-z]{2,})\.?[\s/.-]+(?:de\s+)?(\d{2}|\d{4})$/i.exec(text)
  if (named !== null) {
    const name = named[2]?.toLowerCase() ?? ''
    return calendarDate(named[3], String(monthNames[name] ?? monthNames[name.slice(0, 3)] ?? 0), named[1])
  }
  const numbers = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})$/.exec(text)
  if (numbers === null) return null
  return order === 'mdy'
    ? calendarDate(numbers[3], numbers[1], numbers[2])
    : calendarDate(numbers[3], numbers[2], numbers[1])
}

/** Six digits `YYMMDD`, as Norma 43 has them. */
export const readShortDate = (value: string): string | null =>
  /^\d{6}$/.test(value) ? calendarDate(value.slice(0, 2), value.slice(2, 4), value.slice(4, 6)) : null

/** A year of two digits is of this century, as no bank exports statements of the last one. */
function calendarDate(year = '', month = '', day = ''): string | null {
  const full = Number(year.length === 2 ? `20${year}` : year)
  const monthNumber = Number(month)
  const dayNumber = Number(day)
  if (full < 1970 || monthNumber < 1 || monthNumber > 12) return null
  if (dayNumber < 1 || dayNumber > daysInMonth(full, monthNumber)) return null
  return `${full}-${String(monthNumber).padStart(2, '0')}-${String(dayNumber).padStart(2, '0')}`
}
