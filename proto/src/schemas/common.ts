import { z } from 'zod'
import { isDate } from '../time.ts'

/** A calendar date that exists, `YYYY-MM-DD`. */
export const dateSchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'Use YYYY-MM-DD')
  .refine(isDate, 'This date does not exist')
  .meta({ format: 'date', examples: ['2026-03-31'] })

/** An instant in UTC, `YYYY-MM-DD HH:MM:SS`. */
export const timestampSchema = z.string().meta({ examples: ['2026-03-31 09:15:00'] })

/** An id in a path or query: a positive integer of at most 2^53 − 1. */
export const idSchema = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)

/** An optional date in a query; an empty string means no filter. */
export const dateFilterSchema = z.union([z.literal(''), dateSchema]).default('')

/** The page of a list: `limit` 1–200 (default 50), `offset` ≥ 0. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(200).default(50),
  offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
}

/** A list answer: the items of one page and how many there are in all. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    total: z.number().int(),
    limit: z.number().int(),
    offset: z.number().int(),
    has_more: z.boolean(),
  })

export const deletedSchema = z.object({ deleted: z.literal(true) })
export const messageSchema = z.object({ message: z.string() })

/** The quota of section 2.7. */
export const quotaSchema = z.object({
  plan: z.string(),
  quota: z.number().int(),
  used: z.number().int(),
  remaining: z.number().int(),
  quota_reset_at: timestampSchema,
  pct_used: z.number(),
})
