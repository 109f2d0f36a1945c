import type { Figure } from './figures.ts'
import { type AmountMeaning, amountLabels } from './labels.ts'
import type { Cell, Row, Sheet, Token } from './layout.ts'
import { findLabels, type Label } from './lexicon.ts'

/** A label of amounts where it stands. */
export interface PlacedLabel {
  label: Label<AmountMeaning>
  tokens: Token[]
  cell: Cell
}

/** What an amount's label is looked for among. */
export interface Surroundings {
  row: Row
  /** The row above it on the same page. */
  rowAbove: Row | undefined
  inRow: readonly Figure[]
  labels: ReadonlyMap<number, PlacedLabel[]>
  figureOf: ReadonlyMap<Token, Figure>
}

/** The labels of amounts of every row. */
export function labelsByRow(sheet: Sheet): Map<number, PlacedLabel[]> {
  const labels = new Map<number, PlacedLabel[]>()
  for (const cell of sheet.cells) {
    for (const found of findLabels(cell.tokens, amountLabels)) {
      const label = asMeant(cell, found)
      if (label === null) continue
      const list = labels.get(cell.row) ?? []
      list.push({ label, tokens: cell.tokens.slice(label.from, label.to), cell })
      labels.set(cell.row, list)
    }
  }
  return labels
}

/** `Retención 5 % garantía` is kept back and no tax; `en` is `sobre` only right before an amount. */
function asMeant(cell: Cell, label: Label<AmountMeaning>): Label<AmountMeaning> | null {
  if (label.meaning === 'irpf' && /garant/i.test(cell.text)) return { ...label, meaning: 'aside' }
  // `Base arancelaria: 378.215,00 €` is the base of something else
  const next = cell.tokens[label.to]
  if (label.meaning === 'base' && label.words.length === 1 && /^\p{Ll}{5,}:$/u.test(next?.text ?? '')) return null
  if (label.meaning === 'ofBase' && label.words.join('') === 'en')
    return /^\d/.test(cell.tokens[label.to]?.text ?? '') ? label : null
  return label
}
