import type { Color } from './canvas.ts'
import type { Sheet } from './draw.ts'
import type { Column } from './families.ts'
import type { InvoiceLine } from './invoice.ts'
import type { Hidden } from './truth.ts'

interface Placed {
  column: Column
  x: number
  width: number
  align: 'left' | 'right' | 'center'
}

const weights: Record<Column, number> = {
  reference: 1.3,
  description: 5,
  quantity: 1.1,
  unitPrice: 1.5,
  discount: 0.9,
  taxRate: 0.9,
  lineTotal: 1.6,
}

/** Draws the lines, over as many pages as they need, with carried sums in between. */
export function drawTable(sheet: Sheet, top: number, newPage: () => void): { y: number; hidden: Hidden } {
  const columns = chooseColumns(sheet)
  const placed = place(sheet, columns)
  const carries = sheet.random.chance(0.6)
  let y = drawHead(sheet, placed, top)
  let startOfPage = y - 4
  let runningCents = 0
  sheet.invoice.lines.forEach((line, index) => {
    const rows = descriptionRows(sheet, placed, line)
    const height = rowHeight(sheet, rows.length)
    if (y + height > sheet.bottom - 30) {
      if (carries) carry(sheet, placed, y, sheet.style.label.carried, runningCents)
      frame(sheet, placed, startOfPage, y)
      newPage()
      y = drawHead(sheet, placed, 50)
      startOfPage = y - 4
      if (carries) {
        carry(sheet, placed, y, sheet.style.label.brought, runningCents)
        y += sheet.style.size * 1.8
      }
    }
    drawLine(sheet, placed, { line, rows, y, height, index })
    runningCents += line.totalCents
    y += height
  })
  frame(sheet, placed, startOfPage, y)
  if (sheet.family.table !== 'plain') sheet.canvas.rule(sheet.left, y + 2, sheet.right, y + 2, 0.7, sheet.style.accent)
  return { y: y + 4, hidden: hiddenBy(sheet, columns) }
}

function chooseColumns({ family, invoice, random }: Sheet): readonly Column[] {
  const chosen = random.pick(family.columns)
  const discounted = invoice.lines.some(({ discountPercent }) => discountPercent > 0)
  const severalRates = invoice.rates.length > 1
  let columns = chosen.filter((column) => column !== 'discount' || discounted || random.chance(0.2))
  if (discounted && !columns.includes('discount'))
    columns = insertBefore(columns.includes('unitPrice') ? columns : withPrice(columns), 'discount', 'lineTotal')
  if (severalRates && !columns.includes('taxRate')) columns = insertBefore(columns, 'taxRate', 'lineTotal')
  return columns
}

const withPrice = (columns: readonly Column[]): Column[] =>
  insertBefore(insertBefore(columns, 'quantity', 'lineTotal'), 'unitPrice', 'lineTotal')

function insertBefore(columns: readonly Column[], column: Column, before: Column): Column[] {
  const at = columns.indexOf(before)
  return [...columns.slice(0, at), column, ...columns.slice(at)]
}

const hiddenBy = ({ family }: Sheet, columns: readonly Column[]): Hidden => ({
  quantity: family.table !== 'two-line' && !columns.includes('quantity'),
  unitPrice: family.table !== 'two-line' && !columns.includes('unitPrice'),
  lineTaxRate: !columns.includes('taxRate'),
})

function place({ left, right, random, family }: Sheet, columns: readonly Column[]): Placed[] {
  const shown =
    family.table === 'two-line'
      ? columns.filter((column) => column !== 'quantity' && column !== 'unitPrice' && column !== 'discount')
      : columns
  const total = shown.reduce((sum, column) => sum + weights[column], 0)
  const numbers = random.weighted([
    ['right', 80],
    ['center', 12],
    ['left', 8],
  ] as const)
  let x = left
  return shown.map((column) => {
    const width = ((right - left) * weights[column]) / total
    const text = column === 'description' || column === 'reference'
    const align = text
      ? 'left'
      : column === 'lineTotal'
        ? 'right'
        : column === 'quantity' && numbers === 'right'
          ? random.pick(['right', 'center'] as const)
          : numbers
    const result: Placed = { column, x, width, align }
    x += width
    return result
  })
}

