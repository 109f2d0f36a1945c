import { checkLine, linesSum } from './check-lines.ts'
import { withProvenRoles } from './column-roles.ts'
import type { Figure } from './figures.ts'
import { withoutComma } from './labelled-amounts.ts'
import { amountLabels } from './labels.ts'
import { boxOf, type Cell, type Row, type Sheet, type Token, textOf } from './layout.ts'
import { findLabels, labelAt } from './lexicon.ts'
import { type Column, columnsOf, headingsOf } from './line-columns.ts'
import type { PrintedLine } from './printed-line.ts'

export interface LineTable {
  columns: Column[]
  lines: PrintedLine[]
  /** Rows of the sheet that belong to the table: headings, lines and what stands between them. */
  rows: Set<number>
  /** Index of the first heading row. */
  heading: number
  x0: number
  x1: number
}

/** Lines under headings, over all pages on which the headings or the columns go on. Null when no heading is found. */
export function readLineTable(sheet: Sheet, figures: readonly Figure[]): LineTable | null {
  const figureOf = new Map<Token, Figure>()
  for (const figure of figures) for (const token of figure.tokens) figureOf.set(token, figure)
  const tables: LineTable[] = []
  let last: LineTable | null = null
  for (const row of sheet.rows) {
    if (last?.rows.has(row.index)) continue
    const headings = headingsOf(sheet, row, figureOf)
    if (headings === null) continue
    const table = readBody(sheet, row, headings, figureOf)
    if (table.lines.length === 0) continue
    tables.push(table)
    last = table
  }
  return joined(tables, sheet, figureOf)
}

/** Tables of several pages are one; on the same page the one with most lines wins, the others join when alike. */
function joined(tables: readonly LineTable[], sheet: Sheet, figureOf: ReadonlyMap<Token, Figure>): LineTable | null {
  const best = [...tables].sort((a, b) => b.lines.length - a.lines.length)[0]
  if (best === undefined) return null
  const signature = (table: LineTable) => table.columns.map((column) => column.meaning).join()
  const alike = tables.filter((table) => signature(table) === signature(best))
  return {
    ...best,
    heading: Math.min(...alike.map((table) => table.heading)),
    lines: alike.flatMap((table) => table.lines),
    rows: new Set(
      alike.flatMap((table) => [...table.rows, ...(alike.length > 1 ? sumBelow(table, sheet, figureOf) : [])]),
    ),
  }
}

/** The row right below one of several tables that says what its lines add up to: `Suma recambios: 311,79`. */
function sumBelow(table: LineTable, sheet: Sheet, figureOf: ReadonlyMap<Token, Figure>): number[] {
  const row = sheet.rows[Math.max(...table.rows) + 1]
  const figures = new Set(row?.cells.flatMap((cell) => cell.tokens.map((token) => figureOf.get(token))))
  figures.delete(undefined)
  const [figure] = figures
  return row !== undefined && figures.size === 1 && figure?.cents === linesSum(table.lines) ? [row.index] : []
}

function readBody(sheet: Sheet, heading: Row, headings: Cell[], figureOf: Map<Token, Figure>): LineTable {
  const bounds = boxOf(headings)
  const size = heading.cells[0]?.size ?? 10
  const body: Row[] = []
  const skipped: number[] = []
  const pageRows = sheet.rows.filter((row) => row.index > heading.index && (row.cells[0]?.tokens[0]?.turned ?? 0) === 0)
  const bottom = headings.length > 0 ? Math.max(...headings.map((cell) => cell.y1)) : heading.y1
  let previousY = bottom
  let page = heading.page
  let pitch = 0
  let textOnly = 0
  for (const row of pageRows) {
    if (row.page !== page) {
      // the columns go on at the top of the next page only without a new heading there
      if (row.page !== page + 1 || hasHeading(sheet, row.page, figureOf)) break
      if (body.length === 0) break
      page = row.page
      previousY = row.y0
    }
    if (row.page === heading.page && row.y0 < bottom - 1) continue
    const cells = insideCells(row, bounds, size)
    if (cells.length === 0) {
      skipped.push(row.index)
      continue
    }
    const kind = kindOf(cells, figureOf, bounds)
    if (kind === 'summary') break
    if (kind === 'aside') {
      skipped.push(row.index)
      continue
    }
    const gap = row.y0 - previousY
    const limit = Math.max(pitch * 2.4, size * 5)
    if (body.length > 0 && gap > limit && !(kind === 'line' && standsLike(body, cells, figureOf))) break
    if (kind === 'text') {
      textOnly += 1
      if (textOnly > 6) break
    } else {
      if (body.length > 0 && pitch === 0) pitch = gap + size
      textOnly = 0
    }
    body.push(row)
    previousY = row.y1
  }
  while (
    body.length > 0 &&
    kindOf(insideCells(body.at(-1) ?? heading, bounds, size), figureOf, bounds) === 'text' &&
    trailing(body, figureOf)
  )
    body.pop()
  const inside = body.map((row) => insideCells(row, bounds, size).flatMap((cell) => cell.tokens))
  const named = withProvenRoles(columnsOf(headings, inside, figureOf), inside, figureOf)
  const read = (candidate: readonly Column[]) => linesOf(body, inside, candidate, figureOf)
  const columns = withOneAmount(withUnknown(named, read), read)
  const lines = linesOf(body, inside, columns, figureOf)
  return {
    columns,
    lines,
    rows: new Set([
      heading.index,
      ...headings.map((cell) => cell.row),
      ...body.map((row) => row.index),
      ...skipped.filter((index) => index < (body.at(-1)?.index ?? 0)),
    ]),
    heading: heading.index,
    x0: bounds.x0,
    x1: bounds.x1,
  }
}

