/**
 * How the cost of bank matching grows: a statement of n / 10 movements against n pending entries, for n of 1k, 10k and
 * 100k. Prints the best of several runs, which other work on the machine disturbs least, and the growth exponent between
 * neighbouring sizes.
 */
import type { MatchableEntry } from '../src/domain/bank/candidate-index.ts'
import { dateOfDay } from '../src/domain/bank/day-number.ts'
import { type MatchableMovement, matchMovements } from '../src/domain/bank/match.ts'

export interface BankBenchRow {
  scenario: string
  movements: number
  entries: number
  bestMs: number
  /** log(time ratio) / log(size ratio) against the size before; null for the first. */
  exponent: number | null
}

const scenarios = {
  'amounts of all kinds': 5_000_000,
  'few amounts, many suggestions': 2_000,
  'one amount for all': 1,
}

export function benchBank(sizes: readonly number[] = [1_000, 10_000, 100_000], runs = 5): BankBenchRow[] {
  return Object.entries(scenarios).flatMap(([scenario, amounts]) => {
    let before: { size: number; bestMs: number } | null = null
    return sizes.map((size): BankBenchRow => {
      const { movements, entries } = sample(size, amounts)
      const times = Array.from({ length: Math.max(runs, Math.round(20_000 / size)) }, () => {
        const start = performance.now()
        matchMovements(movements, entries)
        return performance.now() - start
      }).sort((a, b) => a - b)
      const bestMs = times[0] ?? 0
      const exponent = before === null ? null : Math.log(bestMs / before.bestMs) / Math.log(size / before.size)
      before = { size, bestMs }
      return { scenario, movements: movements.length, entries: entries.length, bestMs, exponent }
    })
  })
}

/** The same every time: a multiplicative generator with a fixed seed. */
function sample(size: number, amounts: number): { movements: MatchableMovement[]; entries: MatchableEntry[] } {
  let state = 20_260_101
  const next = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  const entries = Array.from(
    { length: size },
    (_, at): MatchableEntry => ({
      id: at + 1,
      type: next(2) === 0 ? 'income' : 'expense',
      status: 'pending',
      date: dateOfDay(20_000 + next(365)),
      dueDate: next(2) === 0 ? null : dateOfDay(20_000 + next(395)),
      totalCents: 1_000 + next(amounts),
      invoiceNumber: `F-${at}`,
      counterpartyVat: `B${String(at % 9_000_000).padStart(8, '1')}`,
      counterpartyName: `Talleres ${at % 1_000} del Norte SL`,
    }),
  )
  const movements = Array.from({ length: size / 10 }, (): MatchableMovement => {
    const paid = entries[next(size)]
    const amountCents = paid === undefined ? 0 : paid.type === 'income' ? paid.totalCents : -paid.totalCents
    return {
      date: paid?.date ?? '2026-01-01',
      amountCents,
      description: `TRANSF ${paid?.counterpartyName} ${paid?.invoiceNumber}`,
    }
  })
  return { movements, entries }
}

if (process.argv[1] === import.meta.filename) console.table(benchBank())
