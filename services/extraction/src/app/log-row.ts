import type { Actor, Scope } from '@asiento/proto/actor'
import { cents, euros } from '@asiento/proto/money'
import type { HistoryItem } from '@asiento/proto/schemas/extraction'
import type { ExtractionResult } from '@asiento/proto/schemas/extraction-result'
import { timestamp } from '@asiento/proto/time'
import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Tables } from '../adapters/tables.ts'

export type LogRow = Selectable<Tables['logs']>

/** What a caller may see: a token everything of the account, a subaccount's key its subaccount, a key its own. */
export function visibleTo(actor: Actor) {
  return (eb: ExpressionBuilder<Tables, 'logs'>) => {
    const own = [eb('user_id', '=', actor.userId), eb('status', '<>', 'running')]
    if (actor.subaccountId !== null) return eb.and([...own, eb('subaccount_id', '=', actor.subaccountId)])
    return eb.and(actor.keyId === null ? own : [...own, eb('key_id', '=', actor.keyId)])
  }
}

export const scopeOfRow = (row: Pick<LogRow, 'user_id' | 'key_id' | 'subaccount_id' | 'sandbox'>): Scope => ({
  userId: row.user_id,
  keyId: row.key_id,
  subaccountId: row.subaccount_id,
  sandbox: row.sandbox,
})

/** The columns of the history, taken from a result. */
export function columnsOf(result: ExtractionResult) {
  return {
    vendor_name: result.vendor_name,
    vendor_vat: result.vendor_vat,
    invoice_number: result.invoice_number,
    invoice_date: result.invoice_date,
    due_date: result.due_date,
    total_cents: result.total === null ? null : cents(result.total),
    currency: result.currency,
    confidence: result.confidence_score,
    warnings_count: result.warnings.length,
    account_code: result.accounting?.account_code ?? null,
    duplicate: result.fraud_checks?.duplicate.detected ?? null,
  }
}

/** What the history is searched in: file name, issuer, invoice number and the caller's own reference. */
export const searchText = (parts: readonly (string | null)[]): string =>
  parts
    .filter((part) => part !== null)
    .join('\n')
    .toLowerCase()

/** The answer as it stands: what was read, with the corrections over it. */
export const currentResult = (row: Pick<LogRow, 'result' | 'corrections'>): ExtractionResult | null =>
  row.result === null ? null : { ...row.result, ...(row.corrections ?? {}) }

export const toHistoryItem = (row: LogRow): HistoryItem => ({
  log_id: row.id,
  filename: row.filename,
  status: row.status === 'ok' ? 'ok' : 'error',
  vendor_name: row.vendor_name,
  vendor_vat: row.vendor_vat,
  invoice_number: row.invoice_number,
  invoice_date: row.invoice_date,
  due_date: row.due_date,
  total: row.total_cents === null ? null : euros(row.total_cents),
  currency: row.currency,
  confidence_score: row.confidence,
  warnings_count: row.warnings_count,
  account_code: row.account_code,
  duplicate: row.duplicate,
  external_ref: row.external_ref,
  subaccount_id: row.subaccount_id,
  source: row.source,
  error_code: row.error_code,
  created_at: timestamp(row.created_at),
})
