import { type Figure, isMoney } from './figures.ts'
import type { PlacedLabel, Surroundings } from './placed-labels.ts'
import { isRateBeforeQuota } from './rate-of-amount.ts'

/** The label that governs an amount from the left, within its row. */
export function leftLabel(
  figure: Figure,
  around: Surroundings,
): { placed: PlacedLabel; strength: number; own: boolean } | null {
  const earlier = around.inRow.filter(
    (other) =>
      other !== figure &&
      other.x1 <= figure.x0 + 1 &&
      !other.percent &&
      isMoney(other) &&
      !isRateBeforeQuota(other, around),
  )
  const edge = earlier.at(-1)?.x1 ?? Number.NEGATIVE_INFINITY
  const candidates = (around.labels.get(figure.row) ?? [])
    .filter((placed) => (placed.tokens.at(-1)?.x1 ?? 0) <= figure.x0 + 1)
    .map(asQuota)
    .filter((placed) => placed.label.meaning !== 'included')
  const own = candidates.filter((placed) => (placed.tokens[0]?.x0 ?? 0) >= edge - 1)
  const chosen = nearestGroup(own)
  if (chosen !== null) {
    const gap = figure.x0 - chosen.cell.x1
    const strength = chosen.cell.index === figure.cell || gap < (figure.tokens[0]?.size ?? 10) * 22 ? 3 : 2.4
    if (chosen.label.meaning === 'ofBase')
      return { placed: { ...chosen, label: { ...chosen.label, meaning: 'base' } }, strength: 2.6, own: true }
    return { placed: chosen, strength, own: true }
  }
  // a label further left that already labels another amount: `IVA 21 % sobre 100,00 €   21,00 €`
  const shared = nearestGroup(candidates.filter((placed) => placed.label.meaning !== 'ofBase'))
  if (shared === null) return wrappedLabel(figure, around)
  const sobre = candidates.some((placed) => placed.label.meaning === 'ofBase')
  return { placed: shared, strength: sobre ? 2.6 : earlier.length === 1 ? 1 : 0.4, own: false }
}

/** `% IVA 21 %   12,30`: left of an amount the name of a rate names its quota. */
function asQuota(placed: PlacedLabel): PlacedLabel {
  const words = placed.label.words.join(' ')
  if (placed.label.meaning !== 'included' || !words.includes('%')) return placed
  const meaning = /irpf|ret/.test(words)
    ? 'irpf'
    : /iva|ive|igic|ipsi|bez|vat|impuesto/.test(words)
      ? 'tax'
      : /re|recargo/.test(words)
        ? 'surcharge'
        : null
  return meaning === null ? placed : { ...placed, label: { ...placed.label, meaning } }
}

/** The first label of the nearest cell that has one; `ofBase` counts only as the last. */
function nearestGroup(labels: readonly PlacedLabel[]): PlacedLabel | null {
  const last = labels.at(-1)
  if (last === undefined) return null
  if (last.label.meaning === 'ofBase') return labels.length === 1 ? last : last
  const sameCell = labels.filter((placed) => placed.cell === last.cell)
  return sameCell.find((placed) => placed.label.meaning !== 'ofBase') ?? last
}

/** A sentence broken before its amount: `… Importe a abonar al corredor:` and the amount opens the next row. */
function wrappedLabel(
  figure: Figure,
  { row, labels, rowAbove }: Surroundings,
): { placed: PlacedLabel; strength: number; own: boolean } | null {
  const last = rowAbove?.cells.at(-1)
  if (row.cells[0]?.tokens[0] !== figure.tokens[0] || last === undefined || last.tokens.length < 5) return null
  if (!/:$/.test(last.text) || row.y0 - last.y1 > last.size) return null
  const placed = labels.get(row.index - 1)?.findLast(({ cell }) => cell === last)
  const after = placed === undefined ? [] : last.tokens.slice(placed.label.to).filter((token) => token.bare !== '')
  return placed === undefined || after.length > 3 ? null : { placed, strength: 2.4, own: true }
}
