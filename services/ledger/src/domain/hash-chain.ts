import { createHash } from 'node:crypto'
import type { JournalLine, PostingKind } from './posting.ts'

/** A journal transaction as it stands in the books of one account; `id` counts from 1 without gaps. */
export interface JournalRow {
  userId: number
  id: number
  kind: PostingKind
  date: string
  entryId: number
  concept: string
  /** Microseconds are not kept: `YYYY-MM-DD HH:MM:SS` in UTC. */
  createdAt: string
  lines: readonly JournalLine[]
}

export interface ChainedRow extends JournalRow {
  previousHash: string
  hash: string
}

/** What the first row of an account carries as the hash of the one before. */
export const genesisHash = '0'.repeat(64)

/**
 * The canonical text of a row: a JSON array of its fields in fixed order, lines in posting order, amounts in integer
 * cents. Two rows have the same text only when every field is the same.
 */
export const canonicalRow = (row: JournalRow): string =>
  JSON.stringify([
    row.userId,
    row.id,
    row.kind,
    row.date,
    row.entryId,
    row.concept,
    row.createdAt,
    row.lines.map((line) => [line.accountCode, line.debitCents, line.creditCents]),
  ])

/** SHA-256 over the hash of the row before and the canonical text, lower-case hex. */
export const rowHash = (previousHash: string, row: JournalRow): string =>
  createHash('sha256').update(previousHash).update('\n').update(canonicalRow(row)).digest('hex')

/** Where a chain stands: the last row's id (0 before the first) and its hash. */
export interface ChainHead {
  id: number
  hash: string
}

export const emptyChain: ChainHead = { id: 0, hash: genesisHash }

/** Numbers and chains rows after a head. */
export function chainRows(
  head: ChainHead,
  rows: readonly Omit<JournalRow, 'id'>[],
): { rows: ChainedRow[]; head: ChainHead } {
  let { id, hash } = head
  const chained = rows.map((row) => {
    id += 1
    const numbered = { ...row, id }
    const previousHash = hash
    hash = rowHash(previousHash, numbered)
    return { ...numbered, previousHash, hash }
  })
  return { rows: chained, head: { id, hash } }
}

/**
 * Checks rows in order against the head before them.
 *
 * @returns the head after them, or the id of the first row that is missing, unbalanced or altered
 */
export function verifyRows(head: ChainHead, rows: readonly ChainedRow[]): { head: ChainHead; brokenId: number | null } {
  let current = head
  for (const row of rows) {
    const expectedId = current.id + 1
    const intact =
      row.id === expectedId &&
      row.previousHash === current.hash &&
      row.hash === rowHash(current.hash, row) &&
      isBalanced(row.lines)
    if (!intact) return { head: current, brokenId: expectedId }
    current = { id: row.id, hash: row.hash }
  }
  return { head: current, brokenId: null }
}

/** True when debits equal credits and every line has one positive side. */
export function isBalanced(lines: readonly JournalLine[]): boolean {
  const sum = lines.reduce((total, line) => total + line.debitCents - line.creditCents, 0)
  return (
    sum === 0 &&
    lines.length >= 2 &&
    lines.every(
      ({ debitCents, creditCents }) => Math.min(debitCents, creditCents) === 0 && debitCents + creditCents > 0,
    )
  )
}
