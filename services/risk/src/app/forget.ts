import type { Tx } from '@asiento/chassis/db'
import type { Scope } from '@asiento/proto/actor'
import type { Tables } from '../adapters/out/tables.ts'

/**
 * Forgets an invoice: its mark, its alerts, and the vendor's bank account if this invoice alone brought it. Copies that
 * were reported as duplicates of it lose their alert. Repeating it changes nothing.
 */
export async function forgetInvoice(tx: Tx<Tables>, forgotten: { logId: number; scope: Scope }): Promise<void> {
  const invoice = await tx
    .deleteFrom('invoices')
    .where('log_id', '=', forgotten.logId)
    .where('user_id', '=', forgotten.scope.userId)
    .returning(['vendor_key', 'subaccount_id'])
    .executeTakeFirst()
  if (invoice === undefined) return
  await tx
    .deleteFrom('duplicates')
    .where('user_id', '=', forgotten.scope.userId)
    .where((where) => where.or([where('log_id', '=', forgotten.logId), where('original_log_id', '=', forgotten.logId)]))
    .execute()
  if (invoice.vendor_key === null) return
  const another = await tx
    .selectFrom('invoices')
    .select('log_id')
    .where('user_id', '=', forgotten.scope.userId)
    .where('subaccount_id', '=', invoice.subaccount_id)
    .where('vendor_key', '=', invoice.vendor_key)
    .limit(1)
    .executeTakeFirst()
  if (another !== undefined) return
  await tx
    .deleteFrom('vendors')
    .where('user_id', '=', forgotten.scope.userId)
    .where('subaccount_id', '=', invoice.subaccount_id)
    .where('vendor_vat', '=', invoice.vendor_key)
    .where((where) => where.or([where('source', 'is', null), where('source', '=', 'first_seen')]))
    .execute()
}
