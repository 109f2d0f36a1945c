import { checkLine } from './check-lines.ts'
import { type Figure, isMoney } from './figures.ts'
import { amountLabels, dateLabels, numberLabels } from './labels.ts'
import { type Row, type Sheet, type Token, textOf } from './layout.ts'
import { findLabels, labelAt } from './lexicon.ts'
import type { PrintedLine } from './printed-line.ts'

/** Rows of words with an amount at the right, and the rows that they stand in. */
export interface PlainLines {
  lines: PrintedLine[]
  rows: Set<number>
}

/**
 * Lines of an invoice without headings: rows of words with an amount at the right, one below the other, right above
 * the base or the total. Of several such groups the one that adds up to an amount of the summary below it, else the
 * first. Empty when there are none.
 */
export function readPlainLines(sheet: Sheet, figures: readonly Figure[]): PlainLines {
  const byRow = new Map<number, Figure[]>()
  for (const figure of figures) {
    const list = byRow.get(figure.row) ?? []
    list.push(figure)
    byRow.set(figure.row, list)
  }
  let first: PlainLines | null = null
  let above = -1
  for (const { index } of sheet.rows) {
    if (!isSummary(sheet, index)) continue
    // amounts of the summary itself, or right below its headings
    const sums = [index, index + 1].flatMap((row) => (byRow.get(row) ?? []).filter(isMoney))
    if (sums.length === 0) continue
    const found = linesAbove(sheet, index, above, byRow)
    above = index
    if (found.lines.length === 0) continue
    const sum = found.lines.reduce((total, line) => total + (line.total?.cents ?? 0), 0)
    if (sums.some((figure) => figure.cents === sum)) return found
    first ??= found
  }
  return first ?? { lines: [], rows: new Set() }
}

function linesAbove(sheet: Sheet, summary: number, above: number, byRow: ReadonlyMap<number, Figure[]>): PlainLines {
  const lines: PrintedLine[] = []
  const rows = new Set<number>()
  let right: number | null = null
  let top = sheet.rows[summary]?.y0 ?? 0
  const page = sheet.rows[summary]?.page ?? 0
  for (let index = summary - 1; index > above; index -= 1) {
    const row = sheet.rows[index]
    if (row === undefined || row.page !== page) break
    const money = (byRow.get(index) ?? []).filter(isMoney)
    const amount = money.at(-1)
    const size = row.cells[0]?.size ?? 10
    if (top - row.y1 > 7 * size) break
    const words = row.cells
      .flatMap((cell) => cell.tokens)
      .filter((token) => !money.some((figure) => figure.tokens.includes(token)))
    if (amount === undefined) {
      // what stands under a heading of suplidos was paid for the customer and is no line
      if (lines.length > 0 && isOutlay(row.cells[0]?.tokens ?? [])) {
        lines.length = 0
        rows.clear()
        top = row.y0
        continue
      }
      if (lines.length > 0) break
      continue
    }
    if (isSummary(sheet, index)) break
    if (right === null) right = amount.x1
    if (Math.abs(amount.x1 - right) > 2.5 * size) break
    if (!words.some((token) => /[a-z]{3}/.test(token.bare))) break
    const first = row.cells[0]
    if (
      first === undefined ||
      labelAt(first.tokens, 0, dateLabels) !== null ||
      (labelAt(first.tokens, 0, numberLabels)?.meaning === 'invoice' && !isOrdinal(first.tokens))
    )
      break
    lines.unshift(lineOf(row, byRow.get(index) ?? [], amount, words))
    rows.add(index)
    top = row.y0
  }
  return { lines: withoutGroupSums(sheet, lines), rows }
}

/** `Línea 685 823 562   22,40` over its own, indented parts: what these add up to is no line of its own. */
function withoutGroupSums(sheet: Sheet, lines: readonly PrintedLine[]): PrintedLine[] {
  const indent = (line: PrintedLine) => sheet.rows[line.row]?.cells[0]?.x0 ?? 0
  const size = (line: PrintedLine) => sheet.rows[line.row]?.cells[0]?.size ?? 10
  const kept = lines.filter((line, index) => {
    let sum = 0
    for (const part of lines.slice(index + 1)) {
      if (indent(part) < indent(line) + 0.5 * size(line)) break
      sum += part.total?.cents ?? 0
    }
    return sum === 0 || sum !== line.total?.cents
  })
  return kept
}

