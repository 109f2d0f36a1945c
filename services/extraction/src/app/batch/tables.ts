import type { ErrorCode } from '@asiento/proto/errors'
import type { JobStatus } from '@asiento/proto/schemas/batch'
import type { Generated } from 'kysely'

/** The tables of batch jobs, as `migrations/0002` makes them. */
export interface BatchTables {
  batch_jobs: {
    job_id: string
    user_id: number
    key_id: number | null
    subaccount_id: number | null
    sandbox: boolean
    status: JobStatus
    total: number
    processed: Generated<number>
    failed: Generated<number>
    created_at: Date
    finished_at: Date | null
  }
  batch_items: {
    job_id: string
    position: number
    user_id: number
    turn: number
    work_id: string
    filename: string
    sha256: string
    size_bytes: number
    content_type: string
    object_key: string
    status: 'waiting' | 'working' | 'ok' | 'error' | 'cancelled'
    claims: Generated<number>
    failures: Generated<number>
    holder: string | null
    lease_until: Date | null
    next_attempt_at: Date
    log_id: number | null
    error_code: ErrorCode | null
    error_detail: string | null
    finished_at: Date | null
  }
}
