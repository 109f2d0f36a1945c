import { checkIban } from '@asiento/proto/iban'
import { cents, euros } from '@asiento/proto/money'
import type { InvoiceFields } from '@asiento/proto/schemas/extraction-result'
import { checkTaxId } from '@asiento/proto/tax-id'
import { readDates } from './dates.ts'
import { type Figure, readFigures } from './figures.ts'
import { type Cell, type Sheet, type Token, textOf, unitBox } from './layout.ts'
import { fold } from './text.ts'

/** Fields that a correction may teach: everything but lines and derived fields. */
export type LearnedField = Exclude<
  keyof InvoiceFields,
  'line_items' | 'tax_breakdown' | 'lines_include_tax' | 'vendor_province' | 'vendor_country' | 'language'
>
export type Corrections = Partial<Pick<InvoiceFields, LearnedField>>

export type Anchor =
  | { field: LearnedField; kind: 'never' }
  | { field: LearnedField; kind: 'constant'; value: string | number }
  | ({ field: LearnedField; kind: 'place' } & Place)

/** Where a value stands: its label (words without blanks, folded) and on which side, and its box in page units. */
export interface Place {
  label: string | null
  side: 'left' | 'above' | null
  /** Counted from the end (-1) where the document has several pages and the value stands on the last. */
  page: number
  box: [number, number, number, number]
}

export interface AnchorRead {
  value: string | number
  tokens: Token[]
  labelled: boolean
}

const dates = new Set<string>(['invoice_date', 'due_date'])
const amounts = new Set<string>(['subtotal', 'tax', 'total', 'irpf_amount', 'irpf_rate', 'declared_tax_rate'])

/** The tokens that print a value; null when the document does not show it. */
export function findValue(sheet: Sheet, field: LearnedField, value: string | number): Token[] | null {
  if (dates.has(field)) return readDates(sheet).find((date) => date.iso === value)?.tokens ?? null
  if (amounts.has(field)) {
    const wanted = Math.abs(cents(value))
    const figures = readFigures(sheet).filter(
      (figure) => Math.abs(figure.cents) === wanted && (field.endsWith('_rate') ? figure.percent : !figure.percent),
    )
    return figures.at(-1)?.tokens ?? null
  }
  const wanted = squeezed(String(value))
  for (const cell of sheet.cells) {
    if (!squeezed(cell.text).includes(wanted)) continue
    for (let from = 0; from < cell.tokens.length; from += 1) {
      let joined = ''
      for (let to = from; to < Math.min(cell.tokens.length, from + 14); to += 1) {
        joined += squeezed(cell.tokens[to]?.text ?? '')
        if (joined === wanted || joined === `es${wanted}`) return cell.tokens.slice(from, to + 1)
        if (joined.length > wanted.length + 3) break
      }
    }
  }
  return null
}

const squeezed = (text: string): string => fold(text).replace(/[^a-z0-9]/g, '')

/** Describes where tokens stand. */
export function locate(sheet: Sheet, tokens: readonly Token[]): Place {
  const first = tokens[0]
  const pages = sheet.document.pages
  const last = pages.at(-1)?.index ?? 0
  const page = first === undefined || first.page === 0 || first.page !== last ? (first?.page ?? 0) : -1
  const box = unitBox(sheet, tokens)
  if (first === undefined) return { label: null, side: null, page, box }
  const cell = sheet.cells[first.cell]
  const before = cell === undefined ? [] : cell.tokens.slice(0, cell.tokens.indexOf(first))
  const inCell = labelText(before.slice(-4))
  if (inCell !== null) return { label: inCell, side: 'left', page, box }
  const left = sheet.rows[first.row]?.cells.filter((other) => other.x1 <= first.x0).at(-1)
  const leftText = left === undefined || /\d{3}/.test(left.text) ? null : labelText(left.tokens.slice(-4))
  if (leftText !== null) return { label: leftText, side: 'left', page, box }
  const above = cell === undefined ? null : cellAbove(sheet, first)
  return { label: above === null ? null : labelText(above.tokens), side: above === null ? null : 'above', page, box }
}

function labelText(tokens: readonly Token[]): string | null {
  const text = squeezed(
    tokens
      .filter((token) => !/\d/.test(token.text))
      .map((token) => token.text)
      .join(''),
  )
  return text.length >= 2 && text.length <= 40 ? text : null
}