function drawHead(sheet: Sheet, placed: readonly Placed[], top: number): number {
  const { canvas, style, family, left, right } = sheet
  const height = style.size * 1.9
  const inverse = family.table === 'inverse' || family.table === 'zebra'
  if (inverse) canvas.box(left, top, right - left, height, { fill: style.accent })
  else if (family.table === 'grid')
    canvas.box(left, top, right - left, height, { fill: [0.92, 0.92, 0.92], stroke: [0.2, 0.2, 0.2] })
  else if (family.table !== 'plain') canvas.rule(left, top + height, right, top + height, 0.9, style.accent)
  const color: Color = inverse ? [1, 1, 1] : [0, 0, 0]
  for (const cell of placed) {
    const label = canvas.wrap(style.label[cell.column], cell.width - 4, { size: style.size - 0.5, bold: true })[0] ?? ''
    put(sheet, cell, top + style.size * 0.45, label, { bold: true, color })
  }
  return top + height + 4
}

function put(
  { canvas, style }: Sheet,
  cell: Placed,
  y: number,
  text: string,
  paint: { bold?: boolean; color?: Color } = {},
): void {
  const x =
    cell.align === 'right' ? cell.x + cell.width - 3 : cell.align === 'center' ? cell.x + cell.width / 2 : cell.x + 3
  canvas.text(x, y, text, { size: style.size - 0.5, align: cell.align, ...paint })
}

function descriptionRows({ canvas, style }: Sheet, placed: readonly Placed[], line: InvoiceLine): string[] {
  const cell = placed.find(({ column }) => column === 'description')
  return canvas.wrap(line.description, (cell?.width ?? 200) - 8, { size: style.size - 0.5 })
}

function rowHeight({ style, family }: Sheet, rows: number): number {
  const extra = family.table === 'two-line' ? 1 : 0
  return style.size * 1.25 * (rows + extra) + style.size * 0.6
}

interface DrawnLine {
  line: InvoiceLine
  rows: readonly string[]
  y: number
  height: number
  index: number
}

function drawLine(sheet: Sheet, placed: readonly Placed[], { line, rows, y, height, index }: DrawnLine): void {
  const { canvas, style, family, left, right } = sheet
  if (family.table === 'zebra' && index % 2 === 1)
    canvas.box(left, y - 2, right - left, height, { fill: [0.95, 0.95, 0.96] })
  for (const cell of placed) {
    if (cell.column === 'description') {
      rows.forEach((row, at) => {
        put(sheet, cell, y + at * style.size * 1.25, row)
      })
      if (family.table === 'two-line')
        put(
          sheet,
          cell,
          y + rows.length * style.size * 1.25,
          `${style.decimal(line.quantity)} x ${style.decimal(line.unitPrice, 2)}${line.discountPercent > 0 ? ` (-${style.percent(line.discountPercent)})` : ''}`,
          { color: [0.35, 0.35, 0.35] },
        )
    } else put(sheet, cell, y, cellText(sheet, cell.column, line))
  }
  if (family.table === 'row-lines' || family.table === 'grid')
    canvas.rule(left, y + height - 3, right, y + height - 3, 0.4, [0.6, 0.6, 0.6])
}

function cellText({ style, invoice }: Sheet, column: Column, line: InvoiceLine): string {
  switch (column) {
    case 'reference':
      return line.reference
    case 'quantity':
      return style.decimal(line.quantity, invoice.lines.some(({ quantity }) => quantity.includes('.')) ? 2 : 0)
    case 'unitPrice':
      return style.decimal(line.unitPrice, 2)
    case 'discount':
      return line.discountPercent === 0 ? '' : style.percent(line.discountPercent)
    case 'taxRate':
      return style.percent(line.taxRate)
    default:
      return style.cell(line.totalCents)
  }
}

function carry(
  { canvas, style, right }: Sheet,
  placed: readonly Placed[],
  y: number,
  label: string,
  cents: number,
): void {
  const cell = placed.at(-1)
  if (cell === undefined) return
  canvas.text(right - 130, y, label, { size: style.size - 0.5, bold: true, align: 'right' })
  canvas.text(right - 3, y, style.cell(cents), { size: style.size - 0.5, bold: true, align: 'right' })
}

/** The vertical lines of a grid. */
function frame({ canvas, family, left, right }: Sheet, placed: readonly Placed[], top: number, bottom: number): void {
  if (family.table !== 'grid') return
  for (const { x } of placed) canvas.rule(x, top, x, bottom, 0.5, [0.4, 0.4, 0.4])
  canvas.rule(right, top, right, bottom, 0.5, [0.4, 0.4, 0.4])
  canvas.rule(left, bottom, right, bottom, 0.5, [0.4, 0.4, 0.4])
}
