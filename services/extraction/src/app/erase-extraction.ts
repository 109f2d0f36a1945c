import { publish } from '@asiento/chassis/outbox'
import type { Actor } from '@asiento/proto/actor'
import type { CallContext } from '@asiento/proto/rpc'
import type { Deps } from './deps.ts'
import { type LogRow, scopeOfRow } from './log-row.ts'
import { pageKey, pagePicturesMax } from './page-key.ts'
import { visibleLog } from './show-history-item.ts'

/**
 * Erases a log for good: document, result, evidence, what was learned from it and, through the event, replays and traces
 * in the other services. Signed XML in custody and journal entries stay by legal duty and are named in the answer.
 */
export const eraseExtraction = (deps: Deps) => async (actor: Actor, logId: number, context: CallContext) => {
  const row = await visibleLog(deps, actor, logId)
  const kept = await keptElsewhere(deps, logId, context)
  await deps.db.transaction(async (tx) => {
    await tx.deleteFrom('vendor_layouts').where('log_id', '=', logId).execute()
    await tx.deleteFrom('logs').where('id', '=', logId).execute()
    await publish(tx, 'extraction.erased', { key: String(logId), payload: { logId, scope: scopeOfRow(row) } })
  })
  await deleteDocument(deps, row)
  return { deleted: true as const, kept }
}

async function keptElsewhere(deps: Deps, logId: number, context: CallContext): Promise<('custody' | 'journal')[]> {
  const [custody, journal] = await Promise.all([
    deps.rpc.facturae.inCustody({ logIds: [logId] }, context),
    deps.rpc.ledger.logsInJournal({ logIds: [logId] }, context),
  ])
  return [
    ...(custody.logIds.length > 0 ? ['custody' as const] : []),
    ...(journal.logIds.length > 0 ? ['journal' as const] : []),
  ]
}

/** Deletes the original and the pictures of its pages. */
export async function deleteDocument(
  { objects }: Pick<Deps, 'objects'>,
  row: Pick<LogRow, 'document_key' | 'result'>,
): Promise<void> {
  if (row.document_key === null) return
  await objects.delete(row.document_key)
  const pages = Math.min(row.result?.pages ?? 0, pagePicturesMax)
  for (let page = 1; page <= pages; page += 1) await objects.delete(pageKey(row.document_key, page))
}

/** Deletes originals whose time is over. */
export async function forgetOldDocuments(deps: Pick<Deps, 'db' | 'objects' | 'clock'>): Promise<void> {
  const rows = await deps.db.query
    .selectFrom('logs')
    .select(['id', 'document_key', 'result'])
    .where('document_key', 'is not', null)
    .where('document_until', '<', deps.clock.now())
    .limit(500)
    .execute()
  for (const row of rows) {
    await deleteDocument(deps, row)
    await deps.db.query
      .updateTable('logs')
      .set({ document_key: null, document_until: null })
      .where('id', '=', row.id)
      .execute()
  }
}
