import { z } from 'zod'
import { timestampSchema } from './common.ts'
import { extractionResult } from './extraction-result.ts'

export const jobStatuses = ['running', 'done', 'failed', 'cancelled'] as const
export type JobStatus = (typeof jobStatuses)[number]

/** Not checked for its form: an id that cannot be one is a job that does not exist. */
export const jobParams = z.object({ job_id: z.string().max(100) })

export const jobCreated = z.object({
  job_id: z.uuid(),
  total: z.int(),
  status: z.enum(jobStatuses),
  message: z.string(),
})

/** Section 2.6 without items; `processed` counts every finished file, failures included. */
export const jobSummary = z.object({
  job_id: z.uuid(),
  status: z.enum(jobStatuses),
  total: z.int(),
  processed: z.int(),
  failed: z.int(),
  created_at: timestampSchema,
  finished_at: timestampSchema.nullable(),
})
export type JobSummary = z.infer<typeof jobSummary>

const itemError = z.object({ error: z.string(), error_code: z.string().optional() })

/** Finished files only, in the order in which they were sent. */
export const jobItem = z.object({
  filename: z.string(),
  status: z.enum(['ok', 'error']),
  result: z.union([extractionResult, itemError]),
})
export type JobItem = z.infer<typeof jobItem>

export const jobDetail = jobSummary.extend({ items: z.array(jobItem) })
export const jobList = z.object({ jobs: z.array(jobSummary) })
export const jobCancelled = z.object({ job_id: z.uuid(), status: z.literal('cancelled') })

/** One file of a synchronous batch, in input order. */
export const batchResult = z.union([
  extractionResult.extend({ filename: z.string(), status: z.literal('ok') }),
  z.object({ filename: z.string(), status: z.literal('error'), error_code: z.string(), error: z.string() }),
])
export type BatchResult = z.infer<typeof batchResult>
