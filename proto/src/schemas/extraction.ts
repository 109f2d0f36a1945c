import { z } from 'zod'
import { dateFilterSchema, idSchema, listOf, pageQuery, quotaSchema, timestampSchema } from './common.ts'
import { extractionResult, invoiceFields } from './extraction-result.ts'

/** One line of the history: what was read, from where, and how it ended. */
export const historyItem = z.object({
  log_id: z.int(),
  filename: z.string(),
  status: z.enum(['ok', 'error']),
  vendor_name: z.string().nullable(),
  vendor_vat: z.string().nullable(),
  invoice_number: z.string().nullable(),
  invoice_date: z.string().nullable(),
  due_date: z.string().nullable(),
  total: z.number().nullable(),
  currency: z.string().nullable(),
  confidence_score: z.number().nullable(),
  warnings_count: z.int(),
  account_code: z.string().nullable(),
  duplicate: z.boolean().nullable(),
  external_ref: z.string().nullable(),
  subaccount_id: z.int().nullable(),
  source: z.enum(['extract', 'batch', 'convert', 'sign', 'import']),
  error_code: z.string().nullable(),
  created_at: timestampSchema,
})
export type HistoryItem = z.infer<typeof historyItem>

export const historyDetail = historyItem.extend({
  /** As read, with the corrections applied; null for a failed extraction. */
  result: extractionResult.nullable(),
  /** The fields that were corrected, as they were read. */
  original: z.record(z.string(), z.unknown()),
  /** True while the original document can be shown. */
  document_available: z.boolean(),
})

/** Filters shared by history and its export; empty strings mean no filter. */
export const historyFilters = {
  subaccount_id: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(0)
    .describe('0 means all; Business'),
  q: z.string().max(200).default('').describe('Searches filename, issuer, invoice number and external_ref'),
  status: z.enum(['', 'ok', 'error']).default(''),
  date_from: dateFilterSchema.describe('By created_at'),
  date_to: dateFilterSchema.describe('By created_at, inclusive'),
}

export const historyQuery = z.object({ ...pageQuery, ...historyFilters })
export type HistoryQuery = z.output<typeof historyQuery>

export const historyList = listOf(historyItem).extend({
  filters: z.record(z.string(), z.union([z.string(), z.number()])),
})

export const historyExportQuery = z.object({ ...historyFilters, format: z.enum(['csv', 'xlsx']).default('csv') })

export const logParams = z.object({ log_id: idSchema })
export const pageParams = z.object({ log_id: idSchema, n: z.coerce.number().int().min(1).max(5_000) })

/** Any subset of the fields of an extraction result; the others stay as they were read. */
export const correctionBody = invoiceFields
  .partial()
  .strict()
  .refine((fields) => Object.keys(fields).length > 0, 'Name at least one field')

export const erasedSchema = z.object({ deleted: z.literal(true), kept: z.array(z.enum(['custody', 'journal'])) })

export const metricsSchema = z.object({
  total: z.int(),
  avg_confidence: z.number(),
  total_errors: z.int(),
  total_with_warnings: z.int(),
  quota: quotaSchema.shape.quota,
  used: quotaSchema.shape.used,
  remaining: quotaSchema.shape.remaining,
  plan: quotaSchema.shape.plan,
  quota_reset_at: quotaSchema.shape.quota_reset_at,
  daily_usage: z.array(z.object({ day: z.string(), count: z.int() })),
})

export const dueDatesSchema = z.object({
  items: z.array(
    z.object({
      log_id: z.int(),
      vendor_name: z.string().nullable(),
      vendor_vat: z.string().nullable(),
      invoice_number: z.string().nullable(),
      total: z.number().nullable(),
      currency: z.string().nullable(),
      due_date: z.string(),
      /** Days from today in Madrid; negative when overdue. */
      days_left: z.int(),
      overdue: z.boolean(),
      external_ref: z.string().nullable(),
    }),
  ),
  total: z.int(),
})

export const subaccountMetricsSchema = z.object({
  total: z.int(),
  avg_confidence: z.number(),
  total_errors: z.int(),
  keys: z.array(z.object({ name: z.string(), quota: z.int(), used: z.int(), remaining: z.int() })),
  daily_usage: z.array(z.object({ day: z.string(), count: z.int() })),
  top_vendors: z.array(z.object({ vendor: z.string(), count: z.int() })),
})

/** What an item of a batch is: a result, or an error with its code. */
export const batchItemResult = z.union([
  extractionResult.extend({ status: z.literal('ok') }),
  z.object({ filename: z.string(), status: z.literal('error'), error_code: z.string(), error: z.string() }),
])
