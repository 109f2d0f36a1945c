import { apportion, type Cents, divideRounded, type Scaled } from '@asiento/proto/money'
import type { Adjustment, Invoice, InvoiceLine, Tax } from './invoice.ts'

/** One rate of one tax: the base and what the rate makes of it, rounded once. */
export interface TaxFigures extends Tax {
  baseCents: Cents
  amountCents: Cents
  surchargeCents: Cents
}

export interface LineFigures {
  /** round(quantity × price). */
  totalCostCents: Cents
  grossCents: Cents
}

/** Everything in a Facturae that is computed. See docs/algorithms/facturae-amounts.md. */
export interface Figures {
  lines: LineFigures[]
  taxes: TaxFigures[]
  withheld: TaxFigures[]
  grossCents: Cents
  discountsCents: Cents
  chargesCents: Cents
  beforeTaxesCents: Cents
  taxOutputsCents: Cents
  taxesWithheldCents: Cents
  totalCents: Cents
  subsidiesCents: Cents
  paymentsOnAccountCents: Cents
  outstandingCents: Cents
  reimbursableCents: Cents
  executableCents: Cents
}

const scaleSquaredPerCent = 10n ** 14n
const percentScale = 100n * 10n ** 8n

const number = (value: bigint): Cents => {
  const result = Number(value)
  if (!Number.isSafeInteger(result)) throw new RangeError('amount out of range')
  return result
}

const priceMax = 2 ** 40

/** quantity × price in cents, rounded once. */
export const costCents = (quantity: Scaled, price: Scaled): Cents =>
  number(divideRounded(quantity * price, scaleSquaredPerCent))

/** `rate` percent of a base, rounded once, half away from zero. */
export function taxCents(baseCents: Cents, rate: Scaled): Cents {
  const hundredths = hundredthsOf(rate)
  if (hundredths !== null && Math.abs(baseCents) < priceMax) return halfAway(baseCents * hundredths, 10_000)
  return number(divideRounded(BigInt(baseCents) * rate, percentScale))
}

const known = new Map<Scaled, number | null>()

/** A rate of at most 100 % in hundredths of a percent; null where it has more than two decimals. */
function hundredthsOf(rate: Scaled): number | null {
  const found = known.get(rate)
  if (found !== undefined) return found
  const plain = rate >= 0n && rate <= percentScale && rate % 1_000_000n === 0n
  const hundredths = plain ? Number(rate / 1_000_000n) : null
  if (known.size < 500) known.set(rate, hundredths)
  return hundredths
}

/** Safe integers only: the quotient rounded half away from zero, never −0. */
function halfAway(dividend: number, divisor: number): number {
  const magnitude = Math.abs(dividend)
  const remainder = magnitude % divisor
  const quotient = (magnitude - remainder) / divisor + (remainder * 2 >= divisor ? 1 : 0)
  return quotient === 0 ? 0 : dividend < 0 ? -quotient : quotient
}

export const sumCents = (rows: readonly { amountCents: Cents }[]): Cents =>
  rows.reduce((total, row) => total + row.amountCents, 0)

export function lineFigures(line: InvoiceLine): LineFigures {
  const totalCostCents = costCents(line.quantity, line.unitPrice)
  return { totalCostCents, grossCents: totalCostCents - sumCents(line.discounts) + sumCents(line.charges) }
}

interface Group {
  taxes: Tax[]
  withheld: Tax[]
  cents: Cents
}

/**
 * Computes every figure of an invoice in integer cents.
 *
 * General discounts and charges lie on the sum of the lines; each combination of taxes takes its part of them by
 * largest remainder, so that the bases add up to the amount before taxes. A tax is base × rate, rounded once for each
 * (type, rate, surcharge); line taxes are never summed. Withholding is positive when it lowers the total.
 *
 * @throws RangeError where an amount leaves the range of safe integers
 */
