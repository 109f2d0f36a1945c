import type { Tx } from '@asiento/chassis/db'
import { publish } from '@asiento/chassis/outbox'
import type { ErrorCode } from '@asiento/proto/errors'
import { sql } from 'kysely'
import type { Tables } from '../../adapters/tables.ts'
import type { Deps } from '../deps.ts'
import type { Judged } from '../extract-document.ts'
import { scopeOfRow } from '../log-row.ts'
import { closeLogs } from '../work-log.ts'
import type { Ended } from './endings.ts'
import type { JobRow } from './jobs.ts'
import { uuidFrom } from './work-ids.ts'

/**
 * `documentKey`: where the original is kept, null where it is not. `closing`: what its log is to be closed with, in the same
 * transaction; absent where the log has ended already.
 */
export type ItemOutcome = { logId: number | null } & (
  | { status: 'ok'; documentKey: string | null; closing?: Judged }
  | { status: 'error'; code: ErrorCode; detail: string }
)

/**
 * Ends items of one job and counts them, once: an item that somebody else holds or that has ended is left alone. Closes
 * their logs in the same transaction; the last item of a job also ends the job and publishes its end.
 */
export async function finishItems({ db, clock }: Deps, ended: readonly Ended[]): Promise<void> {
  const jobId = ended[0]?.item.job_id
  if (jobId === undefined) return
  const now = clock.now()
  const rows = ended.map(({ item: { position, holder }, outcome }) => {
    const { status, logId } = outcome
    const [code, detail] = outcome.status === 'error' ? [outcome.code, outcome.detail] : [null, null]
    return { position, holder, status, log_id: logId, error_code: code, error_detail: detail }
  })
  const closings = ended.flatMap(({ outcome }) =>
    outcome.status === 'ok' && outcome.closing !== undefined ? [outcome.closing] : [],
  )
  await db.transaction(async (tx) => {
    if (closings.length > 0) await closeLogs(tx, clock, closings)
    // The job is locked before its items, as where it fails or is cancelled.
    const jobs = await sql<JobRow>`
      with job as materialized (select job_id from batch_jobs where job_id = ${jobId} for update),
      ended as (
        update batch_items i set status = o.status, log_id = o.log_id, error_code = o.error_code,
          error_detail = o.error_detail, finished_at = ${now}, holder = null, lease_until = null
        from job, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o
          (position int, holder uuid, status text, log_id bigint, error_code text, error_detail text)
        where (i.job_id, i.position, i.holder) = (job.job_id, o.position, o.holder) and i.status = 'working'
        returning i.status
      ), counted as (
        select count(*) as ended, count(*) filter (where status = 'error') as failed from ended
      )
      update batch_jobs j set processed = j.processed + c.ended, failed = j.failed + c.failed
      from counted c where j.job_id = ${jobId} and c.ended > 0
      returning j.*`.execute(tx)
    const job = jobs.rows[0]
    if (job !== undefined && job.status === 'running' && job.processed >= job.total) await endJob(tx, job, 'done', now)
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
