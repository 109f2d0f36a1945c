import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { EntrySource, EntryStatus, EntryType, TaxLine } from '../../domain/entry.ts'
import type { PostingKind } from '../../domain/posting.ts'
import type { ProposalStatus } from '../../domain/proposal-state.ts'
import type { Frequency } from '../../domain/recurrence.ts'
import type { CsvMapping } from '../../domain/statements/statement.ts'

/** Written as `YYYY-MM-DD HH:MM:SS+00`, read as an instant. */
type Instant = ColumnType<Date, string, string>
/** `numeric`: read as text. */
type Decimal = ColumnType<string | null, number | null, number | null>
type Json<T> = JSONColumnType<T & object, string, string>

export interface StoredAttachment {
  objectKey: string
  filename: string
  size: number
  contentType: string
}

export interface EntriesTable {
  id: Generated<number>
  user_id: number
  type: EntryType
  status: EntryStatus
  date: string
  due_date: string | null
  concept: string
  counterparty_name: string | null
  counterparty_vat: string | null
  invoice_number: string | null
  base_cents: number
  tax_rate: Decimal
  tax_cents: number
  irpf_rate: Decimal
  irpf_cents: number
  total_cents: number
  tax_lines: Json<TaxLine[]>
  account_code: string
  payment_method: string | null
  paid_at: string | null
  notes: string | null
  source: EntrySource
  log_id: number | null
  recurring_id: number | null
  occurrence_date: string | null
  attachment: ColumnType<StoredAttachment | null, string | null, string | null>
  created_at: Instant
  updated_at: Instant
  search: ColumnType<string, never, never>
}

export interface JournalTransactionsTable {
  user_id: number
  id: number
  kind: PostingKind
  date: string
  entry_id: number
  concept: string
  previous_hash: string
  hash: string
  created_at: Instant
}

export interface JournalLinesTable {
  user_id: number
  transaction_id: number
  position: number
  date: string
  account_code: string
  debit_cents: number
  credit_cents: number
}

export interface RecurringTable {
  id: Generated<number>
  user_id: number
  kind: 'entry' | 'invoice'
  template: Json<Record<string, unknown>>
  frequency: Frequency
  start_date: string
  end_date: string | null
  occurrences: Generated<number>
  next_date: string | null
  created_at: Instant
}

export interface IssuedInvoicesTable {
  id: Generated<number>
  user_id: number
  recurring_id: number
  series: string
  number: number
  invoice_number: string
  date: string
  entry_id: number
  invoice: Json<Record<string, unknown>>
  sign: boolean
  status: ColumnType<'pending' | 'issued', 'pending' | 'issued' | undefined, 'pending' | 'issued'>
  object_key: ColumnType<string | null, undefined, string | null>
  filename: ColumnType<string | null, undefined, string | null>
  log_id: ColumnType<number | null, undefined, number | null>
  attempts: Generated<number>
  last_error: ColumnType<string | null, undefined, string | null>
  next_attempt_at: Instant
  created_at: Instant
}

export interface ProposalsTable {
  id: Generated<number>
  user_id: number
  number: string
  client: Json<{ name: string; vat: string | null; email: string | null; address: string | null }>
  title: string
  line_items: Json<Record<string, unknown>[]>
  base_cents: number
  tax_cents: number
  irpf_rate: Decimal
  irpf_cents: number
  total_cents: number
  valid_until: string | null
  status: ProposalStatus
  notes: string | null
  entry_id: number | null
  created_at: Instant
  updated_at: Instant
}

export interface TaxPaymentsTable {
  id: Generated<number>
  user_id: number
  model: string
  year: number
  period: string
  amount_cents: number
  status: 'pending' | 'filed' | 'paid'
  due_date: string
  paid_at: string | null
  notes: string | null
  created_at: Instant
  updated_at: Instant
}

/** The tables of the ledger's schema. */
export interface Tables {
  books: { user_id: number; last_id: number; last_hash: string }
  entries: EntriesTable
  entry_months: {
    user_id: number
    month: string
    type: EntryType
    entries: number
    base_cents: string
    tax_cents: string
    irpf_cents: string
    total_cents: string
  }
  pending_months: { user_id: number; month: string; type: EntryType; entries: number; total_cents: string }
  journal_transactions: JournalTransactionsTable
  journal_lines: JournalLinesTable
  journal_months: {
    user_id: number
    month: string
    account_code: string
    debit_cents: string
    credit_cents: string
  }
  journal_month_counts: { user_id: number; month: string; transactions: number }
  imported_logs: { user_id: number; log_id: number; imported_at: Instant }
  preferences: { user_id: number; auto_import: boolean; import_popup_shown: boolean }
  fiscal_profiles: { user_id: number; profile: Json<Record<string, string | null>> }
  recurring: RecurringTable
  number_series: { user_id: number; kind: 'invoice' | 'proposal'; series: string; last_number: number }
  issued_invoices: IssuedInvoicesTable
  proposals: ProposalsTable
  budget_items: { user_id: number; year: number; account_code: string; month: number; amount_cents: number }
  tax_payments: TaxPaymentsTable
  bank_movements: {
    user_id: number
    id: string
    date: string
    amount_cents: number
    description: string
    entry_id: number | null
    imported_at: Instant
  }
  statement_mappings: { user_id: number; layout_key: string; mapping: Json<CsvMapping> }
  released_objects: { object_key: string; released_at: Instant }
}
