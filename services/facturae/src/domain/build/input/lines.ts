import { type Cents, cents, divideRounded, eurosText, type Scaled } from '@asiento/proto/money'
import type { AdjustmentInput, InvoiceDataInput, InvoiceLineInput } from '@asiento/proto/schemas/invoice-input'
import { unitNames } from '../../model/codes.ts'
import { adjustmentOf, costCents, sumCents, taxCents } from '../../model/figures.ts'
import type { Adjustment, InvoiceLine, Tax } from '../../model/invoice.ts'
import { exact } from './exact.ts'
import { clip, clipOptional, maybe, type Notes, present, refuse, refuseField } from './notes.ts'
import { irpfCode, type RateRules, taxOf, toleranceCents } from './rates.ts'

const centsPerScaled = 10n ** 6n

/** What a line says of its amounts, before taxes are taken out of them. */
interface PricedLine {
  quantity: Scaled
  unitPrice: Scaled
  costCents: Cents
  discounts: Adjustment[]
  charges: Adjustment[]
}

const grossOf = (line: PricedLine): Cents => line.costCents - sumCents(line.discounts) + sumCents(line.charges)

/**
 * The lines of an invoice with net prices. Where prices are printed with tax, each rate's base is taken out of the sum
 * of its lines and shared among them by largest remainder, and the unit price is derived to eight decimals.
 */
export function linesFrom(input: InvoiceDataInput, rules: RateRules, notes: Notes): InvoiceLine[] {
  const items = input.line_items ?? []
  const confirmed = headerConfirmsTotals(input)
  const priced = items.map((item, index) => priceLine(item, index, { confirmed, notes }))
  const taxes = items.map((item, index) => taxOf(rules, item, ['line_items', index]))
  const net = input.lines_include_tax === true ? withoutTax(priced, taxes, input) : priced
  return items.map((item, index) => {
    const line = net[index]
    const tax = taxes[index]
    if (line === undefined || tax === undefined) throw new RangeError('a line without amounts')
    return {
      ...lineDetails(item, index, notes),
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      discounts: line.discounts,
      charges: line.charges,
      taxes: [tax],
      withheld: ownWithholding(item),
      ...specialEvent(item, input, tax, index, notes),
    }
  })
}

/** The sum of the lines as printed; null without lines. */
export function printedLinesCents(input: InvoiceDataInput): Cents | null {
  const items = input.line_items ?? []
  if (items.length === 0 || input.lines_include_tax === true) return null
  return items.reduce(
    (sum, item) =>
      sum +
      (item.total == null ? costCents(exact(item.quantity ?? 1), exact(item.unit_price ?? 0)) : cents(item.total)),
    0,
  )
}

const ownWithholding = (item: InvoiceLineInput): Tax[] =>
  item.irpf_rate == null || item.irpf_rate === 0 ? [] : [{ type: irpfCode, rate: exact(item.irpf_rate) }]

function priceLine(
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
function headerConfirmsTotals(input: InvoiceDataInput): boolean {
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
function repriced(line: PricedLine, cost: Cents): PricedLine {
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

function withoutTax(lines: PricedLine[], taxes: Tax[], input: InvoiceDataInput): PricedLine[] {
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

function lineDetails(item: InvoiceLineInput, index: number, notes: Notes) {
  const field = `line_items[${index}]`
  if (item.unit != null && unitNames[item.unit] === undefined) {
    refuseField(notes, ['line_items', index, 'unit'], 'No unit code of Facturae')
  }
  const reference = (text: string | null | undefined) => {
    const value = present(text)
    return value === undefined ? undefined : { reference: value }
  }
  return {
    description: clip(item.description.trim(), 2500, `${field}.description`, notes),
    deliveryNotes: (item.delivery_notes ?? []).map((note) => ({
      reference: note.number,
      ...maybe('date', note.date ?? undefined),
    })),
    ...maybe('unit', item.unit ?? undefined),
    ...maybe('articleCode', present(item.article_code)),
    ...maybe('period', item.period ?? undefined),
    ...maybe('transactionDate', item.transaction_date ?? undefined),
    ...maybe(
      'additionalInformation',
      clipOptional(item.additional_information, 2500, `${field}.additional_information`, notes),
    ),
    ...maybe('file', reference(item.file_reference)),
    ...maybe('receiverContract', reference(item.contract_reference)),
    ...maybe('receiverTransaction', reference(item.transaction_reference)),
  }
}

/** A line at 0 % of an invoice that says why carries the reason (SpecialTaxableEvent). */
export function specialEvent(
  item: InvoiceLineInput | null,
  input: InvoiceDataInput,
  tax: Tax,
  index: number,
  notes: Notes,
): Pick<InvoiceLine, 'specialEvent'> {
  const reason = present(item?.exempt_reason) ?? (tax.rate === 0n ? present(input.exempt_reason) : undefined)
  if (reason === undefined) return {}
  if (tax.rate !== 0n) refuse(`line_items[${index}].exempt_reason is given, but its tax_rate is not 0.`)
  return {
    specialEvent: {
      code: item?.exempt_code ?? input.exempt_code ?? '01',
      reason: clip(reason, 2500, 'exempt_reason', notes),
    },
  }
}

/** Adds the invoice's withholding to every line that does not bring its own. */
export const withWithholding = (
  lines: InvoiceLine[],
  items: readonly InvoiceLineInput[],
  rate: Scaled | null,
): InvoiceLine[] =>
  rate === null
    ? lines
    : lines.map((line, index) =>
        items[index]?.irpf_rate == null ? { ...line, withheld: [{ type: irpfCode, rate }] } : line,
      )

/**
 * The base of an invoice without lines: its subtotal, else what is left of the total without tax. Where only the total
 * is known it is read as the gross with tax; the base is the one whose tax makes that total, if any cent does.
 */
export function genericBase(input: InvoiceDataInput, tax: Tax): Cents {
  if (input.subtotal != null) return cents(input.subtotal)
  if (input.total == null) return refuse('total is missing, and nothing else says how much the invoice is about.')
  const total = cents(input.total)
  const irpf = input.irpf_amount == null ? 0 : Math.abs(cents(input.irpf_amount))
  if (input.tax != null) {
    const gross = total - cents(input.tax)
    return fits(gross, tax, cents(input.tax)) ? gross : gross + (total < 0 ? -irpf : irpf)
  }
  const factor = 100n * 10n ** 8n + tax.rate + (tax.surcharge ?? 0n)
  const near = Number(divideRounded(BigInt(total) * 100n * 10n ** 8n, factor))
  const whole = (base: Cents) => base + taxCents(base, tax.rate) + taxCents(base, tax.surcharge ?? 0n)
  return [near, near - 1, near + 1].find((base) => whole(base) === total) ?? near
}

const fits = (base: Cents, tax: Tax, amount: Cents): boolean =>
  Math.abs(taxCents(base, tax.rate) + taxCents(base, tax.surcharge ?? 0n) - amount) <= toleranceCents
