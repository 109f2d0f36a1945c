import type { Tx } from '@asiento/chassis/db'
import { timestamp } from '@asiento/proto/time'
import { type Selectable, sql } from 'kysely'
import type { LedgerEntry } from '../../domain/entry.ts'
import type { EntriesTable, StoredAttachment, Tables } from './tables.ts'

export type EntryRow = Selectable<EntriesTable>

/** Everything of an entry that its row holds before the database has given it an id. */
export interface NewEntry extends Omit<LedgerEntry, 'id' | 'hasAttachment' | 'createdAt' | 'updatedAt'> {
  recurringId?: number
  occurrenceDate?: string
}

export const entryColumns = [
  'id',
  'user_id',
  'type',
  'status',
  'date',
  'due_date',
  'concept',
  'counterparty_name',
  'counterparty_vat',
  'invoice_number',
  'base_cents',
  'tax_rate',
  'tax_cents',
  'irpf_rate',
  'irpf_cents',
  'total_cents',
  'tax_lines',
  'account_code',
  'payment_method',
  'paid_at',
  'notes',
  'source',
  'log_id',
  'attachment',
  'created_at',
  'updated_at',
] as const

export type SelectedEntry = Pick<EntryRow, (typeof entryColumns)[number]>

/** A row as the domain knows it. */
export const toEntry = (row: SelectedEntry): LedgerEntry => ({
  id: row.id,
  type: row.type,
  status: row.status,
  date: row.date,
  dueDate: row.due_date,
  concept: row.concept,
  counterpartyName: row.counterparty_name,
  counterpartyVat: row.counterparty_vat,
  invoiceNumber: row.invoice_number,
  baseCents: row.base_cents,
  taxRate: row.tax_rate === null ? null : Number(row.tax_rate),
  taxCents: row.tax_cents,
  irpfRate: row.irpf_rate === null ? null : Number(row.irpf_rate),
  irpfCents: row.irpf_cents,
  totalCents: row.total_cents,
  taxLines: row.tax_lines,
  accountCode: row.account_code,
  paymentMethod: row.payment_method,
  paidAt: row.paid_at,
  notes: row.notes,
  source: row.source,
  logId: row.log_id,
  hasAttachment: row.attachment !== null,
  createdAt: timestamp(row.created_at),
  updatedAt: timestamp(row.updated_at),
})

const valuesOf = (entry: NewEntry) => ({
  type: entry.type,
  status: entry.status,
  date: entry.date,
  due_date: entry.dueDate,
  concept: entry.concept,
  counterparty_name: entry.counterpartyName,
  counterparty_vat: entry.counterpartyVat,
  invoice_number: entry.invoiceNumber,
  base_cents: entry.baseCents,
  tax_rate: entry.taxRate,
  tax_cents: entry.taxCents,
  irpf_rate: entry.irpfRate,
  irpf_cents: entry.irpfCents,
  total_cents: entry.totalCents,
  tax_lines: JSON.stringify(entry.taxLines),
  account_code: entry.accountCode,
  payment_method: entry.paymentMethod,
  paid_at: entry.paidAt,
  notes: entry.notes,
  source: entry.source,
  log_id: entry.logId,
  recurring_id: entry.recurringId ?? null,
  occurrence_date: entry.occurrenceDate ?? null,
})

/** The column types of {@link valuesOf}, for rows that travel as one JSON parameter. */
const recordColumns = sql.raw(
  `type text, status text, date date, due_date date, concept text, counterparty_name text, counterparty_vat text,
   invoice_number text, base_cents bigint, tax_rate numeric, tax_cents bigint, irpf_rate numeric, irpf_cents bigint,
   total_cents bigint, tax_lines text, account_code text, payment_method text, paid_at date, notes text, source text,
   log_id bigint, recurring_id bigint, occurrence_date date`,
)

/** Inserts entries in one statement and answers them in the same order. */
export async function insertEntries(
  tx: Tx<Tables>,
  userId: number,
  entries: readonly NewEntry[],
  now: string,
): Promise<LedgerEntry[]> {
  if (entries.length === 0) return []
  const records = JSON.stringify(entries.map(valuesOf))
  const { rows } = await sql<{ id: number }>`
    insert into entries (user_id, type, status, date, due_date, concept, counterparty_name, counterparty_vat,
      invoice_number, base_cents, tax_rate, tax_cents, irpf_rate, irpf_cents, total_cents, tax_lines, account_code,
      payment_method, paid_at, notes, source, log_id, recurring_id, occurrence_date, created_at, updated_at)
    select ${userId}::bigint, type, status, date, due_date, concept, counterparty_name, counterparty_vat,
      invoice_number, base_cents, tax_rate, tax_cents, irpf_rate, irpf_cents, total_cents, tax_lines::jsonb,
      account_code, payment_method, paid_at, notes, source, log_id, recurring_id, occurrence_date,
      ${`${now}+00`}::timestamptz, ${`${now}+00`}::timestamptz
    from jsonb_array_elements(${records}::jsonb) with ordinality as element (record, position),
      jsonb_to_record(record) as row (${recordColumns})
    order by position
    returning id`.execute(tx)
  // The identity is drawn in the order of the rows, which the statement orders by position.
  const ids = rows.map((row) => row.id).sort((a, b) => a - b)
  return entries.map((entry, index) => ({
    ...entry,
    id: ids[index] ?? 0,
    hasAttachment: false,
    createdAt: now,
    updatedAt: now,
  }))
}

export async function saveEntry(tx: Tx<Tables>, entry: LedgerEntry, now: string): Promise<LedgerEntry> {
  const { recurring_id, occurrence_date, source, log_id, ...values } = valuesOf(entry)
  await tx
    .updateTable('entries')
    .set({ ...values, updated_at: `${now}+00` })
    .where('id', '=', entry.id)
    .execute()
  return { ...entry, updatedAt: now }
}

/** The object of an entry's attachment, null without one. */
export async function attachmentOf(tx: Tx<Tables>, entryId: number): Promise<StoredAttachment | null> {
  const row = await tx.selectFrom('entries').select('attachment').where('id', '=', entryId).executeTakeFirst()
  return row?.attachment ?? null
}

/** Marks an object as no longer needed; a schedule deletes it once this transaction has committed. */
export async function releaseObject(tx: Tx<Tables>, objectKey: string, now: string): Promise<void> {
  await tx
    .insertInto('released_objects')
    .values({ object_key: objectKey, released_at: `${now}+00` })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
