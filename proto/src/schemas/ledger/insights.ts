import { z } from 'zod'
import { reportPeriod } from './fields.ts'

const flows = z.object({
  income: z.number(),
  expense: z.number(),
  result: z.number(),
  vat_due: z.number(),
  irpf_due: z.number(),
})

export const insightsView = z.object({
  period: reportPeriod,
  year: z.int(),
  from: z.string(),
  to: z.string(),
  summary: flows.extend({ pending_in: z.number(), pending_out: z.number() }),
  clients: z.array(
    z.object({
      name: z.string(),
      vat: z.string().nullable(),
      income: z.number(),
      /** Percent of the income of the period. */
      share: z.number(),
      invoices: z.int(),
      avg_days_to_pay: z.number().nullable(),
      pending: z.number(),
      overdue: z.number(),
    }),
  ),
  alerts: z.array(
    z.object({
      code: z.string(),
      severity: z.enum(['info', 'warning', 'critical']),
      /** In Spanish. */
      message: z.string(),
      data: z.record(z.string(), z.unknown()),
    }),
  ),
  cash_forecast: z.array(
    z.object({
      month: z.string(),
      opening: z.number(),
      expected_in: z.number(),
      expected_out: z.number(),
      closing: z.number(),
    }),
  ),
})

const results = z.object({ income: z.number(), expense: z.number(), result: z.number() })

const change = z.number().nullable()

export const yoyView = z.object({
  period: reportPeriod,
  year: z.int(),
  current: flows,
  previous: flows,
  /** Percent; null where the previous value is 0. */
  change_pct: z.object({ income: change, expense: change, result: change, vat_due: change, irpf_due: change }),
  by_month: z.array(z.object({ month: z.string(), current: results, previous: results })),
})
