import { z } from 'zod'
import { dateFilterSchema, listOf, pageQuery, timestampSchema } from '../common.ts'
import { taxBreakdownItem } from '../extraction-result.ts'
import {
  accountCode,
  amountOrZero,
  anyAmount,
  bookDate,
  clientId,
  entrySource,
  entryStatus,
  entryType,
  exportFormat,
  percent,
  positiveAmount,
  requiredText,
  text,
} from './fields.ts'

export const entrySchema = z.object({
  id: z.int(),
  type: entryType,
  status: entryStatus,
  date: z.string(),
  due_date: z.string().nullable(),
  concept: z.string(),
  counterparty_name: z.string().nullable(),
  counterparty_vat: z.string().nullable(),
  invoice_number: z.string().nullable(),
  base: z.number(),
  /** Percent; null where none was stated or several apply. */
  tax_rate: z.number().nullable(),
  tax_amount: z.number(),
  irpf_rate: z.number().nullable(),
  /** At most 0 on an ordinary invoice. */
  irpf_amount: z.number(),
  /** base + tax_amount + irpf_amount: what is collected or paid. */
  total: z.number(),
  tax_breakdown: z.array(taxBreakdownItem),
  account_code: z.string(),
  account_label: z.string(),
  payment_method: z.string().nullable(),
  paid_at: z.string().nullable(),
  notes: z.string().nullable(),
  source: entrySource,
  log_id: z.int().nullable(),
  has_attachment: z.boolean(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
})

export type EntryView = z.infer<typeof entrySchema>

const entryFields = {
  status: entryStatus,
  date: bookDate,
  due_date: bookDate.nullable(),
  concept: requiredText(500),
  counterparty_name: text(250).nullable(),
  counterparty_vat: text(40).nullable(),
  invoice_number: text(100).nullable(),
  base: positiveAmount,
  tax_rate: percent.nullable(),
  tax_amount: amountOrZero,
  irpf_rate: percent.nullable(),
  /** Either sign; read as what lowers the total. */
  irpf_amount: anyAmount,
  total: positiveAmount,
  account_code: accountCode,
  payment_method: text(50).nullable(),
  paid_at: bookDate.nullable(),
  notes: text(5000).nullable(),
}

export const entryCreate = z
  .object({
    type: entryType,
    ...entryFields,
    /** The bank movement that it is made of, where none of the entries matched: its source is then `bank`. */
    movement_id: clientId.nullable(),
  })
  .partial()
  .required({ type: true, date: true, concept: true })
  .meta({
    examples: [
      {
        type: 'expense',
        date: '2026-03-02',
        concept: 'Licencias de software',
        counterparty_name: 'Proveedor SL',
        base: 100,
        tax_rate: 21,
      },
    ],
  })

export type EntryCreate = z.infer<typeof entryCreate>

/** A corrective invoice keeps its negative amounts: their sign is checked against the entry. */
export const entryPatch = z
  .object({ type: entryType, ...entryFields, base: anyAmount, tax_amount: anyAmount, total: anyAmount })
  .partial()

export type EntryPatch = z.infer<typeof entryPatch>

export const entriesQuery = z.object({
  type: z.enum(['', 'income', 'expense']).default(''),
  status: z.enum(['', 'pending', 'collected', 'paid']).default(''),
  q: text(200).default(''),
  from_date: dateFilterSchema,
  to_date: dateFilterSchema,
  limit: z.coerce.number().int().min(1).max(500).default(200),
  offset: pageQuery.offset,
  format: exportFormat,
})

export type EntriesQuery = z.output<typeof entriesQuery>

export const entriesList = listOf(entrySchema).extend({
  sums: z.object({ income: z.number(), expense: z.number(), balance: z.number() }),
})

export const attachmentView = z.object({
  entry_id: z.int(),
  filename: z.string(),
  size: z.int(),
  content_type: z.string(),
})

export const importResult = z.object({
  imported: z.int(),
  /** Logs that are imported already or cannot be. */
  skipped: z.int(),
  entries: z.array(entrySchema),
})

export const countSchema = z.object({ count: z.int() })

export const accessView = z.object({
  access: z.boolean(),
  reason: z.enum(['trial', 'subscription', 'trial_expired']),
  ledger_plan: z.enum(['contab_basic', 'contab_pro', 'contab_business']).nullable(),
  trial_ends_at: timestampSchema,
  days_left: z.int(),
})

export const expirySummary = z.object({
  trial_ends_at: timestampSchema,
  days_left: z.int(),
  entries: z.int(),
  attachments: z.int(),
  recurring: z.int(),
  proposals: z.int(),
  income_total: z.number(),
  expense_total: z.number(),
  recommended_plan: z.enum(['contab_basic', 'contab_pro', 'contab_business']),
  reasons: z.array(z.string()),
})
