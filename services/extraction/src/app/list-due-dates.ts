import type { Actor } from '@asiento/proto/actor'
import { euros } from '@asiento/proto/money'
import { madridDate } from '@asiento/proto/time'
import type { Deps } from './deps.ts'
import { visibleTo } from './log-row.ts'

const dueDatesMax = 10_000
const dayMs = 86_400_000

/** Invoices with a due date, soonest first; those that the ledger has settled are left out. */
export const listDueDates = (deps: Deps) => async (actor: Actor) => {
  const rows = await deps.db.query
    .selectFrom('logs')
    .select([
      'id',
      'vendor_name',
      'vendor_vat',
      'invoice_number',
      'total_cents',
      'currency',
      'due_date',
      'external_ref',
    ])
    .where(visibleTo(actor))
    .where('status', '=', 'ok')
    .where('due_date', 'is not', null)
    .where('paid', '=', false)
    .orderBy('due_date')
    .orderBy('id')
    .limit(dueDatesMax)
    .execute()
  const today = Date.parse(madridDate(deps.clock.now()))
  const items = rows.map((row) => {
    const dueDate = row.due_date ?? ''
    const daysLeft = Math.round((Date.parse(dueDate) - today) / dayMs)
    return {
      log_id: row.id,
      vendor_name: row.vendor_name,
      vendor_vat: row.vendor_vat,
      invoice_number: row.invoice_number,
      total: row.total_cents === null ? null : euros(row.total_cents),
      currency: row.currency,
      due_date: dueDate,
      days_left: daysLeft,
      overdue: daysLeft < 0,
      external_ref: row.external_ref,
    }
  })
  return { items, total: items.length }
}
