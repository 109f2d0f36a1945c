import type { Generated } from 'kysely'

/** The tables of risk. `subaccount_id` 0 is the account itself. */
export interface Tables {
  invoices: {
    log_id: number
    seq: Generated<number>
    user_id: number
    subaccount_id: number
    key_id: number | null
    file_sha256: Buffer
    vendor_key: string | null
    vendor_name: string | null
    number_key: string | null
    invoice_number: string | null
    total_cents: number | null
    invoice_date: string | null
    created_at: Generated<Date>
  }
  duplicates: {
    log_id: number
    original_log_id: number
    user_id: number
    subaccount_id: number
    key_id: number | null
    reason: 'exact_file' | 'same_invoice' | 'near_duplicate'
    score: number
    status: Generated<'open' | 'confirmed' | 'dismissed'>
    created_at: Generated<Date>
    decided_at: Date | null
  }
  vendors: {
    user_id: number
    subaccount_id: number
    vendor_vat: string
    vendor_name: string | null
    trusted_iban: string | null
    source: 'first_seen' | 'set' | null
    first_log_id: number | null
    last_seen: Generated<Date>
  }
  learned_categories: {
    user_id: number
    subaccount_id: number
    vendor_vat: string
    account_code: string
    taught_at: Generated<Date>
  }
  vies_verdicts: { vat: string; registered: boolean; asked_at: Generated<Date> }
}
