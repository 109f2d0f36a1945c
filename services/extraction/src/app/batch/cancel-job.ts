import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import type { Deps } from '../deps.ts'
import { jobOf } from './jobs.ts'

/**
 * Cancels a running job: files that wait are dropped and cost nothing, one that is being read is finished and stays.
 * Cancelling it again changes nothing; a job that has ended fails INVALID_STATE.
 */
export const cancelJob =
  (deps: Deps) =>
  async (actor: Actor, jobId: string): Promise<{ job_id: string; status: 'cancelled' }> => {
    const job = await jobOf(deps, actor, jobId)
    const now = deps.clock.now()
    const dropped = await deps.db.transaction(async (tx) => {
      const { status } = await tx
        .selectFrom('batch_jobs')
        .select('status')
        .where('job_id', '=', job.job_id)
        .forUpdate()
        .executeTakeFirstOrThrow()
      if (status === 'cancelled') return []
      if (status !== 'running') return fail('INVALID_STATE', { detail: `The job is ${status}.` })
      await tx
        .updateTable('batch_jobs')
        .set({ status: 'cancelled', finished_at: now })
        .where('job_id', '=', job.job_id)
        .execute()
      return tx
        .updateTable('batch_items')
        .set({ status: 'cancelled', finished_at: now })
        .where('job_id', '=', job.job_id)
        .where('status', '=', 'waiting')
        .returning('object_key')
        .execute()
    })
    for (const { object_key } of dropped) await deps.objects.delete(object_key)
    return { job_id: job.job_id, status: 'cancelled' }
  }
