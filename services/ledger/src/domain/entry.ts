import type { Cents } from '@asiento/proto/money'
import type { TaxType } from '@asiento/proto/schemas/extraction-result'
import type { EntrySource, EntryStatus, EntryType } from '@asiento/proto/schemas/ledger/fields'

export type { EntrySource, EntryStatus, EntryType }

/** One rate of one tax within an entry. A recargo de equivalencia (`RE`) is a line of its own. */
export interface TaxLine {
  taxType: TaxType
  /** Percent. */
  rate: number
  baseCents: Cents
  amountCents: Cents
}

/** The amounts of an entry: base + tax + irpf = total, exactly. A corrective invoice has them negative. */
export interface EntryAmounts {
  baseCents: Cents
  /** Percent; null where none was stated or several rates apply (`taxLines` then holds them). */
  taxRate: number | null
  taxCents: Cents
  /** Percent; null where nothing is withheld or the rate is not known. */
  irpfRate: number | null
  /** At most 0 on an ordinary invoice: what is withheld lowers what is paid. */
  irpfCents: Cents
  /** What is collected or paid in the end, which is what the bank shows. */
  totalCents: Cents
  /** By rate; empty where the entry bears no tax at all or none was stated. Adds up to base and tax. */
  taxLines: readonly TaxLine[]
}

/** An income or expense as its owner sees it. Dates are `YYYY-MM-DD`; instants `YYYY-MM-DD HH:MM:SS` in UTC. */
export interface LedgerEntry extends EntryAmounts {
  id: number
  type: EntryType
  status: EntryStatus
  date: string
  dueDate: string | null
  concept: string
  counterpartyName: string | null
  counterpartyVat: string | null
  invoiceNumber: string | null
  accountCode: string
  paymentMethod: string | null
  /** The date on which it was collected or paid; null while pending. */
  paidAt: string | null
  notes: string | null
  source: EntrySource
  logId: number | null
  hasAttachment: boolean
  createdAt: string
  updatedAt: string
}

/** What a settled entry of each type is called: an income is collected, an expense is paid. */
export const settledStatus: Record<EntryType, Exclude<EntryStatus, 'pending'>> = {
  income: 'collected',
  expense: 'paid',
}

/** True when an entry of this type can have this status. */
export const statusFits = (type: EntryType, status: EntryStatus): boolean =>
  status === 'pending' || status === settledStatus[type]
