import { type Cents, cents, divideRounded, eurosText, type Scaled } from '@asiento/proto/money'
import type { AdjustmentInput, InvoiceDataInput, InvoiceLineInput } from '@asiento/proto/schemas/invoice-input'
import { adjustmentOf, costCents, sumCents, taxCents } from '../../model/figures.ts'
import type { Adjustment } from '../../model/invoice.ts'
import { exact } from './exact.ts'
import { maybe, type Notes, present, refuse } from './notes.ts'
import { toleranceCents } from './rates.ts'

const centsPerScaled = 10n ** 6n

/** What a line says of its amounts, before taxes are taken out of them. */
export interface PricedLine {
  quantity: Scaled
  unitPrice: Scaled
  costCents: Cents
  discounts: Adjustment[]
  charges: Adjustment[]
}

export const grossOf = (line: PricedLine): Cents => line.costCents - sumCents(line.discounts) + sumCents(line.charges)

/**
 * What a line costs. Where its total is not quantity × price, a rounding difference goes into the unit price, and a lower
 * total that the header confirms is a discount; else fails INVALID_INPUT.
 */
export function priceLine(
  item: InvoiceLineInput,
  index: number,
  { confirmed, notes }: { confirmed: boolean; notes: Notes },
): PricedLine {
  const field = `line_items[${index}]`
  const total = item.total == null ? null : cents(item.total)
  const quantity =
    item.quantity == null || (item.quantity === 0 && total !== 0 && total !== null) ? exact(1) : exact(item.quantity)
  if (item.unit_price == null) {
    if (total === null) return refuse(`${field} has neither unit_price nor total.`)
    return fromTotal(item, quantity, total)
  }
  const unitPrice = exact(item.unit_price)
  if (item.quantity == null && total !== null) return withUnstatedQuantity(item, unitPrice, total)
  const cost = costCents(quantity, unitPrice)
  const line = { quantity, unitPrice, costCents: cost, ...adjustments(item, cost) }
  if (total === null) return line
  const gross = grossOf(line)
  const beforeDiscounts = Math.abs(total - cost) < Math.abs(total - gross)
  const residue = beforeDiscounts ? total - cost : total - gross
  if (residue === 0) return line
  if (Math.abs(residue) > roundingOf(item.unit_price, quantity)) {
    if (confirmed && isReduced(total, cost) && line.discounts.length + line.charges.length === 0) {
      notes.warn(
        'line_discount_derived',
        `${field}.total is ${eurosText(cost - total)} less than quantity × unit_price, and the subtotal confirms it: the difference was taken for a discount.`,
        `${field}.total`,
        total - cost,
      )
      return { ...line, discounts: [discountOf(cost, total)] }
    }
    return refuse(
      `${field}.total does not add up: ${item.quantity} × ${item.unit_price} is ${eurosText(beforeDiscounts ? cost : gross)}, not ${eurosText(total)}.`,
    )
  }
  notes.warn(
    'amounts_mismatch',
    `${field}.total differs by ${eurosText(residue)} from quantity × unit_price; the unit price was derived from it.`,
    `${field}.total`,
    residue,
  )
  return repriced(line, cost + residue)
}

/** A quantity that the document does not show is what price and total make it; one piece where they make none. */
function withUnstatedQuantity(item: InvoiceLineInput, unitPrice: Scaled, total: Cents): PricedLine {
  const quantity = unitPrice === 0n ? 0n : divideRounded(BigInt(total) * centsPerScaled * 10n ** 8n, unitPrice)
  const { discounts, charges } = adjustments(item, total)
  const plain = discounts.length + charges.length === 0
  if (plain && quantity > 0n && costCents(quantity, unitPrice) === total) {
    return { quantity, unitPrice, costCents: total, discounts, charges }
  }
  return fromTotal(item, exact(1), total)
}

/** True when the totals of the lines, as they are printed, make the subtotal (with tax: subtotal and tax). */
export function headerConfirmsTotals(input: InvoiceDataInput): boolean {
  const items = input.line_items ?? []
  if (input.subtotal == null || items.some((item) => item.total == null)) return false
  const lines = items.reduce((sum, item) => sum + cents(item.total ?? 0), 0)
  const amounts = (rows: readonly AdjustmentInput[] | null | undefined) =>
    (rows ?? []).reduce((sum, row) => sum + cents(row.amount ?? 0), 0)
  const printed = lines - amounts(input.discounts) + amounts(input.charges)
  const tax = input.lines_include_tax === true ? cents(input.tax ?? 0) : 0
  return Math.abs(printed - cents(input.subtotal) - tax) <= toleranceCents
}

const isReduced = (total: Cents, cost: Cents): boolean =>
  cost > 0 ? total >= 0 && total < cost : total <= 0 && total > cost

/** The difference as a discount, with its rate where one of at most two decimals makes it. */
function discountOf(cost: Cents, total: Cents): Adjustment {
  const amountCents = cost - total
  const rate = exact(Math.round((amountCents / cost) * 10_000) / 100)
  return { reason: 'Descuento', ...(taxCents(cost, rate) === amountCents ? { rate } : {}), amountCents }
}

/** Two cents, or what the rounding of a price printed with two or more decimals makes of the quantity. */
function roundingOf(price: number, quantity: Scaled): Cents {
  const decimals = /\.(\d+)$/.exec(String(price))?.[1]?.length ?? 0
  if (decimals < 2) return toleranceCents
  const halfUnit = 10n ** BigInt(8 - Math.min(decimals, 8)) / 2n
  const magnitude = quantity < 0n ? -quantity : quantity
  return Math.max(toleranceCents, costCents(magnitude, halfUnit))
}

function fromTotal(item: InvoiceLineInput, quantity: Scaled, total: Cents): PricedLine {
  const { discounts, charges } = adjustments(item, total)
  const cost = total + sumCents(discounts) - sumCents(charges)
  return repriced({ quantity, unitPrice: 0n, costCents: cost, discounts, charges }, cost)
}

/** The line at a unit price of eight decimals that makes exactly this cost; one unit at the cost where none does. */
export function repriced(line: PricedLine, cost: Cents): PricedLine {
  if (line.quantity !== 0n) {
    const unitPrice = divideRounded(BigInt(cost) * centsPerScaled * 10n ** 8n, line.quantity)
    if (costCents(line.quantity, unitPrice) === cost) return { ...line, unitPrice, costCents: cost }
  }
  return { ...line, quantity: exact(1), unitPrice: BigInt(cost) * centsPerScaled, costCents: cost }
}

const adjustments = (item: InvoiceLineInput, cost: Cents) => ({
  discounts: adjustmentsFrom(item.discounts, cost, 'Descuento'),
  charges: adjustmentsFrom(item.charges, cost, 'Cargo'),
})

/** Discounts or charges with their amounts; one with a rate alone is that share of the base. */
export const adjustmentsFrom = (
  rows: readonly AdjustmentInput[] | null | undefined,
  baseCents: Cents,
  reason: string,
): Adjustment[] =>
  (rows ?? []).map((row) => {
    const text = present(row.reason) ?? reason
    const rate = row.rate == null ? undefined : exact(row.rate)
    if (row.amount != null) return { reason: text, ...maybe('rate', rate), amountCents: cents(row.amount) }
    return adjustmentOf(baseCents, rate ?? 0n, text)
  })
