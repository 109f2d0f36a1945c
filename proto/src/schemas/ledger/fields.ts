import { z } from 'zod'
import { hasAtMostDecimals } from '../../money.ts'
import { dateSchema } from '../common.ts'

/** The largest amount of an entry, in euros. */
export const entryAmountMax = 9_999_999_999.99

const twoDecimals = (value: number): boolean => hasAtMostDecimals(value, 2)

export const anyAmount = z
  .number()
  .min(-entryAmountMax)
  .max(entryAmountMax)
  .refine(twoDecimals, 'Use at most two decimals')

/** More than 0, at most two decimals. */
export const positiveAmount = anyAmount.gt(0)

/** 0 or more, at most two decimals. */
export const amountOrZero = anyAmount.min(0)

export const percent = z.number().min(0).max(100).refine(twoDecimals, 'Use at most two decimals')

/** PostgreSQL keeps neither NUL nor half a surrogate pair, and the journal's hash covers what is kept. */
const storable = (value: string): boolean => value.isWellFormed() && !value.includes('\0')

const unstorable = 'Use Unicode text without NUL'

export const text = (charsMax: number) => z.string().trim().max(charsMax).refine(storable, unstorable)

export const requiredText = (charsMax: number) => z.string().trim().min(1).max(charsMax).refine(storable, unstorable)

export const clientId = z.union([z.string().max(200).refine(storable, unstorable), z.number()])

const year = z.coerce.number().int().min(1990).max(2200)

/** A date of the books: one that exists, between 1990 and 2199. */
export const bookDate = dateSchema.refine((date) => date >= '1990-01-01' && date < '2200-01-01', {
  message: 'Use a year between 1990 and 2199',
})

/** An account of groups 1 to 7 of the PGC or one below it. */
export const accountCode = z.string().regex(/^[1-7]\d{2,11}$/, 'Use a PGC account: 3 to 12 digits of groups 1 to 7')

export const entryType = z.enum(['income', 'expense'])
export type EntryType = z.infer<typeof entryType>

export const entryStatus = z.enum(['pending', 'collected', 'paid'])
export type EntryStatus = z.infer<typeof entryStatus>

export const entrySource = z.enum(['manual', 'extraction', 'recurring', 'recurring_invoice', 'proposal', 'bank'])
export type EntrySource = z.infer<typeof entrySource>

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
export type ReportPeriod = z.infer<typeof reportPeriod>

export const exportFormat = z.enum(['json', 'csv', 'xlsx']).default('json')

/** The content types of `?format=csv|xlsx`. */
export const exportContentTypes = [
  'text/csv; charset=utf-8',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
] as const

export const reportQuery = z.object({ period: reportPeriod.default('T3'), year })

export const optionalYearQuery = z.object({ year: year.optional() })
