import { reportPeriods } from '@asiento/proto/schemas/ledger/fields'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addMonths, monthsOf, type Period, periodRange, quarterOf } from '../../src/domain/period.ts'
import { dueDates, type Frequency, nextDate, occurrence } from '../../src/domain/recurrence.ts'
import { easterSunday, statutoryDueDate } from '../../src/domain/tax-calendar.ts'

describe('periods', () => {
  it.each([
    [2026, 'T1', '2026-01-01', '2026-03-31'],
    [2026, 'T4', '2026-10-01', '2026-12-31'],
    [2024, 'M02', '2024-02-01', '2024-02-29'],
    [2025, 'M02', '2025-02-01', '2025-02-28'],
    [2026, 'Y', '2026-01-01', '2026-12-31'],
  ] as const)('%i %s runs from %s to %s', (year, period, from, to) => {
    expect(periodRange(year, period)).toEqual({ from, to })
  })

  it('quarters and months cover the year once', () => {
    const months = (['T1', 'T2', 'T3', 'T4'] as Period[]).flatMap((period) => monthsOf(2026, period))
    expect(months).toEqual(monthsOf(2026, 'Y'))
    expect(
      reportPeriods.filter((period) => period.startsWith('M')).flatMap((period) => monthsOf(2026, period)),
    ).toEqual(months)
    for (const month of months) expect(monthsOf(2026, quarterOf(`${month}-15`))).toContain(month)
  })

  it('adding months and taking them off again leads back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -500, max: 500 }),
        (count) => addMonths(addMonths('2026-07', count), -count) === '2026-07',
      ),
    )
  })
})

describe('recurrence', () => {
  it('keeps the 31st as the last day of the month', () => {
    const dates = Array.from({ length: 5 }, (_, index) => occurrence('2026-01-31', 'monthly', index))
    expect(dates).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'])
  })

  it.each([
    ['2024-02-29', 'yearly', 1, '2025-02-28'],
    ['2024-02-29', 'yearly', 4, '2028-02-29'],
    ['2026-11-30', 'quarterly', 1, '2027-02-28'],
    ['2026-12-28', 'weekly', 1, '2027-01-04'],
  ] as const)('%s %s, occurrence %i is %s', (start, frequency, index, expected) => {
    expect(occurrence(start, frequency, index)).toBe(expected)
  })

  it('catches up after downtime: every occurrence once, in order, none beyond today or the end', () => {
    const frequencies = fc.constantFrom<Frequency[]>('weekly', 'monthly', 'quarterly', 'yearly')
    fc.assert(
      fc.property(
        frequencies,
        fc.integer({ min: 1, max: 31 }),
        fc.integer({ min: 1, max: 40 }),
        (frequency, day, step) => {
          const schedule = { startDate: `2025-01-${String(day).padStart(2, '0')}`, endDate: '2026-06-30', frequency }
          const atOnce = dueDates({ ...schedule, occurrences: 0 }, '2026-12-31', 1000)
          let occurrences = 0
          const piecewise: string[] = []
          for (let due = dueDates({ ...schedule, occurrences }, '2026-12-31', step); due.length > 0; ) {
            piecewise.push(...due)
            occurrences += due.length
            due = dueDates({ ...schedule, occurrences }, '2026-12-31', step)
          }
          expect(piecewise).toEqual(atOnce)
          expect([...new Set(atOnce)].sort()).toEqual(atOnce)
          expect(atOnce.every((date) => date <= '2026-06-30')).toBe(true)
          expect(nextDate({ ...schedule, occurrences })).toBeNull()
        },
      ),
    )
  })
})

describe('statutory due dates', () => {
  it.each([
    ['303', 2026, 'T1', '2026-04-20'],
    ['303', 2026, 'T2', '2026-07-20'],
    ['303', 2025, 'T4', '2026-01-30'],
    ['303', 2026, 'T4', '2027-02-01'],
    ['303', 2025, 'T1', '2025-04-21'],
    ['303', 2026, 'M01', '2026-03-02'],
    ['130', 2026, 'T3', '2026-10-20'],
    ['130', 2025, 'T4', '2026-01-30'],
    ['111', 2025, 'T4', '2026-01-20'],
    ['115', 2026, 'T2', '2026-07-20'],
    ['390', 2025, 'Y', '2026-01-30'],
    ['347', 2025, 'Y', '2026-03-02'],
    ['200', 2025, 'Y', '2026-07-27'],
    ['202', 2026, 'T1', '2026-04-20'],
    ['202', 2026, 'T4', '2026-12-21'],
  ] as const)('model %s of %i %s is due on %s', (model, year, period, due) => {
    expect(statutoryDueDate(model, year, period)).toBe(due)
  })

  it.each([
    [2024, '2024-03-31'],
    [2025, '2025-04-20'],
    [2026, '2026-04-05'],
    [2038, '2038-04-25'],
  ])('Easter of %i is %s', (year, date) => {
    expect(easterSunday(year)).toBe(date)
  })
})
