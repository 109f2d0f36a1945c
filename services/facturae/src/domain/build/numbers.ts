import { type Cents, eurosText, type Scaled, scaledText } from '@asiento/proto/money'

const cached = new Map<Scaled, string>()

/** A rate with two decimals, more where it has more. */
export function rateText(rate: Scaled): string {
  const known = cached.get(rate)
  if (known !== undefined) return known
  const text = scaledText(rate, 2)
  if (cached.size < 500) cached.set(rate, text)
  return text
}

/** The one price form: at least two decimals, at most eight. */
export const priceText = (price: Scaled): string => scaledText(price, 2)

/** A quantity without superfluous decimals. */
export const quantityText = (quantity: Scaled): string => scaledText(quantity)

export const amountText = (value: Cents): string => eurosText(value)

/** EquivalentInEuros: the amount times the exchange rate (euros for one unit of the invoice's currency). */
export const euroEquivalent = (value: Cents, rate: Scaled): Cents => {
  const scale = 10n ** 8n
  const product = BigInt(value) * rate
  const magnitude = product < 0n ? -product : product
  const rounded = Number((magnitude * 2n + scale) / (scale * 2n))
  return product < 0n && rounded !== 0 ? -rounded : rounded
}
