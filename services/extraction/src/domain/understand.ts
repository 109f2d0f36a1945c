import { type Cents, euros } from '@asiento/proto/money'
import type { Extraction, FieldEvidence, LineItem } from '@asiento/proto/schemas/extraction-result'
import { applyLayout } from './apply-layout.ts'
import { checkLine } from './check-lines.ts'
import { classify } from './classify.ts'
import { type Confident, documentConfidence, fieldConfidence } from './confidence.ts'
import { readDates } from './dates.ts'
import { type Figure, isMoney, readFigures } from './figures.ts'
import { findDates } from './find-dates.ts'
import { findIbans } from './find-iban.ts'
import { findNumber } from './find-number.ts'
import { findPayment } from './find-payment.ts'
import { labelAmounts } from './labelled-amounts.ts'
import { arrange, type Cell, type Sheet, type Token, textOf, unitBox } from './layout.ts'
import { type LineTable, readLineTable } from './line-table.ts'
import type { Document } from './page.ts'
import { type Found, findParties } from './parties.ts'
import { type PlainLines, readPlainLines } from './plain-lines.ts'
import type { PrintedLine } from './printed-line.ts'
import { readProductLines } from './product-lines.ts'
import type { Reading, UnderstandContext } from './reading.ts'
import { type SettledAmounts, settleAmounts } from './settle-amounts.ts'

import { warningsOf } from './warnings-of.ts'

export type { Reading, UnderstandContext }

/**
 * Turns words with boxes into an invoice: every value with its evidence, the sums checked, nothing guessed. Pure; the
 * same document and context give the same answer. Bounded: work grows with n log n of the words, searches have limits.
 */
export function understand(document: Document, context: UnderstandContext): Extraction {
  const reading = readSheet(arrange(document), context)
  const draft = toExtraction(document, reading, context)
  return applyLayout(draft, { document, sheet: reading.sheet, layouts: context.vendorLayouts ?? [] })
}

export function readSheet(sheet: Sheet, context: UnderstandContext): Reading {
  const figures = readFigures(sheet)
  const kind = classify(sheet)
  const table = readLineTable(sheet, figures)
  const plain = table === null ? linesWithoutHeadings(sheet, figures) : null
  const lines = table?.lines ?? plain?.lines ?? []
  const lineRows = table?.rows ?? plain?.rows ?? new Set<number>()
  const amounts = settleAmounts({
    amounts: labelAmounts(sheet, figures, table === null ? lineRows : outsideKept(table, figures)),
    figures,
    lines,
    taxType: kind.taxType,
    exempt: saysExempt(sheet),
    surcharge: kind.surcharge,
    withholding: kind.withholding,
  })
  const blockedCells = cellsOf(lineRows, sheet, table)
  const dates = readDates(sheet)
  const ibans = findIbans(sheet)
  const parties = findParties(sheet, {
    accountTaxId: context.accountTaxId ?? null,
    blockedCells,
    withheld: amounts.irpf !== null && amounts.irpf !== 0,
  })
  const taken = new Set<Token>([
    ...ibans.tokens,
    ...[parties.vendor.taxId, parties.buyer.taxId, parties.vendor.postalCode, parties.buyer.postalCode].flatMap(
      (found) => found?.tokens ?? [],
    ),
  ])
  const money = new Set(figures.filter(isMoney).flatMap((figure) => figure.tokens))
  const number = findNumber(sheet, { dates, taken, money, blockedCells })
  const { invoiceDate, dueDate } = findDates(sheet, dates, { number, blockedCells, today: context.today })
  return {
    sheet,
    figures,
    kind,
    table,
    lines,
    amounts,
    parties,
    number,
    invoiceDate,
    dueDate,
    iban: ibans.iban,
    invalidIban: ibans.invalid,
    payment: findPayment(sheet, blockedCells),
  }
}

/** Above a summary that names its amounts, else the rows whose products hold. */
function linesWithoutHeadings(sheet: Sheet, figures: readonly Figure[]): PlainLines {
  const plain = readPlainLines(sheet, figures)
  return plain.lines.length > 0 ? plain : readProductLines(sheet, figures)
}

