import type { Cents } from '@asiento/proto/money'
import type { PaymentMethod } from '@asiento/proto/schemas/extraction-result'
import type { Language } from './labels.ts'

export interface Party {
  name: string
  taxId: string
  isPerson: boolean
  street: string
  postalCode: string
  city: string
  province: string
  phone: string
  email: string
}

export interface InvoiceLine {
  reference: string
  description: string
  /** Exact decimals as text; null where the layout does not print them. */
  quantity: string
  unitPrice: string
  discountPercent: number
  taxRate: number
  /** As printed; with tax where the invoice's lines include it. */
  totalCents: Cents
}

export interface RateRow {
  rate: number
  baseCents: Cents
  quotaCents: Cents
  surchargeRate: number
  surchargeCents: Cents
}

export interface Invoice {
  language: Language
  kind: 'invoice' | 'simplified' | 'corrective'
  taxType: 'IVA' | 'IGIC' | 'IPSI'
  vendor: Party
  buyer: Party | null
  number: string
  /** YYYY-MM-DD */
  date: string
  dueDate: string | null
  lines: InvoiceLine[]
  linesIncludeTax: boolean
  /** Sum of the line totals. */
  sumCents: Cents
  globalDiscountPercent: number
  /** Positive; taken from the sum. */
  globalDiscountCents: Cents
  /** Carriage and the like, added to the base at the main rate. */
  chargesCents: Cents
  rates: RateRow[]
  subtotalCents: Cents
  taxCents: Cents
  withholdingRate: number
  /** Positive, taken from the total. */
  withholdingCents: Cents
  /** Disbursements in the buyer's name: outside the base, inside the total. */
  suplidosCents: Cents
  totalCents: Cents
  iban: string | null
  ibanMasked: boolean
  paymentMethod: PaymentMethod | null
  exemptReason: string | null
  correctedNumber: string | null
  pgcHint: string
}
