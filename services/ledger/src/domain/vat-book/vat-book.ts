/**
 * Libros registro de facturas expedidas y recibidas (RD 1624/1992 arts. 63 and 64): a row for each rate of each invoice, with
 * its recargo beside it. What is no invoice (wages, taxes, notes without number and tax) is in neither book.
 */
import type { Cents } from '@asiento/proto/money'
import { euros, percentOf } from '@asiento/proto/money'
import type { TaxLine } from '../entry.ts'
import type { TaxableEntry } from '../tax-models/model.ts'
import { generalRateOn, isEuVatNumber, saysReverseCharge } from '../tax-models/vat-lines.ts'

export type VatBookName = 'issued' | 'received'

export const operationKinds = ['domestic', 'intra_community', 'reverse_charge', 'untaxed', 'igic', 'ipsi'] as const
export type OperationKind = (typeof operationKinds)[number]

export interface VatBookRow {
  book: VatBookName
  /** The order in the book; of received invoices the number of reception of art. 64. The rows of one invoice share it. */
  order: number
  entryId: number
  date: string
  invoiceNumber: string | null
  counterpartyName: string | null
  counterpartyVat: string | null
  concept: string
  operation: OperationKind
  baseCents: Cents
  /** Percent; 0 where no tax is charged. */
  taxRate: number
  taxCents: Cents
  /** Recargo de equivalencia; null where there is none. */
  surchargeRate: number | null
  surchargeCents: Cents
  /** What of the tax can be deducted; 0 in the book of issued invoices. */
  deductibleCents: Cents
  /** Withheld, at most 0 on an ordinary invoice; on the first row of the invoice only. */
  irpfCents: Cents
  /** The invoice's total as billed: base and taxes, withholding not taken off; on the first row only. */
  totalCents: Cents
  corrective: boolean
}

export interface VatBookTotals {
  baseCents: Cents
  taxCents: Cents
  surchargeCents: Cents
  deductibleCents: Cents
}

export interface VatBook {
  issued: VatBookRow[]
  received: VatBookRow[]
  totals: Record<VatBookName, VatBookTotals>
}

/** True for what belongs in a book: an invoice has a number or bears a tax, and is no wage, social security or tax. */
export const isInvoice = (entry: TaxableEntry): boolean =>
  !/^6[34]/.test(entry.accountCode) &&
  (entry.taxCents !== 0 || entry.taxLines.length > 0 || (entry.invoiceNumber !== null && entry.invoiceNumber !== ''))

/**
 * Both books of a period, each ordered by date, then id, and numbered from 1 (or from what earlier periods of the year
 * reached).
 */
export function vatBook(
  entries: readonly TaxableEntry[],
  reached: Record<VatBookName, number> = { issued: 0, received: 0 },
): VatBook {
  const book: VatBook = { issued: [], received: [], totals: { issued: nothing(), received: nothing() } }
  const order = { ...reached }
  const sorted = entries.filter(isInvoice).sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : a.id - b.id))
  for (const entry of sorted) {
    const name = bookOf(entry)
    order[name] += 1
    for (const row of vatBookRowsOf(entry, order[name])) {
      book[name].push(row)
      addTo(book.totals[name], row)
    }
  }
  return book
}

export const bookOf = (entry: Pick<TaxableEntry, 'type'>): VatBookName =>
  entry.type === 'income' ? 'issued' : 'received'

/** The rows of one invoice, one for each rate; always at least one. */
export function vatBookRowsOf(entry: TaxableEntry, order: number): VatBookRow[] {
  const taxed = entry.taxLines.filter((line) => line.taxType !== 'RE')
  const surcharges = entry.taxLines.filter((line) => line.taxType === 'RE')
  const lines = taxed.length > 0 ? taxed : [wholeLine(entry)]
  return lines.map((line, at): VatBookRow => {
    const surcharge = takeSurcharge(surcharges, line, at === lines.length - 1)
    return {
      book: bookOf(entry),
      order,
      entryId: entry.id,
      date: entry.date,
      invoiceNumber: entry.invoiceNumber,
      counterpartyName: entry.counterpartyName,
      counterpartyVat: entry.counterpartyVat,
      concept: entry.concept,
      baseCents: line.baseCents,
      ...taxOf(entry, line),
      surchargeRate: surcharge?.rate ?? null,
      surchargeCents: surcharge?.amountCents ?? 0,
      irpfCents: at === 0 ? entry.irpfCents : 0,
      totalCents: at === 0 ? entry.baseCents + entry.taxCents : 0,
      corrective: entry.baseCents < 0,
    }
  })
}