/** In a table stretched over its page the next line is far below; its numbers end where those of the line above do. */
function standsLike(body: readonly Row[], cells: readonly Cell[], figureOf: Map<Token, Figure>): boolean {
  const ends = (tokens: readonly Token[]) =>
    new Set(tokens.filter((token) => figureOf.has(token)).map((token) => Math.round(token.x1)))
  const above = body.findLast((row) => row.cells.some((cell) => cell.tokens.some((token) => figureOf.has(token))))
  if (above === undefined) return false
  const before = ends(above.cells.flatMap((cell) => cell.tokens))
  const here = ends(cells.flatMap((cell) => cell.tokens))
  const shared = [...here].filter((x) => before.has(x) || before.has(x - 1) || before.has(x + 1)).length
  return shared >= 3 && shared >= here.size - 1
}

/** A column without a known heading is the price or the quantity when only then the products hold. */
function withUnknown(columns: Column[], read: (columns: readonly Column[]) => PrintedLine[]): Column[] {
  const holding = (candidate: readonly Column[]) =>
    read(candidate).filter((line) => line.quantity !== null && line.price !== null && checkLine(line).holds === true)
      .length
  let best = columns
  for (const [index, column] of columns.entries()) {
    // `Imp.` heads taxes and amounts
    const doubtful = column.meaning === 'tax' && !columns.some((other) => /amount/i.test(other.meaning))
    if (!doubtful && column.meaning !== 'unknown' && column.meaning !== 'unit' && column.meaning !== 'code') continue
    for (const meaning of doubtful ? (['amount'] as const) : (['price', 'quantity'] as const)) {
      if (best.some((other) => other.meaning === meaning)) continue
      const candidate = columns.map((other, at) => (at === index ? { ...other, meaning } : other))
      if (holding(candidate) > holding(best)) best = candidate
    }
  }
  return best
}

/** Of several columns of amounts (net and with tax) or prices the ones that quantity × price confirms, net first. */
function withOneAmount(columns: Column[], read: (columns: readonly Column[]) => PrintedLine[]): Column[] {
  const amounts = columns.filter((column) => column.meaning === 'amount' || column.meaning === 'grossAmount')
  const prices = columns.filter((column) => column.meaning === 'price')
  if (amounts.length < 2 && prices.length < 2) return columns
  const holding = (candidate: readonly Column[]) =>
    read(candidate).filter((line) => line.quantity !== null && checkLine({ ...line, taxRate: null }).holds === true)
      .length
  let best = columns
  let most = holding(columns)
  for (const amount of amounts.length === 0 ? [undefined] : amounts) {
    for (const price of prices.length === 0 ? [undefined] : prices) {
      const candidate = columns.map((column): Column => {
        if (column === amount) return { ...column, meaning: 'amount' }
        const other = amounts.includes(column) || prices.includes(column)
        return other && column !== price ? { ...column, meaning: 'unknown' } : column
      })
      const count = holding(candidate)
      if (count > most) {
        best = candidate
        most = count
      }
    }
  }
  return best
}

