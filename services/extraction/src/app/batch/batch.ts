import type { Listener } from '@asiento/chassis/consume'
import type { Schedule } from '@asiento/chassis/schedule'
import type { Handlers } from '@asiento/proto/rpc'
import type { Deps } from '../deps.ts'
import type { Extractor } from '../extract-document.ts'
import { cancelJob } from './cancel-job.ts'
import { createJob } from './create-job.ts'
import { extractMany } from './extract-many.ts'
import { forgetOldJobs } from './forget-jobs.ts'
import { getJob, jobOf, listJobs, toSummary } from './jobs.ts'
import { createBatchRunner } from './runner.ts'

const pollMs = 1_000

type BatchHandlers = Pick<
  Handlers<'extraction'>,
  'extractBatch' | 'batch' | 'createJob' | 'listJobs' | 'getJob' | 'cancelJob' | 'jobEvents'
>

export interface Batch {
  handlers: BatchHandlers
  consumers: readonly Listener[]
  schedules: readonly Schedule[]
  close(): Promise<void>
}

/** Everything about many files: the synchronous batch and the jobs, worked on beside `threads` reading threads. */
export function createBatch(deps: Deps, extractor: Extractor, threads: number): Batch {
  const atOnce = Math.max(1, threads - 1)
  const runner = createBatchRunner(deps, extractor.prepare, atOnce)
  const extractFiles = extractMany(deps, extractor.extract, Math.max(1, threads))
  return {
    handlers: {
      extractBatch: ({ files }, context) => extractFiles(files, context),
      batch: ({ files }, context) => extractFiles(files, context),
      createJob: ({ files }, context) => createJob(deps)(files, context),
      listJobs: (_input, { actor }) => listJobs(deps)(actor),
      getJob: ({ params }, { actor }) => getJob(deps)(actor, params.job_id),
      cancelJob: ({ params }, { actor }) => cancelJob(deps)(actor, params.job_id),
      jobEvents: async ({ params }, { actor }) => toSummary(await jobOf(deps, actor, params.job_id)),
    },
    consumers: [{ event: 'batch.item.ready', group: 'extraction.batch', heard: () => runner.wake() }],
    schedules: [
      { name: 'run-batch-items', everyMs: pollMs, run: async () => runner.wake() },
      { name: 'forget-old-jobs', everyMs: 3_600_000, run: forgetOldJobs(deps) },
    ],
    close: () => runner.close(),
  }
}
