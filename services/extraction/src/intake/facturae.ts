import { fail } from '@asiento/proto/errors'
import type { Cents } from '@asiento/proto/money'
import type { LineItem, PaymentMethod, TaxType } from '@asiento/proto/schemas/extraction-result'
import { countryAlpha3 } from '../domain/country-codes.ts'
import { readCents, readDate, readDecimal, toEuros } from './figures.ts'
import { bareIban, bareTaxId, type XmlInvoice, type XmlParty, type XmlTax } from './xml-invoice.ts'
import { all, first, textAt, type XmlTree } from './xml-tree.ts'

/** TaxTypeCode of Facturae 3.2.x; 04 is IRPF among the taxes withheld. */
const taxTypes: Record<string, TaxType> = { '01': 'IVA', '02': 'IPSI', '03': 'IGIC' }
/** PaymentMeans of Facturae 3.2.x. */
const paymentMeans: Record<string, PaymentMethod> = {
  '01': 'efectivo',
  '02': 'domiciliacion',
  '04': 'transferencia',
  '11': 'cheque',
  '16': 'cheque',
  '17': 'cheque',
  '19': 'tarjeta',
}
/** InvoiceClass: corrective, copy of a corrective; and InvoiceDocumentType FA: simplified. */
const correctiveClasses = ['OR', 'CR']

/** Reads the first invoice of a Facturae 3.2, 3.2.1 or 3.2.2 file. Fails INVALID_INPUT when there is none. */
export function readFacturae(root: XmlTree): XmlInvoice {
  const invoice =
    first(root, 'Invoices/Invoice') ?? fail('INVALID_INPUT', { detail: 'The Facturae file has no invoice.' })
  const totals = first(invoice, 'InvoiceTotals')
  const withheld = all(invoice, 'TaxesWithheld/Tax')
  const withheldCents = readCents(textAt(totals, 'TotalTaxesWithheld'), 'TotalTaxesWithheld') ?? 0
  const installment = first(invoice, 'PaymentDetails/Installment')
  return {
    vendor: readParty(first(root, 'Parties/SellerParty')),
    buyer: readParty(first(root, 'Parties/BuyerParty')),
    number: numberOf(invoice),
    date: readDate(textAt(invoice, 'InvoiceIssueData/IssueDate')),
    dueDate: readDate(textAt(installment, 'InstallmentDueDate')),
    currency:
      textAt(invoice, 'InvoiceIssueData/InvoiceCurrencyCode') ?? textAt(root, 'FileHeader/Batch/InvoiceCurrencyCode'),
    subtotalCents: readCents(textAt(totals, 'TotalGrossAmountBeforeTaxes'), 'TotalGrossAmountBeforeTaxes'),
    taxCents: readCents(textAt(totals, 'TotalTaxOutputs'), 'TotalTaxOutputs'),
    totalCents: readCents(textAt(totals, 'InvoiceTotal'), 'InvoiceTotal'),
    iban: bareIban(textAt(installment, 'AccountToBeCredited/IBAN', 'AccountToBeDebited/IBAN')),
    paymentMethod: paymentMeans[textAt(installment, 'PaymentMeans') ?? ''] ?? null,
    withholdingRate: withheldCents === 0 ? null : readDecimal(textAt(withheld[0], 'TaxRate'), 'TaxRate'),
    withholdingCents: withheldCents === 0 ? null : -withheldCents,
    taxes: all(invoice, 'TaxesOutputs/Tax').flatMap(readTax),
    lines: all(invoice, 'Items/InvoiceLine').map(readLine),
    documentType: documentType(invoice),
    language: textAt(invoice, 'InvoiceIssueData/LanguageName'),
  }
}

/** Series and number as one, the way they are cited; the series is often part of the number already. */
function numberOf(invoice: XmlTree): string | null {
  const number = textAt(invoice, 'InvoiceHeader/InvoiceNumber')
  const series = textAt(invoice, 'InvoiceHeader/InvoiceSeriesCode')
  if (number === null || series === null || number.startsWith(series)) return number
  return `${series}-${number}`
}

function documentType(invoice: XmlTree): XmlInvoice['documentType'] {
  if (correctiveClasses.includes(textAt(invoice, 'InvoiceHeader/InvoiceClass') ?? '')) return 'corrective'
  return textAt(invoice, 'InvoiceHeader/InvoiceDocumentType') === 'FA' ? 'simplified' : 'invoice'
}

function readParty(party: XmlTree | undefined): XmlParty {
  const entity = first(party, 'LegalEntity') ?? first(party, 'Individual')
  const person = ['Name', 'FirstSurname', 'SecondSurname']
    .map((part) => textAt(entity, part))
    .filter((part) => part !== null)
  const address = first(entity, 'AddressInSpain') ?? first(entity, 'OverseasAddress')
  const overseas = /^(\S*\d\S*)\s+(.+)$/.exec(textAt(address, 'PostCodeAndTown') ?? '')
  return {
    name: textAt(entity, 'CorporateName') ?? (person.length > 0 ? person.join(' ') : null),
    taxId: bareTaxId(textAt(party, 'TaxIdentification/TaxIdentificationNumber')),
    address: textAt(address, 'Address'),
    city: textAt(address, 'Town') ?? overseas?.[2] ?? textAt(address, 'PostCodeAndTown'),
    postalCode: textAt(address, 'PostCode') ?? overseas?.[1] ?? null,
    province: textAt(address, 'Province'),
    country: countryAlpha3(textAt(address, 'CountryCode')),
  }
}

/** One tax, and the recargo de equivalencia beside it as a row of its own. */
function readTax(tax: XmlTree): XmlTax[] {
  const type = taxTypes[textAt(tax, 'TaxTypeCode') ?? '']
  const baseCents = readCents(textAt(tax, 'TaxableBase/TotalAmount'), 'TaxableBase') ?? 0
  if (type === undefined) return []
  const row: XmlTax = {
    type,
    rate: readDecimal(textAt(tax, 'TaxRate'), 'TaxRate') ?? 0,
    baseCents,
    amountCents: readCents(textAt(tax, 'TaxAmount/TotalAmount'), 'TaxAmount') ?? 0,
  }
  const surcharge = readCents(textAt(tax, 'EquivalenceSurchargeAmount/TotalAmount'), 'EquivalenceSurchargeAmount')
  if (surcharge === null || surcharge === 0) return [row]
  const rate = readDecimal(textAt(tax, 'EquivalenceSurcharge'), 'EquivalenceSurcharge') ?? 0
  return [row, { type: 'RE', rate, baseCents, amountCents: surcharge }]
}

function readLine(line: XmlTree): LineItem {
  const gross: Cents | null = readCents(textAt(line, 'GrossAmount', 'TotalCost'), 'GrossAmount')
  return {
    description: textAt(line, 'ItemDescription') ?? '',
    quantity: readDecimal(textAt(line, 'Quantity'), 'Quantity'),
    unit_price: readDecimal(textAt(line, 'UnitPriceWithoutTax'), 'UnitPriceWithoutTax'),
    tax_rate: readDecimal(textAt(line, 'TaxesOutputs/Tax/TaxRate'), 'TaxRate'),
    total: toEuros(gross),
  }
}