/** A last row of words only that stands far below the last amount is a remark, not a description. */
function trailing(body: readonly Row[], figureOf: Map<Token, Figure>): boolean {
  const last = body.at(-1)
  const before = [...body]
    .reverse()
    .find((row) => row.cells.some((cell) => cell.tokens.some((token) => figureOf.has(token))))
  if (last === undefined || before === undefined) return false
  return last.page !== before.page || last.y0 - before.y1 > 1.6 * (last.y1 - last.y0)
}

function hasHeading(sheet: Sheet, page: number, figureOf: Map<Token, Figure>): boolean {
  return sheet.rows.some((row) => row.page === page && headingsOf(sheet, row, figureOf) !== null)
}

/** The cells of a row that stand within the table; a side bar beyond its last column does not. */
function insideCells(row: Row, bounds: { x0: number; x1: number }, size: number): Cell[] {
  return row.cells.filter((cell) => cell.x0 < bounds.x1 + 0.5 * size && cell.x1 > bounds.x0 - 3 * size)
}

type RowKind = 'line' | 'text' | 'summary' | 'aside'

const taxes = new Set(['tax', 'irpf', 'surcharge'])
const stoppers = new Set(['total', 'base', 'gross', 'tax', 'irpf', 'surcharge', 'discount', 'advance', 'suplido'])

function kindOf(cells: readonly Cell[], figureOf: Map<Token, Figure>, bounds: { x0: number; x1: number }): RowKind {
  const figures = new Set(
    cells.flatMap((cell) => cell.tokens.map((token) => figureOf.get(token))).filter((figure) => figure !== undefined),
  )
  const money = [...figures].filter((figure) => !figure.percent)
  const worded = cells.filter((cell) => cell.tokens.some((token) => /[a-z]{2}/.test(token.bare)))
  const numbers = money.filter((figure) => figure.decimals > 0 || /^\d+$/.test(figure.text))
  for (const [position, cell] of worded.entries()) {
    const label = labelAt(
      cell.tokens,
      Math.max(
        0,
        cell.tokens.findIndex((token) => token.bare !== ''),
      ),
      amountLabels,
    )
    if (label === null && /\((?:base|base imponible|b\. ?i\.)\):?$/i.test(cell.text) && money.length <= 1)
      return 'summary'
    if (label === null) continue
    // `IVA 0 % - Inversión del sujeto pasivo`: words after the rate of a tax explain it
    const rated = cell.tokens.slice(label.to, label.to + 2).some((token) => figureOf.get(token)?.percent)
    if (rated && taxes.has(label.meaning) && money.length <= 1) return 'summary'
    const rest = cell.tokens.slice(label.to).filter((token) => /[a-z]{3}/.test(token.bare) && !figureOf.has(token))
    const unknown = rest.length - findLabels(rest, amountLabels).reduce((sum, found) => sum + found.to - found.from, 0)
    if (label.meaning === 'aside' && position === 0 && unknown <= (label.words.length > 1 ? 2 : 0))
      return money.length <= 1 ? 'aside' : 'line'
    // `% IVA 21 %   51,30` beside or below the lines
    const named = label.meaning === 'included' && label.words.join('').includes('%') && money.length > 0
    const stops = stoppers.has(label.meaning) || (named && cell.x0 > bounds.x0 + (bounds.x1 - bounds.x0) * 0.25)
    if (!stops || (numbers.length >= 3 && label.meaning !== 'total' && label.meaning !== 'base')) continue
    const atLeft = cell.x0 < bounds.x0 + (bounds.x1 - bounds.x0) * 0.25
    const lenient = ['discount', 'suplido', 'advance'].includes(label.meaning)
    if (unknown > (label.words.length >= 2 ? 2 : atLeft || position > 0 ? 0 : 1)) continue
    if (numbers.length >= 3 && atLeft && lenient) continue
    if (money.length === 0 && !atLeft && position === 0 && worded.length === 1) continue
    return 'summary'
  }
  const [lead] = worded
  if (lead !== undefined && lead.x0 < bounds.x0 + 0.5 * (bounds.x1 - bounds.x0) && paymentRow.test(lead.text))
    return 'summary'
  if (worded.length > 0) {
    // headings of a table of bases and quotas
    const headings = cells.flatMap((cell) => findLabels(cell.tokens, amountLabels))
    if (money.length === 0 && headings.filter((found) => stoppers.has(found.meaning)).length >= 2) return 'summary'
  }
  return money.length > 0 ? 'line' : 'text'
}

