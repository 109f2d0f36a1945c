import { publishAll } from '@asiento/chassis/outbox'
import { type Actor, scopeOf } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import type { Upload } from '@asiento/proto/operation'
import { plans } from '@asiento/proto/plans'
import type { CallContext } from '@asiento/proto/rpc'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { announceFinished } from './finish.ts'
import { inParallel } from './in-parallel.ts'
import { uuidFrom } from './work-ids.ts'

const movesAtOnce = 16

/**
 * Accepts a job: files moved to its own keys, one row a file and one wake-up a file in one transaction. The same
 * idempotent request taken over is the same job. Fails BATCH_LIMIT_EXCEEDED, and QUOTA_EXCEEDED with the quota at zero.
 */
export const createJob =
  (deps: Deps) =>
  async (
    files: readonly Upload[],
    context: CallContext<Actor>,
  ): Promise<{
    job_id: string
    total: number
    status: 'running'
    message: string
  }> => {
    const { actor, workId } = context
    const filesMax = plans[actor.plan].batchFilesMax
    if (files.length > filesMax) {
      fail('BATCH_LIMIT_EXCEEDED', { detail: `The plan ${actor.plan} takes at most ${filesMax} files in a job.` })
    }
    const jobId = workId === undefined ? deps.ids.uuid() : uuidFrom(`job:${workId}`)
    const known = await deps.db.query
      .selectFrom('batch_jobs')
      .select('job_id')
      .where('job_id', '=', jobId)
      .executeTakeFirst()
    if (known === undefined) {
      await refuseWithoutQuota(deps, context)
      await acceptJob(deps, actor, jobId, files)
    }
    const message = `${files.length} files accepted; a mail tells when they are done.`
    return { job_id: jobId, total: files.length, status: 'running', message }
  }

/** A quota at zero refuses the whole call; files beyond a quota that is merely short become items with an error. */
export async function refuseWithoutQuota({ rpc }: Pick<Deps, 'rpc'>, context: CallContext<Actor>): Promise<void> {
  const quota = await rpc.identity.quotaOf(scopeOf(context.actor), context)
  if (quota.remaining <= 0) fail('QUOTA_EXCEEDED')
}

async function acceptJob(deps: Deps, actor: Actor, jobId: string, files: readonly Upload[]): Promise<void> {
  const { db, objects, clock } = deps
  const { userId, keyId, subaccountId, sandbox } = scopeOf(actor)
  const keys = await inParallel(files, movesAtOnce, async (file, position) => {
    const key = `batch/${jobId}/${position}`
    if (file.error === undefined) await objects.move(file.objectKey, key)
    return key
  })
  const now = clock.now()
  const refused = files.filter((file) => file.error !== undefined).length
  const over = refused === files.length
  await db.transaction(async (tx) => {
    const job = {
      job_id: jobId,
      user_id: userId,
      key_id: keyId,
      subaccount_id: subaccountId,
      sandbox,
      status: over ? ('done' as const) : ('running' as const),
      total: files.length,
      processed: refused,
      failed: refused,
      created_at: now,
      finished_at: over ? now : null,
    }
    const created = await tx
      .insertInto('batch_jobs')
      .values(job)
      .onConflict((conflict) => conflict.column('job_id').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (created === undefined) return
    const turn = await firstTurn(tx, userId)
    // One value for all rows: a job of 500 files would have 8,000 of them.
    const rows = files.map((file, position) => itemRow({ file, jobId, position, key: keys[position] ?? '' }))
    await sql`
      insert into batch_items (job_id, position, user_id, turn, work_id, filename, sha256, size_bytes, content_type,
        object_key, status, next_attempt_at, error_code, error_detail, finished_at)
      select ${jobId}, position, ${userId}, ${turn}::bigint + position, work_id, filename, sha256, size_bytes, content_type,
        object_key, status, ${now}, error_code, error_detail, case when status = 'error' then ${now}::timestamptz end
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as item (position int, work_id uuid, filename text,
        sha256 text, size_bytes bigint, content_type text, object_key text, status text, error_code text,
        error_detail text)`.execute(tx)
    const ready = files.flatMap((file, position) =>
      file.error === undefined ? [{ key: `${jobId}:${position}`, payload: { jobId, userId } }] : [],
    )
    await publishAll(tx, 'batch.item.ready', ready)
    if (over) await announceFinished(tx, created)
  })
}

interface NewItem {
  file: Upload
  jobId: string
  position: number
  key: string
}

const itemRow = ({ file, jobId, position, key }: NewItem) => ({
  position,
  work_id: uuidFrom(`item:${jobId}:${position}`),
  filename: file.filename,
  sha256: file.sha256,
  size_bytes: file.sizeBytes,
  content_type: file.contentType,
  object_key: key,
  status: file.error === undefined ? 'waiting' : 'error',
  error_code: file.error?.code ?? null,
  error_detail: file.error?.detail ?? null,
})

/**
 * Where a new job stands in line: behind what its own account has open, else at the front. Items of all accounts are
 * taken by turn, so that each account with open items gets one file of every round (start-time fair queueing).
 */
async function firstTurn(tx: Parameters<Parameters<Deps['db']['transaction']>[0]>[0], userId: number): Promise<number> {
  const { rows } = await sql<{ turn: number }>`
    select greatest(
      coalesce((select min(turn) from batch_items where status in ('waiting', 'working')), 0),
      coalesce((select max(turn) + 1 from batch_items where user_id = ${userId} and status in ('waiting', 'working')), 0)
    ) as turn`.execute(tx)
  return rows[0]?.turn ?? 0
}
