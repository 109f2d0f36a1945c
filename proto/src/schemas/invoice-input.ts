import { z } from 'zod'
import { isKnownRate } from '../tax-rates.ts'
import { dateSchema } from './common.ts'
import { documentTypes, taxTypes } from './extraction-result.ts'

/**
 * An invoice as callers send it: the JSON body of `POST /convert`, and `invoice_data` of `POST /convert-to-facturae`,
 * where everything may be missing that `seller_info` and `buyer_info` bring. An answer of `POST /extract` fits as it is:
 * what it does not know is `null`, and fields that mean nothing here are ignored.
 *
 * Amounts are euros (or the invoice's currency) with at most 2 decimals; quantities and unit prices up to 8.
 */
const amountMax = 90_000_000_000
const amount = z.number().min(-amountMax).max(amountMax)
const decimal = z.number().min(-amountMax).max(amountMax)
const text = (charactersMax: number) => z.string().max(charactersMax)
const name = text(500)
const code = (pattern: RegExp, hint: string) => z.string().regex(pattern, hint)

/** A rate of IVA, IGIC or IPSI, today's or an earlier one; whether it fits the date is judged with the whole invoice. */
const taxRate = z
  .number()
  .refine(isKnownRate, 'No tax rate of IVA, IGIC or IPSI')
  .meta({ examples: [21, 10, 4, 0] })
const percent = z.number().min(0).max(100)
const currency = code(/^[A-Za-z]{3}$/, 'Use an ISO 4217 code').meta({ examples: ['EUR'] })
const country = code(/^[A-Za-z]{2,3}$/, 'Use an ISO 3166-1 alpha-3 code').meta({ examples: ['ESP'] })
const postalCode = text(20)

/** The means of payment of Facturae, by the words of the API; the codes 01–19 of the format are taken as well. */
export const paymentMeans = {
  efectivo: '01',
  domiciliacion: '02',
  recibo: '03',
  transferencia: '04',
  letra: '08',
  pagare: '10',
  cheque: '11',
  compensacion: '14',
  giro: '15',
  contrareembolso: '18',
  tarjeta: '19',
} as const
const paymentMethod = z
  .string()
  .transform((value) => value.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase())
  .refine(
    (value) => value in paymentMeans || /^(0[1-9]|1\d)$/.test(value),
    'Use transferencia, domiciliacion, cheque, efectivo or tarjeta',
  )
  .meta({ examples: ['transferencia'] })

const iban = text(60).meta({ examples: ['ES91 2100 0418 4502 0005 1332'] })

/** A discount or charge. `rate` is informative where an amount is given; with a rate alone the amount follows. */
const adjustment = z
  .object({
    reason: text(2500).nullish(),
    rate: percent.nullish(),
    amount: amount.nullish(),
  })
  .refine((value) => value.rate != null || value.amount != null, 'Give an amount or a rate')
export type AdjustmentInput = z.output<typeof adjustment>

const period = z
  .object({ start: dateSchema, end: dateSchema })
  .refine((value) => value.start <= value.end, 'The period ends before it starts')

export const invoiceLineInput = z.object({
  description: text(100_000),
  quantity: decimal.nullable(),
  /** Without tax, unless `lines_include_tax`. */
  unit_price: decimal.nullable(),
  /** Without tax, unless `lines_include_tax`: quantity × unit_price, or that less discounts plus charges. */
  total: amount.nullable(),
  tax_rate: taxRate.nullish(),
  tax_type: z.enum(['IVA', 'IGIC', 'IPSI']).nullish(),
  /** Recargo de equivalencia in percent; 0 for none on this line. */
  surcharge_rate: percent.nullish(),
  irpf_rate: percent.nullish(),
  discounts: z.array(adjustment).max(50).nullish(),
  charges: z.array(adjustment).max(50).nullish(),
  exempt_reason: text(2500).nullish(),
  /** 01 subject and exempt, 02 not subject. */
  exempt_code: z.enum(['01', '02']).nullish(),
  unit: code(/^\d{2}$/, 'Use a unit code of Facturae (01–36)').nullish(),
  article_code: text(20).nullish(),
  period: period.nullish(),
  transaction_date: dateSchema.nullish(),
  additional_information: text(2500).nullish(),
  file_reference: text(20).nullish(),
  contract_reference: text(20).nullish(),
  transaction_reference: text(20).nullish(),
  delivery_notes: z
    .array(z.object({ number: text(30), date: dateSchema.nullish() }))
    .max(100)
    .nullish(),
})
export type InvoiceLineInput = z.output<typeof invoiceLineInput>