const paymentRow =
  /^(?:forma|medio|condiciones|m[eé]todo|modo) de pago\b|^forma de pagament|^ordainketa|^payment (?:method|terms)/i
/** References below a line: of a delivery, an order, or `ASIN: B09…`, the article's own. */
const skippedText =
  /^(?:albar[aá]n|alb\.|n[ºo°] ?albar|pedido|s\/pedido|su pedido|obra:|fecha albar|comanda|asin\b|sku\b|ean\b|isbn\b|c[oó]digo\b|ref\.|referencia\b|n[ºo°] de serie|lote\b)/i
const asideText =
  /\b(?:pasa a (?:la )?p[áa]gina|p[áa]gina siguiente|p[áa]gina anterior|suma y sigue|suma anterior|sigue en|viene de|p[áa]gina \d|p[áa]g\.? ?\d|suma i segueix)\b/i

function linesOf(
  body: readonly Row[],
  inside: readonly Token[][],
  columns: readonly Column[],
  figureOf: Map<Token, Figure>,
): PrintedLine[] {
  const lines: (PrintedLine & { y: number; words: { row: number; y: number; tokens: Token[] }[] })[] = []
  const loose: { row: Row; tokens: Token[] }[] = []
  for (const [index, row] of body.entries()) {
    const tokens = inside[index] ?? []
    const line = lineOf(row, tokens, columns, figureOf)
    if (line === null) loose.push({ row, tokens })
    else
      lines.push({
        ...line,
        y: (row.y0 + row.y1) / 2,
        words: [{ row: row.index, y: row.y0, tokens: line.descriptionTokens }],
      })
  }
  for (const { row, tokens } of loose) {
    const text = textOf(tokens)
    if (skippedText.test(text) && /\d/.test(text)) continue
    if (asideText.test(text)) continue
    if (takeProduct(lines, row, tokens, figureOf)) continue
    const y = (row.y0 + row.y1) / 2
    const height = Math.max(6, row.y1 - row.y0)
    const near = lines
      .filter((line) => line.page === row.page && Math.abs(line.y - y) < 3.2 * height + 6)
      .sort((a, b) => distance(a.y, y) - distance(b.y, y))[0]
    const described = tokens.filter((token) => columnAt(columns, token)?.meaning === 'description')
    if (described.length > 0) near?.words.push({ row: row.index, y: row.y0, tokens: described })
  }
  for (const line of lines) restoreCommas(line)
  withoutCarried(lines)
  return lines.map(({ y: _y, words, ...line }) => {
    const tokens = words.sort((a, b) => a.y - b.y).flatMap((part) => part.tokens)
    return { ...line, descriptionTokens: tokens, description: textOf(tokens).trim() }
  })
}

/**
 * Removes sums among the lines: rows with nothing but an amount that the lines so far, or those since the last such sum
 * (`Suma mano de obra:`), add up to.
 */
function withoutCarried(lines: PrintedLine[]): void {
  let sum = 0
  let section = 0
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]
    if (line === undefined) break
    const bare = line.quantity === null && line.price === null && index > 0
    const carried = bare && index >= 2 && line.total?.cents === sum
    const summed =
      bare && line.total?.cents === section && /^(?:suma|subtotal|sub-total|total)\b/i.test(line.description)
    if (carried || summed) {
      lines.splice(index, 1)
      index -= 1
      section = 0
    } else {
      sum += line.total?.cents ?? 0
      section += line.total?.cents ?? 0
    }
  }
}

/** Puts decimal commas back that OCR lost, where only then quantity × price gives the total. */
function restoreCommas(line: PrintedLine): void {
  if (checkLine(line).holds === true) return
  const options = <K extends 'quantity' | 'price' | 'total'>(key: K) => {
    const figure = line[key]
    const other = figure === null ? null : withoutComma(figure)
    return other === null ? [figure] : [figure, other]
  }
  for (const total of options('total')) {
    for (const price of options('price')) {
      for (const quantity of options('quantity')) {
        const candidate = { ...line, total, price, quantity }
        if (checkLine(candidate).holds !== true) continue
        line.total = total
        line.price = price
        line.quantity = quantity
        return
      }
    }
  }
}

