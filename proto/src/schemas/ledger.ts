import { z } from 'zod'
import { hasAtMostDecimals } from '../money.ts'
import { dateFilterSchema, dateSchema, idSchema, listOf, pageQuery, timestampSchema } from './common.ts'
import { taxBreakdownItem } from './extraction-result.ts'

/** The largest amount of an entry, in euros. */
export const entryAmountMax = 9_999_999_999.99

const twoDecimals = (value: number): boolean => hasAtMostDecimals(value, 2)
const anyAmount = z.number().min(-entryAmountMax).max(entryAmountMax).refine(twoDecimals, 'Use at most two decimals')

/** More than 0, at most two decimals. */
export const positiveAmount = anyAmount.gt(0)
/** 0 or more, at most two decimals. */
const amountOrZero = anyAmount.min(0)
const percent = z.number().min(0).max(100).refine(twoDecimals, 'Use at most two decimals')
/** PostgreSQL keeps neither NUL nor half a surrogate pair, and the journal's hash covers what is kept. */
const storable = (value: string): boolean => value.isWellFormed() && !value.includes('\0')
const unstorable = 'Use Unicode text without NUL'
const text = (charsMax: number) => z.string().trim().max(charsMax).refine(storable, unstorable)
const requiredText = (charsMax: number) => z.string().trim().min(1).max(charsMax).refine(storable, unstorable)
const clientId = z.union([z.string().max(200).refine(storable, unstorable), z.number()])
const year = z.coerce.number().int().min(1990).max(2200)

/** A date of the books: one that exists, between 1990 and 2199. */
export const bookDate = dateSchema.refine((date) => date >= '1990-01-01' && date < '2200-01-01', {
  message: 'Use a year between 1990 and 2199',
})

/** An account of groups 1 to 7 of the PGC or one below it. */
export const accountCode = z.string().regex(/^[1-7]\d{2,11}$/, 'Use a PGC account: 3 to 12 digits of groups 1 to 7')

export const entryType = z.enum(['income', 'expense'])
export const entryStatus = z.enum(['pending', 'collected', 'paid'])
export const entrySource = z.enum(['manual', 'extraction', 'recurring', 'recurring_invoice', 'proposal', 'bank'])
/** Quarters, months and the year. */
export const reportPeriods = [
  'T1',
  'T2',
  'T3',
  'T4',
  'M01',
  'M02',
  'M03',
  'M04',
  'M05',
  'M06',
  'M07',
  'M08',
  'M09',
  'M10',
  'M11',
  'M12',
  'Y',
] as const
export const reportPeriod = z.enum(reportPeriods)

const exportFormat = z.enum(['json', 'csv', 'xlsx']).default('json')

/** The content types of `?format=csv|xlsx`. */
export const exportContentTypes = [
  'text/csv; charset=utf-8',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
] as const

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

/** One movement of a statement; what the client adds to it comes back with it. */
export const bankMovement = z.object({
  id: clientId.nullish(),
  date: bookDate,
  /** Signed; more than 0 is money in. */
  amount: anyAmount,
  description: z.string().max(2000).nullish(),
})
export type BankMovement = z.infer<typeof bankMovement>

export const bankMatchRequest = z.object({ movements: z.array(bankMovement).max(10_000) })

export const bankMatchResult = z.object({
  matched: z.array(z.object({ movement: bankMovement, entry: entrySchema })),
  /** Best candidates first; `more` when there are others beyond those listed. */
  suggestions: z.array(z.object({ movement: bankMovement, candidates: z.array(entrySchema), more: z.boolean() })),
  unmatched: z.array(bankMovement),
  summary: z.object({ matched: z.int(), suggestions: z.int(), unmatched: z.int() }),
})

export const bankConfirm = z.object({
  /** The day it was collected or paid; today unless given. */
  date: bookDate.nullish(),
  movement_id: clientId.nullish(),
})

export const reportQuery = z.object({ period: reportPeriod.default('T3'), year })

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

export const optionalYearQuery = z.object({ year: year.optional() })

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

export const proposalStatus = z.enum(['draft', 'sent', 'accepted', 'rejected', 'expired', 'converted'])

const proposalClient = z.object({
  name: requiredText(250),
  vat: text(40).nullish(),
  email: text(250).nullish(),
  address: text(500).nullish(),
})

const proposalFields = {
  client: proposalClient,
  title: requiredText(300),
  line_items: z.array(pricedLine).min(1).max(500),
  irpf_rate: percent.nullish(),
  valid_until: bookDate.nullish(),
  notes: text(5000).nullish(),
}

/** The sums follow from the lines; given ones must agree. */
const proposalSums = { base: positiveAmount.optional(), tax: amountOrZero.optional(), total: positiveAmount.optional() }

