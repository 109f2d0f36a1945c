import type { Cents } from '@asiento/proto/money'

export interface BudgetItem {
  accountCode: string
  /** 1–12; null is the whole year. */
  month: number | null
  amountCents: Cents
}

/** What an account moved in a month: debit and credit sums of the journal. */
export interface AccountMonth {
  accountCode: string
  /** 1–12. */
  month: number
  debitCents: Cents
  creditCents: Cents
}

export interface BudgetActual extends BudgetItem {
  actualCents: Cents
  deviationCents: Cents
  /** Deviation in percent of the budget, two decimals; null where the budget is 0. */
  deviationPct: number | null
}

/**
 * Compares a budget with the journal. An item counts its account and all below it (`62` counts 621 to 629). Income
 * accounts (7xx) count credits less debits, all others debits less credits.
 */
export function budgetActuals(items: readonly BudgetItem[], moved: readonly AccountMonth[]): BudgetActual[] {
  return items.map((item) => {
    const actualCents = moved
      .filter(({ accountCode, month }) => accountCode.startsWith(item.accountCode) && (item.month ?? month) === month)
      .reduce((sum, row) => sum + naturalSide(row), 0)
    const deviationCents = actualCents - item.amountCents
    return { ...item, actualCents, deviationCents, deviationPct: percentage(deviationCents, item.amountCents) }
  })
}

const naturalSide = ({ accountCode, debitCents, creditCents }: AccountMonth): Cents =>
  accountCode.startsWith('7') ? creditCents - debitCents : debitCents - creditCents

const percentage = (part: Cents, whole: Cents): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 100
