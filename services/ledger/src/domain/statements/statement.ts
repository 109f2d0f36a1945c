/** What reading a bank statement gives, whatever its format. */
import type { Cents } from '@asiento/proto/money'

export const statementFormats = ['csv', 'norma43', 'ofx', 'camt053'] as const
export type StatementFormat = (typeof statementFormats)[number]

export const banks = ['santander', 'bbva', 'caixabank', 'sabadell', 'bankinter', 'ing', 'unicaja', 'kutxabank'] as const
export type Bank = (typeof banks)[number]

/** A line of a statement as its file has it. Dates `YYYY-MM-DD`; `amountCents` > 0 is money in. */
export interface RawMovement {
  date: string
  valueDate: string | null
  amountCents: Cents
  description: string
  /** The balance after the movement, where the file has it. */
  balanceCents: Cents | null
  /** ISO 4217 where the file says it. */
  currency: string | null
  /** The bank's own reference of the movement. */
  reference: string | null
  /** The account of the movement, see `accountKey`. */
  account: string | null
}

export interface StatementMovement extends RawMovement {
  /** The movement's fingerprint: the same movement has the same id in every file, see `withFingerprints`. */
  id: string
}

export const statementErrorCodes = [
  'empty_file',
  'unknown_format',
  'mapping_needed',
  'mapping_invalid',
  'invalid_row',
  'invalid_date',
  'invalid_amount',
  'zero_amount',
  'truncated',
  'total_mismatch',
  'unsafe_xml',
  'invalid_xml',
] as const
export type StatementErrorCode = (typeof statementErrorCodes)[number]

export interface StatementError {
  /** The line of the file, from 1; null where the error is of the whole file. */
  line: number | null
  code: StatementErrorCode
  /** Spanish, for a person. */
  message: string
}

/** Which column of a CSV is what; indices from 0. Either `amount`, or `debit` and `credit`. */
export interface CsvMapping {
  date: number
  valueDate?: number | null | undefined
  description: readonly number[]
  amount?: number | null | undefined
  debit?: number | null | undefined
  credit?: number | null | undefined
  balance?: number | null | undefined
  currency?: number | null | undefined
  reference?: number | null | undefined
  /** Read off the values when absent. */
  decimal?: ',' | '.' | null | undefined
  dateOrder?: 'dmy' | 'mdy' | 'ymd' | null | undefined
}

/** What a person is asked for when the columns of a CSV are not understood. */
export interface MappingRequest {
  /** Identifies the layout, so that a mapping given once is remembered for the next file of the same bank. */
  layoutKey: string
  delimiter: string
  /** The header's own names, or `Columna 1`… where there is no header. */
  columns: string[]
  /** The first rows of data. */
  sample: string[][]
  /** What could be understood. */
  guess: Partial<CsvMapping>
}

export interface Statement {
  format: StatementFormat | null
  /** The bank whose layout or account it is, where that is known. */
  bank: Bank | null
  movements: StatementMovement[]
  errors: StatementError[]
  /** Null unless the columns have to be mapped by a person; then there are no movements. */
  mappingRequest: MappingRequest | null
}

/** A reader's answer before fingerprints. */
export interface RawStatement extends Omit<Statement, 'movements'> {
  movements: RawMovement[]
}