/** `3 x 46,00` in a row of its own: quantity and price of the line above whose total it gives. */
function takeProduct(lines: PrintedLine[], row: Row, tokens: readonly Token[], figureOf: Map<Token, Figure>): boolean {
  const figures = [...new Set(tokens.map((token) => figureOf.get(token)).filter((figure) => figure !== undefined))]
  const [quantity, price] = figures
  const others = tokens.filter((token) => !figureOf.has(token) && token.bare !== '')
  const crossed = tokens.some((token) => /^[x×*@]$/i.test(token.text))
  if (quantity === undefined || price === undefined || figures.length > 3 || !crossed || others.length > 4) return false
  const line = lines.findLast((candidate) => candidate.row < row.index && candidate.page <= row.page)
  if (line === undefined || line.quantity !== null || line.price !== null || line.total === null) return false
  const discount = figures[2] ?? null
  if (checkLine({ ...line, quantity, price, discount }).holds !== true) return false
  line.quantity = quantity
  line.price = price
  line.discount = discount
  return true
}

/** Descriptions go on below their amounts more often than they begin above them. */
const distance = (lineY: number, y: number): number => (y > lineY ? y - lineY : (lineY - y) * 1.15)

const columnAt = (columns: readonly Column[], token: Token): Column | undefined => {
  const x = (token.x0 + token.x1) / 2
  return columns.find((column) => x >= column.from && x < column.to)
}

/** A number at the end of a description may reach into the column of quantities: the one whose product holds wins. */
function quantityAmong(
  figures: readonly (Figure | undefined)[],
  { price, total, discount, fallback }: Pick<PrintedLine, 'price' | 'total' | 'discount'> & { fallback: Figure | null },
): Figure | null {
  const distinct = [...new Set(figures)].filter((figure) => figure !== undefined)
  if (distinct.length < 2 || price === null || total === null) return fallback
  return distinct.find((quantity) => productHolds({ quantity, price, total, discount, taxRate: null })) ?? fallback
}

/** `servicio los días 4 y 11   240,69`: a whole number that strays into the column of prices is none beside a price. */
function priceAmong(figures: readonly (Figure | undefined)[], fallback: Figure | null): Figure | null {
  if (fallback === null || fallback.decimals > 0) return fallback
  return figures.findLast((figure) => figure !== undefined && figure.decimals > 0 && !figure.percent) ?? fallback
}

const productHolds = (figures: Parameters<typeof checkLine>[0]): boolean => checkLine(figures).holds === true

function lineOf(
  row: Row,
  tokens: readonly Token[],
  columns: readonly Column[],
  figureOf: Map<Token, Figure>,
): PrintedLine | null {
  const byColumn = new Map<Column, Token[]>()
  for (const token of tokens) {
    const column = columnAt(columns, token)
    if (column === undefined) continue
    const list = byColumn.get(column) ?? []
    list.push(token)
    byColumn.set(column, list)
  }
  const figureIn = (meaning: Column['meaning']): Figure | null => {
    for (const column of [...columns].reverse()) {
      if (column.meaning !== meaning) continue
      const figures = [
        ...new Set(
          (byColumn.get(column) ?? []).map((token) => figureOf.get(token)).filter((figure) => figure !== undefined),
        ),
      ]
      const fitting = figures.filter((figure) => meaning === 'discount' || meaning === 'tax' || !figure.percent)
      const figure = meaning === 'amount' || meaning === 'grossAmount' ? fitting.at(-1) : fitting[0]
      if (figure !== undefined) return figure
    }
    return null
  }
  const total = figureIn('amount') ?? figureIn('grossAmount')
  const price = priceAmong(
    columns
      .filter((column) => column.meaning === 'price')
      .flatMap((column) => (byColumn.get(column) ?? []).map((token) => figureOf.get(token))),
    figureIn('price'),
  )
  const quantity = quantityAmong(
    columns
      .filter((column) => column.meaning === 'quantity')
      .flatMap((column) => (byColumn.get(column) ?? []).map((token) => figureOf.get(token)))
      .filter((figure) => figure !== undefined && !figure.percent),
    { price, total, discount: figureIn('discount'), fallback: figureIn('quantity') },
  )
  if (total === null && (quantity === null || price === null)) return null
  const descriptionTokens = columns
    .filter((column) => column.meaning === 'description')
    .flatMap((column) => byColumn.get(column) ?? [])
  const text = descriptionTokens.length > 0 ? descriptionTokens : tokens.filter((token) => !figureOf.has(token))
  return {
    description: textOf(text),
    descriptionTokens: text,
    quantity,
    price,
    discount: figureIn('discount'),
    taxRate: figureIn('tax'),
    total,
    page: row.page,
    row: row.index,
  }
}
