import { euros } from '@asiento/proto/money'
import type { VatBook, VatBookRow, VatBookTotals } from '../domain/vat-book/vat-book.ts'

/** Both books by their public names, amounts in euros. */
export const vatBookView = (book: VatBook) => ({
  issued: book.issued.map(rowView),
  received: book.received.map(rowView),
  totals: { issued: totalsView(book.totals.issued), received: totalsView(book.totals.received) },
})

const rowView = (row: VatBookRow) => ({
  order: row.order,
  entry_id: row.entryId,
  date: row.date,
  invoice_number: row.invoiceNumber,
  counterparty_name: row.counterpartyName,
  counterparty_vat: row.counterpartyVat,
  concept: row.concept,
  operation: row.operation,
  corrective: row.corrective,
  base: euros(row.baseCents),
  tax_rate: row.taxRate,
  tax_amount: euros(row.taxCents),
  surcharge_rate: row.surchargeRate,
  surcharge_amount: euros(row.surchargeCents),
  deductible: euros(row.deductibleCents),
  irpf_amount: euros(row.irpfCents),
  total: euros(row.totalCents),
})

const totalsView = (totals: VatBookTotals) => ({
  base: euros(totals.baseCents),
  tax_amount: euros(totals.taxCents),
  surcharge_amount: euros(totals.surchargeCents),
  deductible: euros(totals.deductibleCents),
})
