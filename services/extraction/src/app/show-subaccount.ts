import type { Actor } from '@asiento/proto/actor'
import type { CallContext } from '@asiento/proto/rpc'
import type { HistoryQuery } from '@asiento/proto/schemas/extraction'
import { sql } from 'kysely'
import type { Deps } from './deps.ts'
import { listHistory } from './list-history.ts'
import { usageOf } from './show-metrics.ts'

const topVendorsMax = 10

type Context = CallContext<Actor>

/** What a subaccount has read. Fails NOT_FOUND, ACCESS_DENIED for another account's. */
export const subaccountHistory =
  (deps: Deps) => async (context: Context, subaccountId: number, query: Omit<HistoryQuery, 'subaccount_id'>) => {
    await deps.rpc.identity.subaccountUsage({ subaccountId }, context)
    return listHistory(deps)(context.actor, { ...query, subaccount_id: subaccountId })
  }

/** Totals, errors, daily usage, keys and most frequent issuers of a subaccount. */
export const subaccountMetrics = (deps: Deps) => async (context: Context, subaccountId: number) => {
  const { keys } = await deps.rpc.identity.subaccountUsage({ subaccountId }, context)
  const [usage, vendors] = await Promise.all([
    usageOf(deps, { userId: context.actor.userId, keyId: null, subaccountId }),
    deps.db.query
      .selectFrom('logs')
      .select(['vendor_name as vendor', sql<number>`count(*)`.as('count')])
      .where('subaccount_id', '=', subaccountId)
      .where('user_id', '=', context.actor.userId)
      .where('status', '=', 'ok')
      .where('vendor_name', 'is not', null)
      .groupBy('vendor_name')
      .orderBy('count', 'desc')
      .orderBy('vendor_name')
      .limit(topVendorsMax)
      .execute(),
  ])
  const { total, avg_confidence, total_errors, daily_usage } = usage
  return {
    total,
    avg_confidence,
    total_errors,
    keys,
    daily_usage,
    top_vendors: vendors.map(({ vendor, count }) => ({ vendor: vendor ?? '', count })),
  }
}
