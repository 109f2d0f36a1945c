/**
 * What insights are composed from: sums that a database computes over the period and its index alone, so that an account
 * of a million entries answers as fast as a small one. All amounts in cents; bases are net of taxes.
 */
import type { Cents } from '@asiento/proto/money'
import type { EntryType } from '../entry.ts'
import type { Period } from '../period.ts'
import type { Schedule } from '../recurrence.ts'

/** Sums of the entries of some stretch of time, by their date. */
export interface FlowSums {
  /** Bases of income and expense entries, assets included. */
  incomeCents: Cents
  expenseCents: Cents
  outputTaxCents: Cents
  inputTaxCents: Cents
  /** Withholdings as entries have them: at most 0 as a rule. */
  incomeIrpfCents: Cents
  expenseIrpfCents: Cents
}

export interface MonthSums extends FlowSums {
  /** `YYYY-MM`. */
  month: string
}

/** The invoices of the period to one client, by tax id, or by name where there is none. */
export interface ClientSums {
  name: string | null
  vat: string | null
  incomeCents: Cents
  invoices: number
  /** Of the collected ones: how many, and the days from date to payment, summed. */
  collected: number
  daysToPay: number
  /** Totals still to be collected, and those of them whose due date (else date) is before today. */
  pendingCents: Cents
  overdueCents: Cents
}

/** Some pending entries: how many, how much, and the days since the oldest fell due. */
export interface PendingSums {
  count: number
  cents: Cents
  oldestDays: number
}

/** Totals of pending entries by the month of their due date (else date). */
export interface PendingMonth {
  month: string
  inCents: Cents
  outCents: Cents
}

export interface RecurringItem {
  type: EntryType
  totalCents: Cents
  schedule: Schedule
}

export type TaxpayerKind = 'autonomo' | 'sociedad'

/** A tax payment as its owner recorded it. */
export interface RecordedTax {
  model: string
  year: number
  period: Period
  amountCents: Cents
  status: 'pending' | 'filed' | 'paid'
  dueDate: string
}

export interface InsightsFacts {
  today: string
  year: number
  period: Period
  /** Of the fiscal profile; null where there is none yet: taken as `autonomo`. */
  kind: TaxpayerKind | null
  sums: FlowSums
  /** The same period a year before; null when the ledger does not reach back so far. */
  sumsBefore: FlowSums | null
  /** Totals of the period's entries that are still pending. */
  pendingInCents: Cents
  pendingOutCents: Cents
  clients: readonly ClientSums[]
  overdueIn: PendingSums
  overdueOut: PendingSums
  /** Expenses that fall due within the next seven days. */
  dueSoonOut: PendingSums
  /** Entries of the period that bear VAT and have no tax id of the other party. */
  withoutTaxId: number
  /** What is in bank and cash today: the balance of accounts 57. */
  openingCents: Cents
  pendingByMonth: readonly PendingMonth[]
  recurring: readonly RecurringItem[]
  /** By month, from the first month of the quarter before today's on, as far as there are entries. */
  recentMonths: readonly MonthSums[]
  recordedTaxes: readonly RecordedTax[]
  /** Whether some expense of the last year bore a withholding, and on a rent (account 621): whether 111 and 115 are due. */
  withholds: { fees: boolean; rents: boolean }
}

export const noFlows: FlowSums = {
  incomeCents: 0,
  expenseCents: 0,
  outputTaxCents: 0,
  inputTaxCents: 0,
  incomeIrpfCents: 0,
  expenseIrpfCents: 0,
}

export const addFlows = (a: FlowSums, b: FlowSums): FlowSums => ({
  incomeCents: a.incomeCents + b.incomeCents,
  expenseCents: a.expenseCents + b.expenseCents,
  outputTaxCents: a.outputTaxCents + b.outputTaxCents,
  inputTaxCents: a.inputTaxCents + b.inputTaxCents,
  incomeIrpfCents: a.incomeIrpfCents + b.incomeIrpfCents,
  expenseIrpfCents: a.expenseIrpfCents + b.expenseIrpfCents,
})
