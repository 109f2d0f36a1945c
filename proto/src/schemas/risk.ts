import { z } from 'zod'
import { scopeSchema } from '../actor.ts'
import { listOf, pageQuery, timestampSchema } from './common.ts'
import { accounting, extractionWarning, fraudChecks } from './extraction-result.ts'

/** An account that may fit too. `score` is between 0 and 1; the scores of one answer add up to at most 1. */
export const accountSuggestion = z.object({ account_code: z.string(), account_label: z.string(), score: z.number() })

/** Section 2.2 whole: the account, why (in Spanish), and up to three accounts by falling score. */
export const accountingDetail = accounting.extend({
  reasoning: z.string(),
  suggestions: z.array(accountSuggestion).max(3),
})
export type AccountingDetail = z.infer<typeof accountingDetail>

/** Section 2.10: the bank account that is trusted for a vendor. */
export const vendorTrust = z.object({
  vendor_vat: z.string(),
  vendor_name: z.string().nullable(),
  /** Null while no valid IBAN of this vendor has been seen. */
  trusted_iban: z.string().nullable(),
  /** `first_seen` on an invoice, or `set` with PUT /vendors/{vendor_vat}/iban. */
  source: z.enum(['first_seen', 'set']).nullable(),
  last_seen: timestampSchema,
})
export type VendorTrust = z.infer<typeof vendorTrust>

const alertStates = ['open', 'confirmed', 'dismissed'] as const

/** An invoice that looks like one that came before it, and what the user decided about the pair. */
const duplicateAlert = z.object({
  log_id: z.number().int(),
  original_log_id: z.number().int(),
  vendor_name: z.string().nullable(),
  invoice_number: z.string().nullable(),
  invoice_date: z.string().nullable(),
  total: z.number().nullable(),
  reason: z.enum(['exact_file', 'same_invoice', 'near_duplicate']),
  /** How alike the two are, up to 1. */
  score: z.number(),
  status: z.enum(alertStates),
  created_at: timestampSchema,
  decided_at: timestampSchema.nullable(),
})
export type DuplicateAlert = z.infer<typeof duplicateAlert>

/** Alerts in one state, or with an empty string in any. */
export const duplicateAlertQuery = z.object({ status: z.enum(['', ...alertStates]).default(''), ...pageQuery })
export type DuplicateAlertQuery = z.output<typeof duplicateAlertQuery>

export const duplicateAlertList = listOf(duplicateAlert)
export type DuplicateAlertList = z.infer<typeof duplicateAlertList>

/** A tax id in a path: judged by the handler, which answers INVALID_INPUT. */
export const vendorVatParams = z.object({ vendor_vat: z.string().min(1).max(64) })

export const categorizeRequest = z
  .object({
    vendor_name: z.string().max(500).nullish(),
    vendor_vat: z.string().max(64).nullish(),
    line_items: z
      .array(
        z.object({
          description: z.string().max(5_000).nullish(),
          /** Signed, as printed; weighs the line. */
          total: z.number().nullish(),
          /** Pieces: whether something is an investment is decided by what one costs. */
          quantity: z.number().nullish(),
        }),
      )
      .max(10_000)
      .nullish(),
    /** Decides between expense and investment. */
    total: z.number().nullish(),
    irpf_rate: z.number().nullish(),
  })
  .meta({
    examples: [
      { vendor_name: 'Iberdrola Clientes, S.A.U.', line_items: [{ description: 'Potencia y energía' }], total: 212.4 },
    ],
  })

/** What extraction tells about an invoice that it has read. Amounts are signed cents, dates `YYYY-MM-DD`. */
export const assessInput = z.object({
  logId: z.number().int(),
  scope: scopeSchema,
  /** False below the Pro plan: `fraudChecks` of the answer is then null. */
  fraudChecks: z.boolean(),
  /** Lower-case hex of the file's SHA-256. */
  fileSha256: z.string().regex(/^[0-9a-f]{64}$/),
  vendorName: z.string().nullable(),
  vendorVat: z.string().nullable(),
  /** ISO 3166-1 alpha-3. */
  vendorCountry: z.string().nullish(),
  buyerVat: z.string().nullish(),
  invoiceNumber: z.string().nullable(),
  invoiceDate: z.string().nullable(),
  totalCents: z.number().int().nullable(),
  taxCents: z.number().int().nullish(),
  irpfRate: z.number().nullish(),
  iban: z.string().nullable(),
  lines: z.array(
    z.object({
      description: z.string(),
      totalCents: z.number().int().nullish(),
      /** Pieces of the line: the limit of an investment is one of the piece. */
      quantity: z.number().nullish(),
    }),
  ),
  /** Tax ids of the account itself, as the caller knows them: an invoice that one of them issued is income. */
  ownTaxIds: z.array(z.string()).default([]),
})
export type AssessInput = z.output<typeof assessInput>

export const assessOutput = z.object({
  fraudChecks: fraudChecks.nullable(),
  accounting: accountingDetail,
  /** To append to the warnings of the result. */
  warnings: z.array(extractionWarning),
})
export type AssessOutput = z.infer<typeof assessOutput>
