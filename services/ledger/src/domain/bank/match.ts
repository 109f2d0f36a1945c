/**
 * Bank matching, as section 4.10 of the interface specification has it: for each movement the pending entries whose
 * amount is within 1 cent and whose date is within 10 days; one candidate is reconciled, several are suggestions, none
 * is unmatched. `docs/algorithms/bank-matching.md` explains the rest.
 */
import type { Cents } from '@asiento/proto/money'
import {
  type Candidate,
  type CandidateIndex,
  candidateIndex,
  gather,
  keysOf,
  type MatchableEntry,
  soleCandidate,
  stretchesFor,
  toleranceCents,
} from './candidate-index.ts'
import { dayReader } from './day-number.ts'
import { type MovementText, movementText, type TextEvidence, textEvidence } from './evidence.ts'

/** One line of a bank statement; `amountCents` > 0 is money in. */
export interface MatchableMovement {
  date: string
  amountCents: Cents
  description?: string | null | undefined
}

export interface Suggestion<M, E> {
  movement: M
  /** Best first. */
  candidates: E[]
  /** True when there are more candidates than are listed. */
  more: boolean
}

export interface MatchResult<M, E> {
  matched: { movement: M; entry: E }[]
  suggestions: Suggestion<M, E>[]
  unmatched: M[]
}

interface Evidence extends TextEvidence {
  centsApart: Cents
  daysApart: number
}

interface Reading<M, E> {
  movement: M
  day: number
  sole: Candidate<E> | 'none' | 'several'
}

interface Listing<M, E> {
  index: CandidateIndex<E>
  settled: ReadonlyMap<Candidate<E>, Reading<M, E>>
  countMax: number
}

/** Candidates listed for one movement, and in one answer. */
const listedMax = 100
const listedInAllMax = 200_000

/**
 * Matches a statement against pending entries. Guarantees:
 * - every movement is in exactly one of the three lists, each list in the order of the request;
 * - no entry is matched twice, and a matched entry is in no suggestion;
 * - only a movement with exactly one candidate is matched. Where several movements have the same sole candidate, it goes
 *   to the one with the best evidence (text, then cents, then days, then order) and the others are unmatched;
 * - a movement that had several candidates is never matched, not even when others of the request took all but one;
 * - the answer does not depend on the order of the entries.
 */
export function matchMovements<M extends MatchableMovement, E extends MatchableEntry>(
  movements: readonly M[],
  entries: readonly E[],
): MatchResult<M, E> {
  const amounts = new Set(movements.map((movement) => movement.amountCents))
  const index = candidateIndex(entries, amounts)
  const dayOf = dayReader()
  const readings = movements.map((movement): Reading<M, E> => {
    const day = dayOf(movement.date)
    return { movement, day, sole: soleCandidate(index, movement.amountCents, day) }
  })
  const winners = settleSoleCandidates(readings)
  const countMax = Math.min(listedMax, Math.max(10, Math.floor(listedInAllMax / Math.max(1, movements.length))))

  const result: MatchResult<M, E> = { matched: [], suggestions: [], unmatched: [] }
  for (const reading of readings) {
    const { movement, sole } = reading
    if (sole === 'none') result.unmatched.push(movement)
    else if (sole !== 'several') {
      if (winners.get(sole) === reading) result.matched.push({ movement, entry: sole.entry })
      else result.unmatched.push(movement)
    } else {
      const suggestion = suggest(reading, { index, settled: winners, countMax })
      if (suggestion.candidates.length === 0) result.unmatched.push(movement)
      else result.suggestions.push(suggestion)
    }
  }
  return result
}

/** Amounts (positive cents) that entries must have to be candidates at all: what a store needs to load. */
export function amountsWanted(movements: readonly MatchableMovement[]): Record<'income' | 'expense', Cents[]> {
  const income = new Set<Cents>()
  const expense = new Set<Cents>()
  for (const { amountCents } of movements) {
    const wanted = amountCents > 0 ? income : expense
    const magnitude = Math.abs(amountCents)
    if (magnitude === 0) continue
    for (let cents = magnitude - toleranceCents; cents <= magnitude + toleranceCents; cents += 1) {
      if (cents > 0) wanted.add(cents)
    }
  }
  return { income: [...income], expense: [...expense] }
}

/** Which movement gets each entry that is some movement's sole candidate. */
function settleSoleCandidates<M extends MatchableMovement, E extends MatchableEntry>(
  readings: readonly Reading<M, E>[],
): Map<Candidate<E>, Reading<M, E>> {
  const winners = new Map<Candidate<E>, Reading<M, E>>()
  for (const reading of readings) {
    const { sole } = reading
    if (typeof sole === 'string') continue
    const rival = winners.get(sole)
    if (rival === undefined || stronger(evidenceOf(reading, sole), evidenceOf(rival, sole)) < 0)
      winners.set(sole, reading)
  }
  return winners
}

function suggest<M extends MatchableMovement, E extends MatchableEntry>(
  reading: Reading<M, E>,
  { index, settled, countMax }: Listing<M, E>,
): Suggestion<M, E> {
  const text = movementText(reading.movement.description)
  const gathered = gather(
    stretchesFor(index, reading.movement.amountCents, reading.day),
    { day: reading.day, text },
    2 * countMax,
  )
  const ranked = [...gathered.candidates]
    .filter((candidate) => !settled.has(candidate))
    .map((candidate) => ({ candidate, evidence: evidenceOf(reading, candidate, text) }))
    .sort((a, b) => stronger(a.evidence, b.evidence) || a.candidate.entry.id - b.candidate.entry.id)
  return {
    movement: reading.movement,
    candidates: ranked.slice(0, countMax).map(({ candidate }) => candidate.entry),
    more: gathered.more || ranked.length > countMax,
  }
}

function evidenceOf<M extends MatchableMovement, E extends MatchableEntry>(
  { movement, day }: Reading<M, E>,
  candidate: Candidate<E>,
  text: MovementText = movementText(movement.description),
): Evidence {
  const { entry, days } = candidate
  return {
    ...textEvidence(text, keysOf(candidate)),
    centsApart: Math.abs(entry.totalCents - Math.abs(movement.amountCents)),
    daysApart: Math.min(...days.map((each) => Math.abs(each - day))),
  }
}

/** Negative when `a` is the stronger: invoice number, then tax id, then name, then nearer amount, then nearer day. */
const stronger = (a: Evidence, b: Evidence): number =>
  Number(b.number) - Number(a.number) ||
  Number(b.vat) - Number(a.vat) ||
  b.nameShare - a.nameShare ||
  a.centsApart - b.centsApart ||
  a.daysApart - b.daysApart
