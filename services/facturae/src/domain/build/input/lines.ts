import { type Cents, cents, divideRounded, type Scaled } from '@asiento/proto/money'
import type { InvoiceDataInput, InvoiceLineInput } from '@asiento/proto/schemas/invoice-input'
import { unitNames } from '../../model/codes.ts'
import { costCents, taxCents } from '../../model/figures.ts'
import type { InvoiceLine, Tax } from '../../model/invoice.ts'
import { exact } from './exact.ts'
import { clip, clipOptional, maybe, type Notes, present, refuse, refuseField } from './notes.ts'
import { headerConfirmsTotals, priceLine } from './priced-line.ts'
import { withoutTax } from './prices-with-tax.ts'
import { irpfCode, type RateRules, taxOf, toleranceCents } from './rates.ts'

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