/** Exempt, not subject, or with the tax due from the buyer (Ley 37/1992 arts. 7, 20, 84). */
const saysExempt = (sheet: Sheet): boolean =>
  sheet.cells.some((cell) =>
    /exent[oa]s? (?:de|d')|exempta? d|operaci[oó]n exenta|no sujet[oa]|inversi[oó]n del sujeto pasivo/i.test(cell.text),
  )

/** The cells of the lines; a side bar shares their rows and is no part of them. */
function cellsOf(rows: ReadonlySet<number>, sheet: Sheet, table: LineTable | null): Set<number> {
  const cells = [...rows].flatMap((index) => sheet.rows[index]?.cells ?? [])
  const beside = (cell: Cell) =>
    table !== null && (cell.x0 > table.x1 + 0.8 * cell.size || cell.x1 < table.x0 - 3 * cell.size)
  return new Set(cells.filter((cell) => !beside(cell)).map((cell) => cell.index))
}

const outsideKept = (table: LineTable, figures: readonly Figure[]): ReadonlySet<number> => {
  const rows = new Set(table.rows)
  const lineFigures = new Set(table.lines.flatMap((line) => [line.quantity, line.price, line.total]))
  for (const row of table.rows) {
    const inRow = figures.filter((figure) => figure.row === row)
    if (
      inRow.length > 0 &&
      inRow.every((figure) => !lineFigures.has(figure)) &&
      inRow.some((figure) => figure.x0 > table.x1 + 8)
    )
      rows.delete(row)
  }
  return rows
}

function toExtraction(document: Document, reading: Reading, context: UnderstandContext): Extraction {
  const { amounts, parties, kind } = reading
  const evidence: Record<string, FieldEvidence> = {}
  const confident: Confident = { reading, document, context }
  const keep = (field: string, found: { tokens: readonly Token[] } | null | undefined, score: number): void => {
    const first = found?.tokens[0]
    if (found === null || found === undefined || first === undefined) return
    evidence[field] = {
      page: first.page + 1,
      bbox: unitBox(
        reading.sheet,
        found.tokens.filter((token) => token.page === first.page),
      ),
      text: textOf(found.tokens),
      confidence: fieldConfidence(field, score, found.tokens, confident),
    }
  }
  const value = (field: string, found: Found | null): string | null => {
    if (found === null) return null
    keep(field, found, found.score)
    return found.value
  }
  const amount = (field: keyof SettledAmounts['figures'], cents: Cents | null): number | null => {
    keep(field, amounts.figures[field] ?? null, amounts.proof === 'unique' ? 5 : 2)
    return cents === null ? null : euros(cents)
  }
  const rate = (field: 'irpf_rate' | 'declared_tax_rate', text: string | null): number | null => {
    keep(field, amounts.figures[field] ?? null, amounts.proof === 'unique' ? 5 : 2)
    return text === null ? null : Number(text)
  }
  const vendorId = parties.vendor.taxId ?? (document.engine === 'text' ? parties.vendor.invalidTaxId : null)
  const buyerId = parties.buyer.taxId ?? (document.engine === 'text' ? parties.buyer.invalidTaxId : null)
  const items = reading.lines.map((line, index) => lineItem(line, index, reading, keep))
  const found = amounts.total !== null || reading.number !== null
  const fields = {
    vendor_name: value('vendor_name', parties.vendor.name),
    vendor_vat: value('vendor_vat', vendorId),
    vendor_address: value('vendor_address', parties.vendor.street),
    vendor_city: value('vendor_city', parties.vendor.city),
    vendor_postal_code: value('vendor_postal_code', parties.vendor.postalCode),
    vendor_province: parties.vendor.province,
    vendor_country: parties.vendor.country,
    buyer_name: value('buyer_name', parties.buyer.name),
    buyer_vat: value('buyer_vat', buyerId),
    buyer_address: value('buyer_address', parties.buyer.street),
    buyer_city: value('buyer_city', parties.buyer.city),
    buyer_postal_code: value('buyer_postal_code', parties.buyer.postalCode),
    invoice_number: value('invoice_number', reading.number),
    invoice_date: value('invoice_date', reading.invoiceDate),
    due_date: value('due_date', reading.dueDate),
    currency: found ? kind.currency : null,
    subtotal: amount('subtotal', amounts.subtotal),
    tax: amount('tax', amounts.tax),
    total: amount('total', amounts.total),
    iban: value('iban', reading.iban),
    payment_method: reading.payment?.value ?? null,
    irpf_rate: rate('irpf_rate', amounts.irpfRate),
    irpf_amount: amount('irpf_amount', amounts.irpf === null ? null : -amounts.irpf),
    declared_tax_rate: rate('declared_tax_rate', amounts.declaredRate),
    tax_breakdown: amounts.breakdown.map((row) => ({
      tax_type: row.taxType,
      rate: Number(row.rate),
      base: euros(row.baseCents),
      amount: euros(row.amountCents),
    })),
    line_items: items,
    lines_include_tax: amounts.linesIncludeTax,
    document_type: typeOf(reading),
    language: kind.language,
  }
  if (reading.payment !== null) keep('payment_method', reading.payment, reading.payment.score)
  const warnings = warningsOf(document, reading, fields, context)
  const draft: Extraction = {
    ...fields,
    confidence_score: 0,
    warnings,
    pages: document.pageCount,
    field_evidence: evidence,
    engine: document.engine,
  }
  return { ...draft, confidence_score: documentConfidence(draft, confident) }
}

function typeOf(reading: Reading): Extraction['document_type'] {
  const { kind, amounts, parties } = reading
  if (kind.type === 'invoice' && amounts.total !== null && amounts.total < 0) return 'corrective'
  if (kind.type === 'receipt' && parties.vendor.taxId !== null && (amounts.tax ?? 0) !== 0) return 'invoice'
  return kind.type
}

function lineItem(
  line: PrintedLine,
  index: number,
  reading: Reading,
  keep: (field: string, found: { tokens: readonly Token[] } | null, score: number) => void,
): LineItem {
  const field = (name: string) => `line_items[${index}].${name}`
  const score = checkLine(line).holds === true ? 5 : 2
  keep(field('description'), { tokens: line.descriptionTokens }, 3)
  keep(field('quantity'), line.quantity, score)
  keep(field('unit_price'), line.price, score)
  keep(field('total'), line.total, score)
  const rates = reading.amounts.breakdown.filter((row) => row.taxType !== 'RE')
  const printed = line.taxRate === null ? null : Number(line.taxRate.decimal.replace('-', ''))
  return {
    description: line.description,
    quantity: line.quantity === null ? null : Number(line.quantity.decimal),
    unit_price: line.price === null ? null : Number(line.price.decimal),
    tax_rate: printed ?? (rates.length === 1 ? Number(rates[0]?.rate) : null),
    total: line.total === null ? null : euros(line.total.cents),
  }
}
