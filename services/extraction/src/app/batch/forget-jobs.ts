import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/** A day more than a job can be seen, so that no answer is cut off in the middle. */
const keepMs = 48 * 3_600_000

/**
 * Deletes jobs that nobody can see any more and that have ended, and those of their files that are not the original of a log:
 * what a process that died left behind.
 */
export const forgetOldJobs = (deps: Pick<Deps, 'db' | 'clock' | 'objects'>) => async (): Promise<void> => {
  const before = new Date(deps.clock.now().getTime() - keepMs)
  const { rows } = await sql<{ object_key: string }>`
    with old as materialized (
      select job_id from batch_jobs where created_at < ${before} and status <> 'running'
    ), files as (
      select i.object_key from batch_items i left join logs l on l.id = i.log_id
      where i.job_id in (select job_id from old) and l.document_key is distinct from i.object_key
    ), forgotten as (
      delete from batch_jobs where job_id in (select job_id from old)
    )
    select object_key from files`.execute(deps.db.query)
  for (const { object_key } of rows) await deps.objects.delete(object_key)
}
