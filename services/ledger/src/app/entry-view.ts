import { euros } from '@asiento/proto/money'
import { pgcLabel } from '@asiento/proto/pgc'
import type { EntryView } from '@asiento/proto/schemas/ledger/entries'
import type { LedgerEntry, TaxLine } from '../domain/entry.ts'

/** An entry as the API shows it. */
export const entryView = (entry: LedgerEntry): EntryView => ({
  id: entry.id,
  type: entry.type,
  status: entry.status,
  date: entry.date,
  due_date: entry.dueDate,
  concept: entry.concept,
  counterparty_name: entry.counterpartyName,
  counterparty_vat: entry.counterpartyVat,
  invoice_number: entry.invoiceNumber,
  base: euros(entry.baseCents),
  tax_rate: entry.taxRate,
  tax_amount: euros(entry.taxCents),
  irpf_rate: entry.irpfRate,
  irpf_amount: euros(entry.irpfCents),
  total: euros(entry.totalCents),
  tax_breakdown: entry.taxLines.map(taxLineView),
  account_code: entry.accountCode,
  account_label: pgcLabel(entry.accountCode),
  payment_method: entry.paymentMethod,
  paid_at: entry.paidAt,
  notes: entry.notes,
  source: entry.source,
  log_id: entry.logId,
  has_attachment: entry.hasAttachment,
  created_at: entry.createdAt,
  updated_at: entry.updatedAt,
})

const taxLineView = (line: TaxLine) => ({
  tax_type: line.taxType,
  rate: line.rate,
  base: euros(line.baseCents),
  amount: euros(line.amountCents),
})
