import { z } from 'zod'
import { amountOrZero } from './fields.ts'

const budgetItem = z.object({
  account_code: z.string().regex(/^[1-7]\d{1,11}$/, 'Use a PGC account or subgroup'),
  /** 1–12; null is the whole year. */
  month: z.int().min(1).max(12).nullish(),
  amount: amountOrZero,
})

export const budgetUpdate = z.object({ year: z.int().min(1990).max(2200), items: z.array(budgetItem).max(2000) })

export const budgetView = z.object({
  year: z.int(),
  items: z.array(
    z.object({
      account_code: z.string(),
      account_label: z.string(),
      month: z.int().nullable(),
      amount: z.number(),
      actual: z.number(),
      deviation: z.number(),
      deviation_pct: z.number().nullable(),
    }),
  ),
})
