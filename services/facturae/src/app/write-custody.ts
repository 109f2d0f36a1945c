import { publishAll } from '@asiento/chassis/outbox'
import type { Scope } from '@asiento/proto/actor'
import type { Insertable } from 'kysely'
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
 * Writes custody records with their `invoice.signed` and the settled credits, in one transaction for all. Work that has a
 * record already gets neither a second one nor events.
 *
 * @returns for each entry whether it was written
 */
export async function writeCustody({ db }: Pick<Deps, 'db'>, entries: readonly CustodyEntry[]): Promise<boolean[]> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .insertInto('custody')
      .values(entries.map(({ row }) => row))
      .onConflict((conflict) => conflict.column('work_id').doNothing())
      .returning('storage_file_id')
      .execute()
    const ids = new Set(rows.map((row) => row.storage_file_id))
    const written = entries.filter(({ row }) => ids.has(row.storage_file_id))
    await publishAll(tx, 'invoice.signed', written.map(signedEvent))
    await publishAll(tx, 'credits.settled', written.flatMap(settledEvent))
    return entries.map(({ row }) => ids.has(row.storage_file_id))
  })
}

const signedEvent = ({ row, scope, trace }: CustodyEntry) => ({
  key: `invoice:${row.log_id}`,
  payload: {
    logId: row.log_id,
    scope,
    externalRef: row.external_ref ?? null,
    storageFileId: row.storage_file_id,
    invoiceNumber: row.invoice_number,
    invoiceDate: row.invoice_date,
    expiresAt: row.expires_at,
  },
  trace,
})

const settledEvent = ({ reservationId, trace }: CustodyEntry) =>
  reservationId === null ? [] : [{ key: reservationId, payload: { reservationId, outcome: 'commit' as const }, trace }]
