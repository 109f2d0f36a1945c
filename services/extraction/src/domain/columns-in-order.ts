import type { Figure } from './figures.ts'
import type { Token } from './layout.ts'
import type { Column } from './line-columns.ts'

/**
 * Columns by the order of their numbers, for headings that stand beside what they head (centred headings over numbers at
 * the right of wide columns): where rows have one number for each of the last headings, each column reaches around its
 * own. Null when the rows do not agree.
 */
export function columnsInOrder(
  columns: readonly Column[],
  body: readonly (readonly Token[])[],
  figureOf: ReadonlyMap<Token, Figure>,
): Column[] | null {
  const first = columns.findLastIndex((column) => column.meaning === 'description') + 1
  const counted = columns.slice(first)
  const edge = columns[first - 1]?.from ?? Number.NEGATIVE_INFINITY
  if (first === 0 || counted.length < 2) return null
  const rows = body.flatMap((tokens) => {
    const figures = [...new Set(tokens.map((token) => figureOf.get(token)))].filter((figure) => figure !== undefined)
    const last = figures.slice(-counted.length)
    return last.length === counted.length && (last[0]?.x0 ?? 0) > edge ? [last] : []
  })
  if (rows.length === 0) return null
  const spans = counted.map((_, at) => ({
    x0: Math.min(...rows.map((row) => row[at]?.x0 ?? 0)),
    x1: Math.max(...rows.map((row) => row[at]?.x1 ?? 0)),
  }))
  if (spans.some((span, at) => at > 0 && span.x0 <= (spans[at - 1]?.x1 ?? 0))) return null
  const starts = spans.map((span, at) => (at === 0 ? span.x0 - 1 : ((spans[at - 1]?.x1 ?? 0) + span.x0) / 2))
  return columns.map((column, index) => {
    const at = index - first
    if (at < -1) return column
    return {
      ...column,
      from: at === -1 ? column.from : (starts[at] ?? column.from),
      to: starts[at + 1] ?? Number.POSITIVE_INFINITY,
    }
  })
}
