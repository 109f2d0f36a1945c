import { type Cents, percentOf, scaled, timesToCents, toCents } from '@asiento/proto/money'
import type { LineFigures, PrintedLine } from './printed-line.ts'

/** How a line's figures fit together. */
export interface LineCheck {
  /** True when quantity × price less discount gives the printed total, false when not, null when it cannot be told. */
  holds: boolean | null
  /** Printed minus computed, in cents. */
  residueCents: Cents
  /** What rounding of the printed price alone may explain, in cents. */
  slackCents: Cents
}

/** Verifies quantity × price (− discount) = total; tax may be part of the total (`taxRate`). */
export function checkLine(line: LineFigures): LineCheck {
  if (line.total === null || line.price === null) return { holds: null, residueCents: 0, slackCents: 0 }
  const quantity = line.quantity?.decimal ?? '1'
  const total = line.total.cents
  const product = safeProduct(quantity, line.price.decimal)
  if (product === null) return { holds: null, residueCents: 0, slackCents: 0 }
  const slack = roundingSlack(quantity, line.price.decimals)
  let best = Number.POSITIVE_INFINITY
  for (const candidate of candidates(line, product, quantity)) {
    const residue = total - candidate
    if (Math.abs(residue) < Math.abs(best)) best = residue
  }
  if (line.quantity === null && Math.abs(best) > 1) return { holds: null, residueCents: best, slackCents: slack }
  return { holds: Math.abs(best) <= 1, residueCents: best, slackCents: slack }
}

function candidates(line: LineFigures, product: Cents, quantity: string): Cents[] {
  const found: Cents[] = []
  const discount = line.discount
  if (discount === null || Number(discount.decimal) === 0) found.push(product)
  else {
    const percent = discount.decimal.replace('-', '')
    if (Number(percent) <= 100) {
      found.push(product - percentOf(product, percent))
      // the price rounded after its discount
      const price = line.price?.decimal ?? '0'
      const reduced = (scaled(price) * (100n * 10n ** 8n - scaled(percent))) / (100n * 10n ** 8n)
      found.push(toCents((scaled(quantity) * roundTo(reduced, 1_000_000n)) / 10n ** 8n))
    }
    if (!discount.percent) {
      found.push(product - Math.abs(discount.cents))
      const each = safeProduct(quantity, discount.decimal.replace('-', ''))
      if (each !== null) found.push(product - each)
    }
  }
  if (line.taxRate !== null) {
    for (const net of [...found]) found.push(net + percentOf(net, line.taxRate.decimal))
  }
  return found
}

const roundTo = (value: bigint, unit: bigint): bigint => ((value + unit / 2n) / unit) * unit

function safeProduct(quantity: string, price: string): Cents | null {
  try {
    return timesToCents(quantity, price)
  } catch {
    return null
  }
}

/** A price printed with two decimals may stand for half a cent more or less, each time. */
function roundingSlack(quantity: string, decimals: number): Cents {
  const half = 0.5 * 10 ** (2 - Math.max(0, decimals))
  return Math.min(100_000, Math.ceil(Math.abs(Number(quantity)) * half)) + 1
}

/** The sum of the printed totals, null when a total is missing or there are no lines. */
export function linesSum(lines: readonly PrintedLine[]): Cents | null {
  if (lines.length === 0) return null
  let sum = 0
  for (const line of lines) {
    if (line.total === null) return null
    sum += line.total.cents
  }
  return sum
}

/**
 * The lines' sum with any choice of the discounts and charges printed below them, the bare sum first. At most four are
 * combined.
 */
export function adjustedSums(sum: Cents, adjustments: readonly Cents[]): Cents[] {
  let sums = [sum]
  for (const adjustment of adjustments.slice(0, 4)) sums = [...sums, ...sums.map((value) => value + adjustment)]
  return sums
}
