import type { Database } from '@asiento/chassis/db'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { EntryStatus, EntryType, LedgerEntry } from '../../domain/entry.ts'
import { type MonthCount, type OpenRange, seek, splitRange } from '../../domain/month-ranges.ts'
import { entryColumns, toEntry } from './entry-rows.ts'
import type { Tables } from './tables.ts'

export interface EntryFilter extends OpenRange {
  type: EntryType | null
  status: EntryStatus | null
  /** Searched in concept, counterparty and invoice number, whatever its case and accents; null: everything. */
  q: string | null
}

export interface EntrySums {
  total: number
  incomeCents: number
  expenseCents: number
}

export interface EntryPage extends EntrySums {
  entries: LedgerEntry[]
}

type Query = Database<Tables>['query']

/** A page of an account's entries, newest first, with the count and sums of all that fit. */
export async function findEntries(
  query: Query,
  userId: number,
  filter: EntryFilter,
  page: { limit: number; offset: number },
): Promise<EntryPage> {
  const plain = filter.q === null
  const months = plain ? await monthlySums(query, userId, filter) : null
  const sums = months === null ? await searchedSums(query, userId, filter) : addUp(months)
  if (page.offset >= sums.total) return { ...sums, entries: [] }
  const start = months === null ? { to: null, offset: page.offset } : seek(months, page.offset)
  const rows = await matching(query, userId, { ...filter, to: earlier(filter.to, start.to) })
    .select(entryColumns)
    .orderBy(plain || sums.total > rareMax ? sql`date` : sql`date + 0`, 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(start.offset)
    .execute()
  return { ...sums, entries: rows.map(toEntry) }
}

/**
 * Up to how many matches are sorted rather than met while walking all entries by date, which is what PostgreSQL may take
 * for cheaper when it misjudges how rare a text is. `date + 0` cannot be read off the index by date.
 */
const rareMax = 5000

/** Every entry that fits, newest first, in pieces of a bounded size. */
export async function* eachEntry(query: Query, userId: number, filter: EntryFilter): AsyncGenerator<LedgerEntry> {
  const pieceSize = 2000
  let last: { date: string; id: number } | null = null
  for (;;) {
    let select = matching(query, userId, filter).select(entryColumns)
    if (last !== null) select = select.where(sql<SqlBool>`(date, id) < (${last.date}::date, ${last.id}::bigint)`)
    const rows = await select.orderBy('date', 'desc').orderBy('id', 'desc').limit(pieceSize).execute()
    yield* rows.map(toEntry)
    const tail = rows.at(-1)
    if (tail === undefined || rows.length < pieceSize) return
    last = { date: tail.date, id: tail.id }
  }
}

function matching(query: Query, userId: number, { type, status, q, from, to }: EntryFilter) {
  let select = query.selectFrom('entries').where('user_id', '=', userId)
  if (type !== null) select = select.where('type', '=', type)
  if (status !== null) select = select.where('status', '=', status)
  if (from !== null) select = select.where('date', '>=', from)
  if (to !== null) select = select.where('date', '<=', to)
  if (q !== null) select = select.where(contains(q))
  return select
}

/** Every word must occur somewhere; `%` and `_` mean themselves. */
function contains(q: string): Expression<SqlBool> {
  const words = fold(q).split(/\s+/).filter(Boolean)
  const conditions = words.map((word) => sql<SqlBool>`search like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`)
  return conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

/** The same folding that the column `search` is made with. */
const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')

const earlier = (a: string | null, b: string | null): string | null => (a === null || (b !== null && b < a) ? b : a)

interface MonthSum extends MonthCount {
  type: EntryType
  cents: number
}

async function searchedSums(query: Query, userId: number, filter: EntryFilter): Promise<EntrySums> {
  const rows = await matching(query, userId, filter)
    .select(['type', sql<number>`count(*)::bigint`.as('count'), sql<string>`sum(total_cents)`.as('cents')])
    .groupBy('type')
    .execute()
  return addUp(rows.map(({ type, count, cents }) => ({ type, count, cents: Number(cents), month: '' })))
}

/**
 * Counts and sums by month and type: kept ones for whole months, counted ones for the days at the ends. Pending entries
 * have an index of their own; settled ones are all less those.
 */
async function monthlySums(query: Query, userId: number, filter: EntryFilter): Promise<MonthSum[]> {
  const { status } = filter
  const settledType = status === 'collected' ? 'income' : status === 'paid' ? 'expense' : null
  if (settledType !== null && filter.type !== null && filter.type !== settledType) return []
  const type = settledType ?? filter.type
  const ofType = type === null ? sql`true` : sql`type = ${type}`
  const parts = status === 'pending' ? [] : allSums(userId, filter, ofType)
  if (status !== null) parts.push(pendingSums(userId, filter, ofType, status === 'pending' ? 1 : -1))
  if (parts.length === 0) return []
  const { rows } = await sql<{ month: string; type: EntryType; count: number; cents: string }>`
    ${sql.join(parts, sql` union all `)}`.execute(query)
  return rows.map((row) => ({ ...row, cents: Number(row.cents) }))
}

function allSums(userId: number, range: OpenRange, ofType: RawBuilder<unknown>): RawBuilder<unknown>[] {
  const { months, edges } = splitRange(range)
  const counted = edges.map(
    ({ from, to }) => sql`
      select date_trunc('month', date)::date as month, type, count(*)::bigint as count, sum(total_cents)::numeric as cents
      from entries where user_id = ${userId} and date between ${from} and ${to} and ${ofType} group by 1, 2`,
  )
  if (months === null) return counted
  return [
    ...counted,
    sql`
      select month, type, entries as count, total_cents as cents from entry_months
      where user_id = ${userId} and entries > 0 and ${ofType}
        and month >= coalesce(${months.from}::date, '-infinity') and month <= coalesce(${months.to}::date, 'infinity')`,
  ]
}

const pendingSums = (userId: number, { from, to }: OpenRange, ofType: RawBuilder<unknown>, sign: 1 | -1) => sql`
  select date_trunc('month', date)::date as month, type, (${sign}::int * count(*))::bigint as count,
    ${sign}::int * sum(total_cents)::numeric as cents
  from entries
  where user_id = ${userId} and status = 'pending' and ${ofType}
    and date >= coalesce(${from}::date, '-infinity') and date <= coalesce(${to}::date, 'infinity')
  group by 1, 2`

function addUp(sums: readonly MonthSum[]): EntrySums {
  const centsOf = (type: EntryType) => sums.filter((sum) => sum.type === type).reduce((all, sum) => all + sum.cents, 0)
  return {
    total: sums.reduce((all, sum) => all + sum.count, 0),
    incomeCents: centsOf('income'),
    expenseCents: centsOf('expense'),
  }
}
