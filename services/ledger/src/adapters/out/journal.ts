import type { Database } from '@asiento/chassis/db'
import { timestamp } from '@asiento/proto/time'
import { type RawBuilder, sql } from 'kysely'
import { type ChainedRow, type ChainHead, genesisHash } from '../../domain/hash-chain.ts'
import { type MonthCount, type OpenRange, seek, splitRange } from '../../domain/month-ranges.ts'
import type { JournalLine, PostingKind } from '../../domain/posting.ts'
import type { Tables } from './tables.ts'

type Query = Database<Tables>['query']

export interface JournalFilter extends OpenRange {
  entryId: number | null
}

interface JournalRecord {
  id: number
  kind: PostingKind
  date: string
  entry_id: number
  concept: string
  previous_hash: string
  hash: string
  created_at: Date
  lines: [string, number, number][]
}

const linesColumn = sql`(
  select coalesce(json_agg(json_build_array(account_code, debit_cents, credit_cents) order by position), '[]'::json)
  from journal_lines as line
  where line.user_id = head.user_id and line.transaction_id = head.id) as lines`

const columns = sql`head.id, head.kind, head.date, head.entry_id, head.concept, head.previous_hash, head.hash,
  head.created_at, ${linesColumn}`

const toRow =
  (userId: number) =>
  (record: JournalRecord): ChainedRow => ({
    userId,
    id: record.id,
    kind: record.kind,
    date: record.date,
    entryId: record.entry_id,
    concept: record.concept,
    previousHash: record.previous_hash,
    hash: record.hash,
    createdAt: timestamp(record.created_at),
    lines: record.lines.map(
      ([accountCode, debitCents, creditCents]): JournalLine => ({ accountCode, debitCents, creditCents }),
    ),
  })

/** A page of an account's journal: latest effective date first, then the last posted. */
export async function findTransactions(
  query: Query,
  userId: number,
  filter: JournalFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: ChainedRow[]; total: number }> {
  const counts = await transactionCounts(query, userId, filter)
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  if (page.offset >= total) return { rows: [], total }
  const start = seek(counts, page.offset)
  const upTo = start.to === null ? sql`true` : sql`head.date <= ${start.to}`
  const { rows } = await sql<JournalRecord>`
    select ${columns} from journal_transactions as head
    where ${within(userId, filter)} and ${upTo}
    order by head.date desc, head.id desc limit ${page.limit} offset ${start.offset}`.execute(query)
  return { rows: rows.map(toRow(userId)), total }
}

/** Every transaction that fits, latest first, in pieces of a bounded size. */
export async function* eachTransaction(
  query: Query,
  userId: number,
  filter: JournalFilter,
): AsyncGenerator<ChainedRow> {
  const pieceSize = 2000
  let last: { date: string; id: number } | null = null
  for (;;) {
    const after: RawBuilder<unknown> =
      last === null ? sql`true` : sql`(head.date, head.id) < (${last.date}::date, ${last.id}::bigint)`
    const { rows } = await sql<JournalRecord>`
      select ${columns} from journal_transactions as head
      where ${within(userId, filter)} and ${after}
      order by head.date desc, head.id desc limit ${pieceSize}`.execute(query)
    yield* rows.map(toRow(userId))
    const tail = rows.at(-1)
    if (tail === undefined || rows.length < pieceSize) return
    last = { date: tail.date, id: tail.id }
  }
}

/** The rows after an id in the order of the chain. */
export async function chainPiece(query: Query, userId: number, afterId: number, limit: number): Promise<ChainedRow[]> {
  const { rows } = await sql<JournalRecord>`
    select ${columns} from journal_transactions as head
    where head.user_id = ${userId} and head.id > ${afterId} order by head.id limit ${limit}`.execute(query)
  return rows.map(toRow(userId))
}