/** `Energía punta   821 kWh x 0,273398 €/kWh   224,46 €`: a product between description and amount is told apart. */
function lineOf(row: Row, figures: readonly Figure[], amount: Figure, words: Token[]): PrintedLine {
  const line = { discount: null, taxRate: null, total: amount, page: row.page, row: row.index }
  const cross = words.find((token) => /^[x×*]$/i.test(token.text))
  const before = figures.findLast((figure) => cross !== undefined && figure.x1 <= cross.x0)
  const after = figures.find((figure) => cross !== undefined && figure.x0 >= cross.x1)
  if (before !== undefined && after !== undefined && after !== amount && !before.percent && !after.percent) {
    const described = words.filter((token) => token.x1 <= before.x0)
    if (checkLine({ ...line, quantity: before, price: after }).holds === true && described.length > 0)
      return { ...line, quantity: before, price: after, description: textOf(described), descriptionTokens: described }
  }
  const money = figures.filter(isMoney)
  const [first] = figures
  const each = money.length >= 2 ? (money.at(-2) ?? null) : null
  // `3 CAÑA   3,50   10,50`
  if (
    first !== undefined &&
    each !== null &&
    first !== each &&
    first.x0 <= (words[0]?.x0 ?? 0) &&
    first.decimals === 0
  ) {
    const described = words.filter((token) => !first.tokens.includes(token))
    if (checkLine({ ...line, quantity: first, price: each }).holds === true && described.length > 0)
      return { ...line, quantity: first, price: each, description: textOf(described), descriptionTokens: described }
  }
  const quantity = money.length >= 3 ? (money[0] ?? null) : null
  const price = quantity === null ? null : each
  const described = withoutDetail(row, words)
  return { ...line, quantity, price, description: textOf(described), descriptionTokens: described }
}

/**
 * The words of the description: a date before them stands apart, and so does how the amount was computed after them
 * (`Potencia punta   13,856 kW x 33 días   47,45 €`).
 */
function withoutDetail(row: Row, words: readonly Token[]): Token[] {
  const cells = row.cells
    .map((cell) => cell.tokens.filter((token) => words.includes(token)))
    .filter((tokens) => tokens.length > 0)
  const from = cells.length > 1 && /^\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?$/.test(textOf(cells[0] ?? [])) ? 1 : 0
  const kept = cells.slice(from)
  const detail = kept.findIndex((tokens, at) => at > 0 && /^\d/.test(tokens[0]?.text ?? ''))
  return (detail > 0 ? kept.slice(0, detail) : kept).flat()
}

/** `Nº 2. Documentos de cuantía` counts what is sold. */
const isOrdinal = (tokens: readonly Token[]): boolean =>
  /^\d{1,2}[.):]?$/.test(tokens[1]?.text ?? '') && /\p{L}{3}/u.test(tokens[2]?.text ?? '')

const isOutlay = (tokens: readonly Token[]): boolean => labelAt(tokens, 0, amountLabels)?.meaning === 'suplido'

/** `Base imponible`, `Más 21 % IVA`, `Menos retención`: a cell of the row begins with the name of a sum. */
function isSummary(sheet: Sheet, index: number): boolean {
  const row = sheet.rows[index]
  if (row === undefined) return false
  return row.cells.some((cell) => {
    const start = cell.tokens.findIndex(
      (token) => token.bare !== '' && !/^(?:mas|menos|mes|menys|de|del|el|[\d.,]*%?)$/.test(token.bare),
    )
    const label = labelAt(cell.tokens, Math.max(0, start), amountLabels)
    if (label === null || !summed.has(label.meaning)) return false
    const rest = cell.tokens.slice(label.to)
    const unknown =
      rest.filter((token) => /[a-z]{3}/.test(token.bare)).length -
      findLabels(rest, amountLabels).reduce((sum, found) => sum + found.to - found.from, 0)
    // `Cuota de comunidad` and `Impuesto eléctrico` are lines, `IVA 21 % sobre base` is none
    const vague = label.words.length === 1 && /^(?:cuota|quota|impuesto|impost|imposto|tax)/.test(label.words[0] ?? '')
    return unknown <= (vague ? 0 : 2)
  })
}

const summed = new Set(['base', 'gross', 'total', 'tax', 'irpf', 'surcharge'])
