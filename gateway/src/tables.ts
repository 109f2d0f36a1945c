import type { Generated } from 'kysely'

/** The gateway's own tables. */
export interface Tables {
  idempotency: {
    scope: Buffer
    user_id: number
    request_hash: Buffer
    work_id: string
    state: 'running' | 'done'
    holder: string
    lease_until: Date
    status: number | null
    content_type: string | null
    body: Buffer | null
    log_ids: Generated<number[]>
    created_at: Generated<Date>
  }
  request_logs: {
    id: Generated<number>
    created_at: Date
    request_id: string
    user_id: number | null
    key_id: number | null
    subaccount_id: number | null
    method: string
    path: string
    status_code: number
    duration_ms: number
    sandbox: boolean
    error_code: string | null
    ip: string | null
  }
}
