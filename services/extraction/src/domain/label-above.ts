import type { Figure } from './figures.ts'
import { boxOf, type Row, type Sheet, type Token } from './layout.ts'
import type { PlacedLabel, Surroundings } from './placed-labels.ts'

/** The heading above an amount, through other numbers only. */
export function aboveLabel(
  sheet: Sheet,
  figure: Figure,
  around: Surroundings,
): { placed: PlacedLabel; strength: number } | null {
  const size = figure.tokens[0]?.size ?? 10
  let steps = 0
  let bottom = figure.y0
  for (let index = figure.row - 1; index >= 0 && steps < 14; index -= 1) {
    const row = sheet.rows[index]
    if (row === undefined || row.page !== figure.page) break
    if (row.y1 > figure.y0 + 0.3 * size) continue
    const over = row.cells.filter((cell) => cell.x0 < figure.x1 + 0.3 * size && cell.x1 > figure.x0 - 0.3 * size)
    const ordered = byOrder(row, figure, around)
    const placed = ordered ?? byReach(index, figure, around)
    if (over.length === 0 && placed === undefined) {
      if (bottom - row.y1 > 5 * size) break
      continue
    }
    if (bottom - row.y1 > 3.4 * size) break
    steps += 1
    const numbersOver = over.filter((cell) =>
      cell.tokens.some((token) => overlaps(token, figure) && around.figureOf.has(token)),
    )
    if (placed !== undefined && (ordered !== undefined || numbersOver.length === 0)) {
      return { placed, strength: steps === 1 ? 2.3 : Math.max(1.4, 2.3 - 0.15 * steps) }
    }
    if (over.length > 0 && numbersOver.length === 0) break
    bottom = row.y0
  }
  return null
}

/** As many headings as numbers: the n-th number stands under the n-th heading, however they are aligned. */
function byOrder(row: Row, figure: Figure, around: Surroundings): PlacedLabel | undefined {
  const labels = around.labels.get(row.index) ?? []
  // a side bar shares the row
  const named = new Set(labels.map((placed) => placed.cell))
  const cells = row.cells.slice(
    Math.max(
      0,
      row.cells.findIndex((cell) => named.has(cell)),
    ),
  )
  const headed = cells.map((cell) => labels.filter((placed) => placed.cell === cell))
  const first = cells[0]
  if (
    headed.length < 2 ||
    first === undefined ||
    headed.filter((labels) => labels.length > 0).length < headed.length - 1
  )
    return undefined
  const figures = around.inRow.filter((other) => other.x1 > first.x0 - 2 * first.size)
  if (figures.length !== headed.length) return undefined
  const last = cells.at(-1)
  if (last === undefined || figures.some((other, index) => other.x1 < (cells[index]?.x0 ?? 0) - 1)) return undefined
  return headed[figures.indexOf(figure)]?.[0]
}

function byReach(index: number, figure: Figure, around: Surroundings): PlacedLabel | undefined {
  const size = figure.tokens[0]?.size ?? 10
  return (around.labels.get(index) ?? [])
    .filter(
      (label) =>
        reach(label, figure) < 1.6 * size && label.label.meaning !== 'included' && label.label.meaning !== 'ofBase',
    )
    .sort((a, b) => reach(a, figure) - reach(b, figure))[0]
}

const overlaps = (token: Token, figure: Figure): boolean =>
  Math.min(token.x1, figure.x1) > Math.max(token.x0, figure.x0)

/** How far a heading is from standing over an amount: 0 when their boxes overlap. */
function reach(placed: PlacedLabel, figure: Figure): number {
  const box = boxOf(placed.tokens)
  const apart = Math.max(box.x0 - figure.x1, figure.x0 - box.x1)
  if (apart <= 0)
    return (
      0.01 *
      Math.min(
        Math.abs(box.x1 - figure.x1),
        Math.abs(box.x0 - figure.x0),
        Math.abs((box.x0 + box.x1 - figure.x0 - figure.x1) / 2),
      )
    )
  return apart
}
