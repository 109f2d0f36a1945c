import type { ValidationIssue } from '@asiento/proto/errors'
import type { ConversionWarning, ValidationResult } from '@asiento/proto/schemas/facturae'
import type { InvoiceDataInput, PartyInfoInput } from '@asiento/proto/schemas/invoice-input'
import type { OpenedKey } from '../certificates/open-p12.ts'

/** What a worker thread does: everything that parses, builds, validates, signs. */
export type Task =
  | { kind: 'build'; build: BuildTask; sign: SignWith | null }
  | { kind: 'inspect'; bytes: Uint8Array; today: string; sign: SignWith }
  | { kind: 'sign'; bytes: Uint8Array; sign: SignWith; role: string }
  | { kind: 'validate'; bytes: Uint8Array; today: string }

export interface BuildTask {
  input: InvoiceDataInput
  seller: PartyInfoInput | null
  buyer: PartyInfoInput | null
  loc: readonly string[]
  today: string
}

export interface SignWith {
  key: OpenedKey
  signedAt: Date
  /** A time-stamp authority (RFC 3161); null for signatures without time-stamp. */
  timestampUrl: string | null
}

/** What is worth knowing of an invoice besides its XML. */
export interface InvoiceSummary {
  vendorName: string
  vendorVat: string
  invoiceNumber: string
  invoiceDate: string
  subtotalCents: number
  taxCents: number
  totalCents: number
  iban: string | null
}

export interface Built {
  /** The whole document with its declaration. */
  xml: string
  signed: boolean
  summary: InvoiceSummary
  warnings: ConversionWarning[]
}

export interface Inspected {
  summary: InvoiceSummary
  /** Who signs, as the signature claims it. */
  role: string
  warnings: ConversionWarning[]
}

export interface TaskResults {
  build: Built
  inspect: Inspected
  sign: { xml: string }
  validate: ValidationResult
}

/** What comes out of the thread: 422 would lose its class on the way. */
export type Outcome = { result: TaskResults[keyof TaskResults] } | { issues: ValidationIssue[] }
