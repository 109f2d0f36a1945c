import type { Database } from '@asiento/chassis/db'
import type { EarlierInvoice, InvoiceMark } from '../../domain/duplicates.ts'
import type { Tables } from './tables.ts'

/** An invoice to look up in bulk. */
export interface BulkInvoice extends InvoiceMark {
  /** Lower-case hex; null where only data are known. */
  fileSha256: string | null
}

interface BulkRow {
  at: number
  log_id: number
  seq: number
  same_file: boolean
  vendor_key: string | null
  vendor_name: string | null
  number_key: string | null
  invoice_number: string | null
  total_cents: number | null
  invoice_date: string | null
}

/** The look-ups that duplicates need, for many invoices in one statement: each is three probes of an index. */
export const earlierInvoicesStatement = `
  select q.at::int as at, i.log_id, i.seq, i.file_sha256 = q.file as same_file, i.vendor_key, i.vendor_name,
    i.number_key, i.invoice_number, i.total_cents, i.invoice_date
  from unnest($3::bytea[], $4::text[], $5::text[], $6::bigint[], $7::date[])
    with ordinality as q(file, number_key, vendor_key, total, date, at)
  cross join lateral (
    (select * from invoices f
      where f.user_id = $1 and f.subaccount_id = $2 and f.file_sha256 = q.file limit 30)
    union all
    (select * from invoices n
      where n.user_id = $1 and n.subaccount_id = $2 and n.number_key = q.number_key and n.vendor_key = q.vendor_key
      limit 30)
    union all
    (select * from invoices a
      where a.user_id = $1 and a.subaccount_id = $2 and a.total_cents = q.total and a.invoice_date = q.date limit 60)
  ) i`

/** The statement's values for one company's invoices. */
export const earlierInvoicesValues = (
  scope: { userId: number; subaccountId: number | null },
  invoices: readonly BulkInvoice[],
): unknown[] => [
  scope.userId,
  scope.subaccountId ?? 0,
  invoices.map((invoice) => (invoice.fileSha256 === null ? null : Buffer.from(invoice.fileSha256, 'hex'))),
  invoices.map((invoice) => invoice.numberKey),
  invoices.map((invoice) => invoice.vendor.key),
  invoices.map((invoice) => invoice.totalCents),
  invoices.map((invoice) => invoice.date),
]

/** For each invoice, the earlier ones it may be a copy of; in the order given. Remembers nothing. */
export async function earlierInvoices(
  db: Database<Tables>,
  scope: { userId: number; subaccountId: number | null },
  invoices: readonly BulkInvoice[],
): Promise<EarlierInvoice[][]> {
  const found: EarlierInvoice[][] = invoices.map(() => [])
  const { rows } = await db.pool.query<BulkRow>(earlierInvoicesStatement, earlierInvoicesValues(scope, invoices))
  for (const row of rows) {
    found[row.at - 1]?.push({
      logId: row.log_id,
      seq: row.seq,
      sameFile: row.same_file,
      vendor: { key: row.vendor_key, name: row.vendor_name },
      numberKey: row.number_key,
      number: row.invoice_number,
      totalCents: row.total_cents,
      date: row.invoice_date,
    })
  }
  return found
}
