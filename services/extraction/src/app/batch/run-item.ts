import { AppError, type ErrorCode, errorTable } from '@asiento/proto/errors'
import type { Deps } from '../deps.ts'
import type { Extract } from '../extract-document.ts'
import { type LogRow, scopeOfRow } from '../log-row.ts'
import { heartbeatMs, keepItem, postponeItem } from './claim.ts'
import { failJob, finishItem, type ItemOutcome } from './finish.ts'
import type { ItemRow } from './jobs.ts'

const failuresMax = 3
const longestDelayMs = 5_000

/**
 * Works on one claimed item to its end, or hands it back. Everything the work does is keyed with its work id, so a holder
 * that takes over after a crash finds the log, the reservation and the event of the first one and repeats none of them.
 */
export async function runItem(deps: Deps, extract: Extract, item: ItemRow): Promise<void> {
  const beat = setInterval(() => {
    keepItem(deps, item).catch((error) => deps.log.warn({ err: error, job: item.job_id }, 'lease not extended'))
  }, heartbeatMs)
  try {
    const outcome = await outcomeOf(deps, extract, item)
    if (outcome === 'closed') {
      await failJob(deps, item.job_id)
    } else if ('delayMs' in outcome) {
      await postponeItem(deps, item, outcome)
    } else {
      await finishItem(deps, item, outcome)
      await deps.objects.delete(item.object_key)
    }
  } catch (error) {
    // The lease runs out and somebody takes the item over.
    deps.log.error({ err: error, job: item.job_id, position: item.position }, 'item not finished')
  } finally {
    clearInterval(beat)
  }
}

type Outcome = ItemOutcome | 'closed' | { delayMs: number; failed: boolean }

async function outcomeOf(deps: Deps, extract: Extract, item: ItemRow): Promise<Outcome> {
  const log = await logOf(deps, item)
  if (log?.status === 'ok') return { status: 'ok', logId: log.id }
  if (log?.status === 'error')
    return afterFailure(item, log.error_code ?? 'EXTRACTION_FAILED', log.error_detail, log.id)
  try {
    const job = await deps.db.query
      .selectFrom('batch_jobs')
      .selectAll()
      .where('job_id', '=', item.job_id)
      .executeTakeFirstOrThrow()
    const context = { actor: null, requestId: `batch-${item.job_id}-${item.position}` }
    // The account, not the key: a job that was accepted goes on when its key is revoked meanwhile.
    const actor = await deps.rpc.identity.actorFor({ ...scopeOfRow(job), keyId: null }, context)
    if (actor === null) return 'closed'
    const result = await extract({
      workId: item.work_id,
      actor,
      scope: scopeOfRow(job),
      context: { ...context, actor, workId: item.work_id },
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
      externalRef: null,
    })
    return { status: 'ok', logId: result._log_id }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const failed = await logOf(deps, item)
    return afterFailure(item, error.code, error.detail, failed?.id ?? null)
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
