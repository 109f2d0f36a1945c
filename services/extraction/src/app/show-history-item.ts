import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import type { Download } from '@asiento/proto/operation'
import type { Deps } from './deps.ts'
import { currentResult, type LogRow, toHistoryItem, visibleTo } from './log-row.ts'
import { pageKey } from './page-key.ts'

/** A log that the caller may see. Fails INVOICE_NOT_FOUND, naming it. */
export async function visibleLog({ db }: Pick<Deps, 'db'>, actor: Actor, logId: number): Promise<LogRow> {
  const row = await db.query
    .selectFrom('logs')
    .selectAll()
    .where('id', '=', logId)
    .where(visibleTo(actor))
    .executeTakeFirst()
  return row ?? fail('INVOICE_NOT_FOUND', { detail: `There is no invoice ${logId}.` })
}

/** The history item with its result, corrections applied, and the corrected fields as they were read. */
export function toDetail(row: LogRow) {
  const read: Record<string, unknown> = row.result ?? {}
  const corrected = Object.keys(row.corrections ?? {})
  return {
    ...toHistoryItem(row),
    result: currentResult(row),
    original: Object.fromEntries(corrected.map((field) => [field, read[field] ?? null])),
    document_available: row.document_key !== null,
  }
}

export const showHistoryItem = (deps: Deps) => async (actor: Actor, logId: number) =>
  toDetail(await visibleLog(deps, actor, logId))

const imageTypes: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
}

/** The original while it is kept. */
export const showDocument =
  (deps: Deps) =>
  async (actor: Actor, logId: number): Promise<Download> => {
    const row = await visibleLog(deps, actor, logId)
    const objectKey = row.document_key ?? fail('INVOICE_NOT_FOUND', { detail: 'The original is not kept any more.' })
    const extension = row.filename.split('.').at(-1)?.toLowerCase() ?? ''
    return {
      objectKey,
      filename: row.filename,
      contentType: imageTypes[extension] ?? 'application/pdf',
      disposition: 'inline',
    }
  }

/** A page of the original as PNG; drawn once and kept as long as the original. Fails NOT_FOUND beyond the last page. */
export const showPage =
  (deps: Deps) =>
  async (actor: Actor, logId: number, page: number): Promise<Download> => {
    const row = await visibleLog(deps, actor, logId)
    const documentKey = row.document_key ?? fail('INVOICE_NOT_FOUND', { detail: 'The original is not kept any more.' })
    const objectKey = pageKey(documentKey, page)
    if ((await deps.objects.get(objectKey)) === null) {
      const bytes = (await deps.objects.get(documentKey)) ?? fail('INVOICE_NOT_FOUND')
      const picture = await deps.pictures.run({ bytes, filename: row.filename, page: page - 1 })
      await deps.objects.put(objectKey, picture)
    }
    return { objectKey, filename: `${logId}-${page}.png`, contentType: 'image/png', disposition: 'inline' }
  }
