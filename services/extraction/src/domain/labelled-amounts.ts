import { type Figure, isMoney } from './figures.ts'
import { type AmountMeaning, amountLabels } from './labels.ts'
import { boxOf, type Cell, type Row, type Sheet, type Token } from './layout.ts'
import { findLabels, type Label } from './lexicon.ts'

/** An amount outside the lines, with what its labels say it is. */
export interface LabelledAmount {
  figure: Figure
  /** How strongly each meaning is stated, 0–3.5. */
  roles: Partial<Record<AmountMeaning, number>>
  /** The percentage printed with it (in its label or row), as an exact decimal. */
  rate: string | null
  rateFigure: Figure | null
  /** The label as printed, for evidence. */
  label: string
}

interface PlacedLabel {
  label: Label<AmountMeaning>
  tokens: Token[]
  cell: Cell
}

/** Reads labels left of and above every amount that is not part of a line. */
export function labelAmounts(
  sheet: Sheet,
  figures: readonly Figure[],
  excludedRows: ReadonlySet<number>,
): LabelledAmount[] {
  const labels = labelsByRow(sheet)
  const byRow = new Map<number, Figure[]>()
  const figureOf = new Map<Token, Figure>()
  for (const figure of figures) {
    const list = byRow.get(figure.row) ?? []
    list.push(figure)
    byRow.set(figure.row, list)
    for (const token of figure.tokens) figureOf.set(token, figure)
  }
  const amounts: LabelledAmount[] = []
  for (const figure of figures) {
    if (excludedRows.has(figure.row)) continue
    const lost = withoutComma(figure)
    if (!isMoney(figure) && lost === null) continue
    const row = sheet.rows[figure.row]
    if (row === undefined) continue
    const inRow = byRow.get(figure.row) ?? []
    const around = { row, inRow, labels, figureOf }
    if (isMoney(figure)) amounts.push(labelled(sheet, figure, around))
    if (lost === null) continue
    const doubted = labelled(sheet, figure, around)
    if (isMoney(figure) || Object.keys(doubted.roles).length > 0) amounts.push({ ...doubted, figure: lost })
  }
  return amounts
}

