import type { Cents } from '@asiento/proto/money'
import { counterpartyAccount, postingAccounts, treasuryAccount } from './accounts.ts'
import { clip } from './clip.ts'
import type { EntryAmounts, EntryStatus, EntryType } from './entry.ts'

/** One side of a journal transaction; exactly one of debit and credit is not 0, and neither is negative. */
export interface JournalLine {
  accountCode: string
  debitCents: Cents
  creditCents: Cents
}

export const postingKinds = ['accrual', 'settlement', 'reversal'] as const
export type PostingKind = (typeof postingKinds)[number]

/** A journal transaction that is to be posted; its debits equal its credits. */
export interface Posting {
  kind: PostingKind
  /** The day it takes effect on. */
  date: string
  entryId: number
  concept: string
  lines: readonly JournalLine[]
}

/** What of an entry decides its postings. */
export interface PostableEntry extends EntryAmounts {
  id: number
  type: EntryType
  status: EntryStatus
  date: string
  paidAt: string | null
  concept: string
  counterpartyName: string | null
  invoiceNumber: string | null
  accountCode: string
  paymentMethod: string | null
}

/**
 * The journal transactions of an entry: its accrual on its date, and its settlement on the date of payment once it is
 * collected or paid.
 *
 * An income debits customers (430) with what is to be collected and 473 with what is withheld, against income (7xx) and
 * output VAT (477). An expense debits the expense or asset and input VAT (472), against its creditor and what we withhold
 * (4751). A corrective invoice posts the mirror image.
 */
export function postingsOf(entry: PostableEntry): Posting[] {
  const accrual = accrualOf(entry)
  return entry.status === 'pending' ? [accrual] : [accrual, settlementOf(entry)]
}

/** The transaction on the date of the entry. */
export function accrualOf(entry: PostableEntry): Posting {
  const owed = counterpartyAccount(entry.type, entry.accountCode)
  const withheld = -entry.irpfCents
  const amounts: [string, Cents][] =
    entry.type === 'income'
      ? [
          [owed, entry.totalCents],
          [postingAccounts.withheldFromUs, withheld],
          [entry.accountCode, -entry.baseCents],
          [postingAccounts.outputTax, -entry.taxCents],
        ]
      : [
          [entry.accountCode, entry.baseCents],
          [postingAccounts.inputTax, entry.taxCents],
          [owed, -entry.totalCents],
          [postingAccounts.withheldByUs, -withheld],
        ]
  return {
    kind: 'accrual',
    date: entry.date,
    entryId: entry.id,
    concept: describe(entry),
    lines: linesOf(amounts),
  }
}

/** The transaction on the day the money moves. */
export function settlementOf(entry: PostableEntry): Posting {
  const owed = counterpartyAccount(entry.type, entry.accountCode)
  const treasury = treasuryAccount(entry.paymentMethod)
  const received = entry.type === 'income' ? entry.totalCents : -entry.totalCents
  return {
    kind: 'settlement',
    date: entry.paidAt ?? entry.date,
    entryId: entry.id,
    concept: clip(`${entry.type === 'income' ? 'Cobro' : 'Pago'}: ${describe(entry)}`, conceptCharsMax),
    lines: linesOf([
      [treasury, received],
      [owed, -received],
    ]),
  }
}

/** The mirror image of a posting, effective on the same day, so that both together change no balance of any day. */
export const reverse = (posting: Posting): Posting => ({
  ...posting,
  kind: 'reversal',
  concept: clip(`Anulación: ${posting.concept}`, conceptCharsMax),
  lines: posting.lines.map(({ accountCode, debitCents, creditCents }) => ({
    accountCode,
    debitCents: creditCents,
    creditCents: debitCents,
  })),
})

/** What must be posted so that the journal says `after` where it said `before`; parts that stay are left alone. */
export function correction(before: readonly Posting[], after: readonly Posting[]): Posting[] {
  const kept = new Set(before.filter((old) => after.some((next) => samePosting(old, next))))
  const undone = before.filter((old) => !kept.has(old))
  const added = after.filter((next) => !before.some((old) => samePosting(old, next)))
  return [...undone.map(reverse), ...added]
}

const samePosting = (a: Posting, b: Posting): boolean =>
  a.kind === b.kind &&
  a.date === b.date &&
  a.concept === b.concept &&
  JSON.stringify(a.lines) === JSON.stringify(b.lines)

const conceptCharsMax = 600

function describe(entry: PostableEntry): string {
  const parts = [
    entry.invoiceNumber === null ? null : `Fra. ${entry.invoiceNumber}`,
    entry.counterpartyName,
    entry.concept,
  ]
  return clip(parts.filter((part) => part !== null && part !== '').join(' · '), conceptCharsMax)
}

/** Signed amounts as lines: positive debits, negative credits; what is 0 has no line. */
function linesOf(amounts: readonly (readonly [string, Cents])[]): JournalLine[] {
  return amounts
    .filter(([, cents]) => cents !== 0)
    .map(([accountCode, cents]) => ({
      accountCode,
      debitCents: Math.max(cents, 0),
      creditCents: Math.max(-cents, 0),
    }))
}
