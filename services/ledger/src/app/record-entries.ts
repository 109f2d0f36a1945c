import { type Books, lockBooks, post } from '../adapters/out/books.ts'
import { insertEntries, type NewEntry } from '../adapters/out/entry-rows.ts'
import type { LedgerEntry } from '../domain/entry.ts'
import { postingsOf } from '../domain/posting.ts'
import type { LedgerTx } from './ledger.ts'

/** Inserts entries and posts them, in a fixed number of statements. The books must be locked by this transaction. */
export async function recordEntries(
  tx: LedgerTx,
  books: Books,
  entries: readonly NewEntry[],
  now: string,
): Promise<LedgerEntry[]> {
  const recorded = await insertEntries(tx, books.userId, entries, now)
  await post(tx, books, recorded.flatMap(postingsOf), now)
  return recorded
}

/** Locks the books and records one entry. */
export async function recordEntry(tx: LedgerTx, userId: number, entry: NewEntry, now: string): Promise<LedgerEntry> {
  const books = await lockBooks(tx, userId)
  const [recorded] = await recordEntries(tx, books, [entry], now)
  if (recorded === undefined) throw new Error('the entry was not recorded')
  return recorded
}
