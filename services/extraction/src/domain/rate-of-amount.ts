import { type Figure, isMoney } from './figures.ts'
import { aboveLabel } from './label-above.ts'
import type { AmountMeaning } from './labels.ts'
import type { Sheet } from './layout.ts'
import type { PlacedLabel, Surroundings } from './placed-labels.ts'

/** `Retención 15 %` as a heading: the percentage in the heading's own cell. */
export function headingRate(headed: PlacedLabel | null, around: Surroundings): Figure | null {
  if (headed === null) return null
  for (const token of headed.cell.tokens) {
    const figure = around.figureOf.get(token)
    if (figure?.percent) return figure
  }
  return null
}

/** The percentage that belongs to an amount: in its label's cell or left of it in the row; a bare 21 or 21,00 too. */
export function rateNear(
  sheet: Sheet,
  figure: Figure,
  around: Surroundings,
  placed: PlacedLabel | null,
): Figure | null {
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

/** `I.V.A. 21,00   16,72`: right after the name of a tax and before another amount, a number that is a rate is the rate. */
export function isRateBeforeQuota(figure: Figure, { inRow, labels }: Surroundings): boolean {
  if (figure.currency || figure.percent || !bareRate(figure)) return false
  const named = (labels.get(figure.row) ?? []).some(
    ({ label, tokens, cell }) =>
      ratedMeanings.has(label.meaning) &&
      cell.index === figure.cell &&
      cell.tokens[label.to] === figure.tokens[0] &&
      tokens.length > 0,
  )
  return named && inRow.some((other) => other.x0 >= figure.x1 && isMoney(other))
}

const ratedMeanings = new Set<AmountMeaning>(['tax', 'surcharge', 'irpf'])

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
