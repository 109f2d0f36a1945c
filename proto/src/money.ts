/**
 * Exact money. Totals are integer cents (`number`, safe up to 90 billion euros); unit prices, quantities and rates are
 * exact decimals with up to 8 places, held as `bigint` in units of 1e-8 while computing. No binary fraction is ever
 * summed or multiplied. JSON numbers appear only at the edge.
 */

/** An amount of money in hundredths of its currency's unit; signed. */
export type Cents = number

/** A decimal scaled by 1e8, so that 8 decimal places are exact. */
export type Scaled = bigint

const places = 8
const one = 10n ** BigInt(places)
const decimalPattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

/** The largest absolute amount of cents that JSON numbers and PostgreSQL's bigint both hold exactly. */
export const centsMax: Cents = Number.MAX_SAFE_INTEGER

/**
 * Reads a decimal exactly. A `number` is taken at its shortest decimal form, which is what its sender wrote, so 1.005
 * is 1.005 and not 1.00499999999999989.
 *
 * @returns the value in units of 1e-8; places beyond the eighth are rounded half away from zero
 * @throws RangeError when the text is no finite decimal
 */
export function scaled(value: number | string): Scaled {
  const text = typeof value === 'number' ? String(value) : value.trim()
  const match = decimalPattern.exec(text)
  const whole = match?.[2] ?? ''
  const fraction = match?.[3] ?? ''
  if (match === null || (whole === '' && fraction === '')) throw new RangeError(`not a decimal: ${text}`)
  const exponent = Number(match[4] ?? 0)
  if (Math.abs(exponent) > 40) {
    if (exponent < 0) return 0n
    throw new RangeError(`out of range: ${text}`)
  }
  const digits = BigInt(whole + fraction)
  const shift = places - fraction.length + exponent
  const magnitude = shift >= 0 ? digits * 10n ** BigInt(shift) : divideRounded(digits, 10n ** BigInt(-shift))
  return match[1] === '-' ? -magnitude : magnitude
}

/**
 * The project's only rounding rule: half away from zero, so that a corrective invoice is the mirror of its original
 * (Facturae 3.2.2: "redondeo común").
 */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const negative = dividend < 0n !== divisor < 0n
  const a = dividend < 0n ? -dividend : dividend
  const b = divisor < 0n ? -divisor : divisor
  const quotient = (a * 2n + b) / (b * 2n)
  return negative ? -quotient : quotient
}

/** A decimal amount in euros as cents, rounded half away from zero. Fails with RangeError beyond {@link centsMax}. */
export const cents = (value: number | string): Cents => toCents(scaled(value))

/** A scaled amount as cents, rounded half away from zero. */
export const toCents = (value: Scaled): Cents => safe(divideRounded(value, one / 100n))

/** True when the decimal has no more than `decimals` places. */
export function hasAtMostDecimals(value: number | string, decimals: number): boolean {
  const unit = 10n ** BigInt(places - decimals)
  return scaled(value) % unit === 0n
}

/** Cents as a JSON number with at most two decimals. Exact, because the division of a safe integer by 100 is. */
export const euros = (value: Cents): number => (value === 0 ? 0 : value / 100)

/** Cents as text with exactly two decimals and no grouping: `-12.30`; never `-0.00`. */
export function eurosText(value: Cents): string {
  const magnitude = Math.abs(value)
  const fraction = String(magnitude % 100).padStart(2, '0')
  return `${value < 0 ? '-' : ''}${Math.trunc(magnitude / 100)}.${fraction}`
}

/** A scaled decimal as text, without superfluous zeros beyond `decimalsMin`. */
export function scaledText(value: Scaled, decimalsMin = 0): string {
  const magnitude = value < 0n ? -value : value
  const fraction = String(magnitude % one)
    .padStart(places, '0')
    .replace(/0+$/, '')
    .padEnd(decimalsMin, '0')
  const whole = String(magnitude / one)
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** quantity × price in cents, rounded once, half away from zero. */
export const timesToCents = (quantity: number | string, price: number | string): Cents =>
  safe(divideRounded(scaled(quantity) * scaled(price), (one * one) / 100n))

/** `percent` percent of an amount, in cents, rounded once: the tax of a base. */
export const percentOf = (amountCents: Cents, percent: number | string): Cents =>
  safe(divideRounded(BigInt(amountCents) * scaled(percent), 100n * one))

/**
 * Splits an amount in proportion to weights so that the parts add up to it exactly (largest remainder; ties go to the
 * earlier part).
 *
 * @param weights non-negative; when all are zero the whole amount goes to the first part
 */
export function apportion(amountCents: Cents, weights: readonly Cents[]): Cents[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (weights.length === 0) return []
  if (total === 0) return weights.map((_, index) => (index === 0 ? amountCents : 0))
  const sign = amountCents < 0 ? -1 : 1
  const magnitude = BigInt(Math.abs(amountCents))
  const shares = weights.map((weight, index) => {
    const product = magnitude * BigInt(weight)
    return { index, floor: Number(product / BigInt(total)), remainder: product % BigInt(total) }
  })
  let rest = Math.abs(amountCents) - shares.reduce((sum, share) => sum + share.floor, 0)
  const parts = shares.map((share) => share.floor)
  const byRemainder = [...shares].sort((a, b) =>
    a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
  )
  for (const share of byRemainder) {
    if (rest === 0) break
    parts[share.index] = (parts[share.index] ?? 0) + 1
    rest -= 1
  }
  return parts.map((part) => (part === 0 ? 0 : sign * part))
}

function safe(value: bigint): Cents {
  const result = Number(value)
  if (!Number.isSafeInteger(result)) throw new RangeError('amount out of range')
  return result
}