function cellAbove(sheet: Sheet, token: Token): Cell | null {
  for (let index = token.row - 1; index >= Math.max(0, token.row - 3); index -= 1) {
    const row = sheet.rows[index]
    if (row === undefined || row.page !== token.page) return null
    const over = row.cells.find((cell) => cell.x0 < token.x1 + 2 * token.size && cell.x1 > token.x0 - 2 * token.size)
    if (over !== undefined) return over
  }
  return null
}

/** Reads the value of a field at a learned place of another document; null when nothing of its kind stands there. */
export function readAnchor(sheet: Sheet, anchor: Extract<Anchor, { kind: 'place' }>): AnchorRead | null {
  const pageIndex = anchor.page < 0 ? (sheet.document.pages.at(-1)?.index ?? 0) : anchor.page
  const candidates = valuesOf(sheet, anchor.field).filter((candidate) => candidate.tokens[0]?.page === pageIndex)
  const scored = candidates
    .map((candidate) => {
      const place = locate(sheet, candidate.tokens)
      const labelled = anchor.label !== null && place.label !== null && place.label === anchor.label
      const [x0, y0, x1, y1] = place.box
      const dx = Math.min(Math.abs(x0 - anchor.box[0]), Math.abs(x1 - anchor.box[2]))
      const dy = Math.min(Math.abs(y0 - anchor.box[1]), Math.abs(y1 - anchor.box[3]))
      // Of candidates that begin alike, the one that also ends where the taught one did: a number may be of several words.
      const ends = Math.abs(x0 - anchor.box[0]) + Math.abs(x1 - anchor.box[2])
      return { candidate, labelled, distance: dx + 0.7 * dy, dx, ends }
    })
    .filter(({ labelled, distance, dx }) => (labelled ? dx < 0.25 : anchor.label === null && distance < 0.03))
    .sort((a, b) => a.distance - b.distance || a.ends - b.ends)
  const best = scored[0]
  return best === undefined ? null : { ...best.candidate, labelled: best.labelled }
}

interface Candidate {
  value: string | number
  tokens: Token[]
}

function valuesOf(sheet: Sheet, field: LearnedField): Candidate[] {
  if (dates.has(field)) return readDates(sheet).map((date) => ({ value: date.iso, tokens: date.tokens }))
  if (amounts.has(field))
    return readFigures(sheet)
      .filter((figure) => figure.percent === field.endsWith('_rate'))
      .map((figure) => ({ value: amountOf(field, figure), tokens: figure.tokens }))
  return sheet.cells.flatMap((cell) => textsOf(cell, field))
}

function amountOf(field: LearnedField, figure: Figure): number {
  if (field.endsWith('_rate')) return Math.abs(Number(figure.decimal))
  return field === 'irpf_amount' ? -Math.abs(euros(figure.cents)) : euros(figure.cents)
}

/** The whole cell, and the rest of it after each of its first words. */
function textsOf(cell: Cell, field: LearnedField): Candidate[] {
  const found: Candidate[] = []
  for (let from = 0; from < Math.min(cell.tokens.length, 8); from += 1) {
    const ends = field === 'invoice_number' ? [from + 1, from + 2, from + 3] : [cell.tokens.length]
    for (const end of ends) {
      const tokens = cell.tokens.slice(from, Math.min(end, cell.tokens.length))
      const text = textOf(tokens)
        .replace(/^[\s:#]+/, '')
        .replace(/[\s,;:]+$/, '')
      if (text === '' || (end > cell.tokens.length && end > from + 1)) continue
      if (field === 'iban' && !checkIban(text).valid) continue
      if (field === 'invoice_number' && !/\d/.test(text)) continue
      if (field.endsWith('_vat')) {
        const verdict = checkTaxId(text)
        if (verdict.valid) found.push({ value: verdict.value, tokens })
        continue
      }
      found.push({ value: field === 'iban' ? checkIban(text).value : text, tokens })
    }
  }
  return found
}

/** What one correction taught about the documents of a vendor. Plain JSON, to be stored as it is. */
export interface VendorLayout {
  vendorTaxId: string
  anchors: Anchor[]
}
