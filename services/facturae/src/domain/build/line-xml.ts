import type { Cents } from '@asiento/proto/money'
import { element, given, optional, wrap, wrapOptional } from '../canonical/text.ts'
import { type LineFigures, type TaxFigures, taxCents } from '../model/figures.ts'
import type { Adjustment, InvoiceLine, Period, Reference, Tax } from '../model/invoice.ts'
import { amountText, priceText, quantityText, rateText } from './numbers.ts'

/** Writes an AmountType: the amount, and its equivalent in euros where the invoice is in another currency. */
export type AmountWriter = (name: string, value: Cents) => string

/** InvoiceLineType. Its taxes are informative: the header's are the ones that count. */
export function lineXml(line: InvoiceLine, figures: LineFigures, sequence: number, amount: AmountWriter): string {
  return (
    '<InvoiceLine>' +
    referenceXml('IssuerContract', line.issuerContract) +
    referenceXml('IssuerTransaction', line.issuerTransaction) +
    referenceXml('ReceiverContract', line.receiverContract) +
    referenceXml('ReceiverTransaction', line.receiverTransaction) +
    referenceXml('File', line.file) +
    `<SequenceNumber>${sequence}</SequenceNumber>` +
    wrapOptional('DeliveryNotesReferences', line.deliveryNotes.map(deliveryNoteXml).join('')) +
    element('ItemDescription', line.description) +
    `<Quantity>${quantityText(line.quantity)}</Quantity>` +
    optional('UnitOfMeasure', line.unit) +
    `<UnitPriceWithoutTax>${priceText(line.unitPrice)}</UnitPriceWithoutTax>` +
    `<TotalCost>${amountText(figures.totalCostCents)}</TotalCost>` +
    discountsXml('DiscountsAndRebates', line.discounts) +
    chargesXml('Charges', line.charges) +
    `<GrossAmount>${amountText(figures.grossCents)}</GrossAmount>` +
    (line.withheld.length === 0 ? '' : wrap('TaxesWithheld', lineTaxesXml(line.withheld, figures, amount))) +
    wrap('TaxesOutputs', lineTaxesXml(line.taxes, figures, amount)) +
    periodXml('LineItemPeriod', line.period) +
    optional('TransactionDate', line.transactionDate) +
    optional('AdditionalLineItemInformation', line.additionalInformation) +
    given(line.specialEvent, ({ code, reason }) =>
      wrap(
        'SpecialTaxableEvent',
        element('SpecialTaxableEventCode', code) + element('SpecialTaxableEventReason', reason),
      ),
    ) +
    optional('ArticleCode', line.articleCode) +
    '</InvoiceLine>'
  )
}

function lineTaxesXml(taxes: readonly Tax[], { grossCents }: LineFigures, amount: AmountWriter): string {
  let xml = ''
  for (const tax of taxes) {
    const surchargeCents = tax.surcharge === undefined ? 0 : taxCents(grossCents, tax.surcharge)
    xml += taxXml(tax, { baseCents: grossCents, amountCents: taxCents(grossCents, tax.rate), surchargeCents }, amount)
  }
  return xml
}

type TaxAmounts = Pick<TaxFigures, 'baseCents' | 'amountCents' | 'surchargeCents'>

/** TaxType and TaxOutputType. */
export function taxXml(tax: Tax, amounts: TaxAmounts, amount: AmountWriter): string {
  const surcharge =
    tax.surcharge === undefined
      ? ''
      : `<EquivalenceSurcharge>${rateText(tax.surcharge)}</EquivalenceSurcharge>${amount('EquivalenceSurchargeAmount', amounts.surchargeCents)}`
  return `<Tax><TaxTypeCode>${tax.type}</TaxTypeCode><TaxRate>${rateText(tax.rate)}</TaxRate>${amount('TaxableBase', amounts.baseCents)}${amount('TaxAmount', amounts.amountCents)}${surcharge}</Tax>`
}

export const discountsXml = (name: string, discounts: readonly Adjustment[]): string =>
  wrapOptional(name, discounts.map((row) => wrap('Discount', adjustmentXml('Discount', row))).join(''))

export const chargesXml = (name: string, charges: readonly Adjustment[]): string =>
  wrapOptional(name, charges.map((row) => wrap('Charge', adjustmentXml('Charge', row))).join(''))

/** Why, at what rate and how much; the schema names the three after what they adjust. */
export const adjustmentXml = (
  name: 'Discount' | 'Charge' | 'Subsidy' | 'Withholding',
  { reason, rate, amountCents }: Adjustment,
): string =>
  element(name === 'Subsidy' ? 'SubsidyDescription' : `${name}Reason`, reason) +
  given(rate, (percent) => element(`${name}Rate`, rateText(percent))) +
  element(`${name}Amount`, amountText(amountCents))

export const periodXml = (name: string, period: Period | undefined): string =>
  given(period, ({ start, end }) => wrap(name, element('StartDate', start) + element('EndDate', end)))

const referenceXml = (name: string, row: Reference | undefined): string =>
  given(row, ({ reference, date }) => element(`${name}Reference`, reference) + optional(`${name}Date`, date))

const deliveryNoteXml = (note: Reference): string =>
  wrap('DeliveryNote', element('DeliveryNoteNumber', note.reference) + optional('DeliveryNoteDate', note.date))
