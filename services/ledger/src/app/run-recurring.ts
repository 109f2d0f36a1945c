import { lockBooks } from '../adapters/out/books.ts'
import type { NewEntry } from '../adapters/out/entry-rows.ts'
import { takeNumbers } from '../adapters/out/number-series.ts'
import { seriesNumber } from '../domain/invoice-series.ts'
import { dueDates, nextDate } from '../domain/recurrence.ts'
import { type Ledger, type LedgerTx, nowOf, todayOf } from './ledger.ts'
import { recordEntries } from './record-entries.ts'
import { type RecurringRow, templateOf } from './recurring.ts'
import { invoiceTemplateOf } from './recurring-invoices.ts'

/** Items looked at in one query, and occurrences made in one transaction. */
const pageSize = 100
const occurrencesMax = 100

/**
 * Makes everything that is due: each occurrence once, whoever else runs at the same time and however long nobody ran.
 * An item that fails is logged and does not hold up the others.
 */
export async function runRecurring(ledger: Ledger): Promise<void> {
  const today = todayOf(ledger)
  let afterId = 0
  for (;;) {
    const due = await ledger.db.query
      .selectFrom('recurring')
      .select(['id', 'user_id'])
      .where('next_date', '<=', today)
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(pageSize)
      .execute()
    for (const item of due) {
      afterId = item.id
      try {
        while ((await makeDue(ledger, item, today)) === occurrencesMax);
      } catch (error) {
        ledger.log.error({ err: error, recurring: item.id }, 'recurring item not made')
      }
    }
    if (due.length < pageSize) return
  }
}

/** Makes the next due occurrences of one item; answers how many. */
async function makeDue(ledger: Ledger, item: { id: number; user_id: number }, today: string): Promise<number> {
  return ledger.db.transaction(async (tx) => {
    const books = await lockBooks(tx, item.user_id)
    const row = await tx.selectFrom('recurring').selectAll().where('id', '=', item.id).forUpdate().executeTakeFirst()
    if (row === undefined) return 0
    const dates = dueDates(scheduleOf(row, 0), today, occurrencesMax)
    if (dates.length === 0) return 0
    const now = nowOf(ledger)
    const entries = row.kind === 'entry' ? dates.map((date) => plainEntry(row, date)) : await numbered(tx, row, dates)
    const recorded = await recordEntries(tx, books, entries, now)
    if (row.kind === 'invoice') {
      await keepInvoices(
        tx,
        row,
        recorded.map((entry) => ({ entryId: entry.id, date: entry.date, invoiceNumber: entry.invoiceNumber ?? '' })),
        now,
      )
    }
    await tx
      .updateTable('recurring')
      .set({ occurrences: row.occurrences + dates.length, next_date: nextDate(scheduleOf(row, dates.length)) })
      .where('id', '=', row.id)
      .execute()
    return dates.length
  })
}

const scheduleOf = (row: RecurringRow, made: number) => ({
  startDate: row.start_date,
  endDate: row.end_date,
  frequency: row.frequency,
  occurrences: row.occurrences + made,
})

function plainEntry(row: RecurringRow, date: string): NewEntry {
  const { type, concept, counterpartyName, counterpartyVat, accountCode, paymentMethod, ...amounts } = templateOf(row)
  return {
    baseCents: amounts.baseCents,
    taxRate: amounts.taxRate,
    taxCents: amounts.taxCents,
    irpfRate: amounts.irpfRate,
    irpfCents: amounts.irpfCents,
    totalCents: amounts.totalCents,
    taxLines: amounts.taxLines,
    type,
    status: 'pending',
    date,
    dueDate: null,
    concept,
    counterpartyName,
    counterpartyVat,
    invoiceNumber: null,
    accountCode,
    paymentMethod,
    paidAt: null,
    notes: null,
    source: row.kind === 'invoice' ? 'recurring_invoice' : 'recurring',
    logId: null,
    recurringId: row.id,
    occurrenceDate: date,
  }
}

/** Entries with their invoice numbers, which are taken in this transaction: if it fails, so that none is missing. */
async function numbered(tx: LedgerTx, row: RecurringRow, dates: readonly string[]): Promise<NewEntry[]> {
  const { series } = invoiceTemplateOf(row)
  const numbers = await takeNumbers(tx, { userId: row.user_id, kind: 'invoice', series }, dates.length)
  return dates.map((date, index) => ({
    ...plainEntry(row, date),
    invoiceNumber: seriesNumber(series, numbers[index] ?? 0),
  }))
}

async function keepInvoices(
  tx: LedgerTx,
  row: RecurringRow,
  issued: readonly { entryId: number; date: string; invoiceNumber: string }[],
  now: string,
): Promise<void> {
  const template = invoiceTemplateOf(row)
  await tx
    .insertInto('issued_invoices')
    .values(
      issued.map(({ entryId, date, invoiceNumber }) => ({
        user_id: row.user_id,
        recurring_id: row.id,
        series: template.series,
        number: Number(invoiceNumber.slice(template.series.length + 1)),
        invoice_number: invoiceNumber,
        date,
        entry_id: entryId,
        invoice: JSON.stringify(template),
        sign: template.sign,
        next_attempt_at: `${now}+00`,
        created_at: `${now}+00`,
      })),
    )
    .execute()
}
