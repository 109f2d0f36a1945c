import type { Tx } from '@asiento/chassis/db'
import { sql } from 'kysely'
import { type ChainedRow, type ChainHead, chainRows } from '../../domain/hash-chain.ts'
import type { Posting } from '../../domain/posting.ts'
import type { Tables } from './tables.ts'

/** The books of one account, held by this transaction: nobody else writes them until it ends. */
export interface Books {
  userId: number
  head: ChainHead
}

/**
 * Locks an account's books. Every transaction that writes an account's entries begins with it, which orders all writers
 * of one account and leaves those of others alone.
 */
export async function lockBooks(tx: Tx<Tables>, userId: number): Promise<Books> {
  const held = await selectHead(tx, userId)
  if (held !== undefined) return { userId, head: held }
  await tx
    .insertInto('books')
    .values({ user_id: userId, last_id: 0, last_hash: '0'.repeat(64) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const made = await selectHead(tx, userId)
  if (made === undefined) throw new Error(`the books of account ${userId} could not be opened`)
  return { userId, head: made }
}

async function selectHead(tx: Tx<Tables>, userId: number): Promise<ChainHead | undefined> {
  const row = await tx
    .selectFrom('books')
    .select(['last_id', 'last_hash'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row === undefined ? undefined : { id: row.last_id, hash: row.last_hash }
}

/**
 * Posts balanced transactions at the end of an account's journal, in three statements however many they are.
 *
 * @param createdAt `YYYY-MM-DD HH:MM:SS` in UTC
 */
export async function post(
  tx: Tx<Tables>,
  books: Books,
  postings: readonly Posting[],
  createdAt: string,
): Promise<ChainedRow[]> {
  if (postings.length === 0) return []
  const { rows, head } = chainRows(
    books.head,
    postings.map((posting) => ({ ...posting, userId: books.userId, createdAt })),
  )
  await insertTransactions(tx, books.userId, rows, createdAt)
  await insertLines(tx, books.userId, rows)
  await tx
    .updateTable('books')
    .set({ last_id: head.id, last_hash: head.hash })
    .where('user_id', '=', books.userId)
    .execute()
  books.head = head
  return rows
}

/** Columns as arrays: one statement and six parameters, however many rows. */
export async function insertTransactions(
  tx: Tx<Tables>,
  userId: number,
  rows: readonly ChainedRow[],
  createdAt: string,
): Promise<void> {
  const column = <K extends keyof ChainedRow>(key: K) => rows.map((row) => row[key])
  await sql`
    insert into journal_transactions (user_id, id, kind, date, entry_id, concept, previous_hash, hash, created_at)
    select ${userId}::bigint, id, kind, date, entry_id, concept, previous_hash, hash, ${`${createdAt}+00`}::timestamptz
    from unnest(${column('id')}::bigint[], ${column('kind')}::text[], ${column('date')}::date[],
      ${column('entryId')}::bigint[], ${column('concept')}::text[], ${column('previousHash')}::text[],
      ${column('hash')}::text[]) as row (id, kind, date, entry_id, concept, previous_hash, hash)`.execute(tx)
}

export async function insertLines(tx: Tx<Tables>, userId: number, rows: readonly ChainedRow[]): Promise<void> {
  const ids: number[] = []
  const positions: number[] = []
  const dates: string[] = []
  const accounts: string[] = []
  const debits: number[] = []
  const credits: number[] = []
  for (const row of rows) {
    row.lines.forEach((line, position) => {
      ids.push(row.id)
      positions.push(position)
      dates.push(row.date)
      accounts.push(line.accountCode)
      debits.push(line.debitCents)
      credits.push(line.creditCents)
    })
  }
  await sql`
    insert into journal_lines (user_id, transaction_id, position, date, account_code, debit_cents, credit_cents)
    select ${userId}::bigint, * from unnest(${ids}::bigint[], ${positions}::smallint[], ${dates}::date[],
      ${accounts}::text[], ${debits}::bigint[], ${credits}::bigint[])`.execute(tx)
}
