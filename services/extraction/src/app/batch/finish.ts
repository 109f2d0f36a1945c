import type { Tx } from '@asiento/chassis/db'
import { publish } from '@asiento/chassis/outbox'
import type { ErrorCode } from '@asiento/proto/errors'
import type { Tables } from '../../adapters/tables.ts'
import type { Deps } from '../deps.ts'
import { scopeOfRow } from '../log-row.ts'
import type { ItemRow, JobRow } from './jobs.ts'
import { uuidFrom } from './work-ids.ts'

export type ItemOutcome = { logId: number | null } & (
  | { status: 'ok' }
  | { status: 'error'; code: ErrorCode; detail: string }
)

/**
 * Ends an item and counts it, once: an item that somebody else holds or that has ended is left alone. The last item of a
 * job ends the job and publishes its end in the same transaction.
 */
export async function finishItem({ db, clock }: Deps, item: ItemRow, outcome: ItemOutcome): Promise<void> {
  const now = clock.now()
  const failed = outcome.status === 'error'
  await db.transaction(async (tx) => {
    const ended = await tx
      .updateTable('batch_items')
      .set({
        status: outcome.status,
        log_id: outcome.logId,
        error_code: failed ? outcome.code : null,
        error_detail: failed ? outcome.detail : null,
        finished_at: now,
        holder: null,
        lease_until: null,
      })
      .where('job_id', '=', item.job_id)
      .where('position', '=', item.position)
      .where('holder', '=', item.holder)
      .where('status', '=', 'working')
      .returning('position')
      .executeTakeFirst()
    if (ended === undefined) return
    const job = await tx
      .updateTable('batch_jobs')
      .set((eb) => ({
        processed: eb('processed', '+', 1),
        failed: eb('failed', '+', failed ? 1 : 0),
      }))
      .where('job_id', '=', item.job_id)
      .returningAll()
      .executeTakeFirstOrThrow()
    if (job.status === 'running' && job.processed >= job.total) await endJob(tx, job, 'done', now)
  })
}

/** Ends a job that could not be run: its owner is gone. What is still open ends with an error. */
export async function failJob({ db, clock }: Deps, jobId: string): Promise<void> {
  const now = clock.now()
  await db.transaction(async (tx) => {
    const job = await tx
      .selectFrom('batch_jobs')
      .selectAll()
      .where('job_id', '=', jobId)
      .where('status', '=', 'running')
      .forUpdate()
      .executeTakeFirst()
    if (job === undefined) return
    const open = await tx
      .updateTable('batch_items')
      .set({ status: 'error', error_code: 'ACCESS_DENIED', error_detail: 'The account is closed.', finished_at: now })
      .where('job_id', '=', jobId)
      .where('status', 'in', ['waiting', 'working'])
      .returning('position')
      .execute()
    const counted = { ...job, processed: job.processed + open.length, failed: job.failed + open.length }
    await endJob(tx, counted, 'failed', now)
  })
}

async function endJob(tx: Tx<Tables>, job: JobRow, status: 'done' | 'failed', now: Date): Promise<void> {
  const { processed, failed } = job
  await tx
    .updateTable('batch_jobs')
    .set({ status, processed, failed, finished_at: now })
    .where('job_id', '=', job.job_id)
    .execute()
  await announceFinished(tx, { ...job, status })
}

/** The end of a job; its id follows from the job, so that it is published once. */
export const announceFinished = (tx: Tx<Tables>, job: JobRow): Promise<void> =>
  publish(tx, 'batch.finished', {
    id: uuidFrom(`finished:${job.job_id}`),
    key: `user:${job.user_id}`,
    payload: {
      jobId: job.job_id,
      scope: scopeOfRow(job),
      total: job.total,
      processed: job.processed,
      failed: job.failed,
      status: job.status,
    },
  })
