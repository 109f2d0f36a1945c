import { z } from 'zod'
import { timestampSchema } from './common.ts'
import { invoiceDataInput, partyInfoInput } from './invoice-input.ts'

/** Something that the caller should know of the invoice that was made or signed. */
export const conversionWarning = z.object({
  code: z.string(),
  message: z.string(),
  field: z.string().optional(),
  /** Given minus computed, in cents. */
  residue_cents: z.int().optional(),
  /** Rule of annex II of Orden HAP/1650/2015. */
  rule: z.string().optional(),
})
export type ConversionWarning = z.output<typeof conversionWarning>

const money = z.number()

/** The answer of `POST /convert` (section 2.5). */
export const conversionResult = z.object({
  /** The whole document, declaration and all. */
  xml: z.string(),
  xml_base64: z.string(),
  signed: z.boolean(),
  source: z.enum(['pdf', 'json']),
  invoice: z.object({
    vendor_name: z.string(),
    vendor_vat: z.string(),
    invoice_number: z.string(),
    invoice_date: z.string(),
    subtotal: money,
    tax: money,
    /** What the invoice comes to: base + taxes − withholding. */
    total: money,
    iban: z.string().nullable(),
    accounting: z.object({ account_code: z.string(), account_label: z.string() }).nullable(),
  }),
  warnings: z.array(conversionWarning),
  /** Of the extraction; file mode only. */
  confidence: z.number().optional(),
  filename: z.string(),
  meta: z.object({
    version: z.literal('3.2.2'),
    standard: z.literal('Facturae'),
    signature: z.literal('XAdES-BES').nullable(),
  }),
  /** The log of the extraction, or that under which the signed XML is in custody. */
  log_id: z.int().optional(),
})
export type ConversionResult = z.output<typeof conversionResult>

/** The body of `POST /convert-to-facturae`. */
export const conversionRequest = z.object({
  invoice_data: invoiceDataInput,
  seller_info: partyInfoInput.nullish(),
  buyer_info: partyInfoInput.nullish(),
  sign: z.boolean().nullish(),
  /** Wins over p12_b64; without both the account's personal certificate signs. */
  certificate_id: z.string().max(100).nullish(),
  p12_b64: z.string().max(8_000_000).nullish(),
  /** The header X-P12-Password wins over it. */
  p12_password: z.string().max(1000).nullish(),
  external_ref: z.string().max(255).nullish(),
  /** True: a broken portal rule refuses the invoice instead of becoming a warning. */
  strict: z.boolean().nullish(),
})
export type ConversionRequest = z.output<typeof conversionRequest>

export const facturaeResult = z.object({
  xml: z.string(),
  version: z.literal('3.2.2'),
  signed: z.boolean(),
  filename: z.string(),
  warnings: z.array(conversionWarning),
  /** Where the signed XML is in custody. */
  log_id: z.int().optional(),
})
export type FacturaeResult = z.output<typeof facturaeResult>

export const signResult = z.object({
  xml: z.string(),
  xml_base64: z.string(),
  signed: z.literal(true),
  source: z.literal('sign'),
  log_id: z.int(),
  filename: z.string(),
  warnings: z.array(conversionWarning),
})
export type SignResult = z.output<typeof signResult>

const finding = z.object({
  /** Rule of annex II of Orden HAP/1650/2015; null for a sum that it does not check. */
  rule: z.string().nullable(),
  /** Path of the element, lines counted from 1. */
  field: z.string(),
  value: z.string(),
  message: z.string(),
})

const signatureFinding = z.object({ code: z.string(), detail: z.string() })

/** The answer of `POST /validate`. */
export const validationResult = z.object({
  /** Valid by its schema, every sum right, and the signature, if there is one, intact. */
  valid: z.boolean(),
  version: z.enum(['3.2', '3.2.1', '3.2.2']),
  schema_errors: z.array(z.object({ message: z.string(), path: z.string().nullable(), line: z.int().nullable() })),
  arithmetic_errors: z.array(finding),
  /** Rules of the portal that are broken besides the sums, and roundings of the other school. */
  warnings: z.array(finding),
  signature: z
    .object({
      present: z.boolean(),
      valid: z.boolean(),
      level: z.enum(['XMLDSig', 'XAdES-BES', 'XAdES-EPES', 'XAdES-T']).nullable(),
      policy: z.string().nullable(),
      signer: z.string().nullable(),
      signed_at: z.string().nullable(),
      errors: z.array(signatureFinding),
      warnings: z.array(signatureFinding),
    })
    .nullable(),
})
export type ValidationResult = z.output<typeof validationResult>

/** `certificate_id` begins with `cert_`. */
export const createdCertificate = z.object({
  certificate_id: z.string(),
  name: z.string(),
  subject: z.string(),
  issuer: z.string(),
  expires_at: timestampSchema,
})

export const certificateList = z.object({
  certificates: z.array(
    createdCertificate.extend({
      /** The same as certificate_id. */
      id: z.string(),
      created_at: timestampSchema,
    }),
  ),
})

export const personalCertificate = z.object({
  subject: z.string(),
  issuer: z.string(),
  expires_at: timestampSchema,
  created_at: timestampSchema,
})
