import { z } from 'zod'
import { lineSchema, noteSchema } from './auth.ts'
import { idSchema, timestampSchema } from './common.ts'
import { keySchema } from './keys.ts'

export const createSubaccountSchema = z
  .object({ name: lineSchema(120), notes: noteSchema(2000).nullish() })
  .meta({ id: 'SubaccountCreate' })

/** Name, notes or both. */
export const updateSubaccountSchema = z
  .object({ name: lineSchema(120).optional(), notes: noteSchema(2000).nullish() })
  .meta({ id: 'SubaccountUpdate' })

export const createSubaccountKeySchema = z.object({
  name: lineSchema(100),
  /** Credits a month. */
  quota: z.number().int().min(0).max(1_000_000_000),
})

export const subaccountParams = z.object({ subaccount_id: idSchema })
export const subaccountKeyParams = z.object({ subaccount_id: idSchema, key_id: idSchema })

export const subaccountSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  slug: z.string(),
  notes: z.string().nullable(),
  active: z.boolean(),
  created_at: timestampSchema,
  /** Credits used in this month by all of its keys. */
  total_used: z.number().int(),
  /** Credits a month of all of its keys. */
  total_quota: z.number().int(),
  pct_used: z.number(),
  /** Keys that are not revoked. */
  keys_count: z.number().int(),
})

const subaccountKeySchema = keySchema.extend({
  quota: z.number().int(),
  used: z.number().int(),
  remaining: z.number().int(),
})

export const subaccountDetailSchema = subaccountSchema.extend({ keys: z.array(subaccountKeySchema) })

export const createdSubaccountKeySchema = z.object({
  id: z.number().int(),
  name: z.string(),
  quota: z.number().int(),
  /** Shown only here. */
  raw_key: z.string(),
  prefix: z.string(),
  subaccount_id: z.number().int(),
})

export const subaccountsSummarySchema = z.object({
  count: z.number().int(),
  total_used: z.number().int(),
  total_quota: z.number().int(),
  pct_used: z.number(),
  most_active: z
    .object({ id: z.number().int(), name: z.string(), slug: z.string(), total_used: z.number().int() })
    .nullable(),
  /** Invoices that the subaccounts processed in the last 30 days. */
  last_30_days: z.number().int(),
  /** Subaccounts that used 90 % of their quota or more; `subaccount` is the name. */
  alerts: z.array(z.object({ subaccount: z.string(), slug: z.string(), pct: z.number() })),
  subaccounts: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      total_used: z.number().int(),
      total_quota: z.number().int(),
    }),
  ),
})

/** One line a key in a subaccount's metrics. */
export const keyUsageSchema = z.object({
  name: z.string(),
  quota: z.number().int(),
  used: z.number().int(),
  remaining: z.number().int(),
})
