import { type Figure, isMoney } from './figures.ts'
import { aboveLabel } from './label-above.ts'
import { leftLabel } from './label-left.ts'
import type { AmountMeaning } from './labels.ts'
import type { Sheet, Token } from './layout.ts'
import { labelsByRow, type PlacedLabel, type Surroundings } from './placed-labels.ts'
import { headingRate, isRateBeforeQuota, rateNear } from './rate-of-amount.ts'

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
    const above = sheet.rows[figure.row - 1]
    const rowAbove = above?.page === row.page ? above : undefined
    const around = { row, rowAbove, inRow, labels, figureOf }
    if (isRateBeforeQuota(figure, around)) continue
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
