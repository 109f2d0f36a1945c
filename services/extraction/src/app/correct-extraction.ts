import { publish } from '@asiento/chassis/outbox'
import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import type { CallContext } from '@asiento/proto/rpc'
import type { Deps } from './deps.ts'
import { forgetLayout, learnFromCorrection } from './learn-layout.ts'
import { columnsOf, currentResult, type LogRow, scopeOfRow, searchText } from './log-row.ts'
import { toDetail, visibleLog } from './show-history-item.ts'

/**
 * Corrects fields of a result: the correction lies beside what was read, goes into history, due dates and ledger, and
 * teaches the vendor's layout. Fails INVALID_STATE for a failed extraction.
 */
export const correctExtraction =
  (deps: Deps) => async (actor: Actor, logId: number, fields: Record<string, unknown>, _context: CallContext) => {
    const row = await visibleLog(deps, actor, logId)
    if (row.result === null) return fail('INVALID_STATE', { detail: 'A failed extraction has nothing to correct.' })
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    const corrected = await saveCorrections(deps, row, { ...(row.corrections ?? {}), ...given })
    await learnFromCorrection(deps, corrected, given)
    return toDetail(corrected)
  }

/** Takes the corrections back, and what was learned from them. */
export const undoCorrections = (deps: Deps) => async (actor: Actor, logId: number) => {
  const row = await visibleLog(deps, actor, logId)
  if (row.result === null || row.corrections === null) return toDetail(row)
  const restored = await saveCorrections(deps, row, null)
  await forgetLayout(deps, logId)
  return toDetail(restored)
}

async function saveCorrections(deps: Deps, row: LogRow, corrections: Record<string, unknown> | null): Promise<LogRow> {
  const result = currentResult({ result: row.result, corrections })
  if (result === null) return row
  return deps.db.transaction(async (tx) => {
    const saved = await tx
      .updateTable('logs')
      .set({
        ...columnsOf(result),
        corrections: corrections === null ? null : (JSON.stringify(corrections) as never),
        search: searchText([row.filename, result.vendor_name, result.invoice_number, row.external_ref]),
      })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const fields =
      corrections ??
      Object.fromEntries(Object.keys(row.corrections ?? {}).map((name) => [name, Object(row.result)[name]]))
    await publish(tx, 'extraction.corrected', {
      key: String(row.id),
      payload: { logId: row.id, scope: scopeOfRow(row), fields },
    })
    return saved
  })
}