const breakdownRow = z.object({
  tax_type: z.enum(taxTypes),
  rate: percent,
  base: amount,
  amount: amount,
})

const centre = z.object({
  /** 01 accounting office, 02 managing body, 03 processing unit, 04 buyer. */
  role: z.union([
    code(/^0[1-9]$/, 'Use a role code of Facturae (01–09)'),
    z
      .int()
      .min(1)
      .max(9)
      .transform((role) => `0${role}`),
  ]),
  code: text(10).meta({ examples: ['L01280796'] }),
  name: text(2500).nullish(),
  address: name.nullish(),
  postal_code: postalCode.nullish(),
  city: name.nullish(),
  province: name.nullish(),
  country: country.nullish(),
})

const installment = z.object({
  due_date: dateSchema,
  amount,
  method: paymentMethod.nullish(),
  iban: iban.nullish(),
  bic: text(20).nullish(),
  reference: text(60).nullish(),
})

const attachment = z.object({
  filename: text(255).nullish(),
  /** xml, doc, gif, rtf, pdf, xls, jpg, bmp, tiff, html; read from the file name where it is missing. */
  format: text(10).nullish(),
  description: text(2500).nullish(),
  data: z.string().min(1).max(28_000_000).meta({ description: 'Base64' }),
})

const corrective = z.object({
  number: text(20).nullish(),
  series: text(20).nullish(),
  date: dateSchema.nullish(),
  /** 01–16 and 80–85, Real Decreto 1619/2012 art. 15 and Ley 37/1992 art. 80. */
  reason_code: code(/^\d{2}$/, 'Use a reason code of Facturae').nullish(),
  /** 01 whole, 02 by differences, 03 volume discount of a period, 04 authorized by the tax agency. */
  method: z.enum(['01', '02', '03', '04']).nullish(),
  tax_period: period.nullish(),
  reason: text(2500).nullish(),
})

const third = z.object({
  name,
  vat: text(30),
  address: name.nullish(),
  city: name.nullish(),
  postal_code: postalCode.nullish(),
  province: name.nullish(),
  country: country.nullish(),
  email: text(254).nullish(),
  first_name: name.nullish(),
  first_surname: name.nullish(),
  second_surname: name.nullish(),
})

const requiredText = name.nullable()

