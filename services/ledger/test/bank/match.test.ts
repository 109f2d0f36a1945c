import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MatchableEntry } from '../../src/domain/bank/candidate-index.ts'
import { dateOfDay, dayNumber } from '../../src/domain/bank/day-number.ts'
import { amountsWanted, type MatchableMovement, matchMovements } from '../../src/domain/bank/match.ts'

const entry = (id: number, totalCents: number, date: string, more: Partial<MatchableEntry> = {}): MatchableEntry => ({
  id,
  type: 'income',
  status: 'pending',
  date,
  dueDate: null,
  totalCents,
  invoiceNumber: null,
  counterpartyVat: null,
  counterpartyName: null,
  ...more,
})

const movement = (amountCents: number, date: string, description = ''): MatchableMovement => ({
  amountCents,
  date,
  description,
})

const idsOf = (result: ReturnType<typeof matchMovements<MatchableMovement, MatchableEntry>>) => ({
  matched: result.matched.map((each) => each.entry.id),
  suggestions: result.suggestions.map((each) => each.candidates.map((candidate) => candidate.id)),
  unmatched: result.unmatched.length,
})

describe('one movement against one entry', () => {
  const cases: [string, MatchableMovement, Partial<MatchableEntry>, boolean][] = [
    ['the same amount and day match', movement(10000, '2026-03-10'), {}, true],
    ['one cent more matches', movement(10001, '2026-03-10'), {}, true],
    ['one cent less matches', movement(9999, '2026-03-10'), {}, true],
    ['two cents more do not match', movement(10002, '2026-03-10'), {}, false],
    ['two cents less do not match', movement(9998, '2026-03-10'), {}, false],
    ['ten days later match', movement(10000, '2026-03-20'), {}, true],
    ['ten days earlier match, over the end of February', movement(10000, '2026-02-28'), {}, true],
    ['eleven days later do not match', movement(10000, '2026-03-21'), {}, false],
    ['eleven days earlier do not match', movement(10000, '2026-02-27'), {}, false],
    ['the due date counts when it is nearer', movement(10000, '2026-05-10'), { dueDate: '2026-05-09' }, true],
    ['the date still counts beside a due date', movement(10000, '2026-03-11'), { dueDate: '2026-05-09' }, true],
    [
      'between date and due date, far from both, nothing matches',
      movement(10000, '2026-04-08'),
      { dueDate: '2026-05-09' },
      false,
    ],
    ['money in does not settle an expense', movement(10000, '2026-03-10'), { type: 'expense' }, false],
    ['money out settles an expense', movement(-10000, '2026-03-10'), { type: 'expense' }, true],
    ['money out does not settle an income', movement(-10000, '2026-03-10'), {}, false],
    ['a collected entry is no candidate', movement(10000, '2026-03-10'), { status: 'collected' }, false],
    ['a corrective entry below zero is no candidate', movement(-10000, '2026-03-10'), { totalCents: -10000 }, false],
    ['a movement of 0 has no direction', movement(0, '2026-03-10'), { totalCents: 1 }, false],
    ['one cent settles one cent', movement(1, '2026-03-10'), { totalCents: 1 }, true],
    ['one cent out does not settle one cent of income', movement(-1, '2026-03-10'), { totalCents: 1 }, false],
  ]
  it.each(cases)('%s', (_title, given, more, matches) => {
    const result = idsOf(matchMovements([given], [entry(1, 10000, '2026-03-10', more)]))
    expect(result).toEqual(
      matches ? { matched: [1], suggestions: [], unmatched: 0 } : { matched: [], suggestions: [], unmatched: 1 },
    )
  })
})

