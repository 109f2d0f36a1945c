import type { Deps } from '../deps.ts'
import { jobPrefix } from './create-job.ts'

/** A day more than a job can be seen, so that no answer is cut off in the middle. */
const keepMs = 48 * 3_600_000

/** Deletes jobs that nobody can see any more and that have ended, and files that lost their job. */
export const forgetOldJobs = (deps: Deps) => async (): Promise<void> => {
  const before = new Date(deps.clock.now().getTime() - keepMs)
  const jobs = await deps.db.query
    .deleteFrom('batch_jobs')
    .where('created_at', '<', before)
    .where('status', '<>', 'running')
    .returning('job_id')
    .execute()
  for (const { job_id } of jobs) await deps.objects.sweep(jobPrefix(job_id), deps.clock.now())
}
