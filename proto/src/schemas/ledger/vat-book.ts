import { z } from 'zod'
import { exportFormat, reportPeriod, reportQuery } from './fields.ts'

export const vatBookQuery = reportQuery.extend({
  format: exportFormat,
  /** For files: one book only. */
  book: z.enum(['', 'issued', 'received']).default(''),
})

const vatBookRow = z.object({
  /** The order in its book; the rows of one invoice share it. */
  order: z.int(),
  entry_id: z.int(),
  date: z.string(),
  invoice_number: z.string().nullable(),
  counterparty_name: z.string().nullable(),
  counterparty_vat: z.string().nullable(),
  concept: z.string(),
  operation: z.enum(['domestic', 'intra_community', 'reverse_charge', 'untaxed', 'igic', 'ipsi']),
  corrective: z.boolean(),
  base: z.number(),
  tax_rate: z.number(),
  tax_amount: z.number(),
  surcharge_rate: z.number().nullable(),
  surcharge_amount: z.number(),
  /** What of the tax can be deducted; 0 in the book of issued invoices. */
  deductible: z.number(),
  irpf_amount: z.number(),
  /** As billed: base and taxes, on the first row of an invoice. */
  total: z.number(),
})

const vatBookTotals = z.object({
  base: z.number(),
  tax_amount: z.number(),
  surcharge_amount: z.number(),
  deductible: z.number(),
})

export const vatBookView = z.object({
  year: z.int(),
  period: reportPeriod,
  from: z.string(),
  to: z.string(),
  issued: z.array(vatBookRow),
  received: z.array(vatBookRow),
  totals: z.object({ issued: vatBookTotals, received: vatBookTotals }),
})
