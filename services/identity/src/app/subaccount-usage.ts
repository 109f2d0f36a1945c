import { timestamp } from '@asiento/proto/time'
import { type RawBuilder, sql } from 'kysely'
import { periodOf } from '../domain/period.ts'
import { percentage } from '../domain/quota.ts'
import type { Deps } from './deps.ts'

/** A subaccount with the use of its keys in one month. */
export interface SubaccountRow {
  id: number
  user_id: number
  name: string
  slug: string
  notes: string | null
  created_at: Date
  deleted_at: Date | null
  total_used: number
  total_quota: number
  keys_count: number
}

/**
 * Subaccounts with their use: all keys count with what they used; one that is revoked has for quota just that, so that
 * its use never looks like an excess of the others.
 */
export async function selectSubaccounts(deps: Deps, condition: RawBuilder<unknown>, page: RawBuilder<unknown> = sql``) {
  const { rows } = await sql<SubaccountRow & { total: number }>`
    select s.*, count(*) over ()::integer as total,
      coalesce(k.total_used, 0) as total_used, coalesce(k.total_quota, 0) as total_quota,
      coalesce(k.keys_count, 0) as keys_count
    from subaccounts s left join lateral (
      select sum(coalesce(u.used, 0))::bigint as total_used,
        sum(case when k.revoked_at is null then k.quota else coalesce(u.used, 0) end)::bigint as total_quota,
        (count(*) filter (where k.revoked_at is null))::integer as keys_count
      from api_keys k left join key_usage u on u.key_id = k.id and u.period = ${periodOf(deps.clock.now())}
      where k.subaccount_id = s.id
    ) k on true
    where ${condition} order by s.id desc ${page}`.execute(deps.db.query)
  return rows
}

/** A subaccount as the API shows it. */
export const shownSubaccount = (row: SubaccountRow) => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  notes: row.notes,
  active: row.deleted_at === null,
  created_at: timestamp(row.created_at),
  total_used: row.total_used,
  total_quota: row.total_quota,
  pct_used: percentage(row.total_used, row.total_quota),
  keys_count: row.keys_count,
})
