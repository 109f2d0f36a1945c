import { insertIntoOutbox, type OutboxEntry, outboxEntry, wakeRelay } from '@asiento/chassis/outbox'
import type { Scope } from '@asiento/proto/actor'
import { type Insertable, sql } from 'kysely'
import type { CustodyTable } from '../adapters/out/tables.ts'
import type { Deps } from './deps.ts'

/** A signed invoice as it goes into the books. */
export interface CustodyEntry {
  row: Insertable<CustodyTable>
  scope: Scope
  /** The credit that is spent with it. */
  reservationId: string | null
  trace: Record<string, string>
}

/**
 * Writes custody records with their `invoice.signed` and the settled credits, in one statement for all. Work that has a
 * record already gets neither a second one nor events.
 *
 * @returns for each entry whether it was written
 */
export async function writeCustody({ db }: Pick<Deps, 'db'>, entries: readonly CustodyEntry[]): Promise<boolean[]> {
  const insert = db.query
    .insertInto('custody')
    .values(entries.map(({ row }) => row))
    .onConflict((conflict) => conflict.column('work_id').doNothing())
    .returning('storage_file_id')
  const isKept = sql`(row ->> 'storage_file_id')::uuid in (select storage_file_id from kept)`
  const { rows } = await sql<{ storage_file_id: string }>`
    with kept as (${insert}), written as (${insertIntoOutbox(entries.flatMap(eventsOf), isKept)})
    select storage_file_id, ${wakeRelay} from kept`.execute(db.query)
  const kept = new Set(rows.map((row) => row.storage_file_id))
  return entries.map(({ row }) => kept.has(row.storage_file_id))
}

function eventsOf({ row, scope, reservationId, trace }: CustodyEntry): (OutboxEntry & { storage_file_id: string })[] {
  const { storage_file_id } = row
  const signed = outboxEntry('invoice.signed', {
    key: `invoice:${row.log_id}`,
    payload: {
      logId: row.log_id,
      scope,
      externalRef: row.external_ref ?? null,
      storageFileId: storage_file_id,
      invoiceNumber: row.invoice_number,
      invoiceDate: row.invoice_date,
      expiresAt: row.expires_at,
    },
    trace,
  })
  if (reservationId === null) return [{ ...signed, storage_file_id }]
  const payload = { reservationId, outcome: 'commit' as const }
  const settled = outboxEntry('credits.settled', { key: reservationId, payload, trace })
  return [signed, settled].map((entry) => ({ ...entry, storage_file_id }))
}
