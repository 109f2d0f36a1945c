import { AppError, type ErrorCode, errorTable } from '@asiento/proto/errors'
import type { Deps } from '../deps.ts'
import type { Extractor } from '../extract-document.ts'
import type { LogRow } from '../log-row.ts'
import { dropLogs, openLogs, type Work } from '../work-log.ts'
import type { askOnce } from './ask-once.ts'
import { type ClaimedItem, postponeItem } from './claim.ts'
import type { EndItem } from './endings.ts'
import { failJob, type ItemOutcome } from './finish.ts'
import type { ItemRow } from './jobs.ts'

const failuresMax = 3
const longestDelayMs = 5_000

/** A claimed item that has not begun. */
export interface Held {
  item: ClaimedItem
  /** Its log, opened together with others; absent where somebody has worked on the item before. */
  opened: LogRow | undefined
  about: ReturnType<typeof askOnce>
  /** On the monotonic clock. */
  claimedAt: number
}

/** `closed`: the account is gone. `delayMs`: to be tried again; `failed`: as new work. */
export type Outcome = ItemOutcome | 'closed' | { delayMs: number; failed: boolean }

/** Opens the logs of items that nobody has worked on before, by work id. */
export async function openLogsOf(deps: Deps, items: readonly ClaimedItem[]): Promise<Map<string, LogRow>> {
  const rows = await openLogs(deps, items.filter(({ claims }) => claims === 1).map(workOf))
  return new Map(rows.map((row) => [row.work_id, row]))
}

const workOf = (item: ClaimedItem): Work => ({
  workId: item.work_id,
  scope: item.scope,
  source: 'batch',
  upload: {
    objectKey: item.object_key,
    sha256: item.sha256,
    sizeBytes: item.size_bytes,
    filename: item.filename,
    contentType: item.content_type,
  },
  externalRef: null,
})

/**
 * Reads one claimed item. Everything the work does is keyed with its work id, so a holder that takes over after a crash
 * finds the log, the reservation and the event of the first one and repeats none of them.
 */
export async function outcomeOf(deps: Deps, prepare: Extractor['prepare'], held: Held): Promise<Outcome> {
  const { item, about } = held
  const log = held.opened ?? (await logOf(deps, item))
  if (log?.status === 'ok') return { status: 'ok', logId: log.id, documentKey: log.document_key }
  if (log?.status === 'error')
    return afterFailure(item, log.error_code ?? 'EXTRACTION_FAILED', log.error_detail, log.id)
  try {
    const account = await about(item.scope)
    if (account.actor === null) {
      await dropLogs(deps, [item.work_id])
      return 'closed'
    }
    const { actor, known } = account
    const judged = await prepare({
      ...workOf(item),
      actor,
      context: { actor, requestId: `batch-${item.job_id}-${item.position}`, workId: item.work_id },
      // The next holder must find it.
      keepUpload: true,
      known,
      opened: log,
    })
    if ('ended' in judged) return { status: 'ok', logId: judged.ended.id, documentKey: judged.ended.document_key }
    return { status: 'ok', logId: judged.row.id, documentKey: judged.finished.document?.key ?? null, closing: judged }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return failureOf(deps, item, error)
  }
}

/** What follows from a failure, whose log has been closed with it, or from one before any work, which leaves no log. */
async function failureOf(deps: Deps, item: ClaimedItem, error: AppError): Promise<Outcome> {
  await dropLogs(deps, [item.work_id])
  const failed = await logOf(deps, item)
  return afterFailure(item, error.code, error.detail, failed?.id ?? null)
}

/** Ends an item, or hands it back. */
export async function settleItem(deps: Deps, end: EndItem, item: ClaimedItem, outcome: Outcome): Promise<void> {
  if (outcome === 'closed') return failJob(deps, item.job_id)
  if ('delayMs' in outcome) return postponeItem(deps, item, outcome)
  try {
    await end({ item, outcome })
  } catch (error) {
    const closing = outcome.status === 'ok' ? outcome.closing : undefined
    if (closing === undefined) throw error
    await settleItem(deps, end, item, await failureOf(deps, item, await closing.giveUp(error)))
  }
}

const logOf = ({ db }: Deps, item: ItemRow): Promise<LogRow | undefined> =>
  db.query.selectFrom('logs').selectAll().where('work_id', '=', item.work_id).executeTakeFirst()

/**
 * What a failure means for the item. A dependency that is away is no verdict: the item waits, however long. A transient
 * failure that left a failed log (its credit given back) is tried again as new work, three times in all.
 */
function afterFailure(item: ItemRow, code: string, detail: string | null, logId: number | null): Outcome {
  const known: ErrorCode = code in errorTable ? (code as ErrorCode) : 'EXTRACTION_FAILED'
  const delayMs = Math.min(longestDelayMs, 250 * 2 ** Math.min(item.claims, 8))
  if (known === 'SERVICE_UNAVAILABLE') return { delayMs, failed: false }
  if (errorTable[known].retryable && item.failures + 1 < failuresMax) return { delayMs, failed: logId !== null }
  return { status: 'error', code: known, detail: detail ?? errorTable[known].text, logId }
}
