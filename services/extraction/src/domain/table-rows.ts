import type { Figure } from './figures.ts'
import { amountLabels } from './labels.ts'
import type { Cell, Row, Token } from './layout.ts'
import { findLabels, labelAt } from './lexicon.ts'

/** The cells of a row that stand within the table; a side bar beyond its last column does not. */
export function insideCells(row: Row, bounds: { x0: number; x1: number }, size: number): Cell[] {
  // numbers of the last column may stand right of its heading
  const reach = (cell: Cell) => (/^-?[\d.,]+-?(?: ?€)?$/.test(cell.text) ? 3 : 0.5) * size
  const inside = row.cells.filter((cell) => cell.x0 < bounds.x1 + reach(cell) && cell.x1 > bounds.x0 - 3 * size)
  // a short description far left of its centred heading, where nothing else stands under that heading
  const described = inside.some((cell) => cell.x0 < bounds.x0 + 3 * size)
  const left = described || inside.length < 2 ? undefined : row.cells.findLast((cell) => cell.x1 <= bounds.x0)
  return left !== undefined && left.x0 > bounds.x0 - 10 * size && /\p{L}{3}/u.test(left.text)
    ? [left, ...inside]
    : inside
}

type RowKind = 'line' | 'text' | 'summary' | 'aside'

const taxes = new Set(['tax', 'irpf', 'surcharge'])
const stoppers = new Set(['total', 'base', 'gross', 'tax', 'irpf', 'surcharge', 'discount', 'advance', 'suplido'])

export function kindOf(
  cells: readonly Cell[],
  figureOf: Map<Token, Figure>,
  bounds: { x0: number; x1: number },
): RowKind {
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
    // `Seguro   33,28   Exento`: what a line bears instead of a rate
    if (position > 0 && /^(?:exent|exempt|no suj)/i.test(cell.text) && cell.tokens.length <= 2) continue
    // `IVA 0 % - Inversión del sujeto pasivo`: words after the rate of a tax explain it
    const rated = cell.tokens.slice(label.to, label.to + 2).some((token) => figureOf.get(token)?.percent)
    if (rated && taxes.has(label.meaning) && money.length <= 1) return 'summary'
    // `Total capítulo 2   1.271,43`: a number that belongs to the words is no amount
    const amounts = money.filter((figure) => figure.decimals > 0 || figure.cell !== cell.index)
    // `Base (prezo de venda)`: what stands in brackets explains the label
    const open = cell.tokens.findIndex((token, at) => at >= label.to && token.text.startsWith('('))
    const rest = cell.tokens
      .slice(label.to, open < 0 ? undefined : open)
      .filter((token) => /[a-z]{3}/.test(token.bare) && !figureOf.has(token))
    const unknown = rest.length - findLabels(rest, amountLabels).reduce((sum, found) => sum + found.to - found.from, 0)
    if (label.meaning === 'aside' && position === 0 && unknown <= (label.words.length > 1 ? 2 : 0))
      return amounts.length <= 1 ? 'aside' : 'line'
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
