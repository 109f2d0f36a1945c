import { type Actor, scopeOf } from '@asiento/proto/actor'
import type { CallContext } from '@asiento/proto/rpc'
import { addDays } from '@asiento/proto/time'
import { sql } from 'kysely'
import type { Deps } from './deps.ts'

const daysShown = 30

interface Sums {
  ok: number
  errors: number
  warnings: number
  confidence: number
}

export interface UsageFilter {
  userId: number
  keyId: number | null
  subaccountId: number | null
}

/** Totals over all time and the last 30 days day by day, zero days included, from the sums kept with each log. */
export async function usageOf({ db, clock }: Pick<Deps, 'db' | 'clock'>, filter: UsageFilter) {
  let rows = db.query.selectFrom('daily_usage').where('user_id', '=', filter.userId)
  if (filter.subaccountId !== null) rows = rows.where('subaccount_id', '=', filter.subaccountId)
  else if (filter.keyId !== null) rows = rows.where('key_id', '=', filter.keyId)
  const today = clock.now().toISOString().slice(0, 10)
  const first = addDays(today, 1 - daysShown)
  const [sums, days] = await Promise.all([
    rows
      .select([
        sql<number>`coalesce(sum(ok_count), 0)::bigint`.as('ok'),
        sql<number>`coalesce(sum(error_count), 0)::bigint`.as('errors'),
        sql<number>`coalesce(sum(warning_count), 0)::bigint`.as('warnings'),
        sql<number>`coalesce(sum(confidence_sum), 0)`.as('confidence'),
      ])
      .executeTakeFirstOrThrow() as Promise<Sums>,
    rows
      .select(['day', sql<number>`sum(ok_count + error_count)::bigint`.as('count')])
      .where('day', '>=', first)
      .groupBy('day')
      .execute(),
  ])
  const counts = new Map(days.map((row) => [row.day, row.count]))
  const daily = Array.from({ length: daysShown }, (_, index) => {
    const day = addDays(first, index)
    return { day, count: counts.get(day) ?? 0 }
  })
  return {
    total: sums.ok + sums.errors,
    avg_confidence: sums.ok === 0 ? 0 : Math.round((sums.confidence / sums.ok) * 10_000) / 10_000,
    total_errors: sums.errors,
    total_with_warnings: sums.warnings,
    daily_usage: daily,
  }
}

/** Section 2.7: usage and quota together. */
export const showMetrics = (deps: Deps) => async (actor: Actor, context: CallContext) => {
  const scope = scopeOf(actor)
  const [usage, quota] = await Promise.all([usageOf(deps, scope), deps.rpc.identity.quotaOf(scope, context)])
  const { plan, quota: limit, used, remaining, quota_reset_at } = quota
  return { ...usage, quota: limit, used, remaining, plan, quota_reset_at }
}