/** OCR often loses a decimal comma: 919 € may be 9,19 €. A second reading of the same signs, for the proof to choose. */
export function withoutComma(figure: Figure): Figure | null {
  if (!figure.ocr || figure.percent || figure.decimals > 0 || !/^-?\d{3,7}$/.test(figure.decimal)) return null
  const negative = figure.decimal.startsWith('-')
  const digits = figure.decimal.replace('-', '')
  const decimal = `${negative ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
  return { ...figure, decimal, cents: Math.trunc(figure.cents / 100), decimals: 2, repaired: true }
}

function labelsByRow(sheet: Sheet): Map<number, PlacedLabel[]> {
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
  if (label.meaning === 'ofBase' && label.words.join('') === 'en')
    return /^\d/.test(cell.tokens[label.to]?.text ?? '') ? label : null
  return label
}

interface Surroundings {
  row: Row
  inRow: readonly Figure[]
  labels: ReadonlyMap<number, PlacedLabel[]>
  figureOf: ReadonlyMap<Token, Figure>
}

function labelled(sheet: Sheet, figure: Figure, around: Surroundings): LabelledAmount {
  const roles: LabelledAmount['roles'] = {}
  const left = leftLabel(figure, around)
  const above = aboveLabel(sheet, figure, around)
  let text = ''
  const state = (meaning: AmountMeaning, strength: number) => {
    roles[meaning] = Math.max(roles[meaning] ?? 0, strength)
  }
  // in a table of bases and quotas the headings say what is what, the name of the tax only which row it is
  const tabular =
    left !== null &&
    above !== null &&
    left.own &&
    isHeadingRow(above.placed, around) &&
    rowOfRate(figure, left.placed, around)
  if (left !== null) {
    state(left.placed.label.meaning, tabular ? 1 : left.strength)
    text = left.placed.tokens.map((token) => token.text).join(' ')
  }
  if (above !== null && (tabular || left === null || left.strength < 2.5 || !left.own)) {
    state(above.placed.label.meaning, tabular ? 2.6 : above.strength)
    if (text === '') text = above.placed.tokens.map((token) => token.text).join(' ')
  }
  const headed = above !== null && (left === null || left.strength < 2.5 || !left.own) ? above.placed : null
  const rateFigure =
    headingRate(headed, around) ??
    (headed?.label.meaning === 'irpf' ? null : rateNear(sheet, figure, around, left?.placed ?? null))
  return { figure, roles, rate: rateFigure?.decimal ?? null, rateFigure, label: text }
}

/** Two headings or more, and no amounts among them. */
const isHeadingRow = (placed: PlacedLabel, around: Surroundings): boolean => {
  const labels = around.labels.get(placed.cell.row) ?? []
  const meanings = new Set(labels.map((other) => other.label.meaning))
  const figures = placed.cell.row === around.row.index ? [] : placed.cell.tokens
  return (
    meanings.size >= 2 && meanings.has('base') && !figures.some((token) => around.figureOf.get(token)?.decimals === 2)
  )
}

/** `IVA 10 %   1.979,71   198,24`, `Transporte exento   8.624,46   0,00%   0,00`: a name left of two amounts or more. */
const rowOfRate = (figure: Figure, placed: PlacedLabel, around: Surroundings): boolean =>
  (placed.label.meaning === 'tax' ||
    (placed.label.meaning === 'charge' && around.inRow.some((other) => other.percent))) &&
  around.inRow.filter((other) => isMoney(other)).length >= 2 &&
  figure.row === around.row.index

/** The label that governs an amount from the left, within its row. */
function leftLabel(
  figure: Figure,
  around: Surroundings,
): { placed: PlacedLabel; strength: number; own: boolean } | null {
  const earlier = around.inRow.filter(
    (other) => other !== figure && other.x1 <= figure.x0 + 1 && !other.percent && isMoney(other),
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
  if (shared === null) return null
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

/** The heading above an amount, through other numbers only. */
function aboveLabel(
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
  const headed = row.cells.map((cell) => (around.labels.get(row.index) ?? []).filter((placed) => placed.cell === cell))
  const first = row.cells[0]
  if (
    headed.length < 2 ||
    first === undefined ||
    headed.filter((labels) => labels.length > 0).length < headed.length - 1
  )
    return undefined
  const figures = around.inRow.filter((other) => other.x1 > first.x0 - 2 * first.size)
  if (figures.length !== headed.length) return undefined
  const last = row.cells.at(-1)
  if (last === undefined || figures.some((other, index) => other.x1 < (row.cells[index]?.x0 ?? 0) - 1)) return undefined
  const labels = headed[figures.indexOf(figure)] ?? []
  return labels[0]
}

function byReach(index: number, figure: Figure, around: Surroundings): PlacedLabel | undefined {
  const size = figure.tokens[0]?.size ?? 10
  return (around.labels.get(index) ?? [])
    .filter(
      (label) =>
        reach(label, figure, size) < 1.6 * size &&
        label.label.meaning !== 'included' &&
        label.label.meaning !== 'ofBase',
    )
    .sort((a, b) => reach(a, figure, size) - reach(b, figure, size))[0]
}

const overlaps = (token: Token, figure: Figure): boolean =>
  Math.min(token.x1, figure.x1) > Math.max(token.x0, figure.x0)

/** How far a heading is from standing over an amount: 0 when their boxes overlap. */
function reach(placed: PlacedLabel, figure: Figure, _size: number): number {
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

/** `Retención 15 %` as a heading: the percentage in the heading's own cell. */
function headingRate(headed: PlacedLabel | null, around: Surroundings): Figure | null {
  if (headed === null) return null
  for (const token of headed.cell.tokens) {
    const figure = around.figureOf.get(token)
    if (figure?.percent) return figure
  }
  return null
}

/** The percentage that belongs to an amount: in its label's cell or left of it in the row; a bare 21 or 21,00 too. */
function rateNear(sheet: Sheet, figure: Figure, around: Surroundings, placed: PlacedLabel | null): Figure | null {
  const inLabel =
    placed === null
      ? []
      : around.inRow.filter((other) => other.cell === placed.cell.index && (other.percent || bareRate(other)))
  const percent = inLabel.find((other) => other.percent) ?? inLabel[0]
  if (percent !== undefined) return percent
  const left = around.inRow.filter((other) => other !== figure && other.x1 <= figure.x0 + 1)
  const withSign = left.filter((other) => other.percent).at(-1) ?? around.inRow.find((other) => other.percent)
  if (withSign !== undefined) return withSign
  return left.filter((other) => bareRate(other) && !isDiscountRate(sheet, other, around)).at(0) ?? null
}

/** `% Dto. p.p.` over a bare number. */
const isDiscountRate = (sheet: Sheet, figure: Figure, around: Surroundings): boolean =>
  aboveLabel(sheet, figure, around)?.placed.label.meaning === 'discount'

const rates = new Set([
  '21',
  '10',
  '4',
  '5',
  '7.5',
  '7',
  '3',
  '9.5',
  '15',
  '20',
  '0',
  '5.2',
  '1.4',
  '0.5',
  '0.62',
  '1.75',
  '19',
  '2',
  '18',
  '8',
  '16',
  '12',
  '6.5',
  '13.5',
])
const bareRate = (figure: Figure): boolean => !figure.currency && !figure.percent && rates.has(trimmed(figure.decimal))

/** A decimal without zeros at its end: `21.00` → `21`. */
export const trimmed = (decimal: string): string =>
  decimal.includes('.') ? decimal.replace(/0+$/, '').replace(/\.$/, '') : decimal
