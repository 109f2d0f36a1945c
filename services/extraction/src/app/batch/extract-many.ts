import { type Actor, scopeOf } from '@asiento/proto/actor'
import { AppError, fail, failure } from '@asiento/proto/errors'
import type { Upload } from '@asiento/proto/operation'
import { limits, plans } from '@asiento/proto/plans'
import type { CallContext } from '@asiento/proto/rpc'
import type { BatchResult } from '@asiento/proto/schemas/batch'
import type { Deps } from '../deps.ts'
import type { Extract } from '../extract-document.ts'
import { refuseWithoutQuota } from './create-job.ts'
import { inParallel } from './in-parallel.ts'
import { uuidFrom } from './work-ids.ts'

/**
 * Reads several files while the caller waits: one result a file, in their order, `atOnce` at a time. Fails
 * BATCH_LIMIT_EXCEEDED, and QUOTA_EXCEEDED with the quota at zero.
 */
export const extractMany =
  (deps: Deps, extract: Extract, atOnce: number) =>
  async (files: readonly Upload[], context: CallContext<Actor>): Promise<BatchResult[]> => {
    const filesMax = Math.min(limits.syncBatchFilesMax, plans[context.actor.plan].batchFilesMax)
    if (files.length > filesMax) fail('BATCH_LIMIT_EXCEEDED', { detail: `At most ${filesMax} files are accepted.` })
    const workIds = files.map((_file, index) =>
      context.workId === undefined ? deps.ids.uuid() : uuidFrom(`file:${context.workId}:${index}`),
    )
    if (!(await begun(deps, workIds))) await refuseWithoutQuota(deps, context)
    return inParallel(files, atOnce, (file, index) =>
      extractOne(deps, extract, { upload: file, workId: workIds[index] ?? deps.ids.uuid(), context }),
    )
  }

/** A request that is taken over after a crash may have used the last credits itself. */
async function begun({ db }: Deps, workIds: string[]): Promise<boolean> {
  const row = await db.query.selectFrom('logs').select('id').where('work_id', 'in', workIds).executeTakeFirst()
  return row !== undefined
}

interface OneFile {
  upload: Upload
  workId: string
  context: CallContext<Actor>
}

async function extractOne({ log }: Deps, extract: Extract, { upload, workId, context }: OneFile): Promise<BatchResult> {
  const { filename } = upload
  try {
    if (upload.error !== undefined) throw failure(upload.error.code, { detail: upload.error.detail })
    const { actor } = context
    const result = await extract({
      workId,
      actor,
      scope: scopeOf(actor),
      context: { ...context, workId },
      source: 'batch',
      upload,
      externalRef: null,
    })
    return { ...result, filename, status: 'ok' }
  } catch (error) {
    const known = error instanceof AppError ? error : failure('SERVICE_ERROR', { cause: error })
    if (known !== error) log.error({ err: error, filename }, 'file of a batch failed')
    return { filename, status: 'error', error_code: known.code, error: known.detail }
  }
}
