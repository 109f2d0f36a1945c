import { euros } from '@asiento/proto/money'
import type { Handlers } from '@asiento/proto/rpc'
import type { RecurringInvoiceCreate } from '@asiento/proto/schemas/ledger/recurring'
import { sql } from 'kysely'
import { defaultAccount } from '../domain/accounts.ts'
import { clip } from '../domain/clip.ts'
import { normalizeSeries } from '../domain/invoice-series.ts'
import { lineTotal, sumLines } from '../domain/line-items.ts'
import { readProfile } from './fiscal-profile.ts'
import type { Ledger } from './ledger.ts'
import {
  checkSums,
  deleteRecurringItem,
  type EntryTemplate,
  insertRecurring,
  type RecurringRow,
  recurringPage,
  recurringView,
} from './recurring.ts'

type RecurringInvoiceHandlers = Pick<
  Handlers<'ledger'>,
  'listRecurringInvoices' | 'createRecurringInvoice' | 'deleteRecurringInvoice'
>

/** What every invoice of a recurring one is made of. */
export interface InvoiceTemplate extends EntryTemplate {
  buyer: RecurringInvoiceCreate['buyer']
  lineItems: RecurringInvoiceCreate['line_items']
  series: string
  sign: boolean
}

const defaultSeries = 'F'

/** Invoices that repeat: each occurrence is numbered, recorded as pending income and built as Facturae. */
export const recurringInvoices = (ledger: Ledger): RecurringInvoiceHandlers => ({
  listRecurringInvoices: async ({ query }, { actor }) => {
    const { rows, total } = await recurringPage(ledger, actor.userId, 'invoice', query)
    const { limit, offset } = query
    const items = await invoiceViews(ledger, rows)
    return { items, total, limit, offset, has_more: offset + rows.length < total }
  },

  createRecurringInvoice: async ({ body }, { actor }) => {
    const profile = await readProfile(ledger.db.query, actor.userId)
    const template = invoiceTemplate(body, profile.invoice_series ?? defaultSeries)
    const row = await insertRecurring(ledger, actor.userId, 'invoice', template, body)
    return invoiceView(row, 0, null)
  },

  deleteRecurringInvoice: async ({ params }, { actor }) => {
    await deleteRecurringItem(ledger, params.rid, actor.userId, 'invoice')
    return undefined
  },
})

function invoiceTemplate(body: RecurringInvoiceCreate, series: string): InvoiceTemplate {
  const amounts = sumLines(body.line_items, body.irpf_rate ?? null)
  checkSums(body, amounts)
  return {
    ...amounts,
    type: 'income',
    concept: body.concept || clip(body.line_items[0]?.description ?? '', 500),
    counterpartyName: body.counterparty_name || body.buyer.name,
    counterpartyVat: body.counterparty_vat || body.buyer.vat,
    accountCode: body.account_code ?? defaultAccount.income,
    paymentMethod: body.payment_method || null,
    buyer: body.buyer,
    lineItems: body.line_items.map((line) => ({ ...line, total: euros(lineTotal(line)) })),
    series: normalizeSeries(body.series ?? series),
    sign: body.sign,
  }
}

export const invoiceTemplateOf = (row: RecurringRow): InvoiceTemplate => row.template as unknown as InvoiceTemplate

interface IssuedSummary {
  recurring_id: number
  issued: number
  invoice_number: string
  date: string
  entry_id: number
  log_id: number | null
  status: 'pending' | 'issued'
  last_error: string | null
}

async function invoiceViews({ db }: Ledger, rows: readonly RecurringRow[]) {
  const { rows: issued } = await sql<IssuedSummary>`
    select distinct on (recurring_id) recurring_id, count(*) over (partition by recurring_id)::bigint as issued,
      invoice_number, date, entry_id, log_id, status, last_error
    from issued_invoices where recurring_id = any(${rows.map((row) => row.id)}::bigint[])
    order by recurring_id, id desc`.execute(db.query)
  const byItem = new Map(issued.map((summary) => [summary.recurring_id, summary]))
  return rows.map((row) => {
    const last = byItem.get(row.id)
    return invoiceView(row, last?.issued ?? 0, last ?? null)
  })
}

function invoiceView(row: RecurringRow, issued: number, last: IssuedSummary | null) {
  const template = invoiceTemplateOf(row)
  return {
    ...recurringView(row),
    type: 'income' as const,
    buyer: template.buyer,
    line_items: template.lineItems,
    series: template.series,
    sign: template.sign,
    issued,
    last_invoice:
      last === null
        ? null
        : {
            invoice_number: last.invoice_number,
            date: last.date,
            entry_id: last.entry_id,
            log_id: last.log_id,
            status: last.status,
            error: last.last_error,
          },
  }
}
