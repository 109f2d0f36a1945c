import type { Tx } from '@asiento/chassis/db'
import type { EventPayload } from '@asiento/proto/events'
import { checkIban } from '@asiento/proto/iban'
import { cents } from '@asiento/proto/money'
import { chartAccount } from '@asiento/proto/pgc'
import { isDate } from '@asiento/proto/time'
import type { Tables } from '../adapters/out/tables.ts'
import { numberKey } from '../domain/invoice-number.ts'
import { storedVat, vendorKey } from '../domain/vendor-key.ts'
import { teach } from './categorize.ts'

/**
 * What a user corrected in an invoice is what later copies are compared with, and a corrected account is learned. A
 * corrected IBAN is not trusted where another one is: only PUT /vendors replaces it.
 */
export async function followCorrection(tx: Tx<Tables>, event: EventPayload<'extraction.corrected'>): Promise<void> {
  if (event.scope.sandbox) return
  const before = await tx
    .selectFrom('invoices')
    .selectAll()
    .where('log_id', '=', event.logId)
    .where('user_id', '=', event.scope.userId)
    .forUpdate()
    .executeTakeFirst()
  if (before === undefined) return
  const { fields } = event
  const vat = 'vendor_vat' in fields ? storedVat(text(fields.vendor_vat)) : vatOf(before.vendor_key)
  const name = 'vendor_name' in fields ? text(fields.vendor_name) : before.vendor_name
  const number = 'invoice_number' in fields ? text(fields.invoice_number) : before.invoice_number
  await tx
    .updateTable('invoices')
    .set({
      vendor_key: vendorKey({ vat, name }),
      vendor_name: name,
      invoice_number: number,
      number_key: numberKey(number),
      ...('total' in fields ? { total_cents: amount(fields.total) } : {}),
      ...('invoice_date' in fields ? { invoice_date: date(fields.invoice_date) } : {}),
    })
    .where('log_id', '=', event.logId)
    .execute()
  if (vat === null) return
  if ('vendor_vat' in fields) await knowVendor(tx, event, { vat, name })
  const code = accountOf(fields)
  if (code !== null) await teach(tx, event.scope, vat, code)
}

async function knowVendor(
  tx: Tx<Tables>,
  event: EventPayload<'extraction.corrected'>,
  vendor: { vat: string; name: string | null },
): Promise<void> {
  const printed = text(event.fields.iban)
  const iban = printed === null ? null : checkIban(printed)
  const trusted = iban?.valid === true ? iban.value : null
  await tx
    .insertInto('vendors')
    .values({
      user_id: event.scope.userId,
      subaccount_id: event.scope.subaccountId ?? 0,
      vendor_vat: vendor.vat,
      vendor_name: vendor.name,
      trusted_iban: trusted,
      source: trusted === null ? null : 'first_seen',
      first_log_id: trusted === null ? null : event.logId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null)

const vatOf = (key: string | null): string | null => (key === null || key.startsWith('name:') ? null : key)

const date = (value: unknown): string | null => (typeof value === 'string' && isDate(value) ? value : null)

function amount(value: unknown): number | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null
  try {
    return cents(value)
  } catch {
    return null
  }
}

function accountOf(fields: Record<string, unknown>): string | null {
  const nested = fields.accounting
  const code =
    typeof nested === 'object' && nested !== null && 'account_code' in nested
      ? nested.account_code
      : fields.account_code
  return typeof code === 'string' && chartAccount(code) !== null ? code : null
}
