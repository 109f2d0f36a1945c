import { amountLabels, dateLabels, numberLabels, partyLabels } from './labels.ts'
import type { Cell, Sheet, Token } from './layout.ts'
import { labelAt } from './lexicon.ts'
import { notNames } from './name-words.ts'

/** Fewer are chance. */
const pairsMin = 3

/**
 * Some designs print a label in small letters right below its value (`3278/25` over `NÚMERO DE FACTURA`). Exchanges the
 * places of both, so that all else finds labels above their values; tokens remember where they were printed. Returns
 * whether anything was moved; the rows have to be made again then.
 */
export function liftLabels(sheet: Sheet): boolean {
  const pairs = sheet.cells.flatMap((label) => {
    const value = isSmallLabel(label, sheet) ? valueAbove(sheet, label) : null
    return value === null ? [] : [{ label, value }]
  })
  if (pairs.length < pairsMin) return false
  for (const { label, value } of pairs) {
    const [labelMiddle, valueMiddle] = [middle(label), middle(value)]
    move(label.tokens, valueMiddle - labelMiddle)
    move(value.tokens, labelMiddle - valueMiddle)
  }
  return true
}

/** Words of labels and nothing else, and no sign that more follows. */
function isSmallLabel(cell: Cell, sheet: Sheet): boolean {
  const above = sheet.rows[cell.row - 1]
  if (above === undefined || cell.tokens.length > 6 || /:$/.test(cell.text) || !/\p{L}{3}/u.test(cell.text))
    return false
  if (!above.cells.some((other) => cell.size <= 0.85 * other.size)) return false
  const words = cell.tokens.filter((token) => !/^(?:\d{1,2}(?:[.,]\d{1,2})?)?%?$/.test(token.text))
  if (words.some((token) => /\d/.test(token.text))) return false
  const known = [amountLabels, dateLabels, numberLabels, partyLabels] as const
  return (
    known.some((labels) => (labelAt(words, 0, labels as typeof partyLabels)?.to ?? 0) >= words.length) ||
    words.every((token) => notNames.has(token.bare))
  )
}

/** What stands tight over a label, in larger letters and at the same margin, when what stands below it is farther away. */
function valueAbove(sheet: Sheet, label: Cell): Cell | null {
  const aligned = (cell: Cell) => Math.abs(cell.x0 - label.x0) < 1 || Math.abs(cell.x1 - label.x1) < 1
  const value = sheet.rows[label.row - 1]?.cells.find((cell) => cell.page === label.page && aligned(cell))
  if (value === undefined || label.size > 0.85 * value.size || value.tokens[0]?.turned !== label.tokens[0]?.turned)
    return null
  const gap = label.y0 - value.y1
  if (gap > 0.6 * label.size || !/\d|\p{Lu}/u.test(value.text) || /:$/.test(value.text)) return null
  const below = sheet.rows[label.row + 1]?.cells.find(
    (cell) => cell.page === label.page && cell.x0 < label.x1 && cell.x1 > label.x0,
  )
  return below === undefined || below.y0 - label.y1 > gap + 0.1 * label.size ? value : null
}

const middle = (cell: Cell): number => (cell.y0 + cell.y1) / 2

function move(tokens: readonly Token[], by: number): void {
  for (const token of tokens) {
    token.printed = { x0: token.x0, y0: token.y0, x1: token.x1, y1: token.y1 }
    token.y0 += by
    token.y1 += by
  }
}
