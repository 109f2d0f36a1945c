import { numbersAlike } from './invoice-number.ts'
import { type VendorMark, vendorsAlike } from './vendor-key.ts'

/** An invoice as duplicates see it. */
export interface InvoiceMark {
  vendor: VendorMark
  numberKey: string | null
  number: string | null
  totalCents: number | null
  /** `YYYY-MM-DD`. */
  date: string | null
}

export interface EarlierInvoice extends InvoiceMark {
  logId: number
  seq: number
  sameFile: boolean
}

export interface DuplicateVerdict {
  originalLogId: number
  reason: 'exact_file' | 'same_invoice' | 'near_duplicate'
  /** 0–1: how sure. */
  score: number
}

/**
 * Of which earlier invoice this one is a copy: the surest pair, and of equally sure ones the earliest. Null when of
 * none. `dismissed` pairs are passed over.
 */
export function findDuplicate(
  invoice: InvoiceMark,
  earlier: readonly EarlierInvoice[],
  dismissed: readonly number[] = [],
): DuplicateVerdict | null {
  const pairs = earlier
    .filter((candidate) => !dismissed.includes(candidate.logId))
    .flatMap((candidate) => {
      const verdict = compare(invoice, candidate)
      return verdict === null ? [] : [{ verdict, seq: candidate.seq }]
    })
    .sort((a, b) => b.verdict.score - a.verdict.score || a.seq - b.seq)
  return pairs[0]?.verdict ?? null
}

function compare(invoice: InvoiceMark, candidate: EarlierInvoice): DuplicateVerdict | null {
  const found = (reason: DuplicateVerdict['reason'], score: number) => ({
    originalLogId: candidate.logId,
    reason,
    score,
  })
  if (candidate.sameFile) return found('exact_file', 1)
  const sameTotal = invoice.totalCents !== null && invoice.totalCents === candidate.totalCents
  const sameDate = invoice.date !== null && invoice.date === candidate.date
  const sameVendor = invoice.vendor.key !== null && invoice.vendor.key === candidate.vendor.key
  const sameNumber = invoice.numberKey !== null && invoice.numberKey === candidate.numberKey
  if (sameNumber && sameVendor && numberMeansSameInvoice(invoice, candidate)) {
    return found('same_invoice', sameTotal && sameDate ? 0.99 : sameTotal || sameDate ? 0.95 : 0.9)
  }
  if (!sameTotal || !sameDate || invoice.totalCents === 0) return null
  if (!vendorsAlike(invoice.vendor, candidate.vendor)) return null
  if (sameNumber) return found('same_invoice', 0.93)
  if (invoice.number === null || candidate.number === null) return found('near_duplicate', 0.7)
  return numbersAlike(invoice.number, candidate.number) ? found('near_duplicate', sameVendor ? 0.85 : 0.75) : null
}

/**
 * Series start anew each year, a corrective invoice may repeat the number with the other sign, and `1-11` is not
 * `11-1` though their bare signs agree.
 */
function numberMeansSameInvoice(a: InvoiceMark, b: InvoiceMark): boolean {
  const agree = (a.totalCents !== null && a.totalCents === b.totalCents) || (a.date !== null && a.date === b.date)
  if (agree) return true
  const oppositeSigns =
    a.totalCents !== null && b.totalCents !== null && Math.sign(a.totalCents) !== Math.sign(b.totalCents)
  if (oppositeSigns) return false
  if (a.date !== null && b.date !== null && a.date.slice(0, 4) !== b.date.slice(0, 4)) return false
  return digitRuns(a.number) === digitRuns(b.number)
}

/** The runs of digits without leading zeros; equal for `2026/0015` and `2026-15`, not for `1-11` and `11-1`. */
const digitRuns = (number: string | null): string =>
  ((number ?? '').match(/\d+/g) ?? []).map((run) => run.replace(/^0+(?=\d)/, '')).join(' ')