/** What we charge ourselves is written with its rate, as it is declared, and is deducted. */
function taxOf(
  entry: TaxableEntry,
  line: TaxLine,
): Pick<VatBookRow, 'operation' | 'taxRate' | 'taxCents' | 'deductibleCents'> {
  const received = entry.type === 'expense'
  if (line.taxType === 'IGIC' || line.taxType === 'IPSI') {
    const operation = line.taxType === 'IGIC' ? 'igic' : 'ipsi'
    return { operation, taxRate: line.rate, taxCents: line.amountCents, deductibleCents: 0 }
  }
  if (line.amountCents !== 0) {
    const deductibleCents = received ? line.amountCents : 0
    return { operation: 'domestic', taxRate: line.rate, taxCents: line.amountCents, deductibleCents }
  }
  const operation = isEuVatNumber(entry.counterpartyVat)
    ? 'intra_community'
    : saysReverseCharge(entry)
      ? 'reverse_charge'
      : 'untaxed'
  if (operation === 'untaxed' || !received) return { operation, taxRate: 0, taxCents: 0, deductibleCents: 0 }
  const taxRate = generalRateOn(entry.date)
  const taxCents = percentOf(line.baseCents, taxRate)
  return { operation, taxRate, taxCents, deductibleCents: taxCents }
}

/** Each recargo goes with the line of its base; the last line takes one that fits none. */
function takeSurcharge(surcharges: TaxLine[], line: TaxLine, last: boolean): TaxLine | undefined {
  const at = surcharges.findIndex((each) => each.baseCents === line.baseCents)
  const found = at === -1 ? (last ? 0 : -1) : at
  return found === -1 ? undefined : surcharges.splice(found, 1)[0]
}

const wholeLine = (entry: TaxableEntry): TaxLine => ({
  taxType: 'IVA',
  rate: entry.taxRate ?? 0,
  baseCents: entry.baseCents,
  amountCents: entry.taxCents,
})

const nothing = (): VatBookTotals => ({ baseCents: 0, taxCents: 0, surchargeCents: 0, deductibleCents: 0 })

function addTo(totals: VatBookTotals, row: VatBookRow): void {
  totals.baseCents += row.baseCents
  totals.taxCents += row.taxCents
  totals.surchargeCents += row.surchargeCents
  totals.deductibleCents += row.deductibleCents
}

const operationLabels: Record<OperationKind, string> = {
  domestic: 'Interior',
  intra_community: 'Intracomunitaria',
  reverse_charge: 'Inversión del sujeto pasivo',
  untaxed: 'Sin IVA (exenta, no sujeta o exportación)',
  igic: 'IGIC',
  ipsi: 'IPSI',
}

/** The columns of the books as files, in Spanish; amounts in euros. */
export const vatBookColumns: Record<
  VatBookName,
  readonly { label: string; value: (row: VatBookRow) => string | number | null }[]
> = {
  issued: columns('Nº de orden', 'Destinatario', 'NIF del destinatario', false),
  received: columns('Nº de recepción', 'Expedidor', 'NIF del expedidor', true),
}

function columns(order: string, party: string, taxId: string, received: boolean) {
  const deductible = { label: 'Cuota deducible', value: (row: VatBookRow) => euros(row.deductibleCents) }
  return [
    { label: order, value: (row: VatBookRow) => row.order },
    { label: 'Fecha', value: (row: VatBookRow) => row.date },
    { label: 'Nº de factura', value: (row: VatBookRow) => row.invoiceNumber },
    { label: party, value: (row: VatBookRow) => row.counterpartyName },
    { label: taxId, value: (row: VatBookRow) => row.counterpartyVat },
    { label: 'Concepto', value: (row: VatBookRow) => row.concept },
    { label: 'Operación', value: (row: VatBookRow) => operationLabels[row.operation] },
    { label: 'Rectificativa', value: (row: VatBookRow) => (row.corrective ? 'Sí' : 'No') },
    { label: 'Base imponible', value: (row: VatBookRow) => euros(row.baseCents) },
    { label: 'Tipo %', value: (row: VatBookRow) => row.taxRate },
    { label: 'Cuota', value: (row: VatBookRow) => euros(row.taxCents) },
    { label: 'Recargo %', value: (row: VatBookRow) => row.surchargeRate },
    { label: 'Cuota del recargo', value: (row: VatBookRow) => euros(row.surchargeCents) },
    ...(received ? [deductible] : []),
    { label: 'Retención', value: (row: VatBookRow) => euros(row.irpfCents) },
    { label: 'Total factura', value: (row: VatBookRow) => euros(row.totalCents) },
  ]
}
