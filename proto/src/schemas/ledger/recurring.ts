import { z } from 'zod'
import { hasAtMostDecimals } from '../../money.ts'
import { timestampSchema } from '../common.ts'
import {
  accountCode,
  amountOrZero,
  anyAmount,
  bookDate,
  entryAmountMax,
  entryType,
  percent,
  positiveAmount,
  requiredText,
  text,
} from './fields.ts'

const frequency = z.enum(['weekly', 'monthly', 'quarterly', 'yearly'])

const recurrenceFields = {
  frequency,
  start_date: bookDate,
  end_date: bookDate.nullish(),
}

const endsAfterStart = (value: { start_date: string; end_date?: string | null | undefined }): boolean =>
  value.end_date == null || value.end_date >= value.start_date

const endMessage = { message: 'The end lies before the start', path: ['end_date'] }

export const recurringCreate = z
  .object({
    type: entryType,
    concept: requiredText(500),
    total: positiveAmount.optional(),
    base: positiveAmount.optional(),
    tax_rate: percent.nullish(),
    tax_amount: amountOrZero.optional(),
    irpf_rate: percent.nullish(),
    counterparty_name: text(250).nullish(),
    counterparty_vat: text(40).nullish(),
    account_code: accountCode.nullish(),
    payment_method: text(50).nullish(),
    ...recurrenceFields,
  })
  .refine(endsAfterStart, endMessage)

export type RecurringCreate = z.output<typeof recurringCreate>

export const recurringView = z.object({
  id: z.int(),
  type: entryType,
  concept: z.string(),
  base: z.number(),
  tax_rate: z.number().nullable(),
  tax_amount: z.number(),
  irpf_rate: z.number().nullable(),
  irpf_amount: z.number(),
  total: z.number(),
  counterparty_name: z.string().nullable(),
  counterparty_vat: z.string().nullable(),
  account_code: z.string(),
  account_label: z.string(),
  payment_method: z.string().nullable(),
  frequency,
  start_date: z.string(),
  end_date: z.string().nullable(),
  /** Null once the last occurrence was made. */
  next_date: z.string().nullable(),
  active: z.boolean(),
  created_at: timestampSchema,
})

const eightDecimals = z
  .number()
  .min(-entryAmountMax)
  .max(entryAmountMax)
  .refine((value) => hasAtMostDecimals(value, 8), 'Use at most eight decimals')

export const pricedLine = z.object({
  description: requiredText(2500),
  quantity: eightDecimals,
  /** Without tax. */
  unit_price: eightDecimals,
  /** Percent; 21 where none is given. */
  tax_rate: percent.optional(),
  /** quantity × unit_price; checked when given. */
  total: anyAmount.optional(),
})

export const invoiceBuyer = z.object({
  name: requiredText(250),
  vat: requiredText(40),
  address: text(250).nullish(),
  city: text(100).nullish(),
  postal_code: text(12).nullish(),
  province: text(100).nullish(),
  /** ISO 3166-1 alpha-3; ESP unless given. */
  country: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .nullish(),
  email: text(250).nullish(),
})

export const recurringInvoiceCreate = z
  .object({
    type: z.literal('income').optional(),
    concept: text(500).nullish(),
    buyer: invoiceBuyer,
    line_items: z.array(pricedLine).min(1).max(500),
    /** The series numbers count in; that of the fiscal profile unless given. */
    series: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9/._ -]{1,14}$/)
      .nullish(),
    /** Signs with the account's stored certificate. */
    sign: z.boolean().default(false),
    irpf_rate: percent.nullish(),
    base: positiveAmount.optional(),
    tax_rate: percent.nullish(),
    total: positiveAmount.optional(),
    counterparty_name: text(250).nullish(),
    counterparty_vat: text(40).nullish(),
    account_code: accountCode.nullish(),
    payment_method: text(50).nullish(),
    ...recurrenceFields,
  })
  .refine(endsAfterStart, endMessage)

export type RecurringInvoiceCreate = z.output<typeof recurringInvoiceCreate>

export const recurringInvoiceView = recurringView.extend({
  type: z.literal('income'),
  buyer: invoiceBuyer,
  line_items: z.array(pricedLine),
  series: z.string(),
  sign: z.boolean(),
  /** Invoices issued so far. */
  issued: z.int(),
  last_invoice: z
    .object({
      invoice_number: z.string(),
      date: z.string(),
      entry_id: z.int().nullable(),
      /** Where the signed XML is in custody; null when it is not signed. */
      log_id: z.int().nullable(),
      /** `pending` until its XML is built; the number and the entry stand already. */
      status: z.enum(['pending', 'issued']),
      error: z.string().nullable(),
    })
    .nullable(),
})
