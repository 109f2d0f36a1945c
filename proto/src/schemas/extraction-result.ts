import { z } from 'zod'

/**
 * The answer of `POST /extract`: an invoice as data, with evidence. Also what `/convert-to-facturae` takes as
 * `invoice_data`. Every field is always present, `null` when the document does not show it or it could not be read.
 *
 * Amounts are JSON numbers with at most two decimals in `currency`; unit prices and quantities keep up to eight.
 * Dates are `YYYY-MM-DD`. Amounts of a corrective invoice keep their printed sign.
 */

const date = z.iso.date()
const amount = z.number()
const percent = z.number()

export const lineItem = z.object({
  description: z.string(),
  quantity: z.number().nullable(),
  unit_price: z.number().nullable(),
  tax_rate: percent.nullable(),
  /** As printed: with tax included where `lines_include_tax` is true. */
  total: amount.nullable(),
})
export type LineItem = z.infer<typeof lineItem>

export const taxTypes = ['IVA', 'IGIC', 'IPSI', 'RE'] as const
export type TaxType = (typeof taxTypes)[number]

/** One rate of one tax. Recargo de equivalencia (`RE`) is a row of its own with the base of its VAT row. */
export const taxBreakdownItem = z.object({
  tax_type: z.enum(taxTypes),
  rate: percent,
  base: amount,
  amount: amount,
})
export type TaxBreakdownItem = z.infer<typeof taxBreakdownItem>

export const paymentMethods = ['transferencia', 'domiciliacion', 'cheque', 'efectivo', 'tarjeta'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

export const warningCodes = [
  'amounts_mismatch',
  'missing_field',
  'tax_id_invalid',
  'iban_invalid',
  'iban_shared',
  'date_implausible',
  'low_quality_image',
  'no_invoice_found',
  'not_an_invoice',
  'embedded_xml_differs',
  'pages_left_out',
  'llm_unavailable',
  'llm_rejected',
] as const
export type WarningCode = (typeof warningCodes)[number]

export const extractionWarning = z.object({
  code: z.enum(warningCodes),
  message: z.string(),
  /** The field of the result that is meant; `line_items[2].total` for a line. */
  field: z.string().optional(),
  /** `amounts_mismatch`: printed minus computed, in cents. */
  residue_cents: z.int().optional(),
  /** From 1, where one page is meant. */
  page: z.int().optional(),
})
export type ExtractionWarning = z.infer<typeof extractionWarning>

/** What kind of document it is; the second row is no invoice. */
export const invoiceDocumentTypes = ['invoice', 'simplified', 'corrective'] as const
export const otherDocumentTypes = [
  'delivery_note',
  'proforma',
  'quote',
  'order',
  'receipt',
  'bank_letter',
  'other',
] as const
export const documentTypes = [...invoiceDocumentTypes, ...otherDocumentTypes] as const
export type DocumentType = (typeof documentTypes)[number]

/** Where a value was read. `page` counts from 1; `bbox` is [x0, y0, x1, y1] in 0–1 page units from the top left. */
export const fieldEvidence = z.object({
  page: z.int().min(1),
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  text: z.string(),
  confidence: z.number().min(0).max(1),
})
export type FieldEvidence = z.infer<typeof fieldEvidence>

export const extractionEngines = ['text', 'ocr', 'mixed'] as const

/** The fields that an invoice itself shows, without what the service adds to them. */
export const invoiceFields = z.object({
  vendor_name: z.string().nullable(),
  vendor_vat: z.string().nullable(),
  vendor_address: z.string().nullable(),
  vendor_city: z.string().nullable(),
  vendor_postal_code: z.string().nullable(),
  vendor_province: z.string().nullable(),
  /** ISO 3166-1 alpha-3. */
  vendor_country: z.string().nullable(),
  buyer_name: z.string().nullable(),
  buyer_vat: z.string().nullable(),
  buyer_address: z.string().nullable(),
  buyer_city: z.string().nullable(),
  buyer_postal_code: z.string().nullable(),
  invoice_number: z.string().nullable(),
  invoice_date: date.nullable(),
  due_date: date.nullable(),
  /** ISO 4217. */
  currency: z.string().nullable(),
  /** Sum of the tax bases after discounts. */
  subtotal: amount.nullable(),
  /** All VAT, IGIC or IPSI, and the recargo de equivalencia. */
  tax: amount.nullable(),
  /** The amount to pay: subtotal + tax + irpf_amount (which is negative). */
  total: amount.nullable(),
  iban: z.string().nullable(),
  payment_method: z.enum(paymentMethods).nullable(),
  irpf_rate: percent.nullable(),
  /** At most 0 on an ordinary invoice. */
  irpf_amount: amount.nullable(),
  /** The rate with the largest base. */
  declared_tax_rate: percent.nullable(),
  tax_breakdown: z.array(taxBreakdownItem),
  line_items: z.array(lineItem),
  /** True when line prices are printed with tax. */
  lines_include_tax: z.boolean(),
  document_type: z.enum(documentTypes),
  /** ISO 639-1 of the document's main language: es, ca, gl, eu, en… */
  language: z.string().nullable(),
})
export type InvoiceFields = z.infer<typeof invoiceFields>

export const accountingConfidences = ['alta', 'media', 'baja'] as const
export const accountingMethods = ['regla', 'aprendida', 'ia'] as const
export const accountingTypes = ['gasto', 'inversion', 'ingreso'] as const

/** Section 2.2: the accounting account of the invoice. */
export const accounting = z.object({
  account_code: z.string(),
  account_label: z.string(),
  type: z.enum(accountingTypes),
  type_label: z.string(),
  confidence: z.enum(accountingConfidences),
  method: z.enum(accountingMethods),
})
export type Accounting = z.infer<typeof accounting>

/** Section 2.3: the checks against fraud. */
export const fraudChecks = z.object({
  duplicate: z.object({
    detected: z.boolean(),
    original_log_id: z.int().optional(),
    reason: z.enum(['exact_file', 'same_invoice', 'near_duplicate']).optional(),
    score: z.number().optional(),
  }),
  vat_verification: z.object({
    valid: z.boolean(),
    status: z.enum(['verified', 'format_valid', 'invalid', 'missing']),
    source: z.enum(['checksum', 'vies']).optional(),
  }),
  iban_check: z.object({
    detected: z.boolean(),
    reason: z.enum(['changed', 'first_seen', 'invalid']).nullable().optional(),
    trusted_iban: z.string().nullable().optional(),
  }),
})
export type FraudChecks = z.infer<typeof fraudChecks>

/** What reading a document yields, before the log record, fraud checks and account are added. */
export const extraction = invoiceFields.extend({
  /** Calibrated: 0.9 means that about nine of ten such results are wholly right. */
  confidence_score: z.number().min(0).max(1),
  warnings: z.array(extractionWarning),
  /** Pages of the document. */
  pages: z.int().min(0),
  /** By field name; `line_items[0].total`, `tax_breakdown[0].base` for nested ones. */
  field_evidence: z.record(z.string(), fieldEvidence),
  engine: z.enum(extractionEngines),
})
export type Extraction = z.infer<typeof extraction>

/** The whole answer of `POST /extract`. */
export const extractionResult = extraction.extend({
  accounting: accounting.nullable(),
  /** Null below the Pro plan. */
  fraud_checks: fraudChecks.nullable(),
  external_ref: z.string().nullable(),
  filename: z.string().nullable(),
  processing_ms: z.int().min(0),
  _log_id: z.int(),
})
export type ExtractionResult = z.infer<typeof extractionResult>
