import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import { limits } from '@asiento/proto/plans'
import type { JobItem, JobSummary } from '@asiento/proto/schemas/batch'
import { timestamp } from '@asiento/proto/time'
import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Deps } from '../deps.ts'
import { currentResult } from '../log-row.ts'
import type { BatchTables } from './tables.ts'

export type JobRow = Selectable<BatchTables['batch_jobs']>
export type ItemRow = Selectable<BatchTables['batch_items']>

const ttlMs = limits.batchJobTtlHours * 3_600_000

export const toSummary = (row: JobRow): JobSummary => ({
  job_id: row.job_id,
  status: row.status,
  total: row.total,
  processed: row.processed,
  failed: row.failed,
  created_at: timestamp(row.created_at),
  finished_at: row.finished_at === null ? null : timestamp(row.finished_at),
})

/** A token sees the account's jobs, a subaccount's key those of its subaccount, a key its own. */
const visibleTo = (actor: Actor) => (eb: ExpressionBuilder<BatchTables, 'batch_jobs'>) => {
  const own = eb('user_id', '=', actor.userId)
  if (actor.subaccountId !== null) return eb.and([own, eb('subaccount_id', '=', actor.subaccountId)])
  return actor.keyId === null ? own : eb.and([own, eb('key_id', '=', actor.keyId)])
}

/**
 * A job of the caller. Fails JOB_NOT_FOUND for a missing or expired one and for one of another key of the account,
 * ACCESS_DENIED for another account's.
 */
export async function jobOf({ db, clock }: Pick<Deps, 'db' | 'clock'>, actor: Actor, jobId: string): Promise<JobRow> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(jobId)) return fail('JOB_NOT_FOUND')
  const row = await db.query
    .selectFrom('batch_jobs')
    .selectAll()
    .select((eb) => visibleTo(actor)(eb as never).as('visible'))
    .where('job_id', '=', jobId)
    .where('created_at', '>', new Date(clock.now().getTime() - ttlMs))
    .executeTakeFirst()
  if (row === undefined) return fail('JOB_NOT_FOUND')
  if (row.user_id !== actor.userId) return fail('ACCESS_DENIED')
  return row.visible === true ? row : fail('JOB_NOT_FOUND')
}

/** The caller's last jobs, newest first, expired ones left out. */
export const listJobs =
  ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  async (actor: Actor): Promise<{ jobs: JobSummary[] }> => {
    const rows = await db.query
      .selectFrom('batch_jobs')
      .selectAll()
      .where((eb) => visibleTo(actor)(eb as never) as never)
      .where('created_at', '>', new Date(clock.now().getTime() - ttlMs))
      .orderBy('created_at', 'desc')
      .orderBy('job_id')
      .limit(limits.batchJobsListed)
      .execute()
    return { jobs: rows.map(toSummary) }
  }

/** A job with the files that are finished, in the order in which they were sent. */
export const getJob =
  (deps: Pick<Deps, 'db' | 'clock'>) =>
  async (actor: Actor, jobId: string): Promise<JobSummary & { items: JobItem[] }> => {
    const row = await jobOf(deps, actor, jobId)
    const items = await deps.db.query
      .selectFrom('batch_items')
      .leftJoin('logs', 'logs.id', 'batch_items.log_id')
      .select([
        'batch_items.filename',
        'batch_items.status',
        'batch_items.error_code',
        'batch_items.error_detail',
        'logs.result',
        'logs.corrections',
      ])
      .where('job_id', '=', row.job_id)
      .where('batch_items.status', 'in', ['ok', 'error'])
      .orderBy('position')
      .execute()
    return { ...toSummary(row), items: items.map(toItem) }
  }

type ItemWithLog = Pick<ItemRow, 'filename' | 'status' | 'error_code' | 'error_detail'> &
  Parameters<typeof currentResult>[0]

function toItem(item: ItemWithLog): JobItem {
  const { filename, error_code: code, error_detail: detail } = item
  if (item.status === 'ok') {
    return { filename, status: 'ok', result: currentResult(item) ?? { error: 'This result has been erased.' } }
  }
  return { filename, status: 'error', result: { error: detail ?? '', ...(code === null ? {} : { error_code: code }) } }
}