export function computeFigures(invoice: Invoice): Figures {
  const groups = new Map<string, Group>()
  let grossCents = 0
  const lines = invoice.lines.map((line) => {
    const figures = lineFigures(line)
    grossCents += figures.grossCents
    const key = groupKey(line)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { taxes: line.taxes, withheld: line.withheld, cents: figures.grossCents })
    else group.cents += figures.grossCents
    return figures
  })
  const discountsCents = sumCents(invoice.discounts)
  const chargesCents = sumCents(invoice.charges)
  const shared = [...groups.values()]
  const shares = share(chargesCents - discountsCents, shared)
  const taxes = new Map<string, TaxFigures>()
  const withheld = new Map<string, TaxFigures>()
  shared.forEach((group, index) => {
    const base = group.cents + (shares[index] ?? 0)
    for (const tax of group.taxes) addBase(taxes, tax, base)
    for (const tax of group.withheld) addBase(withheld, tax, base)
  })
  const taxRows = [...taxes.values()].map(withAmounts)
  const withheldRows = [...withheld.values()].map(withAmounts)
  return { lines, taxes: taxRows, withheld: withheldRows, grossCents, discountsCents, chargesCents, ...totals() }

  function totals() {
    const beforeTaxesCents = grossCents - discountsCents + chargesCents
    const taxOutputsCents = taxRows.reduce((sum, tax) => sum + tax.amountCents + tax.surchargeCents, 0)
    const taxesWithheldCents = sumCents(withheldRows)
    const totalCents = beforeTaxesCents + taxOutputsCents - taxesWithheldCents
    const subsidiesCents = sumCents(invoice.subsidies)
    const paymentsOnAccountCents = sumCents(invoice.paymentsOnAccount)
    const outstandingCents = totalCents - subsidiesCents - paymentsOnAccountCents
    const reimbursableCents = sumCents(invoice.reimbursableExpenses)
    const executableCents =
      outstandingCents -
      (invoice.amountsWithheld?.amountCents ?? 0) -
      (invoice.paymentInKind?.amountCents ?? 0) +
      reimbursableCents +
      (invoice.financialExpensesCents ?? 0)
    return {
      beforeTaxesCents,
      taxOutputsCents,
      taxesWithheldCents,
      totalCents,
      subsidiesCents,
      paymentsOnAccountCents,
      outstandingCents,
      reimbursableCents,
      executableCents,
    }
  }
}

/** Splits the general discounts and charges; where signs are mixed only the groups of the total's sign take part. */
function share(amountCents: Cents, groups: readonly Group[]): Cents[] {
  if (amountCents === 0) return groups.map(() => 0)
  const total = groups.reduce((sum, group) => sum + group.cents, 0)
  const sign = total < 0 ? -1 : 1
  return apportion(
    amountCents,
    groups.map((group) => Math.max(0, sign * group.cents)),
  )
}

const taxKey = (tax: Tax): string => `${tax.type}/${tax.rate}/${tax.surcharge ?? ''}`

function groupKey(line: InvoiceLine): string {
  const [tax] = line.taxes
  if (line.taxes.length === 1 && line.withheld.length === 0 && tax !== undefined) return taxKey(tax)
  return `${line.taxes.map(taxKey).join('+')}-${line.withheld.map(taxKey).join('+')}`
}

function addBase(rows: Map<string, TaxFigures>, tax: Tax, baseCents: Cents): void {
  const key = taxKey(tax)
  const row = rows.get(key)
  if (row === undefined) rows.set(key, { ...tax, baseCents, amountCents: 0, surchargeCents: 0 })
  else row.baseCents += baseCents
}

const withAmounts = (row: TaxFigures): TaxFigures => ({
  ...row,
  amountCents: taxCents(row.baseCents, row.rate),
  surchargeCents: row.surcharge === undefined ? 0 : taxCents(row.baseCents, row.surcharge),
})

/** The amount of a discount or charge that is only given as a rate of a base. */
export const adjustmentOf = (baseCents: Cents, rate: Scaled, reason: string): Adjustment => ({
  reason,
  rate,
  amountCents: taxCents(baseCents, rate),
})