const invoiceShape = {
  vendor_name: requiredText,
  vendor_vat: text(30).nullable(),
  vendor_first_name: name.nullish(),
  vendor_first_surname: name.nullish(),
  vendor_second_surname: name.nullish(),
  vendor_trade_name: name.nullish(),
  vendor_address: name.nullish(),
  vendor_city: name.nullish(),
  vendor_province: name.nullish(),
  vendor_postal_code: postalCode.nullish(),
  vendor_country: country.nullish(),
  vendor_email: text(254).nullish(),
  vendor_phone: text(40).nullish(),
  buyer_name: requiredText,
  buyer_vat: text(30).nullable(),
  buyer_first_name: name.nullish(),
  buyer_first_surname: name.nullish(),
  buyer_second_surname: name.nullish(),
  buyer_trade_name: name.nullish(),
  buyer_address: name.nullish(),
  buyer_city: name.nullish(),
  buyer_province: name.nullish(),
  buyer_postal_code: postalCode.nullish(),
  buyer_country: country.nullish(),
  buyer_email: text(254).nullish(),
  buyer_phone: text(40).nullish(),
  invoice_number: text(100).nullable(),
  series: text(20).nullish(),
  invoice_date: dateSchema.nullable(),
  operation_date: dateSchema.nullish(),
  due_date: dateSchema.nullish(),
  period: period.nullish(),
  /** What is to pay or the gross before withholding: whichever adds up. */
  total: amount.nullable(),
  /** The taxable base: lines less general discounts plus general charges. */
  subtotal: amount.nullish(),
  tax: amount.nullish(),
  declared_tax_rate: taxRate.nullish(),
  tax_type: z.enum(['IVA', 'IGIC', 'IPSI']).nullish(),
  tax_breakdown: z.array(breakdownRow).max(100).nullish(),
  /** Percent; its sign does not matter. */
  irpf_rate: z.number().min(-100).max(100).nullish(),
  irpf_amount: amount.nullish(),
  recargo_equivalencia: z.boolean().nullish(),
  exempt_reason: text(2500).nullish(),
  exempt_code: z.enum(['01', '02']).nullish(),
  currency: currency.nullish(),
  exchange_rate: z.number().positive().max(1_000_000).nullish(),
  exchange_rate_date: dateSchema.nullish(),
  language: text(10).nullish(),
  iban: iban.nullish(),
  bic: text(20).nullish(),
  payment_method: paymentMethod.nullish(),
  installments: z.array(installment).max(200).nullish(),
  payment_installments: z.array(installment).max(200).nullish(),
  line_items: z.array(invoiceLineInput).max(10_000).nullish(),
  lines_include_tax: z.boolean().nullish(),
  discounts: z.array(adjustment).max(100).nullish(),
  charges: z.array(adjustment).max(100).nullish(),
  subsidies: z
    .array(z.object({ description: text(2500), rate: percent.nullish(), amount }))
    .max(50)
    .nullish(),
  payments_on_account: z
    .array(z.object({ date: dateSchema, amount }))
    .max(100)
    .nullish(),
  /** Suplidos: paid on the buyer's behalf, outside the taxable base (Ley 37/1992 art. 78.Tres.3º). */
  reimbursable_expenses: z
    .array(
      z.object({
        amount,
        date: dateSchema.nullish(),
        invoice_number: text(20).nullish(),
        series: text(20).nullish(),
        seller_vat: text(30).nullish(),
        buyer_vat: text(30).nullish(),
      }),
    )
    .max(100)
    .nullish(),
  financial_expenses: amount.nullish(),
  /** Kept back by the payer until the work is accepted. */
  amounts_withheld: z.object({ reason: text(2500), rate: percent.nullish(), amount }).nullish(),
  payment_in_kind: z.object({ reason: text(2500), amount }).nullish(),
  document_type: z.enum(documentTypes).nullish(),
  invoice_class: z.enum(['OO', 'OR', 'OC', 'CO', 'CR', 'CC']).nullish(),
  corrective: corrective.nullish(),
  issuer_type: z.enum(['EM', 'RE', 'TE']).nullish(),
  third_party: third.nullish(),
  administrative_centres: z.array(centre).max(50).nullish(),
  file_reference: text(20).nullish(),
  contract_reference: text(20).nullish(),
  transaction_reference: text(20).nullish(),
  related_invoice: text(40).nullish(),
  description: text(2500).nullish(),
  notes: text(100_000).nullish(),
  legal_literals: z.array(text(250)).max(100).nullish(),
  attachments: z.array(attachment).max(50).nullish(),
  /** Of an /extract answer: the log that a signed XML is filed under, where it is the caller's. */
  _log_id: z.int().positive().nullish(),
  /** Of an /extract answer: shown again in the answer of /convert. */
  accounting: z.object({ account_code: z.string(), account_label: z.string() }).nullish().catch(null),
  /** True: a broken portal rule refuses the invoice instead of becoming a warning. */
  strict: z.boolean().nullish(),
}

/** The body of `POST /convert` in JSON mode; the fields of section 2.4 that it calls required must be there. */
export const invoiceInput = z.object(invoiceShape)
export type InvoiceInput = z.output<typeof invoiceInput>

/** `invoice_data` of `POST /convert-to-facturae`: the same, and nothing required by shape. */
export const invoiceDataInput = z.object({
  ...(z.object(invoiceShape).partial().shape as {
    [K in keyof typeof invoiceShape]: z.ZodOptional<(typeof invoiceShape)[K]>
  }),
})
export type InvoiceDataInput = z.output<typeof invoiceDataInput>

/** `seller_info` and `buyer_info`: they win over what the invoice says. */
export const partyInfoInput = z.object({
  name: name.nullish(),
  vat: text(30).nullish(),
  address: name.nullish(),
  city: name.nullish(),
  zip: postalCode.nullish(),
  province: name.nullish(),
  country: country.nullish(),
  email: text(254).nullish(),
  first_name: name.nullish(),
  first_surname: name.nullish(),
  second_surname: name.nullish(),
})
export type PartyInfoInput = z.output<typeof partyInfoInput>
