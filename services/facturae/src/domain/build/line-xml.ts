import type { Cents } from '@asiento/proto/money'
import { element, optional, wrap, wrapOptional } from '../canonical/text.ts'
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
    fileXml(line.file) +
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
    (line.specialEvent === undefined
      ? ''
      : wrap(
          'SpecialTaxableEvent',
          element('SpecialTaxableEventCode', line.specialEvent.code) +
            element('SpecialTaxableEventReason', line.specialEvent.reason),
        )) +
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
  discounts.length === 0 ? '' : wrap(name, discounts.map((row) => adjustmentXml('Discount', row)).join(''))

export const chargesXml = (name: string, charges: readonly Adjustment[]): string =>
  charges.length === 0 ? '' : wrap(name, charges.map((row) => adjustmentXml('Charge', row)).join(''))

const adjustmentXml = (name: 'Discount' | 'Charge', row: Adjustment): string =>
  wrap(
    name,
    element(`${name}Reason`, row.reason) +
      optional(`${name}Rate`, row.rate === undefined ? undefined : rateText(row.rate)) +
      element(`${name}Amount`, amountText(row.amountCents)),
  )

export const periodXml = (name: string, period: Period | undefined): string =>
  period === undefined ? '' : wrap(name, element('StartDate', period.start) + element('EndDate', period.end))

const referenceXml = (name: string, reference: Reference | undefined): string =>
  reference === undefined
    ? ''
    : element(`${name}Reference`, reference.reference) + optional(`${name}Date`, reference.date)

const fileXml = (file: Reference | undefined): string =>
  file === undefined ? '' : element('FileReference', file.reference) + optional('FileDate', file.date)

const deliveryNoteXml = (note: Reference): string =>
  wrap('DeliveryNote', element('DeliveryNoteNumber', note.reference) + optional('DeliveryNoteDate', note.date))
