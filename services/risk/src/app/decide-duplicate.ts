import type { Database } from '@asiento/chassis/db'
import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import { sql } from 'kysely'
import type { Tables } from '../adapters/out/tables.ts'
import { visibleTo } from './visible-to.ts'

/**
 * Confirms or dismisses the duplicate alerts of an invoice; a later decision replaces an earlier one.
 *
 * Fails with INVOICE_NOT_FOUND when the caller sees no such invoice (a key sees what was made with itself, a
 * subaccount's key its subaccount, the account's owner everything), INVALID_STATE when it has no alert.
 */
export const decideDuplicate =
  (db: Database<Tables>) =>
  async <S extends 'confirmed' | 'dismissed'>(
    actor: Actor,
    logId: number,
    status: S,
  ): Promise<{ log_id: number; status: S }> => {
    const visible = visibleTo(actor)
    const decided = await db.query
      .updateTable('duplicates')
      .set({ status, decided_at: sql`now()` })
      .where('log_id', '=', logId)
      .where(visible)
      .executeTakeFirst()
    if (decided.numUpdatedRows > 0n) return { log_id: logId, status }
    const invoice = await db.query
      .selectFrom('invoices')
      .select('log_id')
      .where('log_id', '=', logId)
      .where(visible)
      .executeTakeFirst()
    if (invoice === undefined) fail('INVOICE_NOT_FOUND')
    fail('INVALID_STATE', { detail: 'This invoice has no duplicate alert.' })
  }
