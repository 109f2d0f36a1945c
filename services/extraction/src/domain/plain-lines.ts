import { type Figure, isMoney } from './figures.ts'
import { amountLabels, dateLabels, numberLabels } from './labels.ts'
import { type Sheet, textOf } from './layout.ts'
import { labelAt } from './lexicon.ts'
import type { PrintedLine } from './printed-line.ts'

/**
 * Lines of an invoice without headings: rows of words with an amount at the right, one below the other, right above
 * the base or the total. Empty when there are none.
 */
export function readPlainLines(sheet: Sheet, figures: readonly Figure[]): { lines: PrintedLine[]; rows: Set<number> } {
  const byRow = new Map<number, Figure[]>()
  for (const figure of figures) {
    const list = byRow.get(figure.row) ?? []
    list.push(figure)
    byRow.set(figure.row, list)
  }
  const summary = sheet.rows.findIndex(
    (row) => isSummary(sheet, row.index) && (byRow.get(row.index) ?? []).some(isMoney),
  )
  const lines: PrintedLine[] = []
  const rows = new Set<number>()
  if (summary < 0) return { lines, rows }
  let right: number | null = null
  let top = sheet.rows[summary]?.y0 ?? 0
  const page = sheet.rows[summary]?.page ?? 0
  for (let index = summary - 1; index >= 0; index -= 1) {
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
      if (lines.length > 0 || /[a-z]{3}/i.test(textOf(words))) {
        if (lines.length > 0) break
      }
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
      labelAt(first.tokens, 0, numberLabels)?.meaning === 'invoice'
    )
      break
    const quantity = money.length >= 3 ? (money[0] ?? null) : null
    const price = money.length >= 2 ? (money.at(-2) ?? null) : null
    lines.unshift({
      description: textOf(words),
      descriptionTokens: words,
      quantity,
      price: quantity === null ? null : price,
      discount: null,
      taxRate: null,
      total: amount,
      page: row.page,
      row: index,
    })
    rows.add(index)
    top = row.y0
  }
  return { lines, rows }
}

function isSummary(sheet: Sheet, index: number): boolean {
  const row = sheet.rows[index]
  if (row === undefined) return false
  return row.cells.some((cell) => {
    const label = labelAt(
      cell.tokens,
      Math.max(
        0,
        cell.tokens.findIndex((token) => token.bare !== ''),
      ),
      amountLabels,
    )
    if (label === null) return false
    const rest = cell.tokens.slice(label.to).filter((token) => /[a-z]{3}/.test(token.bare))
    return ['base', 'gross', 'total', 'tax'].includes(label.meaning) && rest.length <= 2
  })
}
