import { z } from 'zod'
import { dateFilterSchema, idSchema, pageQuery, timestampSchema } from '../common.ts'
import { exportFormat } from './fields.ts'

export const journalQuery = z.object({
  ...pageQuery,
  from: dateFilterSchema,
  to: dateFilterSchema,
  entry_id: idSchema.optional(),
  format: exportFormat,
})

export type JournalQuery = z.output<typeof journalQuery>

export const journalTransaction = z.object({
  /** Counts from 1 within the account, without gaps. */
  id: z.int(),
  date: z.string(),
  entry_id: z.int(),
  concept: z.string(),
  lines: z.array(
    z.object({ account_code: z.string(), account_label: z.string(), debit: z.number(), credit: z.number() }),
  ),
  hash: z.string(),
  previous_hash: z.string(),
  created_at: timestampSchema,
})

export const journalVerification = z.object({
  valid: z.boolean(),
  checked: z.int(),
  first_broken_id: z.int().nullable(),
})

export const trialBalanceQuery = z.object({
  from: dateFilterSchema,
  to: dateFilterSchema,
  /** `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS` in UTC: the books as they stood then, before later corrections. */
  as_of: z
    .string()
    .regex(/^(\d{4}-\d{2}-\d{2}([ T]([01]\d|2[0-3]):[0-5]\d:[0-5]\d)?)?$/, 'Use YYYY-MM-DD or YYYY-MM-DD HH:MM:SS')
    .default(''),
})

export const trialBalanceView = z.object({
  from: z.string().nullable(),
  to: z.string().nullable(),
  accounts: z.array(
    z.object({
      account_code: z.string(),
      account_label: z.string(),
      debit: z.number(),
      credit: z.number(),
      balance: z.number(),
    }),
  ),
  totals: z.object({ debit: z.number(), credit: z.number() }),
})
