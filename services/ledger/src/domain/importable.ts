import { type Cents, cents } from '@asiento/proto/money'
import {
  type ExtractionResult,
  extractionResult,
  type TaxBreakdownItem,
} from '@asiento/proto/schemas/extraction-result'
import { entryAmountMax } from '@asiento/proto/schemas/ledger/fields'
import { normalizeTaxId } from '@asiento/proto/tax-id'
import { defaultAccount } from './accounts.ts'
import { deriveAmounts } from './amounts.ts'
import { clip } from './clip.ts'
import type { EntryAmounts, EntryType, LedgerEntry, TaxLine } from './entry.ts'

/** A log of the extraction service as the ledger sees it; `result` is whatever was stored. */
export interface ExtractionLog {
  logId: number
  /** `YYYY-MM-DD HH:MM:SS` in UTC. */
  createdAt: string
  result: unknown
}

/** What an invoice says of an entry; the rest is the ledger's own. */
export interface ImportedEntry extends EntryAmounts, Pick<LedgerEntry, StatedField> {
  logId: number
}

type StatedField =
  | 'type'
  | 'date'
  | 'dueDate'
  | 'concept'
  | 'counterpartyName'
  | 'counterpartyVat'
  | 'invoiceNumber'
  | 'accountCode'
  | 'paymentMethod'
  | 'notes'

/** What the ledger needs of a result; what else it holds does not decide whether it can be imported. */
const needed = extractionResult.pick({
  vendor_name: true,
  vendor_vat: true,
  buyer_name: true,
  buyer_vat: true,
  invoice_number: true,
  invoice_date: true,
  due_date: true,
  subtotal: true,
  tax: true,
  total: true,
  irpf_rate: true,
  irpf_amount: true,
  declared_tax_rate: true,
  tax_breakdown: true,
  payment_method: true,
  currency: true,
  document_type: true,
  accounting: true,
})
type NeededFields = Pick<ExtractionResult, keyof typeof needed.shape>

const invoiceKinds: readonly string[] = ['invoice', 'simplified', 'corrective']

/**
 * The one predicate of import and count: the entry that a log becomes, or null when it cannot be imported (its result
 * is no valid JSON of an invoice, or its amount is 0 or missing).
 *
 * The vendor being the account itself makes it income, else it is an expense. The total is the amount to pay.
 */
export function entryOfLog(log: ExtractionLog, ownTaxId: string | null): ImportedEntry | null {
  const parsed = needed.partial().safeParse(typeof log.result === 'string' ? parseJson(log.result) : log.result)
  if (!parsed.success) return null
  const result = withNulls(parsed.data)
  if (result.document_type !== null && !invoiceKinds.includes(result.document_type)) return null
  const amounts = amountsOf(result)
  if (amounts === null) return null
  const type = isOwn(result.vendor_vat, ownTaxId) ? 'income' : 'expense'
  const name = type === 'income' ? result.buyer_name : result.vendor_name
  const vat = type === 'income' ? result.buyer_vat : result.vendor_vat
  return {
    ...amounts,
    type,
    date: bookDate(result.invoice_date) ?? log.createdAt.slice(0, 10),
    dueDate: bookDate(result.due_date),
    concept: clip(
      [`Factura${result.invoice_number === null ? '' : ` ${result.invoice_number}`}`, name]
        .filter((part) => part !== null && part !== '')
        .join(' · '),
      500,
    ),
    counterpartyName: clipped(name, 250),
    counterpartyVat: clipped(vat, 40),
    invoiceNumber: clipped(result.invoice_number, 100),
    accountCode: accountOf(type, result.accounting?.account_code),
    paymentMethod: result.payment_method,
    notes: currencyNote(result.currency),
    logId: log.logId,
  }
}

/** A misread year is no date of the books; the same bounds as an entry made by hand. */
const bookDate = (date: string | null): string | null =>
  date !== null && date >= '1990-01-01' && date < '2200-01-01' ? date : null

/** A misread rate is none. */
const percent = (rate: number | null | undefined): number | null =>
  rate !== null && rate !== undefined && rate >= 0 && rate <= 100 ? rate : null

