import { failValidation } from '@asiento/proto/errors'
import { cents, euros } from '@asiento/proto/money'
import type { Handlers } from '@asiento/proto/rpc'
import { reportPeriods } from '@asiento/proto/schemas/ledger/fields'
import { timestamp } from '@asiento/proto/time'
import { type Selectable, sql } from 'kysely'
import type { TaxPaymentsTable } from '../adapters/out/tables.ts'
import type { Period } from '../domain/period.ts'
import { statutoryDueDate } from '../domain/tax-calendar.ts'
import { type Ledger, nowOf, todayOf } from './ledger.ts'

type TaxPaymentHandlers = Pick<Handlers<'ledger'>, 'listTaxPayments' | 'upsertTaxPayment'>

/** What is owed to the tax office: one payment per model, year and period. */
export const taxPayments = (ledger: Ledger): TaxPaymentHandlers => ({
  listTaxPayments: async ({ query }, { actor }) => {
    const { limit, offset, year } = query
    let select = ledger.db.query.selectFrom('tax_payments').where('user_id', '=', actor.userId)
    if (year !== undefined) select = select.where('year', '=', year)
    const { count } = await select.select(sql<number>`count(*)::bigint`.as('count')).executeTakeFirstOrThrow()
    const rows = await select
      .selectAll()
      .orderBy('due_date', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    return { items: rows.map(taxPaymentView), total: count, limit, offset, has_more: offset + rows.length < count }
  },

  upsertTaxPayment: async ({ body }, { actor }) => {
    if (body.status !== 'paid' && body.paid_at != null) {
      failValidation(['body', 'paid_at'], 'Only a payment with status paid has paid_at')
    }
    const now = nowOf(ledger)
    const values = {
      amount_cents: cents(body.amount),
      status: body.status,
      due_date: body.due_date ?? statutoryDueDate(body.model, body.year, body.period),
      paid_at: body.status === 'paid' ? (body.paid_at ?? todayOf(ledger)) : null,
      notes: body.notes === '' ? null : (body.notes ?? null),
      updated_at: `${now}+00`,
    }
    const row = await ledger.db.query
      .insertInto('tax_payments')
      .values({
        ...values,
        user_id: actor.userId,
        model: body.model,
        year: body.year,
        period: body.period,
        created_at: `${now}+00`,
      })
      .onConflict((conflict) => conflict.columns(['user_id', 'model', 'year', 'period']).doUpdateSet(values))
      .returningAll()
      .executeTakeFirstOrThrow()
    return taxPaymentView(row)
  },
})

const taxPaymentView = (row: Selectable<TaxPaymentsTable>) => ({
  id: row.id,
  model: row.model,
  year: row.year,
  period: periodOf(row.period),
  amount: euros(row.amount_cents),
  status: row.status,
  due_date: row.due_date,
  paid_at: row.paid_at,
  notes: row.notes,
  created_at: timestamp(row.created_at),
  updated_at: timestamp(row.updated_at),
})

const periodOf = (text: string): Period => reportPeriods.find((period) => period === text) ?? 'Y'
