import { failValidation } from '@asiento/proto/errors'
import { cents, euros, eurosText } from '@asiento/proto/money'
import { pgcLabel } from '@asiento/proto/pgc'
import type { Handlers } from '@asiento/proto/rpc'
import type { RecurringCreate } from '@asiento/proto/schemas/ledger/recurring'
import { timestamp } from '@asiento/proto/time'
import { type Selectable, sql } from 'kysely'
import type { RecurringTable } from '../adapters/out/tables.ts'
import { defaultAccount } from '../domain/accounts.ts'
import { deriveAmounts, refuseNegative } from '../domain/amounts.ts'
import type { EntryAmounts, EntryType } from '../domain/entry.ts'
import { nextDate } from '../domain/recurrence.ts'
import { type Ledger, nowOf } from './ledger.ts'
import { owned } from './owned.ts'
import { statedAmounts } from './stated-amounts.ts'

type RecurringHandlers = Pick<Handlers<'ledger'>, 'listRecurring' | 'createRecurring' | 'deleteRecurring'>

/** What every occurrence of a recurring item is made of. */
export interface EntryTemplate extends EntryAmounts {
  type: EntryType
  concept: string
  counterpartyName: string | null
  counterpartyVat: string | null
  accountCode: string
  paymentMethod: string | null
}

export type RecurringRow = Selectable<RecurringTable>

/** Entries that repeat. */
export const recurring = (ledger: Ledger): RecurringHandlers => ({
  listRecurring: async ({ query }, { actor }) => {
    const { rows, total } = await recurringPage(ledger, actor.userId, 'entry', query)
    const { limit, offset } = query
    return { items: rows.map(recurringView), total, limit, offset, has_more: offset + rows.length < total }
  },

  createRecurring: async ({ body }, { actor }) => {
    const row = await insertRecurring(ledger, actor.userId, 'entry', entryTemplate(body), body)
    return recurringView(row)
  },

  deleteRecurring: async ({ params }, { actor }) => {
    await deleteRecurringItem(ledger, params.rid, actor.userId, 'entry')
    return undefined
  },
})

function entryTemplate(body: RecurringCreate): EntryTemplate {
  const amounts = deriveAmounts(statedAmounts(body))
  refuseNegative(amounts)
  return {
    ...amounts,
    type: body.type,
    concept: body.concept,
    counterpartyName: body.counterparty_name || null,
    counterpartyVat: body.counterparty_vat || null,
    accountCode: body.account_code ?? defaultAccount[body.type],
    paymentMethod: body.payment_method || null,
  }
}

interface Recurrence {
  frequency: RecurringRow['frequency']
  start_date: string
  end_date?: string | null | undefined
}

export async function insertRecurring(
  { db, clock }: Ledger,
  userId: number,
  kind: RecurringRow['kind'],
  template: EntryTemplate,
  { frequency, start_date, end_date }: Recurrence,
): Promise<RecurringRow> {
  const schedule = { startDate: start_date, endDate: end_date ?? null, frequency, occurrences: 0 }
  return db.query
    .insertInto('recurring')
    .values({
      user_id: userId,
      kind,
      template: JSON.stringify(template),
      frequency,
      start_date,
      end_date: end_date ?? null,
      next_date: nextDate(schedule),
      created_at: `${nowOf({ clock })}+00`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function recurringPage(
  { db }: Ledger,
  userId: number,
  kind: RecurringRow['kind'],
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: RecurringRow[]; total: number }> {
  const select = db.query.selectFrom('recurring').where('user_id', '=', userId).where('kind', '=', kind)
  const { count } = await select.select(sql<number>`count(*)::bigint`.as('count')).executeTakeFirstOrThrow()
  const rows = await select.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  return { rows, total: count }
}

export async function deleteRecurringItem(
  { db }: Ledger,
  id: number,
  userId: number,
  kind: RecurringRow['kind'],
): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await tx
      .selectFrom('recurring')
      .select('user_id')
      .where('id', '=', id)
      .where('kind', '=', kind)
      .forUpdate()
      .executeTakeFirst()
    owned(row, userId)
    await tx.deleteFrom('recurring').where('id', '=', id).execute()
  })
}

export const templateOf = (row: RecurringRow): EntryTemplate => row.template as unknown as EntryTemplate

export function recurringView(row: RecurringRow) {
  const template = templateOf(row)
  return {
    id: row.id,
    type: template.type,
    concept: template.concept,
    base: euros(template.baseCents),
    tax_rate: template.taxRate,
    tax_amount: euros(template.taxCents),
    irpf_rate: template.irpfRate,
    irpf_amount: euros(template.irpfCents),
    total: euros(template.totalCents),
    counterparty_name: template.counterpartyName,
    counterparty_vat: template.counterpartyVat,
    account_code: template.accountCode,
    account_label: pgcLabel(template.accountCode),
    payment_method: template.paymentMethod,
    frequency: row.frequency,
    start_date: row.start_date,
    end_date: row.end_date,
    next_date: row.next_date,
    active: row.next_date !== null,
    created_at: timestamp(row.created_at),
  }
}

/** Fails with 422 when a sum that was given differs from what the lines add up to. */
export function checkSums(
  given: Partial<Record<'base' | 'tax' | 'total', number | undefined>>,
  amounts: EntryAmounts,
): void {
  const computed = { base: amounts.baseCents, tax: amounts.taxCents, total: amounts.totalCents }
  for (const field of ['base', 'tax', 'total'] as const) {
    const value = given[field]
    if (value !== undefined && cents(value) !== computed[field]) {
      failValidation(['body', field], `The lines add up to ${eurosText(computed[field])}`)
    }
  }
}
