import { AppError, type ErrorCode, errorTable } from '@asiento/proto/errors'
import type { Deps } from '../deps.ts'
import type { Extract } from '../extract-document.ts'
import type { LogRow } from '../log-row.ts'
import type { askOnce } from './ask-once.ts'
import { type ClaimedItem, postponeItem } from './claim.ts'
import type { Endings } from './endings.ts'
import { failJob, type ItemOutcome } from './finish.ts'
import type { ItemRow } from './jobs.ts'

const failuresMax = 3
const longestDelayMs = 5_000

/** A claimed item that has not begun. */
export interface Held {
  item: ClaimedItem
  about: ReturnType<typeof askOnce>
  /** On the monotonic clock. */
  claimedAt: number
}

/** `closed`: the account is gone. `delayMs`: to be tried again; `failed`: as new work. */
export type Outcome = ItemOutcome | 'closed' | { delayMs: number; failed: boolean }

/**
 * Reads one claimed item. Everything the work does is keyed with its work id, so a holder that takes over after a crash
 * finds the log, the reservation and the event of the first one and repeats none of them.
 */
export async function outcomeOf(deps: Deps, extract: Extract, { item, about }: Held): Promise<Outcome> {
  // The first holder of new work finds no log.
  const log = item.claims > 1 ? await logOf(deps, item) : undefined
  if (log?.status === 'ok') return { status: 'ok', logId: log.id }
  if (log?.status === 'error')
    return afterFailure(item, log.error_code ?? 'EXTRACTION_FAILED', log.error_detail, log.id)
  try {
    const account = await about(item.scope)
    if (account.actor === null) return 'closed'
    const { actor, known } = account
    const { _log_id: logId } = await extract({
      workId: item.work_id,
      actor,
      scope: item.scope,
      context: { actor, requestId: `batch-${item.job_id}-${item.position}`, workId: item.work_id },
      source: 'batch',
      upload: {
        objectKey: item.object_key,
        sha256: item.sha256,
        sizeBytes: item.size_bytes,
        filename: item.filename,
        contentType: item.content_type,
      },
      // The next holder must find it; it goes when the item has ended.
      keepUpload: true,
      known,
      externalRef: null,
    })
    return { status: 'ok', logId }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const failed = await logOf(deps, item)
    return afterFailure(item, error.code, error.detail, failed?.id ?? null)
  }
}

/** Ends an item, or hands it back. */
export async function settleItem(deps: Deps, endings: Endings, item: ClaimedItem, outcome: Outcome): Promise<void> {
  if (outcome === 'closed') await failJob(deps, item.job_id)
  else if ('delayMs' in outcome) await postponeItem(deps, item, outcome)
  else await endings.end(item, outcome)
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
