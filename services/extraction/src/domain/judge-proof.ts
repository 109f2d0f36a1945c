import type { Cents } from '@asiento/proto/money'
import { role, type Value } from './amount-values.ts'
import type { AmountMeaning } from './labels.ts'
import type { Proof, ProofInput } from './proof.ts'

/** Agreement with the lines, and labelled amounts that the proof leaves unexplained. */
export function judged(proof: Proof, values: readonly Value[], input: ProofInput, differences: Differences): number {
  let score = 0
  const gross = proof.base + proof.tax
  if (input.linesSums.some((sum) => Math.abs(sum - proof.base) <= 1)) score += 3
  else if (input.linesSums.some((sum) => Math.abs(sum - gross) <= 1)) score += 2.5
  for (const value of values) score -= unexplained(value, proof, differences)
  return score
}

/** Discounts, charges and the like that stand between the sum of the lines and the base; none: both are the same. */
const adjustmentsIn = (values: readonly Value[]): Cents[] =>
  values.filter((value) => role(value, 'discount', 'charge', 'suplido') >= 1.4).map((value) => Math.abs(value.cents))

/** What is taken off after the total: advances and guarantees kept back. */
const deductionsIn = (values: readonly Value[]): Cents[] =>
  values.filter((value) => role(value, 'advance', 'aside') >= 1.4).map((value) => Math.abs(value.cents))

/** Only read by OCR without a decimal comma, or with one put back: no evidence against anything. */
const doubtful = (value: Value): boolean =>
  value.occurrences.every(({ figure }) => figure.ocr && (figure.repaired || figure.decimals === 0))

/** What may stand between the lines' sum and the base, and between the total and what is paid. */
export interface Differences {
  adjustments: ReadonlySet<Cents>
  deductions: ReadonlySet<Cents>
}

export const differencesIn = (values: readonly Value[], impliedDiscounts: readonly Cents[]): Differences => ({
  adjustments: differencesOf([...adjustmentsIn(values), ...impliedDiscounts]),
  deductions: differencesOf(deductionsIn(values)),
})

/** How much a strongly labelled amount contradicts a proof that does not contain it, 0–3. */
export function unexplained(value: Value, proof: Proof, { adjustments, deductions }: Differences): number {
  const gross = proof.base + proof.tax
  const outside = proof.extra?.outside ? proof.extra.cents : 0
  const stated = (meaning: AmountMeaning) => (role(value, meaning) >= 2 ? 1 : 0)
  const c = value.cents
  if (c === 0 || doubtful(value)) return 0
  const bases = [proof.base, ...proof.pairs.map((pair) => pair.base), proof.extra?.cents]
  const taxes = [
    proof.tax,
    ...proof.pairs.flatMap((pair) => [pair.tax, pair.surcharge?.amount, pair.tax + (pair.surcharge?.amount ?? 0)]),
    sum(proof.pairs.map((pair) => pair.tax)),
    sum(proof.pairs.map((pair) => pair.surcharge?.amount ?? 0)),
  ]
  const totals = [
    proof.total,
    gross,
    gross + outside,
    ...proof.pairs.map((pair) => pair.base + pair.tax),
    ...proof.pairs.map((pair) => pair.base + pair.tax + (pair.surcharge?.amount ?? 0)),
  ]
  const withheld = proof.withholding === null ? [] : [proof.withholding.amount, -proof.withholding.amount]
  const explained = [...bases, ...taxes, ...totals, ...withheld].includes(c) || bases.includes(-c) || taxes.includes(-c)
  if (
    explained ||
    adjustments.has(Math.abs(c - proof.base)) ||
    (deductions.size > 0 && totals.some((total) => deductions.has(Math.abs(c - total))))
  )
    return 0
  if (stated('irpf')) return 3
  if (stated('tax')) return 2
  if (stated('base') || stated('gross')) return 2
  if (stated('total')) return 2
  return 0
}

/** What one of the amounts, or two of them together, make as a difference. */
function differencesOf(amounts: readonly Cents[]): ReadonlySet<Cents> {
  const few = amounts.slice(0, 8)
  const found = new Set<Cents>()
  for (const [index, one] of few.entries()) {
    found.add(Math.abs(one))
    for (const two of few.slice(index + 1)) found.add(Math.abs(one + two)).add(Math.abs(one - two))
  }
  return found
}

const sum = (amounts: readonly Cents[]): Cents => amounts.reduce((total, amount) => total + amount, 0)

/** How much a value is the total by its labels. */
export const totalScore = (value: Value): number => {
  const stated = role(value, 'total')
  return stated > 0 ? stated * 1.4 : role(value, 'base', 'tax', 'irpf') > 0 ? -2 : -0.8
}
