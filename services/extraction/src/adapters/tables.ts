import type { ExtractionResult } from '@asiento/proto/schemas/extraction-result'
import type { Generated } from 'kysely'
import type { BatchTables } from '../app/batch/tables.ts'

/** The tables of extraction, as `migrations/` makes them. */
export interface Tables extends BatchTables {
  logs: {
    id: Generated<number>
    work_id: string
    user_id: number
    key_id: number | null
    subaccount_id: number | null
    sandbox: boolean
    source: 'extract' | 'batch' | 'convert' | 'sign' | 'import'
    status: 'running' | 'ok' | 'error'
    credit: 'commit' | 'release' | null
    filename: string
    sha256: string | null
    size_bytes: number | null
    content_type: string | null
    document_key: string | null
    document_until: Date | null
    external_ref: string | null
    error_code: string | null
    error_detail: string | null
    vendor_name: string | null
    vendor_vat: string | null
    invoice_number: string | null
    invoice_date: string | null
    due_date: string | null
    total_cents: number | null
    currency: string | null
    confidence: number | null
    warnings_count: Generated<number>
    account_code: string | null
    duplicate: boolean | null
    result: ExtractionResult | null
    corrections: Record<string, unknown> | null
    search: Generated<string>
    paid: Generated<boolean>
    created_at: Date
    finished_at: Date | null
  }
  /** Kept by triggers on `logs`. */
  log_counts: {
    user_id: number
    /** 0: none, as for `key_id`. */
    subaccount_id: number
    key_id: number
    status: 'ok' | 'error'
    day: string
    block: number
    shard: number
    logs: number
  }
  daily_usage: {
    user_id: number
    key_id: number
    subaccount_id: number
    day: string
    ok_count: Generated<number>
    error_count: Generated<number>
    warning_count: Generated<number>
    confidence_sum: Generated<number>
  }
  vendor_layouts: {
    user_id: number
    subaccount_id: number
    vendor_vat: string
    log_id: number
    layout: unknown
    created_at: Generated<Date>
  }
}
