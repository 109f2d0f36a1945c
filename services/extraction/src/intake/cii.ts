import type { LineItem } from '@asiento/proto/schemas/extraction-result'
import { countryAlpha3 } from '../domain/country-codes.ts'
import { readCents, readDate, readDecimal, toEuros } from './figures.ts'
import { paymentMethods4461 } from './payment-codes.ts'
import { taxType } from './ubl.ts'
import { bareIban, bareTaxId, type XmlInvoice, type XmlParty, type XmlTax } from './xml-invoice.ts'
import { all, first, textAt, type XmlTree } from './xml-tree.ts'

/** UNTDID 1001: credit note, corrected invoice. */
const correctiveCodes = ['381', '384']

/** The names of one generation of the format. */
interface Names {
  document: string
  transaction: string
  agreement: string
  settlement: string
  summation: string
  line: string
}

/** Cross Industry Invoice D16B (Factur-X, ZUGFeRD 2, XRechnung), and its predecessor of ZUGFeRD 1. */
const generations: Record<string, Names> = {
  CrossIndustryInvoice: {
    document: 'ExchangedDocument',
    transaction: 'SupplyChainTradeTransaction',
    agreement: 'ApplicableHeaderTradeAgreement',
    settlement: 'ApplicableHeaderTradeSettlement',
    summation: 'SpecifiedTradeSettlementHeaderMonetarySummation',
    line: 'SpecifiedLineTrade',
  },
  CrossIndustryDocument: {
    document: 'HeaderExchangedDocument',
    transaction: 'SpecifiedSupplyChainTradeTransaction',
    agreement: 'ApplicableSupplyChainTradeAgreement',
    settlement: 'ApplicableSupplyChainTradeSettlement',
    summation: 'SpecifiedTradeSettlementMonetarySummation',
    line: 'SpecifiedSupplyChainTrade',
  },
}

/** Reads a CII invoice. A credit note (381) states positive amounts; the result has them negative. */
export function readCii(root: XmlTree): XmlInvoice {
  const names = generations[root.name] ?? generations.CrossIndustryInvoice
  if (names === undefined) throw new RangeError(`no such generation: ${root.name}`)
  const document = first(root, names.document)
  const transaction = first(root, names.transaction)
  const agreement = first(transaction, names.agreement)
  const settlement = first(transaction, names.settlement)
  const totals = first(settlement, names.summation)
  const typeCode = textAt(document, 'TypeCode')
  const sign = typeCode === '381' ? -1 : 1
  const amount = (path: string): number | null => signed(readCents(textAt(totals, path), path), sign)
  const means = first(settlement, 'SpecifiedTradeSettlementPaymentMeans')
  return {
    vendor: readParty(first(agreement, 'SellerTradeParty')),
    buyer: readParty(first(agreement, 'BuyerTradeParty')),
    number: textAt(document, 'ID'),
    date: readDate(textAt(document, 'IssueDateTime/DateTimeString')),
    dueDate: readDate(textAt(settlement, 'SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString')),
    currency: textAt(settlement, 'InvoiceCurrencyCode'),
    subtotalCents: amount('TaxBasisTotalAmount') ?? amount('LineTotalAmount'),
    taxCents: amount('TaxTotalAmount') ?? 0,
    totalCents: amount('GrandTotalAmount') ?? amount('DuePayableAmount'),
    iban: bareIban(
      textAt(means, 'PayeePartyCreditorFinancialAccount/IBANID', 'PayerPartyDebtorFinancialAccount/IBANID'),
    ),
    paymentMethod: paymentMethods4461[textAt(means, 'TypeCode') ?? ''] ?? null,
    withholdingRate: null,
    withholdingCents: null,
    taxes: all(settlement, 'ApplicableTradeTax').map((tax) => readTax(tax, sign)),
    lines: all(transaction, 'IncludedSupplyChainTradeLineItem').map((line) => readLine(line, names.line, sign)),
    documentType: correctiveCodes.includes(typeCode ?? '') ? 'corrective' : 'invoice',
    language: null,
  }
}

const signed = (value: number | null, sign: number): number | null =>
  value === null ? null : value === 0 ? 0 : value * sign

function readParty(party: XmlTree | undefined): XmlParty {
  const address = first(party, 'PostalTradeAddress')
  const registrations = all(party, 'SpecifiedTaxRegistration/ID')
  const vat = registrations.find(({ attributes }) => attributes.schemeID === 'VA') ?? registrations[0]
  const street = [textAt(address, 'LineOne'), textAt(address, 'LineTwo')].filter((line) => line !== null)
  return {
    name: textAt(party, 'Name'),
    taxId: bareTaxId(vat?.text ?? textAt(party, 'SpecifiedLegalOrganization/ID', 'ID')),
    address: street.length === 0 ? null : street.join(', '),
    city: textAt(address, 'CityName'),
    postalCode: textAt(address, 'PostcodeCode'),
    province: textAt(address, 'CountrySubDivisionName'),
    country: countryAlpha3(textAt(address, 'CountryID')),
  }
}

function readTax(tax: XmlTree, sign: number): XmlTax {
  return {
    type: taxType(textAt(tax, 'TypeCode') ?? '', textAt(tax, 'CategoryCode')),
    rate: readDecimal(textAt(tax, 'RateApplicablePercent', 'ApplicablePercent'), 'RateApplicablePercent') ?? 0,
    baseCents: signed(readCents(textAt(tax, 'BasisAmount'), 'BasisAmount'), sign) ?? 0,
    amountCents: signed(readCents(textAt(tax, 'CalculatedAmount'), 'CalculatedAmount'), sign) ?? 0,
  }
}

function readLine(line: XmlTree, prefix: string, sign: number): LineItem {
  const price =
    first(line, `${prefix}Agreement/NetPriceProductTradePrice`) ??
    first(line, `${prefix}Agreement/GrossPriceProductTradePrice`)
  const charge = readDecimal(textAt(price, 'ChargeAmount'), 'ChargeAmount')
  const per = readDecimal(textAt(price, 'BasisQuantity'), 'BasisQuantity')
  const quantity = readDecimal(textAt(line, `${prefix}Delivery/BilledQuantity`), 'BilledQuantity')
  const settlement = first(line, `${prefix}Settlement`)
  const total = textAt(
    settlement,
    'SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount',
    'SpecifiedTradeSettlementMonetarySummation/LineTotalAmount',
  )
  return {
    description: textAt(line, 'SpecifiedTradeProduct/Name', 'SpecifiedTradeProduct/Description') ?? '',
    quantity: quantity === null ? null : quantity * sign,
    unit_price: charge === null || per === null || per === 0 ? charge : charge / per,
    tax_rate: readDecimal(
      textAt(settlement, 'ApplicableTradeTax/RateApplicablePercent', 'ApplicableTradeTax/ApplicablePercent'),
      'RateApplicablePercent',
    ),
    total: toEuros(signed(readCents(total, 'LineTotalAmount'), sign)),
  }
}
