import { z } from 'zod'
import { timestampSchema } from '../common.ts'
import { entrySchema } from './entries.ts'
import { anyAmount, bookDate, reportPeriod, reportQuery, text } from './fields.ts'

export const taxModelName = z.string().regex(/^\d{3}$/, 'Use the three digits of the model')

export const taxPaymentStatus = z.enum(['pending', 'filed', 'paid'])

export const taxPaymentUpsert = z.object({
  model: taxModelName,
  year: z.int().min(1990).max(2200),
  period: reportPeriod,
  /** Less than 0 is to be refunded or carried over. */
  amount: anyAmount,
  status: taxPaymentStatus.default('pending'),
  /** The statutory one unless given. */
  due_date: bookDate.nullish(),
  paid_at: bookDate.nullish(),
  notes: text(5000).nullish(),
})

export type TaxPaymentUpsert = z.output<typeof taxPaymentUpsert>

export const taxPaymentView = z.object({
  id: z.int(),
  model: z.string(),
  year: z.int(),
  period: reportPeriod,
  amount: z.number(),
  status: taxPaymentStatus,
  due_date: z.string(),
  paid_at: z.string().nullable(),
  notes: z.string().nullable(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
})

/** The models that can be drafted. */
export const taxModelNames = ['303', '130', '111', '115', '347', '390'] as const
export type TaxModelName = (typeof taxModelNames)[number]

export const taxModelParams = z.object({ model: z.enum(taxModelNames) })

export const taxModelQuery = reportQuery.extend({
  /** A box by its number, with or without leading zeros. */
  box: text(10).default(''),
})

export const taxModelView = z.object({
  model: z.string(),
  year: z.int(),
  period: reportPeriod,
  boxes: z.array(
    z.object({
      box: z.string(),
      label: z.string(),
      /** In the unit: euros, percent or a count. */
      amount: z.number(),
      unit: z.enum(['euros', 'percent', 'count']),
      entries_count: z.int(),
    }),
  ),
  result: z.number(),
  due_date: z.string(),
  /** Boxes of the form that the ledger cannot fill, and why. */
  not_computed: z.array(z.object({ box: z.string(), label: z.string(), reason: z.string() })),
  /** Entries that are in no box although they look as if they should be. */
  left_out: z.array(z.object({ entry_id: z.int(), reason: z.string() })),
  sources: z.array(z.string()),
  entries: z.array(entrySchema).optional(),
})
