import { operation } from '../operation.ts'
import { limits, plans } from '../plans.ts'
import { batchResult, jobCancelled, jobCreated, jobDetail, jobList, jobParams, jobSummary } from '../schemas/batch.ts'

const base = { service: 'extraction', tag: 'Batch', auth: 'key_or_jwt' } as const
const gated = { ...base, gate: 'batch', gateError: 'BATCH_NOT_AVAILABLE' } as const

const files = {
  fields: ['files', 'file'],
  required: true,
  bytesMax: limits.invoiceFileBytesMax,
  tooLarge: 'FILE_TOO_LARGE',
  errorsPerItem: true,
} as const

const syncBatch = {
  ...gated,
  method: 'POST',
  summary: 'Reads up to 20 invoices at once',
  description:
    'Answers one result per file, in the order of the files. A wrong file is an item with its error; one credit a file.',
  idempotent: true,
  quotaHeaders: true,
  body: { kind: 'files', files: { ...files, filesMax: limits.syncBatchFilesMax } },
  response: { kind: 'json', status: 200, schema: batchResult.array() },
  errors: ['BATCH_LIMIT_EXCEEDED', 'QUOTA_EXCEEDED'],
} as const

/** Rows of the operation table: many documents in one call, and jobs that go on without the caller. */
export const batchOperations = {
  extractBatch: operation({ ...syncBatch, id: 'extractBatch', path: '/extract/batch' }),
  batch: operation({ ...syncBatch, id: 'batch', path: '/batch', summary: 'The same as /extract/batch' }),
  createJob: operation({
    ...gated,
    id: 'createJob',
    method: 'POST',
    path: '/batch/job',
    summary: 'Reads many invoices in the background',
    description:
      'At most 20 files on Starter, 100 on Pro, 500 on Business. A mail tells the end; the job is kept for 24 hours.',
    idempotent: true,
    quotaHeaders: true,
    body: { kind: 'files', files: { ...files, filesMax: plans.business.batchFilesMax } },
    response: { kind: 'json', status: 200, schema: jobCreated },
    errors: ['BATCH_LIMIT_EXCEEDED', 'QUOTA_EXCEEDED'],
  }),
  listJobs: operation({
    ...base,
    id: 'listJobs',
    method: 'GET',
    path: '/batch/jobs',
    summary: 'The last 20 jobs, newest first, without items',
    response: { kind: 'json', status: 200, schema: jobList },
  }),
  getJob: operation({
    ...base,
    id: 'getJob',
    method: 'GET',
    path: '/batch/job/{job_id}',
    summary: 'How far a job is, with the items that are finished',
    params: jobParams,
    response: { kind: 'json', status: 200, schema: jobDetail },
    errors: ['JOB_NOT_FOUND', 'ACCESS_DENIED'],
  }),
  cancelJob: operation({
    ...base,
    id: 'cancelJob',
    method: 'DELETE',
    path: '/batch/job/{job_id}',
    summary: 'Cancels a job; files that are not processed yet cost nothing',
    params: jobParams,
    response: { kind: 'json', status: 200, schema: jobCancelled },
    errors: ['JOB_NOT_FOUND', 'ACCESS_DENIED', 'INVALID_STATE'],
  }),
  jobEvents: operation({
    ...base,
    id: 'jobEvents',
    method: 'GET',
    path: '/batch/job/{job_id}/events',
    summary: 'The progress of a job as it happens',
    params: jobParams,
    response: {
      kind: 'events',
      status: 200,
      schema: jobSummary,
      ends: (state) => Object(state).status !== 'running',
    },
    errors: ['JOB_NOT_FOUND', 'ACCESS_DENIED'],
  }),
}
