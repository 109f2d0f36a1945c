import type { Actor } from '@asiento/proto/actor'
import { sql } from 'kysely'
import type { Deps } from './deps.ts'
import type { HistoryFilters } from './list-history.ts'

/** Ids of one block of `log_counts`. */
const blockIds = 65_536
/** Below this, stepping over rows is cheaper than finding the block. */
const stepMax = 1_000

/** How many logs the caller sees by these filters, without reading them; the search text is not counted by. */
export async function countLogs({ db }: Pick<Deps, 'db'>, actor: Actor, filters: HistoryFilters): Promise<number> {
  const { total } = await counted(db, actor, filters)
    .select(sql<number>`coalesce(sum(logs), 0)::bigint`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Where a page lies: among the ids from `idFrom` and below `idBelow`, newest first, after `skip` of them. */
export interface PagePlace {
  idFrom: number
  idBelow: number
  skip: number
}

export const anywhere = (offset: number): PagePlace => ({ idFrom: 0, idBelow: Number.MAX_SAFE_INTEGER, skip: offset })

/** So no more than a block of rows is stepped over, however far down the page is, and however long ago its days were. */
export async function findPage(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  filters: HistoryFilters,
  offset: number,
): Promise<PagePlace> {
  const ofDays = filters.date_from !== '' || filters.date_to !== ''
  if (offset <= stepMax && !ofDays) return anywhere(offset)
  const blocks = await counted(db, actor, filters)
    .select(['block', sql<number>`sum(logs)::bigint`.as('logs')])
    .groupBy('block')
    .having(sql`sum(logs)`, '>', 0)
    .orderBy('block', 'desc')
    .execute()
  const idFrom = (blocks.at(-1)?.block ?? 0) * blockIds
  let skip = offset
  for (const { block, logs } of blocks) {
    if (skip < logs) return { idFrom, idBelow: (block + 1) * blockIds, skip }
    skip -= logs
  }
  return { idFrom: 0, idBelow: 0, skip: 0 }
}

function counted(db: Deps['db'], actor: Actor, filters: HistoryFilters) {
  let rows = db.query.selectFrom('log_counts').where('user_id', '=', actor.userId)
  if (actor.subaccountId !== null) rows = rows.where('subaccount_id', '=', actor.subaccountId)
  else if (actor.keyId !== null) rows = rows.where('key_id', '=', actor.keyId)
  if (filters.subaccount_id !== 0) rows = rows.where('subaccount_id', '=', filters.subaccount_id)
  if (filters.status !== '') rows = rows.where('status', '=', filters.status)
  if (filters.date_from !== '') rows = rows.where('day', '>=', filters.date_from)
  if (filters.date_to !== '') rows = rows.where('day', '<=', filters.date_to)
  return rows
}
