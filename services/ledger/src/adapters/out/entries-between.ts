import type { Database } from '@asiento/chassis/db'
import { sql } from 'kysely'
import type { LedgerEntry } from '../../domain/entry.ts'
import type { DateRange } from '../../domain/period.ts'
import { entryColumns, toEntry } from './entry-rows.ts'
import type { Tables } from './tables.ts'

type Query = Database<Tables>['query']

/** Every entry dated within a range, oldest first. */
export async function entriesBetween(query: Query, userId: number, range: DateRange): Promise<LedgerEntry[]> {
  const rows = await query
    .selectFrom('entries')
    .select(entryColumns)
    .where('user_id', '=', userId)
    .where('date', '>=', range.from)
    .where('date', '<=', range.to)
    .orderBy('date')
    .orderBy('id')
    .execute()
  return rows.map(toEntry)
}

export async function entriesByIds(query: Query, userId: number, ids: readonly number[]): Promise<LedgerEntry[]> {
  const rows = await query
    .selectFrom('entries')
    .select(entryColumns)
    .where('user_id', '=', userId)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .orderBy('date')
    .orderBy('id')
    .execute()
  return rows.map(toEntry)
}
