import type { Cents } from '@asiento/proto/money'
import { checkLine, linesSum } from './check-lines.ts'
import { withProvenRoles } from './column-roles.ts'
import { columnsInOrder } from './columns-in-order.ts'
import { type Figure, isMoney } from './figures.ts'
import { boxOf, type Cell, type Row, type Sheet, type Token } from './layout.ts'
import { type Column, columnsOf, headingsOf } from './line-columns.ts'
import type { PrintedLine } from './printed-line.ts'
import { linesOf } from './table-lines.ts'
import { insideCells, kindOf } from './table-rows.ts'

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
  const read = (candidate: readonly Column[]) => linesOf(body, inside, candidate, figureOf)
  const placed = columnsOf(headings, inside, figureOf)
  const inOrder = columnsInOrder(placed, inside, figureOf)
  const better = inOrder !== null && productsIn(read(inOrder)) > productsIn(read(placed))
  const named = withProvenRoles(better ? inOrder : placed, inside, figureOf)
  const end = body.at(-1)?.index ?? heading.index
  const sums = new Set([...figureOf.values()].filter((one) => one.row > end && isMoney(one)).map((one) => one.cents))
  const columns = withSummedAmount(withOneAmount(withUnknown(named, read), read), read, sums)
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

/** Lines whose printed quantity and price give their amount. */
const productsIn = (lines: readonly PrintedLine[]): number =>
  lines.filter((line) => line.quantity !== null && checkLine(line).holds === true).length

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
  const holding = (candidate: readonly Column[]) => productsIn(read(candidate))
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
  const prices = columns.filter((column) => column.meaning === 'price')
  const amounts = columns.filter((column) => column.meaning === 'amount' || column.meaning === 'grossAmount')
  const last = prices.at(-1)
  // `Coste/alumno … Coste`: of two prices and no amount the last is the amount
  if (amounts.length === 0 && prices.length > 1 && last !== undefined && columns.at(-1) === last)
    return withOneAmount(
      columns.map((column) => (column === last ? { ...column, meaning: 'amount' } : column)),
      read,
    )
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

/** Of several columns of money the one that adds up to an amount below the table, where the headed one does not. */
function withSummedAmount(
  columns: Column[],
  read: (columns: readonly Column[]) => PrintedLine[],
  below: ReadonlySet<Cents>,
): Column[] {
  const lines = read(columns)
  const sum = linesSum(lines)
  if (lines.length < 2 || (sum !== null && below.has(sum)) || 2 * productsIn(lines) >= lines.length) return columns
  for (const column of columns) {
    if (column.meaning === 'description' || column.meaning === 'amount') continue
    const candidate = columns.map((other): Column => {
      if (other === column) return { ...other, meaning: 'amount' }
      return /amount/i.test(other.meaning) ? { ...other, meaning: 'unknown' } : other
    })
    const others = read(candidate)
    const other = linesSum(others)
    const money = others.every(({ total }) => total !== null && isMoney(total))
    if (money && others.length === lines.length && other !== null && below.has(other)) return candidate
  }
  return columns
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