/** Where the books say that the chain ends, and the last row there is: the same moment for both. */
export async function bookedHead(query: Query, userId: number): Promise<ChainHead & { maxId: number }> {
  const { rows } = await sql<{ last_id: number | null; last_hash: string | null; max_id: number | null }>`
    select books.last_id, books.last_hash, last.max_id
    from (select max(id) as max_id from journal_transactions where user_id = ${userId}) as last
      left join books on books.user_id = ${userId}`.execute(query)
  const row = rows[0]
  return { id: row?.last_id ?? 0, hash: row?.last_hash ?? genesisHash, maxId: row?.max_id ?? 0 }
}

function within(userId: number, { from, to, entryId }: JournalFilter): RawBuilder<unknown> {
  const parts = [
    sql`head.user_id = ${userId}`,
    ...(from === null ? [] : [sql`head.date >= ${from}`]),
    ...(to === null ? [] : [sql`head.date <= ${to}`]),
    ...(entryId === null ? [] : [sql`head.entry_id = ${entryId}`]),
  ]
  return sql.join(parts, sql` and `)
}

async function transactionCounts(query: Query, userId: number, filter: JournalFilter): Promise<MonthCount[]> {
  const { months, edges } = splitRange(filter)
  const counted = (range: OpenRange) => sql`
    select date_trunc('month', head.date)::date as month, count(*)::bigint as count
    from journal_transactions as head where ${within(userId, { ...range, entryId: filter.entryId })} group by 1`
  const parts = filter.entryId === null ? edges.map(counted) : [counted(filter)]
  if (months !== null && filter.entryId === null) {
    parts.push(sql`
      select month, transactions as count from journal_month_counts
      where user_id = ${userId} and month >= coalesce(${months.from}::date, '-infinity')
        and month <= coalesce(${months.to}::date, 'infinity')`)
  }
  if (parts.length === 0) return []
  const { rows } = await sql<MonthCount>`${sql.join(parts, sql` union all `)}`.execute(query)
  return rows
}

export interface AccountSum {
  accountCode: string
  debitCents: number
  creditCents: number
}

/**
 * Debits and credits by account within days of effect. With `asOf`, only of what had been posted at that instant.
 *
 * @param asOf `YYYY-MM-DD HH:MM:SS` in UTC, inclusive
 */
export async function accountSums(
  query: Query,
  userId: number,
  range: OpenRange,
  asOf: string | null,
): Promise<AccountSum[]> {
  const parts = asOf === null ? currentSums(userId, range) : [sumsAsOf(userId, range, asOf)]
  if (parts.length === 0) return []
  const { rows } = await sql<{ account_code: string; debit: string; credit: string }>`
    select account_code, sum(debit) as debit, sum(credit) as credit
    from (${sql.join(parts, sql` union all `)}) as part group by account_code order by account_code`.execute(query)
  return rows.map((row) => ({
    accountCode: row.account_code,
    debitCents: Number(row.debit),
    creditCents: Number(row.credit),
  }))
}

function currentSums(userId: number, range: OpenRange): RawBuilder<unknown>[] {
  const { months, edges } = splitRange(range)
  const parts = edges.map(
    ({ from, to }) => sql`
      select account_code, sum(debit_cents) as debit, sum(credit_cents) as credit from journal_lines
      where user_id = ${userId} and date between ${from} and ${to} group by 1`,
  )
  if (months === null) return parts
  return [
    ...parts,
    sql`
      select account_code, sum(debit_cents) as debit, sum(credit_cents) as credit from journal_months
      where user_id = ${userId} and month >= coalesce(${months.from}::date, '-infinity')
        and month <= coalesce(${months.to}::date, 'infinity') group by 1`,
  ]
}

const sumsAsOf = (userId: number, { from, to }: OpenRange, asOf: string): RawBuilder<unknown> => sql`
  select line.account_code, sum(line.debit_cents) as debit, sum(line.credit_cents) as credit
  from journal_lines as line
    join journal_transactions as head on head.user_id = line.user_id and head.id = line.transaction_id
  where line.user_id = ${userId} and head.created_at <= ${`${asOf}+00`}::timestamptz
    and line.date >= coalesce(${from}::date, '-infinity') and line.date <= coalesce(${to}::date, 'infinity')
  group by 1`