/** The books are in euros: an amount in another currency is taken as printed, and its owner is told. */
const currencyNote = (currency: string | null): string | null =>
  currency === null || currency === 'EUR' ? null : `Importe original en ${currency}: revisa el tipo de cambio.`

const clipped = (text: string | null, charsMax: number): string | null => (text === null ? null : clip(text, charsMax))

type Nullable<T> = { [K in keyof T]: T[K] | null }

/** What a result leaves out is null. */
function withNulls(data: { [K in keyof NeededFields]?: NeededFields[K] | undefined }): Nullable<NeededFields> {
  const blank = Object.fromEntries(Object.keys(needed.shape).map((key) => [key, null])) as Nullable<NeededFields>
  return { ...blank, ...Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isOwn = (vat: string | null, ownTaxId: string | null): boolean =>
  vat !== null && ownTaxId !== null && ownTaxId !== '' && normalizeTaxId(vat) === normalizeTaxId(ownTaxId)

/** The account that was assigned where it fits the side of the entry. */
function accountOf(type: EntryType, code: string | undefined): string {
  const fits = code !== undefined && (type === 'income' ? /^7\d{2,}$/ : /^[26]\d{2,}$/).test(code)
  return fits ? code : defaultAccount[type]
}

/** Amounts as printed where they add up; else the total with what can be kept of the rest. */
function amountsOf(result: Nullable<NeededFields>): EntryAmounts | null {
  try {
    const subtotal = centsOf(result.subtotal)
    const tax = centsOf(result.tax)
    const irpf = centsOf(result.irpf_amount) ?? 0
    const total = centsOf(result.total) ?? (subtotal === null ? null : subtotal + (tax ?? 0) + irpf)
    if (total === null || total === 0 || Math.abs(total) > cents(entryAmountMax)) return null
    const declaredRate = percent(result.declared_tax_rate)
    const printed = subtotal !== null && tax !== null && subtotal !== 0 && subtotal + tax + irpf === total
    return printed
      ? printedAmounts({ subtotal, tax, irpf, total }, result)
      : deriveAmounts({
          totalCents: total,
          ...(declaredRate === null ? {} : { taxRate: declaredRate }),
          ...(irpf === 0 ? {} : { irpfCents: irpf }),
        })
  } catch {
    return null
  }
}

function printedAmounts(
  { subtotal, tax, irpf, total }: { subtotal: Cents; tax: Cents; irpf: Cents; total: Cents },
  result: Nullable<NeededFields>,
): EntryAmounts {
  const amounts = deriveAmounts({ baseCents: subtotal, taxCents: tax, irpfCents: irpf, totalCents: total })
  const taxLines = (result.tax_breakdown ?? []).map(taxLineOf)
  const irpfRate = irpf === 0 ? null : (percent(result.irpf_rate) ?? amounts.irpfRate)
  if (!breakdownHolds(taxLines, subtotal, tax)) return { ...amounts, irpfRate }
  const rates = new Set(taxLines.filter((line) => line.taxType !== 'RE').map((line) => line.rate))
  const [only] = rates
  const taxRate = rates.size === 1 ? percent(only) : null
  return { ...amounts, irpfRate, taxRate, taxLines }
}

const taxLineOf = (item: TaxBreakdownItem): TaxLine => ({
  taxType: item.tax_type,
  rate: item.rate,
  baseCents: cents(item.base),
  amountCents: cents(item.amount),
})

/** A breakdown is kept only when it says the same as the sums (the base of a recargo is that of its VAT). */
function breakdownHolds(lines: readonly TaxLine[], subtotal: Cents, tax: Cents): boolean {
  const base = lines.filter((line) => line.taxType !== 'RE').reduce((sum, line) => sum + line.baseCents, 0)
  const amount = lines.reduce((sum, line) => sum + line.amountCents, 0)
  const legible = lines.every((line) => percent(line.rate) !== null)
  return lines.length > 0 && legible && base === subtotal && amount === tax
}

const centsOf = (value: number | null): Cents | null => (value === null ? null : cents(value))
