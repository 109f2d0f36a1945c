import { addDays } from '@asiento/proto/time'
import { addMonths, daysInMonth, type Period, periodMonths } from './period.ts'

interface DueRule {
  models: readonly string[]
  periods: 'quarter' | 'month' | 'any'
  /** Day of the month; 31 is the last one. */
  day: number
  /** Months after the last month of the period. */
  monthsAfter: number
  /** Where the last period of the year has a later day. */
  lastPeriod?: { day: number; monthsAfter: number }
  source: string
}

/** When returns are due, by model. The first row that fits decides. */
export const dueRules: readonly DueRule[] = [
  {
    models: ['303'],
    periods: 'quarter',
    day: 20,
    monthsAfter: 1,
    lastPeriod: { day: 30, monthsAfter: 1 },
    source: 'RD 1624/1992 art. 71.4',
  },
  { models: ['303'], periods: 'month', day: 30, monthsAfter: 1, source: 'RD 1624/1992 art. 71.4' },
  {
    models: ['130', '131'],
    periods: 'any',
    day: 20,
    monthsAfter: 1,
    lastPeriod: { day: 30, monthsAfter: 1 },
    source: 'RD 439/2007 art. 111.1',
  },
  { models: ['111', '115', '123'], periods: 'any', day: 20, monthsAfter: 1, source: 'RD 439/2007 art. 108.1' },
  {
    models: ['349'],
    periods: 'any',
    day: 20,
    monthsAfter: 1,
    lastPeriod: { day: 30, monthsAfter: 1 },
    source: 'RD 1624/1992 art. 81',
  },
  { models: ['390'], periods: 'any', day: 30, monthsAfter: 1, source: 'Orden EHA/3111/2009 art. 7' },
  { models: ['347'], periods: 'any', day: 31, monthsAfter: 2, source: 'Orden EHA/3012/2008 art. 10' },
  { models: ['180', '190', '193'], periods: 'any', day: 31, monthsAfter: 1, source: 'RD 439/2007 art. 108.2' },
  { models: ['100'], periods: 'any', day: 30, monthsAfter: 6, source: 'Orden anual del IRPF' },
  { models: ['200'], periods: 'any', day: 25, monthsAfter: 7, source: 'Ley 27/2014 art. 124.1' },
]

/** The payments on account of corporate tax are due within the year: 20 April, October and December. */
const corporatePayments = { due: ['04-20', '10-20', '12-20'], source: 'Ley 27/2014 art. 40.1' } as const

/**
 * The last day on which a return may be filed, moved to the next working day when it falls on a weekend or a national
 * holiday (Ley 39/2015 art. 30.5). Models without a rule of their own are taken as due on the 20th after the period.
 */
export function statutoryDueDate(model: string, year: number, period: Period): string {
  if (model === '202') return nextWorkingDay(`${year}-${corporatePayments.due[corporateInstalment(period)]}`)
  const { last } = periodMonths(period)
  const rule = dueRules.find((row) => row.models.includes(model) && fits(row.periods, period))
  const base = { day: rule?.day ?? 20, monthsAfter: rule?.monthsAfter ?? 1 }
  const { day, monthsAfter } = last === 12 && rule?.lastPeriod !== undefined ? rule.lastPeriod : base
  const month = addMonths(`${String(year).padStart(4, '0')}-${String(last).padStart(2, '0')}`, monthsAfter)
  const days = daysInMonth(Number(month.slice(0, 4)), Number(month.slice(5)))
  return nextWorkingDay(`${month}-${String(Math.min(day, days)).padStart(2, '0')}`)
}

const fits = (rule: DueRule['periods'], period: Period): boolean =>
  rule === 'any' || (rule === 'month') === period.startsWith('M')

/** 202 has three payments: T1 is the first, T2 and T3 the second, the rest of the year the third. */
function corporateInstalment(period: Period): 0 | 1 | 2 {
  const { last } = periodMonths(period)
  return last <= 3 ? 0 : last <= 9 ? 1 : 2
}

/** The day itself, or the first after it that is no weekend and no national holiday. */
export function nextWorkingDay(date: string): string {
  let day = date
  while (isWeekend(day) || isNationalHoliday(day)) day = addDays(day, 1)
  return day
}

function isWeekend(date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  return weekday === 0 || weekday === 6
}

/** Holidays of the whole country (RD 2001/1983 art. 45); regional and local ones are not known here. */
const fixedHolidays = ['01-01', '01-06', '05-01', '08-15', '10-12', '11-01', '12-06', '12-08', '12-25']

export const isNationalHoliday = (date: string): boolean =>
  fixedHolidays.includes(date.slice(5)) || date === addDays(easterSunday(Number(date.slice(0, 4))), -2)

/** Easter Sunday of the Gregorian calendar (anonymous algorithm, Meeus 1991). */
export function easterSunday(year: number): string {
  const a = year % 19
  const b = Math.floor(year / 100)
  const d = b - Math.floor(b / 4) - Math.floor((8 * b + 13) / 25) + 19 * a + 15
  const epact = ((d % 30) + 30) % 30
  const h = epact - Math.floor(epact / 28) * (1 - Math.floor(29 / (epact + 1)) * Math.floor((21 - a) / 11))
  const weekday = (year + Math.floor(year / 4) + h + 2 - b + Math.floor(b / 4)) % 7
  const offset = h - weekday
  const month = 3 + Math.floor((offset + 40) / 44)
  const day = offset + 28 - 31 * Math.floor(month / 4)
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
