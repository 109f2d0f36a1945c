/**
 * Pending entries by amount and day. A look-up costs a binary search in each of three amounts, so that a whole
 * statement is matched in n log n, however many entries share an amount.
 */
import type { Cents } from '@asiento/proto/money'
import type { EntryStatus, EntryType } from '../entry.ts'
import { dayReader } from './day-number.ts'
import { type EntryKeys, type EntryText, entryKeys, type MovementText } from './evidence.ts'

/** What matching needs to know of an entry; a whole ledger entry fits. */
export interface MatchableEntry extends EntryText {
  id: number
  type: EntryType
  status: EntryStatus
  date: string
  dueDate: string | null
  totalCents: Cents
}

/** An entry and what was computed of it once; `days` are its date and its due date. */
export interface Candidate<E> {
  entry: E
  days: readonly number[]
  /** Computed when first asked for: most entries are never compared by text. */
  keys: EntryKeys | null
}

interface Point<E> {
  day: number
  candidate: Candidate<E>
}

/** The entries of one direction and amount; one point for the date and one for the due date, sorted by day. */
interface Bucket<E> {
  points: Point<E>[]
  byText: Map<string, Point<E>[]> | null
}

/** A stretch of one bucket: the points whose day is within the window of a movement. */
interface Stretch<E> {
  bucket: Bucket<E>
  from: number
  to: number
}

export interface CandidateIndex<E> {
  buckets: Map<Cents, Bucket<E>>
}

/** Both ends included; `Bank matching tolerance` of the interface specification, section 8. */
export const toleranceCents: Cents = 1
export const toleranceDays = 10

/** From here on a window is not walked whole: text and the nearest days choose what is shown. */
const walkedMax = 256

/**
 * Files the entries that can be candidates of some of the amounts at all; the others cost one look-up each. Expenses are
 * filed under the negated amount: what leaves the account is negative in a statement.
 */
export function candidateIndex<E extends MatchableEntry>(
  entries: readonly E[],
  amountsCents: Iterable<Cents>,
): CandidateIndex<E> {
  const wanted = new Set<Cents>()
  for (const amount of amountsCents) {
    for (let key = amount - toleranceCents; key <= amount + toleranceCents; key += 1) wanted.add(key)
  }
  const buckets = new Map<Cents, Bucket<E>>()
  const dayOf = dayReader()
  for (const entry of entries) {
    if (entry.status !== 'pending' || entry.totalCents <= 0) continue
    const key = entry.type === 'income' ? entry.totalCents : -entry.totalCents
    if (!wanted.has(key)) continue
    let bucket = buckets.get(key)
    if (bucket === undefined) {
      bucket = { points: [], byText: null }
      buckets.set(key, bucket)
    }
    const day = dayOf(entry.date)
    const due = entry.dueDate === null ? day : dayOf(entry.dueDate)
    const candidate: Candidate<E> = { entry, days: due === day ? [day] : [day, due], keys: null }
    for (const each of candidate.days) bucket.points.push({ day: each, candidate })
  }
  for (const { points } of buckets.values()) if (points.length > 1) sortPoints(points)
  return { buckets }
}

/** The stretches that hold a movement's candidates. An amount of 0 has no direction and no candidate. */
export function stretchesFor<E>(index: CandidateIndex<E>, amountCents: Cents, day: number): Stretch<E>[] {
  const stretches: Stretch<E>[] = []
  if (amountCents === 0) return stretches
  for (let key = amountCents - toleranceCents; key <= amountCents + toleranceCents; key += 1) {
    const bucket = key === 0 ? undefined : index.buckets.get(key)
    if (bucket === undefined) continue
    const from = firstAtOrAfter(bucket.points, day - toleranceDays)
    const to = firstAtOrAfter(bucket.points, day + toleranceDays + 1)
    if (to > from) stretches.push({ bucket, from, to })
  }
  return stretches
}

