import { type Cents, percentOf } from '@asiento/proto/money'
import { adjustedSums, checkLine, linesSum } from './check-lines.ts'
import type { Mismatch } from './diagnose.ts'
import type { LabelledAmount } from './labelled-amounts.ts'
import type { PrintedLine } from './printed-line.ts'
import { trimmed } from './rate-of-amount.ts'
import type { SettleInput } from './settle-amounts.ts'

/**
 * The sum of the lines as evidence: net or with tax, with the discounts that make it fit. Null when it cannot be told,
 * or when most products do not hold, so that a column read wrongly is no alarm.
 */
export function comparableLines(
  input: SettleInput,
  base: Cents,
  gross: Cents,
): { sum: Cents | null; includeTax: boolean } {
  const sum = linesSum(input.lines)
  if (sum === null) return { sum, includeTax: false }
  const told = input.lines.map(checkLine).filter((check) => check.holds !== null)
  const reliable =
    told.length === 0 ||
    told.filter((check) => check.holds === true || Math.abs(check.residueCents) <= check.slackCents).length >=
      told.length * 0.5
  const sums = adjustedSums(sum, adjustmentsOf(input.amounts))
  const reduced = impliedDiscounts(input).map((amount) => sum - amount)
  const net = [...sums, ...reduced].find((value) => Math.abs(value - base) <= 2)
  if (net !== undefined) return { sum: net, includeTax: false }
  const taxed = base === gross ? undefined : sums.find((value) => Math.abs(value - gross) <= 2)
  if (taxed !== undefined) return { sum: taxed, includeTax: true }
  return { sum: reliable ? (sums.at(-1) ?? sum) : null, includeTax: false }
}

/** `Dto. P.P. 5 %` without its amount: what each printed percentage takes off the lines' sum. Evidence only where it fits. */
export function impliedDiscounts({ lines, figures }: Pick<SettleInput, 'lines' | 'figures'>): Cents[] {
  const sum = linesSum(lines)
  if (sum === null) return []
  const percents = new Set(figures.filter((figure) => figure.percent).map((figure) => figure.decimal.replace('-', '')))
  return [...percents]
    .filter((percent) => Number(percent) > 0 && Number(percent) < 100)
    .map((percent) => percentOf(sum, percent))
}

/** Discounts (negative) and charges that stand below the lines. */
export function adjustmentsOf(amounts: readonly LabelledAmount[]): Cents[] {
  const found = new Set<Cents>()
  for (const { figure, roles } of amounts) {
    if ((roles.discount ?? 0) >= 2) {
      found.add(-Math.abs(figure.cents))
      if (figure.cents < 0) continue
    } else if ((roles.charge ?? 0) >= 2) found.add(figure.cents)
  }
  return [...found]
}

/** What the lines of each rate add up to; of lines without rates all of them, for each rate that is printed. */
export function lineBasesOf(
  lines: readonly PrintedLine[],
  printed: ReadonlySet<string>,
): { rate: string; cents: Cents }[] {
  const sum = linesSum(lines)
  if (sum !== null && lines.every(({ taxRate }) => taxRate === null))
    return [...printed].slice(0, 8).map((rate) => ({ rate, cents: sum }))
  const sums = new Map<string, Cents>()
  for (const { taxRate, total } of lines) {
    if (taxRate === null || total === null) return []
    const rate = trimmed(taxRate.decimal)
    sums.set(rate, (sums.get(rate) ?? 0) + total.cents)
  }
  return [...sums].map(([rate, cents]) => ({ rate, cents }))
}

/** Rates that no code of a column is taken for. */
const ordinaryRates = new Set(['21', '10', '7', '15'])

/** Lines at a rate that bears no quota below them, where every line prints its rate: one of both is wrong. */
export function strayRates(lines: readonly PrintedLine[], pairs: readonly { rate: string; tax: Cents }[]): Mismatch[] {
  if (lines.length === 0 || lines.some(({ taxRate, total }) => taxRate === null || total === null)) return []
  const settled = new Set(pairs.map((pair) => pair.rate))
  return lineBasesOf(lines, new Set())
    .filter(({ rate, cents }) => ordinaryRates.has(rate) && cents !== 0 && !settled.has(rate))
    .map(({ rate, cents }) => ({
      field: 'declared_tax_rate',
      residueCents: percentOf(cents, rate) - percentOf(cents, pairs[0]?.rate ?? '0'),
      message: `Las líneas llevan un ${rate} % que no tiene cuota en el resumen.`,
    }))
}
