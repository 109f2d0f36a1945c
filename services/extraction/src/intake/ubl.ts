import type { LineItem, PaymentMethod, TaxType } from '@asiento/proto/schemas/extraction-result'
import { countryAlpha3 } from '../domain/country-codes.ts'
import { readCents, readDate, readDecimal, toEuros } from './figures.ts'
import { paymentMethods4461 } from './payment-codes.ts'
import { bareIban, bareTaxId, type XmlInvoice, type XmlParty, type XmlTax } from './xml-invoice.ts'
import { all, first, textAt, type XmlTree } from './xml-tree.ts'

/** UNTDID 1001 codes of corrective invoices: credit note, corrected invoice, factored credit note. */
const correctiveCodes = ['381', '384', '396']

/**
 * Reads a UBL 2.1 Invoice or CreditNote (EN 16931 syntax binding). A credit note states what is given back as positive
 * amounts; the result has them negative, as on a corrective invoice.
 */
export function readUbl(root: XmlTree): XmlInvoice {
  const credit = root.name === 'CreditNote'
  const sign = credit ? -1 : 1
  const totals = first(root, 'LegalMonetaryTotal')
  const means = first(root, 'PaymentMeans')
  const amount = (tree: XmlTree | undefined, path: string): number | null =>
    signed(readCents(textAt(tree, path), path), sign)
  const withheld = first(root, 'WithholdingTaxTotal')
  const withheldCents = amount(withheld, 'TaxAmount')
  const typeCode = textAt(root, 'InvoiceTypeCode', 'CreditNoteTypeCode')
  return {
    vendor: readParty(first(root, 'AccountingSupplierParty/Party')),
    buyer: readParty(first(root, 'AccountingCustomerParty/Party')),
    number: textAt(root, 'ID'),
    date: readDate(textAt(root, 'IssueDate')),
    dueDate: readDate(textAt(root, 'DueDate', 'PaymentMeans/PaymentDueDate', 'PaymentTerms/PaymentDueDate')),
    currency: textAt(root, 'DocumentCurrencyCode'),
    subtotalCents: amount(totals, 'TaxExclusiveAmount') ?? amount(totals, 'LineExtensionAmount'),
    taxCents: amount(documentTax(root), 'TaxAmount'),
    totalCents: totalOf(amount(totals, 'TaxInclusiveAmount') ?? amount(totals, 'PayableAmount'), withheldCents),
    iban: bareIban(textAt(means, 'PayeeFinancialAccount/ID', 'PaymentMandate/PayerFinancialAccount/ID')),
    paymentMethod: paymentMethod(textAt(means, 'PaymentMeansCode')),
    withholdingRate: readDecimal(textAt(withheld, 'TaxSubtotal/TaxCategory/Percent'), 'Percent'),
    withholdingCents: withheldCents === null ? null : -withheldCents,
    taxes: all(documentTax(root), 'TaxSubtotal').map((subtotal) => readTax(subtotal, sign)),
    lines: [...all(root, 'InvoiceLine'), ...all(root, 'CreditNoteLine')].map((line) => readLine(line, sign)),
    documentType: credit || correctiveCodes.includes(typeCode ?? '') ? 'corrective' : 'invoice',
    language: null,
  }
}

const signed = (value: number | null, sign: number): number | null =>
  value === null ? null : value === 0 ? 0 : value * sign

/** With withholding the inclusive amount is before it; what is to be paid is less. */
const totalOf = (inclusive: number | null, withheld: number | null): number | null =>
  inclusive === null ? null : inclusive - (withheld ?? 0)

/** The total in the document's currency; a second one may state the tax in the accounting currency. */
function documentTax(root: XmlTree): XmlTree | undefined {
  const totals = all(root, 'TaxTotal')
  return totals.find(({ children }) => children.some(({ name }) => name === 'TaxSubtotal')) ?? totals[0]
}

const paymentMethod = (code: string | null): PaymentMethod | null => paymentMethods4461[code ?? ''] ?? null

function readParty(party: XmlTree | undefined): XmlParty {
  const address = first(party, 'PostalAddress')
  const street = [
    textAt(address, 'StreetName', 'AddressLine/Line'),
    textAt(address, 'BuildingNumber'),
    textAt(address, 'AdditionalStreetName'),
  ]
  const lines = street.filter((line) => line !== null)
  const person = ['FirstName', 'FamilyName']
    .map((part) => textAt(party, `Person/${part}`))
    .filter((part) => part !== null)
  return {
    name:
      textAt(party, 'PartyLegalEntity/RegistrationName', 'PartyName/Name') ??
      (person.length > 0 ? person.join(' ') : null),
    taxId: bareTaxId(textAt(party, 'PartyTaxScheme/CompanyID', 'PartyLegalEntity/CompanyID', 'PartyIdentification/ID')),
    address: lines.length === 0 ? null : lines.join(', '),
    city: textAt(address, 'CityName'),
    postalCode: textAt(address, 'PostalZone'),
    province: textAt(address, 'CountrySubentity'),
    country: countryAlpha3(textAt(address, 'Country/IdentificationCode')),
  }
}

function readTax(subtotal: XmlTree, sign: number): XmlTax {
  const scheme = textAt(subtotal, 'TaxCategory/TaxScheme/ID')?.toUpperCase() ?? ''
  const category = textAt(subtotal, 'TaxCategory/ID')
  return {
    type: taxType(scheme, category),
    rate: readDecimal(textAt(subtotal, 'TaxCategory/Percent', 'Percent'), 'Percent') ?? 0,
    baseCents: signed(readCents(textAt(subtotal, 'TaxableAmount'), 'TaxableAmount'), sign) ?? 0,
    amountCents: signed(readCents(textAt(subtotal, 'TaxAmount'), 'TaxAmount'), sign) ?? 0,
  }
}

/** UNCL 5305: L is IGIC, M is IPSI; everything else of a Spanish invoice is IVA. */
export function taxType(scheme: string, category: string | null): TaxType {
  if (category === 'L' || scheme === 'IGIC') return 'IGIC'
  return category === 'M' || scheme === 'IPSI' ? 'IPSI' : 'IVA'
}

function readLine(line: XmlTree, sign: number): LineItem {
  const price = readDecimal(textAt(line, 'Price/PriceAmount'), 'PriceAmount')
  const per = readDecimal(textAt(line, 'Price/BaseQuantity'), 'BaseQuantity')
  const quantity = readDecimal(textAt(line, 'InvoicedQuantity', 'CreditedQuantity'), 'Quantity')
  return {
    description: textAt(line, 'Item/Name', 'Item/Description') ?? '',
    quantity: quantity === null ? null : quantity * sign,
    unit_price: price === null || per === null || per === 0 ? price : price / per,
    tax_rate: readDecimal(textAt(line, 'Item/ClassifiedTaxCategory/Percent'), 'Percent'),
    total: toEuros(signed(readCents(textAt(line, 'LineExtensionAmount'), 'LineExtensionAmount'), sign)),
  }
}
