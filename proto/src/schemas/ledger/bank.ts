import { z } from 'zod'
import { entrySchema } from './entries.ts'
import { anyAmount, bookDate, clientId, requiredText } from './fields.ts'

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
