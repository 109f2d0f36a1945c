import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import { planOpens } from '@asiento/proto/plans'
import type { HistoryQuery } from '@asiento/proto/schemas/extraction'
import { addDays } from '@asiento/proto/time'
import { sql } from 'kysely'
import { anywhere, countLogs, findPage } from './count-logs.ts'
import type { Deps } from './deps.ts'
import { toHistoryItem, visibleTo } from './log-row.ts'

export type HistoryFilters = Omit<HistoryQuery, 'limit' | 'offset'>

/** The visible logs that pass the filters. Fails PLAN_REQUIRED for a subaccount filter below Business. */
export function filteredLogs({ db }: Deps, actor: Actor, filters: HistoryFilters) {
  if (filters.subaccount_id !== 0 && !planOpens(actor.plan, 'subaccounts')) fail('PLAN_REQUIRED')
  let rows = db.query.selectFrom('logs').where(visibleTo(actor))
  if (filters.subaccount_id !== 0) rows = rows.where('subaccount_id', '=', filters.subaccount_id)
  if (filters.status !== '') rows = rows.where('status', '=', filters.status)
  if (filters.q.trim() !== '') rows = rows.where('search', 'like', `%${escapeLike(filters.q.trim().toLowerCase())}%`)
  if (filters.date_from !== '') rows = rows.where('created_at', '>=', utcMidnight(filters.date_from))
  if (filters.date_to !== '') rows = rows.where('created_at', '<', utcMidnight(addDays(filters.date_to, 1)))
  return rows
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)
const utcMidnight = (date: string): Date => new Date(`${date}T00:00:00Z`)

/** A page of the history, newest first, with how many there are in all. */
export const listHistory = (deps: Deps) => async (actor: Actor, query: HistoryQuery) => {
  const { limit, offset, ...filters } = query
  // Fails before anything is asked.
  const found = filteredLogs(deps, actor, filters)
  const searched = filters.q.trim() !== ''
  const [total, { idFrom, idBelow, skip }] = await Promise.all([
    searched ? countFound(found) : countLogs(deps, actor, filters),
    searched ? anywhere(offset) : findPage(deps, actor, filters, offset),
  ])
  const among = found.where('id', '>=', idFrom).where('id', '<', idBelow)
  const page = among.select('id').orderBy('id', 'desc').limit(limit).offset(skip)
  // Rows that are stepped over are not fetched: their ids stand in the index.
  const rows = await deps.db.query
    .selectFrom('logs')
    .selectAll()
    .where('id', 'in', page)
    .orderBy('id', 'desc')
    .execute()
  return {
    items: rows.map(toHistoryItem),
    total,
    limit,
    offset,
    has_more: offset + rows.length < total,
    filters: Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '' && value !== 0)),
  }
}

async function countFound(found: ReturnType<typeof filteredLogs>): Promise<number> {
  const { total } = await found.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  return total
}
