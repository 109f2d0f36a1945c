import { cents, type Scaled, scaled } from '@asiento/proto/money'
import type { Adjustment, InvoiceLine, Period, Reference, Tax } from '../model/invoice.ts'
import { given } from './read-party.ts'
import { child, children, textOf, type XmlTree } from './tree.ts'

/** A decimal of the document in units of 1e-8; 0 where it is missing or no number. */
export function decimalOf(text: string | undefined): Scaled {
  try {
    return text === undefined ? 0n : scaled(text)
  } catch {
    return 0n
  }
}

export const centsOf = (text: string | undefined): number => {
  try {
    return text === undefined ? 0 : cents(text)
  } catch {
    return 0
  }
}

const optionalRate = (text: string | undefined): Scaled | undefined =>
  text === undefined ? undefined : decimalOf(text)

export const readPeriod = (node: XmlTree | undefined): Period | undefined =>
  node === undefined ? undefined : { start: textOf(node, 'StartDate') ?? '', end: textOf(node, 'EndDate') ?? '' }

/** Reads InvoiceLineType; what can be computed is not read. */
export function readLine(node: XmlTree): InvoiceLine {
  const event = child(node, 'SpecialTaxableEvent')
  return {
    ...given('issuerContract', readReference(node, 'IssuerContract')),
    ...given('issuerTransaction', readReference(node, 'IssuerTransaction')),
    ...given('receiverContract', readReference(node, 'ReceiverContract')),
    ...given('receiverTransaction', readReference(node, 'ReceiverTransaction')),
    ...given('file', readReference(node, 'File')),
    deliveryNotes: children(child(node, 'DeliveryNotesReferences'), 'DeliveryNote').map((note) => ({
      reference: textOf(note, 'DeliveryNoteNumber') ?? '',
      ...given('date', textOf(note, 'DeliveryNoteDate')),
    })),
    description: textOf(node, 'ItemDescription') ?? '',
    quantity: decimalOf(textOf(node, 'Quantity')),
    ...given('unit', textOf(node, 'UnitOfMeasure')),
    unitPrice: decimalOf(textOf(node, 'UnitPriceWithoutTax')),
    discounts: readAdjustments(child(node, 'DiscountsAndRebates'), 'Discount'),
    charges: readAdjustments(child(node, 'Charges'), 'Charge'),
    taxes: children(child(node, 'TaxesOutputs'), 'Tax').map(readTax),
    withheld: children(child(node, 'TaxesWithheld'), 'Tax').map(readTax),
    ...given('period', readPeriod(child(node, 'LineItemPeriod'))),
    ...given('transactionDate', textOf(node, 'TransactionDate')),
    ...given('additionalInformation', textOf(node, 'AdditionalLineItemInformation')),
    ...given('specialEvent', event === undefined ? undefined : readEvent(event)),
    ...given('articleCode', textOf(node, 'ArticleCode')),
  }
}

const readEvent = (node: XmlTree): NonNullable<InvoiceLine['specialEvent']> => ({
  code: textOf(node, 'SpecialTaxableEventCode') === '02' ? '02' : '01',
  reason: textOf(node, 'SpecialTaxableEventReason') ?? '',
})

/** A recargo of 0 % is none. */
export function readTax(node: XmlTree): Tax {
  const surcharge = decimalOf(textOf(node, 'EquivalenceSurcharge'))
  return {
    type: textOf(node, 'TaxTypeCode') ?? '',
    rate: decimalOf(textOf(node, 'TaxRate')),
    ...given('surcharge', surcharge === 0n ? undefined : surcharge),
  }
}

export const readAdjustments = (node: XmlTree | undefined, name: 'Discount' | 'Charge'): Adjustment[] =>
  children(node, name).map((row) => ({
    reason: textOf(row, `${name}Reason`) ?? '',
    ...given('rate', optionalRate(textOf(row, `${name}Rate`))),
    amountCents: centsOf(textOf(row, `${name}Amount`)),
  }))

/** A reason, an optional rate and an amount under other names. */
export const readNamedAdjustment = (
  row: XmlTree,
  [reason, rate, amount]: readonly [string, string, string],
): Adjustment => ({
  reason: textOf(row, reason) ?? '',
  ...given('rate', optionalRate(textOf(row, rate))),
  amountCents: centsOf(textOf(row, amount)),
})

function readReference(node: XmlTree, name: string): Reference | undefined {
  const reference = textOf(node, `${name}Reference`)
  return reference === undefined ? undefined : { reference, ...given('date', textOf(node, `${name}Date`)) }
}
