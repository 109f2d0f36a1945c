import { type Cents, cents, divideRounded } from '@asiento/proto/money'
import type { InvoiceDataInput } from '@asiento/proto/schemas/invoice-input'
import { sumCents } from '../../model/figures.ts'
import type { Tax } from '../../model/invoice.ts'
import { exact } from './exact.ts'
import { grossOf, type PricedLine, repriced } from './priced-line.ts'

/** Lines whose prices hold the tax, without it: each rate's base is taken out of the sum of its lines and shared among them. */
export function withoutTax(lines: PricedLine[], taxes: Tax[], input: InvoiceDataInput): PricedLine[] {
  const groups = new Map<string, number[]>()
  taxes.forEach((tax, index) => {
    const key = `${tax.type}/${tax.rate}/${tax.surcharge ?? 0n}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [index])
    else group.push(index)
  })
  const result = [...lines]
  for (const members of groups.values()) {
    const tax = taxes[members[0] ?? 0]
    if (tax === undefined) continue
    const factor = 100n * 10n ** 8n + tax.rate + (tax.surcharge ?? 0n)
    const net = (amount: Cents): Cents => Number(divideRounded(BigInt(amount) * 100n * 10n ** 8n, factor))
    const grosses = members.map((index) => grossOf(result[index] ?? emptyLine))
    const printed = grosses.reduce((sum, amount) => sum + amount, 0)
    const base = printedBase(input, tax, net(printed), groups.size)
    const nets = settle(grosses.map(net), base, grosses)
    members.forEach((index, position) => {
      const line = result[index] ?? emptyLine
      const discounts = line.discounts.map((row) => ({ ...row, amountCents: net(row.amountCents) }))
      const charges = line.charges.map((row) => ({ ...row, amountCents: net(row.amountCents) }))
      const cost = (nets[position] ?? 0) + sumCents(discounts) - sumCents(charges)
      result[index] = repriced({ ...line, discounts, charges }, cost)
    })
  }
  return result
}

const emptyLine: PricedLine = { quantity: 0n, unitPrice: 0n, costCents: 0, discounts: [], charges: [] }

/** The base that the invoice prints for the rate, where it is a cent or none away from the computed one. */
function printedBase(input: InvoiceDataInput, tax: Tax, computed: Cents, groups: number): Cents {
  const row = input.tax_breakdown?.find((entry) => entry.tax_type !== 'RE' && exact(entry.rate) === tax.rate)
  const printed = row?.base ?? (groups === 1 && (input.discounts ?? []).length === 0 ? input.subtotal : null)
  if (printed == null) return computed
  return Math.abs(cents(printed) - computed) <= 1 ? cents(printed) : computed
}

/** Moves single cents, the largest lines first, until the parts add up to the sum. */
function settle(parts: Cents[], sum: Cents, weights: readonly Cents[]): Cents[] {
  let rest = sum - parts.reduce((total, part) => total + part, 0)
  const order = weights.map((_, index) => index).sort((a, b) => Math.abs(weights[b] ?? 0) - Math.abs(weights[a] ?? 0))
  const step = Math.sign(rest)
  while (rest !== 0) {
    for (const index of order) {
      if (rest === 0) break
      parts[index] = (parts[index] ?? 0) + step
      rest -= step
    }
  }
  return parts
}