export const proposalCreate = z.object({
  ...proposalFields,
  ...proposalSums,
  status: z.enum(['draft', 'sent']).default('draft'),
})
export type ProposalCreate = z.output<typeof proposalCreate>

export const proposalPatch = z.object({ ...proposalFields, ...proposalSums, status: proposalStatus }).partial()
export type ProposalPatch = z.output<typeof proposalPatch>

export const proposalView = z.object({
  id: z.int(),
  number: z.string(),
  client: z.object({
    name: z.string(),
    vat: z.string().nullable(),
    email: z.string().nullable(),
    address: z.string().nullable(),
  }),
  title: z.string(),
  line_items: z.array(pricedLine.extend({ tax_rate: z.number(), total: z.number() })),
  base: z.number(),
  tax: z.number(),
  irpf_rate: z.number().nullable(),
  irpf_amount: z.number(),
  total: z.number(),
  valid_until: z.string().nullable(),
  status: proposalStatus,
  notes: z.string().nullable(),
  entry_id: z.int().nullable(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
})

export const proposalsQuery = z.object({
  ...pageQuery,
  status: z.union([z.literal(''), proposalStatus]).default(''),
})

const profileText = {
  legal_name: text(250).nullable(),
  nif: text(40).nullable(),
  vat_regime: text(60).nullable(),
  irpf_regime: text(60).nullable(),
  address: text(250).nullable(),
  city: text(100).nullable(),
  province: text(100).nullable(),
  postal_code: text(12).nullable(),
  /** ISO 3166-1 alpha-3. */
  country: text(3).nullable(),
  iae: text(20).nullable(),
  iban: text(50).nullable(),
  email: text(250).nullable(),
  invoice_series: text(14).nullable(),
}

export const fiscalProfileUpdate = z
  .object({ ...profileText, kind: z.enum(['autonomo', 'sociedad']).nullable() })
  .partial()
export type FiscalProfileUpdate = z.output<typeof fiscalProfileUpdate>

export const fiscalProfileView = z.object({
  ...profileText,
  kind: z.enum(['autonomo', 'sociedad']).nullable(),
  /** False where the check character of the tax id is wrong; null without one. */
  nif_valid: z.boolean().nullable(),
  iban_valid: z.boolean().nullable(),
})

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

/** A log of extraction as the ledger imports it: `result` is the stored result, corrections applied. */
export const ledgerLogs = z.object({
  logs: z.array(z.object({ logId: z.int(), createdAt: timestampSchema, result: z.unknown() })),
})

/** Which logs the ledger asks for: those after an id in ascending order, or the named ones. */
export const ledgerLogsQuery = z.object({
  userId: z.int(),
  afterLogId: z.int().min(0).default(0),
  logIds: z.array(z.int()).max(1000).optional(),
  limit: z.int().min(1).max(1000).default(500),
})

const column = z.int().min(0).max(200)

/** Which column of a CSV layout is what, from 0; either `amount`, or `debit` and `credit`. */
export const statementMapping = z.object({
  layout_key: requiredText(200),
  mapping: z
    .object({
      date: column,
      value_date: column.nullish(),
      description: z.array(column).min(1).max(20),
      amount: column.nullish(),
      debit: column.nullish(),
      credit: column.nullish(),
      balance: column.nullish(),
      currency: column.nullish(),
      reference: column.nullish(),
      decimal: z.enum([',', '.']).nullish(),
      date_order: z.enum(['dmy', 'mdy', 'ymd']).nullish(),
    })
    .refine((mapping) => mapping.amount != null || (mapping.debit != null && mapping.credit != null), {
      message: 'Give the column of the amount, or those of debit and credit',
      path: ['amount'],
    }),
})

const statementMovement = z.object({
  /** The movement's fingerprint: the same movement has the same id in every file. */
  id: z.string(),
  date: z.string(),
  value_date: z.string().nullable(),
  /** Signed; more than 0 is money in. */
  amount: z.number(),
  description: z.string(),
  balance: z.number().nullable(),
  currency: z.string().nullable(),
  reference: z.string().nullable(),
  /** The account it moved, where the file says it. */
  account: z.string().nullable(),
})

export const statementView = z.object({
  format: z.enum(['csv', 'norma43', 'ofx', 'camt053']).nullable(),
  bank: z.string().nullable(),
  movements: z.array(statementMovement),
  /** Movements that an earlier file had. */
  duplicates: z.array(statementMovement),
  errors: z.array(z.object({ line: z.int().nullable(), code: z.string(), message: z.string() })),
  mapping_request: z
    .object({
      layout_key: z.string(),
      delimiter: z.string(),
      columns: z.array(z.string()),
      sample: z.array(z.array(z.string())),
      guess: z.record(z.string(), z.unknown()),
    })
    .nullable(),
})

export const taxModelParams = z.object({ model: z.enum(['303', '130', '111', '115', '347', '390']) })
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
