import type { Classified } from './classify.ts'
import type { Figure } from './figures.ts'
import type { findPayment } from './find-payment.ts'
import type { Sheet } from './layout.ts'
import type { VendorLayout } from './layout-anchors.ts'
import type { LineTable } from './line-table.ts'
import type { Found, Parties } from './parties.ts'
import type { PrintedLine } from './printed-line.ts'
import type { SettledAmounts } from './settle-amounts.ts'

export interface UnderstandContext {
  /** The account's own tax id, when known: it tells buyer from vendor. */
  accountTaxId?: string
  /** Plain date in Europe/Madrid; an invoice dated far after it is implausible. */
  today: string
  /** What corrections taught about vendors' layouts, newest first. */
  vendorLayouts?: readonly VendorLayout[]
}

/** Everything that reading a sheet found, before it becomes a result. */
export interface Reading {
  sheet: Sheet
  figures: Figure[]
  kind: Classified
  table: LineTable | null
  lines: PrintedLine[]
  amounts: SettledAmounts
  parties: Parties
  number: Found | null
  invoiceDate: Found | null
  dueDate: Found | null
  iban: Found | null
  invalidIban: Found | null
  payment: ReturnType<typeof findPayment>
}
