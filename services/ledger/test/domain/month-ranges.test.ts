import { addDays } from '@asiento/proto/time'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seek, splitRange } from '../../src/domain/month-ranges.ts'
import { lastDayOfMonth } from '../../src/domain/period.ts'

const day = fc.integer({ min: 0, max: 900 }).map((days) => addDays('2024-01-01', days))
const lastOf = (month: string) => lastDayOfMonth(Number(month.slice(0, 4)), Number(month.slice(5, 7)))

describe('a range taken apart into months and edges', () => {
  it('covers each of its days once and no other', () => {
    fc.assert(
      fc.property(fc.option(day, { nil: null }), fc.option(day, { nil: null }), day, (from, to, probe) => {
        const { months, edges } = splitRange({ from, to })
        const month = `${probe.slice(0, 7)}-01`
        const inMonths = months !== null && (months.from ?? '') <= month && month <= (months.to ?? '9999')
        const inEdges = edges.filter((edge) => edge.from <= probe && probe <= edge.to).length
        const wanted = (from ?? '') <= probe && probe <= (to ?? '9999') && (from ?? '') <= (to ?? '9999')
        expect(Number(inMonths) + inEdges).toBe(wanted ? 1 : 0)
        expect(edges.length).toBeLessThanOrEqual(2)
      }),
    )
  })
})

describe('seeking a page', () => {
  it('finds the rows that a plain offset finds', () => {
    fc.assert(
      fc.property(fc.array(day, { maxLength: 60 }), fc.nat({ max: 70 }), (dates, offset) => {
        const newestFirst = dates
          .map((date, id) => ({ date, id }))
          .sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : b.id - a.id))
        const counts = dates.map((date) => ({ month: `${date.slice(0, 7)}-01`, count: 1 }))
        const start = seek(counts, offset)
        const found = newestFirst.filter(({ date }) => start.to === null || date <= start.to).slice(start.offset)
        expect(found).toEqual(newestFirst.slice(offset))
        if (start.to !== null) expect(start.to).toBe(lastOf(start.to))
      }),
    )
  })
})
