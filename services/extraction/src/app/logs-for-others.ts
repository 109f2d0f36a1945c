import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import type { extractionProcedures } from '@asiento/proto/procedures/extraction'
import { timestamp } from '@asiento/proto/time'
import type { z } from 'zod'
import type { Deps } from './deps.ts'
import { currentResult, visibleTo } from './log-row.ts'

/** Successful logs in the order asked for. Fails INVOICE_NOT_FOUND naming the first that is missing, foreign or failed. */
export const logsById = (deps: Deps) => async (actor: Actor, logIds: readonly number[]) => {
  const rows = await deps.db.query
    .selectFrom('logs')
    .select(['id', 'result', 'corrections'])
    .where('id', 'in', [...logIds])
    .where('status', '=', 'ok')
    .where(visibleTo(actor))
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const logs = logIds.map((logId) => {
    const row = byId.get(logId) ?? fail('INVOICE_NOT_FOUND', { detail: `There is no invoice ${logId}.` })
    return { logId, result: currentResult(row) }
  })
  return { logs }
}

/** Those of the logs that the caller may see. */
export const visibleLogs = (deps: Deps) => async (actor: Actor, logIds: readonly number[]) => {
  if (logIds.length === 0) return { logIds: [] }
  const rows = await deps.db.query
    .selectFrom('logs')
    .select('id')
    .where('id', 'in', [...logIds])
    .where(visibleTo(actor))
    .execute()
  return { logIds: rows.map((row) => row.id) }
}

/** The master account's successful logs for the ledger, ascending by id. */
export const logsForLedger =
  (deps: Deps) =>
  async ({ userId, afterLogId, logIds, limit }: z.output<typeof extractionProcedures.logsForLedger.input>) => {
    let rows = deps.db.query
      .selectFrom('logs')
      .select(['id', 'created_at', 'result', 'corrections'])
      .where('user_id', '=', userId)
      .where('subaccount_id', 'is', null)
      .where('sandbox', '=', false)
      .where('status', '=', 'ok')
      .where('id', '>', afterLogId)
    if (logIds !== undefined) rows = rows.where('id', 'in', logIds.length === 0 ? [-1] : logIds)
    const found = await rows.orderBy('id').limit(limit).execute()
    return {
      logs: found.map((row) => ({ logId: row.id, createdAt: timestamp(row.created_at), result: currentResult(row) })),
    }
  }