export function keysOf<E extends MatchableEntry>(candidate: Candidate<E>): EntryKeys {
  candidate.keys ??= entryKeys(candidate.entry)
  return candidate.keys
}

/** None, the only one, or `several`. Makes nothing, as this is asked of every movement. */
export function soleCandidate<E>(
  index: CandidateIndex<E>,
  amountCents: Cents,
  day: number,
): Candidate<E> | 'none' | 'several' {
  let found: Candidate<E> | 'none' = 'none'
  if (amountCents === 0) return found
  for (let key = amountCents - toleranceCents; key <= amountCents + toleranceCents; key += 1) {
    const points = key === 0 ? undefined : index.buckets.get(key)?.points
    if (points === undefined) continue
    for (let at = firstAtOrAfter(points, day - toleranceDays); at < points.length; at += 1) {
      const point = points[at]
      if (point === undefined || point.day > day + toleranceDays) break
      if (point.candidate === found) continue
      if (found !== 'none') return 'several'
      found = point.candidate
    }
  }
  return found
}

/**
 * The candidates worth showing: all of them where a window holds few; else those that the description names and those
 * of the nearest days, `countMax` of each at most.
 */
export function gather<E extends MatchableEntry>(
  stretches: readonly Stretch<E>[],
  movement: { day: number; text: MovementText },
  countMax: number,
): { candidates: Set<Candidate<E>>; more: boolean } {
  const candidates = new Set<Candidate<E>>()
  const size = stretches.reduce((sum, stretch) => sum + stretch.to - stretch.from, 0)
  if (size <= walkedMax) {
    for (const { bucket, from, to } of stretches) {
      for (const point of bucket.points.slice(from, to)) candidates.add(point.candidate)
    }
    return { candidates, more: false }
  }
  for (const { bucket } of stretches) {
    for (const phrase of movement.text.phrases)
      addNearest(candidates, textIndex(bucket).get(phrase), movement, countMax)
    for (const word of movement.text.words) addNearest(candidates, textIndex(bucket).get(word), movement, countMax)
    addNearest(candidates, bucket.points, movement, countMax)
  }
  return { candidates, more: true }
}

/** Walks outwards from the movement's day until `countMax` entries are found or the window ends. */
function addNearest<E>(
  into: Set<Candidate<E>>,
  points: readonly Point<E>[] | undefined,
  { day }: { day: number },
  countMax: number,
): void {
  if (points === undefined) return
  const goal = into.size + countMax
  let after = firstAtOrAfter(points, day)
  let before = after - 1
  while (into.size < goal) {
    const ahead = gap(points[after], day)
    const behind = gap(points[before], day)
    if (Math.min(ahead, behind) > toleranceDays) return
    const taken = ahead < behind ? points[after++] : points[before--]
    if (taken !== undefined) into.add(taken.candidate)
  }
}

const gap = <E>(point: Point<E> | undefined, day: number): number =>
  point === undefined ? Number.POSITIVE_INFINITY : Math.abs(point.day - day)

/** Built only for an amount that so many entries share that its windows are not walked. */
function textIndex<E extends MatchableEntry>(bucket: Bucket<E>): Map<string, Point<E>[]> {
  if (bucket.byText !== null) return bucket.byText
  const index = new Map<string, Point<E>[]>()
  for (const point of bucket.points) {
    const { number, vat, name } = keysOf(point.candidate)
    for (const key of new Set([number, vat, ...name])) {
      if (key === null) continue
      const points = index.get(key)
      if (points === undefined) index.set(key, [point])
      else points.push(point)
    }
  }
  bucket.byText = index
  return index
}

const sortPoints = <E extends MatchableEntry>(points: Point<E>[]): Point<E>[] =>
  points.sort((a, b) => a.day - b.day || a.candidate.entry.id - b.candidate.entry.id)

function firstAtOrAfter<E>(points: readonly Point<E>[], day: number): number {
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((points[middle]?.day ?? Number.POSITIVE_INFINITY) < day) low = middle + 1
    else high = middle
  }
  return low
}
