/**
 * Entries taken apart into what the VAT models count: which side, which rate, which kind of operation. A kind is read off
 * the data and never assumed: an EU VAT number, or the words of the invoice.
 */
import { type Cents, percentOf } from '@asiento/proto/money'
import { checkTaxId } from '@asiento/proto/tax-id'
import { isRateInForce } from '@asiento/proto/tax-rates'
import type { TaxLine } from '../entry.ts'
import type { TaxableEntry } from './model.ts'

/** `surcharge` is recargo de equivalencia; `untaxed` has no Spanish VAT: exempt, not subject, or at 0 %. */
export type VatKind = 'domestic' | 'surcharge' | 'intra_community' | 'reverse_charge' | 'untaxed'

export interface VatLine {
  entryId: number
  date: string
  /** `output` is charged by us, `input` to us. */
  side: 'output' | 'input'
  kind: VatKind
  /** Percent. */
  rate: number
  baseCents: Cents
  /** The tax; of an intra-community or reverse-charge purchase the tax that we charge ourselves. */
  amountCents: Cents
  /** A corrective invoice: its amounts are below zero. */
  corrective: boolean
  /** An asset: PGC group 2. */
  investment: boolean
  /** A purchase of goods (PGC 60) rather than of a service. */
  goods: boolean
}

export interface VatReading {
  lines: VatLine[]
  leftOut: { entryId: number; reason: string }[]
}

/** Ley 37/1992 art. 90.Uno, since 2012-09-01; 18 % from 2010-07-01, 16 % before. */
export const generalRateOn = (date: string): number => (date >= '2012-09-01' ? 21 : date >= '2010-07-01' ? 18 : 16)

const euCountries = 'AT|BE|BG|CY|CZ|DE|DK|EE|EL|GR|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI'
const euVatNumber = new RegExp(`^(${euCountries})[0-9A-Z]{2,12}$`)
const reverseChargeWords = /inversi[oó]n del sujeto pasivo|reverse charge|sujeto pasivo.{0,20}art\S* 84/i

/** True for the VAT number of another member state; the letters of a Spanish tax id are not taken for a country. */
export function isEuVatNumber(vat: string | null): boolean {
  const bare = vat?.toUpperCase().replace(/[^0-9A-Z]/g, '') ?? ''
  return euVatNumber.test(bare) && /\d/.test(bare) && !checkTaxId(bare).valid
}

/** True where the entry's own words say that the customer owes the tax. */
export const saysReverseCharge = (entry: Pick<TaxableEntry, 'concept' | 'notes'>): boolean =>
  reverseChargeWords.test(`${entry.concept} ${entry.notes ?? ''}`)

export function vatLines(entries: Iterable<TaxableEntry>): VatReading {
  const reading: VatReading = { lines: [], leftOut: [] }
  for (const entry of entries) readEntry(entry, reading)
  return reading
}

function readEntry(entry: TaxableEntry, { lines, leftOut }: VatReading): void {
  const shared = {
    entryId: entry.id,
    date: entry.date,
    side: entry.type === 'income' ? ('output' as const) : ('input' as const),
    corrective: entry.baseCents < 0,
    investment: entry.accountCode.startsWith('2'),
    goods: entry.accountCode.startsWith('60'),
  }
  const taxLines = linesOf(entry)
  if (taxLines.some((line) => line.taxType === 'IGIC' || line.taxType === 'IPSI')) {
    leftOut.push({ entryId: entry.id, reason: 'Lleva IGIC o IPSI, que no se declaran en los modelos de IVA.' })
    return
  }
  if (taxLines.every((line) => line.amountCents === 0)) {
    lines.push({ ...shared, ...untaxed(entry) })
    return
  }
  for (const line of taxLines) {
    const surcharge = line.taxType === 'RE'
    if (surcharge && entry.type === 'expense') {
      leftOut.push({
        entryId: entry.id,
        reason: 'El recargo de equivalencia soportado no es deducible (Ley 37/1992 art. 154.Dos).',
      })
    } else if (!surcharge && !isRateInForce('IVA', line.rate, entry.date)) {
      leftOut.push({ entryId: entry.id, reason: `El ${line.rate} % no es un tipo de IVA español en su fecha.` })
    } else {
      const kind: VatKind = surcharge ? 'surcharge' : line.amountCents === 0 ? 'untaxed' : 'domestic'
      lines.push({ ...shared, kind, rate: line.rate, baseCents: line.baseCents, amountCents: line.amountCents })
    }
  }
}

/** Without Spanish VAT: who charges it, and to whom, follows from the counterparty and the words. */
function untaxed(entry: TaxableEntry): Pick<VatLine, 'kind' | 'rate' | 'baseCents' | 'amountCents'> {
  const kind: VatKind = isEuVatNumber(entry.counterpartyVat)
    ? 'intra_community'
    : saysReverseCharge(entry)
      ? 'reverse_charge'
      : 'untaxed'
  const selfCharged = kind !== 'untaxed' && entry.type === 'expense'
  const rate = selfCharged ? generalRateOn(entry.date) : 0
  return { kind, rate, baseCents: entry.baseCents, amountCents: percentOf(entry.baseCents, rate) }
}

/** Entries of one rate may come without lines. */
const linesOf = (entry: TaxableEntry): readonly TaxLine[] =>
  entry.taxLines.length > 0 || entry.taxCents === 0
    ? entry.taxLines
    : [{ taxType: 'IVA', rate: entry.taxRate ?? 0, baseCents: entry.baseCents, amountCents: entry.taxCents }]