describe('several candidates', () => {
  it('are suggested and nothing is settled', () => {
    const result = matchMovements(
      [movement(5000, '2026-03-10')],
      [entry(1, 5000, '2026-03-09'), entry(2, 5001, '2026-03-10')],
    )
    expect(idsOf(result)).toEqual({ matched: [], suggestions: [[1, 2]], unmatched: 0 })
    expect(result.suggestions[0]?.more).toBe(false)
  })

  it('are ranked by invoice number, then tax id, then name, then amount, then days', () => {
    const entries = [
      entry(1, 5000, '2026-03-10'),
      entry(2, 5000, '2026-03-08'),
      entry(3, 5001, '2026-03-10'),
      entry(4, 5001, '2026-03-01', { counterpartyName: 'Talleres Núñez e Hijos, S.L.' }),
      entry(5, 5001, '2026-03-01', { counterpartyVat: 'ES-B58818501' }),
      entry(6, 5001, '2026-03-01', { invoiceNumber: 'F-2026/0012' }),
    ]
    const text = 'TRANSF DE TALLERES NUNEZ E HIJOS SL B58818501 FRA F 2026 0012'
    expect(idsOf(matchMovements([movement(5000, '2026-03-10', text)], entries)).suggestions).toEqual([
      [6, 5, 4, 1, 2, 3],
    ])
  })

  it('a longer number is not taken for a shorter one', () => {
    const entries = [entry(1, 5000, '2026-03-01', { invoiceNumber: '2026/12' }), entry(2, 5000, '2026-03-10')]
    const rank = (text: string) => idsOf(matchMovements([movement(5000, '2026-03-10', text)], entries)).suggestions[0]
    expect(rank('FRA 2026/123')).toEqual([2, 1])
    expect(rank('FRA 2026/12')).toEqual([1, 2])
  })

  it('a twin pair of movements and a twin pair of entries stay open', () => {
    const result = matchMovements(
      [movement(5000, '2026-03-10'), movement(5000, '2026-03-10')],
      [entry(1, 5000, '2026-03-09'), entry(2, 5000, '2026-03-09')],
    )
    expect(idsOf(result)).toEqual({
      matched: [],
      suggestions: [
        [1, 2],
        [1, 2],
      ],
      unmatched: 0,
    })
  })
})

describe('an entry that several movements could settle', () => {
  it('is settled once; the other movement is unmatched', () => {
    const result = matchMovements(
      [movement(5000, '2026-03-10'), movement(5000, '2026-03-10')],
      [entry(1, 5000, '2026-03-09')],
    )
    expect(idsOf(result)).toEqual({ matched: [1], suggestions: [], unmatched: 1 })
  })

  it('goes to the movement that names its invoice, wherever that one stands', () => {
    const named = movement(5000, '2026-03-15', 'PAGO FRA A-77')
    const result = matchMovements(
      [movement(5000, '2026-03-10'), named],
      [entry(1, 5000, '2026-03-09', { invoiceNumber: 'A-77' })],
    )
    expect(result.matched[0]?.movement).toBe(named)
  })

  it('goes to the nearer movement when no text tells', () => {
    const near = movement(5000, '2026-03-09')
    const result = matchMovements([movement(5000, '2026-03-15'), near], [entry(1, 5000, '2026-03-09')])
    expect(result.matched[0]?.movement).toBe(near)
  })

  it('leaves the suggestions of the others, which are never settled by elimination', () => {
    const entries = [entry(1, 5000, '2026-03-01'), entry(2, 5000, '2026-03-15')]
    const result = matchMovements([movement(5000, '2026-03-08'), movement(5000, '2026-02-22')], entries)
    expect(idsOf(result)).toEqual({ matched: [1], suggestions: [[2]], unmatched: 0 })
  })

  it('leaves nothing to suggest when others settled all', () => {
    const entries = [entry(1, 5000, '2026-03-01'), entry(2, 5000, '2026-03-15')]
    const given = [movement(5000, '2026-03-08'), movement(5000, '2026-02-22'), movement(5000, '2026-03-25')]
    expect(idsOf(matchMovements(given, entries))).toEqual({ matched: [1, 2], suggestions: [], unmatched: 1 })
  })
})

