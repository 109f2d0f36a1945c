import type { Handlers } from '@asiento/proto/rpc'
import { invoicesBefore, taxableBetween } from '../adapters/out/entries-between.ts'
import { insightFacts, monthSums } from '../adapters/out/insight-facts.ts'
import { composeInsights, composeYoy } from '../domain/insights/compose.ts'
import { monthsOf, periodRange } from '../domain/period.ts'
import { type VatBookRow, vatBook, vatBookColumns } from '../domain/vat-book/vat-book.ts'
import type { Column, Exporter } from './export-table.ts'
import { readProfile } from './fiscal-profile.ts'
import { type Ledger, todayOf } from './ledger.ts'
import { vatBookView } from './vat-book-view.ts'

type ReportHandlers = Pick<Handlers<'ledger'>, 'insights' | 'insightsYoy' | 'vatBook'>

/** What the entries of a period say. */
export const reports = (ledger: Ledger, exportTable: Exporter): ReportHandlers => ({
  insights: async ({ query: { year, period } }, { actor }) => {
    const { kind } = await readProfile(ledger.db.query, actor.userId)
    const question = { userId: actor.userId, year, period, today: todayOf(ledger), kind }
    return composeInsights(await insightFacts(ledger.db.query, question))
  },

  insightsYoy: async ({ query: { year, period } }, { actor }) => {
    const { query } = ledger.db
    const { kind } = await readProfile(query, actor.userId)
    const first = monthsOf(year - 1, period)[0] ?? ''
    const months = await monthSums(query, actor.userId, first, monthsOf(year, period).at(-1))
    return composeYoy({ year, period, kind, months })
  },

  vatBook: async ({ query: { year, period, format, book: wanted } }, { actor }) => {
    const range = periodRange(year, period)
    const entries = await taxableBetween(ledger.db.query, actor.userId, range)
    const book = vatBook(entries, await invoicesBefore(ledger.db.query, actor.userId, range.from))
    if (format === 'json') return { year, period, ...range, ...vatBookView(book) }
    const rows = [...book.issued, ...book.received].filter((row) => wanted === '' || row.book === wanted)
    return exportTable(format, { name: `libro-iva-${year}-${period}`, columns: bookColumns, rows })
  },
})

/** Both books in one file: the columns of the received ones, which are the more, after the name of the book. */
const bookColumns: readonly Column<VatBookRow>[] = [
  { label: 'Libro', value: (row) => (row.book === 'issued' ? 'Expedidas' : 'Recibidas') },
  { label: 'Nº de orden', value: (row) => row.order },
  { label: 'Fecha', value: (row) => row.date },
  { label: 'Nº de factura', value: (row) => row.invoiceNumber },
  { label: 'Destinatario o expedidor', value: (row) => row.counterpartyName },
  { label: 'NIF', value: (row) => row.counterpartyVat },
  ...vatBookColumns.received.slice(5),
]
