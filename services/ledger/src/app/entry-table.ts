import { euros } from '@asiento/proto/money'
import { pgcLabel } from '@asiento/proto/pgc'
import type { EntryStatus, EntryType, LedgerEntry } from '../domain/entry.ts'
import type { Column } from './export-table.ts'

const typeLabels: Record<EntryType, string> = { income: 'Ingreso', expense: 'Gasto' }
const statusLabels: Record<EntryStatus, string> = { pending: 'Pendiente', collected: 'Cobrado', paid: 'Pagado' }

/** The columns of exported entries, as an accountant names them. */
const columns: readonly Column<LedgerEntry>[] = [
  { label: 'Id', value: (entry) => entry.id },
  { label: 'Tipo', value: (entry) => typeLabels[entry.type] },
  { label: 'Estado', value: (entry) => statusLabels[entry.status] },
  { label: 'Fecha', value: (entry) => entry.date },
  { label: 'Vencimiento', value: (entry) => entry.dueDate },
  { label: 'Concepto', value: (entry) => entry.concept },
  { label: 'Tercero', value: (entry) => entry.counterpartyName },
  { label: 'NIF', value: (entry) => entry.counterpartyVat },
  { label: 'Nº factura', value: (entry) => entry.invoiceNumber },
  { label: 'Base imponible', value: (entry) => euros(entry.baseCents) },
  { label: 'Tipo IVA %', value: (entry) => entry.taxRate },
  { label: 'Cuota IVA', value: (entry) => euros(entry.taxCents) },
  { label: 'Retención %', value: (entry) => entry.irpfRate },
  { label: 'Retención', value: (entry) => euros(entry.irpfCents) },
  { label: 'Total', value: (entry) => euros(entry.totalCents) },
  { label: 'Cuenta', value: (entry) => entry.accountCode },
  { label: 'Nombre de la cuenta', value: (entry) => pgcLabel(entry.accountCode) },
  { label: 'Forma de pago', value: (entry) => entry.paymentMethod },
  { label: 'Fecha de cobro o pago', value: (entry) => entry.paidAt },
  { label: 'Notas', value: (entry) => entry.notes },
]

export const entryTable = { columns }