describe('a crowd of entries of one amount', () => {
  const crowd = Array.from({ length: 5000 }, (_, at) =>
    entry(at + 1, 4999, dateOfDay(dayNumber('2026-03-01') + (at % 20)), { invoiceNumber: `C-${at + 1}` }),
  )

  it('lists the named entry first and at most a hundred', () => {
    const [suggestion] = matchMovements([movement(4999, '2026-03-10', 'RECIBO C-4321')], crowd).suggestions
    expect(suggestion?.candidates[0]?.id).toBe(4321)
    expect(suggestion?.candidates.length).toBe(100)
    expect(suggestion?.more).toBe(true)
  })

  it('lists entries of the nearest days', () => {
    const [suggestion] = matchMovements([movement(4999, '2026-03-10')], crowd).suggestions
    expect(new Set(suggestion?.candidates.map((each) => each.date))).toEqual(new Set(['2026-03-10']))
  })
})

/** The rules once more, as slowly and plainly as they are written. */
function plainly(movements: readonly MatchableMovement[], entries: readonly MatchableEntry[]) {
  return movements.map((each) =>
    entries
      .filter((candidate) => {
        const direction = each.amountCents > 0 ? 'income' : each.amountCents < 0 ? 'expense' : 'none'
        const days = [candidate.date, candidate.dueDate ?? candidate.date].map((date) =>
          Math.abs(dayNumber(date) - dayNumber(each.date)),
        )
        return (
          candidate.status === 'pending' &&
          candidate.type === direction &&
          Math.abs(candidate.totalCents - Math.abs(each.amountCents)) <= 1 &&
          Math.min(...days) <= 10
        )
      })
      .map((candidate) => candidate.id),
  )
}

describe('over random statements and ledgers', () => {
  const date = fc.integer({ min: 20000, max: 20045 }).map(dateOfDay)
  const entries = fc
    .array(
      fc.record({
        type: fc.constantFrom('income' as const, 'expense' as const),
        status: fc.constantFrom('pending' as const, 'pending' as const, 'paid' as const),
        totalCents: fc.integer({ min: 1, max: 12 }),
        date,
        dueDate: fc.option(date, { nil: null }),
      }),
      { maxLength: 25 },
    )
    .map((rows) => rows.map((row, at) => entry(at + 1, row.totalCents, row.date, row)))
  const movements = fc.array(fc.record({ date, amountCents: fc.integer({ min: -13, max: 13 }) }), { maxLength: 25 })

  it('agrees with the rules applied plainly, and settles no entry twice', () => {
    fc.assert(
      fc.property(movements, entries, (given, ledger) => {
        const result = matchMovements(given, ledger)
        const expected = new Map(given.map((each, at) => [each, plainly(given, ledger)[at] ?? []]))
        const settled = result.matched.map((each) => each.entry.id)
        expect(new Set(settled).size).toBe(settled.length)
        expect(result.matched.length + result.suggestions.length + result.unmatched.length).toBe(given.length)
        for (const each of result.matched) expect(expected.get(each.movement)).toEqual([each.entry.id])
        for (const each of result.suggestions) {
          const all = expected.get(each.movement) ?? []
          expect(all.length).toBeGreaterThan(1)
          expect(each.candidates.map((candidate) => candidate.id).sort((a, b) => a - b)).toEqual(
            all.filter((id) => !settled.includes(id)),
          )
        }
        for (const each of result.unmatched) {
          expect((expected.get(each) ?? []).every((id) => settled.includes(id))).toBe(true)
        }
        const sole = new Set([...expected.values()].filter((ids) => ids.length === 1).flat())
        expect(new Set(settled)).toEqual(sole)
      }),
      { numRuns: 500 },
    )
  })

  it('does not depend on the order of the entries', () => {
    fc.assert(
      fc.property(movements, entries, (given, ledger) => {
        expect(idsOf(matchMovements(given, [...ledger].reverse()))).toEqual(idsOf(matchMovements(given, ledger)))
      }),
    )
  })

  it('loads every amount that could match', () => {
    fc.assert(
      fc.property(movements, entries, (given, ledger) => {
        const wanted = amountsWanted(given)
        const loaded = ledger.filter((each) => wanted[each.type].includes(each.totalCents))
        expect(idsOf(matchMovements(given, loaded))).toEqual(idsOf(matchMovements(given, ledger)))
      }),
    )
  })
})
