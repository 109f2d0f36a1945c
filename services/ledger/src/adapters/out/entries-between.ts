import type { Database } from '@asiento/chassis/db'
import { sql } from 'kysely'
import type { LedgerEntry } from '../../domain/entry.ts'
import type { DateRange } from '../../domain/period.ts'
import type { TaxableEntry } from '../../domain/tax-models/model.ts'
import { entryColumns, toEntry } from './entry-rows.ts'
import type { Tables } from './tables.ts'

type Query = Database<Tables>['query']

/** What tax models and VAT books ask of the entries dated within a range, oldest first: no more columns than those. */
export async function taxableBetween(query: Query, userId: number, range: DateRange): Promise<TaxableEntry[]> {
  const { rows } = await sql<TaxableEntry>`
    select id, type, date, concept, notes, counterparty_name as "counterpartyName",
      counterparty_vat as "counterpartyVat", invoice_number as "invoiceNumber", account_code as "accountCode",
      base_cents as "baseCents", tax_rate::float8 as "taxRate", tax_cents as "taxCents", irpf_cents as "irpfCents",
      total_cents as "totalCents", tax_lines as "taxLines"
    from entries
    where user_id = ${userId} and date between ${range.from} and ${range.to}
    order by date, id`.execute(query)
  return rows
}

export async function entriesByIds(query: Query, userId: number, ids: readonly number[]): Promise<LedgerEntry[]> {
  const rows = await query
    .selectFrom('entries')
    .select(entryColumns)
    .where('user_id', '=', userId)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .orderBy('date')
    .orderBy('id')
    .execute()
  return rows.map(toEntry)
}

/** How many invoices of each book the year has before a day: what its numbering has reached. */
export async function invoicesBefore(
  query: Query,
  userId: number,
  date: string,
): Promise<{ issued: number; received: number }> {
  const { rows } = await sql<{ issued: number; received: number }>`
    select count(*) filter (where type = 'income') as issued, count(*) filter (where type = 'expense') as received
    from entries
    where user_id = ${userId} and date >= date_trunc('year', ${date}::date) and date < ${date}
      and account_code not like '63%' and account_code not like '64%'
      and (tax_cents <> 0 or tax_lines <> '[]' or coalesce(invoice_number, '') <> '')`.execute(query)
  return rows[0] ?? { issued: 0, received: 0 }
}
