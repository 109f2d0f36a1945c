import type { Cents, Scaled } from '@asiento/proto/money'

/**
 * An invoice as Facturae can say it, without anything that can be computed: totals, bases and tax amounts follow from
 * it by {@link ../model/figures.ts}. Amounts are integer cents of `currency`, quantities and prices exact decimals in
 * units of 1e-8, rates in percent in units of 1e-8. Optional members are absent, never empty.
 */
export interface Invoice {
  /** EM issued by the seller, RE by the buyer (self-billing), TE by a third party. */
  issuerType: 'EM' | 'RE' | 'TE'
  thirdParty?: Party
  seller: Party
  buyer: Party
  number: string
  series?: string
  /** FC complete, FA simplified, AF self-billed. */
  documentType: 'FC' | 'FA' | 'AF'
  invoiceClass: InvoiceClass
  corrective?: Corrective
  issueDate: string
  operationDate?: string
  placeOfIssue?: { postCode: string; description?: string }
  period?: Period
  currency: string
  exchange?: { rate: Scaled; date: string }
  taxCurrency: string
  language: string
  description?: string
  transactionReference?: string
  fileReference?: string
  contractReference?: string
  lines: InvoiceLine[]
  discounts: Adjustment[]
  charges: Adjustment[]
  subsidies: Adjustment[]
  paymentsOnAccount: { date: string; amountCents: Cents }[]
  reimbursableExpenses: ReimbursableExpense[]
  financialExpensesCents?: Cents
  amountsWithheld?: Adjustment
  paymentInKind?: { reason: string; amountCents: Cents }
  installments: Installment[]
  legalLiterals: string[]
  relatedInvoice?: string
  attachments: Attachment[]
  additionalInformation?: string
}

export type InvoiceClass = 'OO' | 'OR' | 'OC' | 'CO' | 'CR' | 'CC'

export interface Period {
  start: string
  end: string
}

export interface Party {
  /** J legal person, F natural person. */
  personType: 'J' | 'F'
  /** R resident in Spain, U in the European Union, E elsewhere. */
  residence: 'R' | 'U' | 'E'
  taxId: string
  /** PartyIdentification: up to ten digits. */
  identification?: string
  centres: AdministrativeCentre[]
  name: LegalName | PersonName
  address: Address
  contact?: Contact
}

export interface LegalName {
  corporateName: string
  tradeName?: string
  registration?: Registration
}

export interface PersonName {
  name: string
  firstSurname: string
  secondSurname?: string
}

export type Registration = Partial<
  Record<'book' | 'location' | 'sheet' | 'folio' | 'section' | 'volume' | 'additional', string>
>

/** In Spain (`country` ESP) the postal code has five digits; elsewhere it may be empty. */
export interface Address {
  street: string
  postCode: string
  town: string
  province: string
  /** ISO 3166-1 alpha-3. */
  country: string
}

export type Contact = Partial<
  Record<'telephone' | 'fax' | 'web' | 'email' | 'persons' | 'cnae' | 'ineTownCode' | 'additional', string>
>

export interface AdministrativeCentre {
  code?: string
  role?: string
  name?: string
  firstSurname?: string
  secondSurname?: string
  address: Address
  contact?: Contact
  gln?: string
  logicalPoint?: string
  description?: string
}

export interface Corrective {
  number?: string
  series?: string
  reasonCode: string
  taxPeriod: Period
  method: '01' | '02' | '03' | '04'
  additionalReason?: string
  issueDate?: string
}

/** A discount, charge, subsidy or withheld amount; `amountCents` decides, `rate` informs. */
export interface Adjustment {
  reason: string
  rate?: Scaled
  amountCents: Cents
}

export interface ReimbursableExpense {
  seller?: TaxIdentification
  buyer?: TaxIdentification
  date?: string
  number?: string
  series?: string
  amountCents: Cents
}

export interface TaxIdentification {
  personType: 'J' | 'F'
  residence: 'R' | 'U' | 'E'
  taxId: string
}

export interface Tax {
  /** TaxTypeCode: 01 IVA, 02 IPSI, 03 IGIC, 04 IRPF… */
  type: string
  rate: Scaled
  /** Recargo de equivalencia. */
  surcharge?: Scaled
}

export interface Reference {
  reference: string
  date?: string
}

export interface InvoiceLine {
  issuerContract?: Reference
  issuerTransaction?: Reference
  receiverContract?: Reference
  receiverTransaction?: Reference
  file?: Reference
  deliveryNotes: Reference[]
  description: string
  quantity: Scaled
  unit?: string
  unitPrice: Scaled
  discounts: Adjustment[]
  charges: Adjustment[]
  /** At least one. */
  taxes: Tax[]
  withheld: Tax[]
  period?: Period
  transactionDate?: string
  additionalInformation?: string
  specialEvent?: { code: '01' | '02'; reason: string }
  articleCode?: string
}

export interface Account {
  iban?: string
  accountNumber?: string
  /** Eleven characters. */
  bic?: string
}

export interface Installment {
  dueDate: string
  amountCents: Cents
  /** PaymentMeans 01–19. */
  means: string
  credited?: Account
  debited?: Account
  reference?: string
  information?: string
}

export interface Attachment {
  compression?: 'ZIP' | 'GZIP' | 'NONE'
  format: string
  encoding?: 'BASE64' | 'BER' | 'DER' | 'NONE'
  description?: string
  data: string
}

export const isLegalName = (name: LegalName | PersonName): name is LegalName => 'corporateName' in name
