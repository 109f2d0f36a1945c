import type { Database } from '@asiento/chassis/db'
import type { Actor } from '@asiento/proto/actor'
import type { DuplicateAlertList, DuplicateAlertQuery } from '@asiento/proto/schemas/risk'
import { timestamp } from '@asiento/proto/time'
import type { Tables } from '../adapters/out/tables.ts'
import { visibleTo } from './visible-to.ts'

/** Duplicate alerts that the caller sees, newest first, each with what was read of the later invoice. */
export const listDuplicates =
  (db: Database<Tables>) =>
  async (actor: Actor, { status, limit, offset }: DuplicateAlertQuery): Promise<DuplicateAlertList> => {
    const seen = db.query
      .selectFrom('duplicates')
      .where(visibleTo(actor))
      .$if(status !== '', (query) => query.where('status', '=', status as Exclude<typeof status, ''>))
    const page = seen.selectAll().orderBy('created_at', 'desc').orderBy('log_id', 'desc').limit(limit).offset(offset)
    const [rows, counted] = await Promise.all([
      db.query
        .selectFrom(page.as('alert'))
        .leftJoin('invoices', 'invoices.log_id', 'alert.log_id')
        .select(['alert.log_id', 'alert.original_log_id', 'alert.reason', 'alert.score', 'alert.status'])
        .select(['alert.created_at', 'alert.decided_at'])
        .select(['vendor_name', 'invoice_number', 'invoice_date', 'total_cents'])
        .orderBy('alert.created_at', 'desc')
        .orderBy('alert.log_id', 'desc')
        .execute(),
      seen.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    ])
    const items = rows.map(({ total_cents, created_at, decided_at, ...row }) => ({
      ...row,
      total: total_cents === null ? null : total_cents / 100,
      created_at: timestamp(created_at),
      decided_at: decided_at === null ? null : timestamp(decided_at),
    }))
    const { total } = counted
    return { items, total, limit, offset, has_more: offset + items.length < total }
  }
