import type { Cents } from '@asiento/proto/money'
import { element, given, optional, wrap, wrapOptional } from '../canonical/text.ts'
import { correctionMethods, correctionReasons } from '../model/codes.ts'
import type { Figures } from '../model/figures.ts'
import type { Account, Attachment, Corrective, Installment, Invoice, ReimbursableExpense } from '../model/invoice.ts'
import { type AmountWriter, adjustmentXml, chargesXml, discountsXml, lineXml, periodXml, taxXml } from './line-xml.ts'
import { amountText, euroEquivalent, rateText } from './numbers.ts'
import { businessXml, taxIdentificationXml, thirdPartyXml } from './party-xml.ts'

export const facturae322Namespace = 'http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml'
export const xmldsigNamespace = 'http://www.w3.org/2000/09/xmldsig#'
export const facturaeStartTag = `<fe:Facturae xmlns:ds="${xmldsigNamespace}" xmlns:fe="${facturae322Namespace}">`

/**
 * Writes an invoice as Facturae 3.2.2 in canonical form, without the XML declaration: the string is what C14N 1.0 would
 * make of it, so a signer may digest it as it is. Elements come in the sequence of Facturaev3_2_2.xsd. The same invoice
 * always gives the same bytes.
 */
export function facturaeXml(invoice: Invoice, figures: Figures): string {
  const amount = amountWriter(invoice)
  return (
    facturaeStartTag +
    fileHeaderXml(invoice, figures, amount) +
    wrap('Parties', businessXml('SellerParty', invoice.seller) + businessXml('BuyerParty', invoice.buyer)) +
    wrap('Invoices', wrap('Invoice', invoiceXml(invoice, figures, amount))) +
    '</fe:Facturae>'
  )
}

function amountWriter({ currency, exchange }: Invoice): AmountWriter {
  if (currency === 'EUR' || exchange === undefined) {
    return (name, value) => `<${name}><TotalAmount>${amountText(value)}</TotalAmount></${name}>`
  }
  const { rate } = exchange
  return (name, value) =>
    wrap(
      name,
      element('TotalAmount', amountText(value)) + element('EquivalentInEuros', amountText(euroEquivalent(value, rate))),
    )
}

/** Modality I: one invoice a file, as the public portal wants. */
function fileHeaderXml(invoice: Invoice, figures: Figures, amount: AmountWriter): string {
  const batch =
    element('BatchIdentifier', batchIdentifier(invoice)) +
    element('InvoicesCount', '1') +
    amount('TotalInvoicesAmount', figures.totalCents) +
    amount('TotalOutstandingAmount', figures.outstandingCents) +
    amount('TotalExecutableAmount', figures.executableCents) +
    element('InvoiceCurrencyCode', invoice.currency)
  return wrap(
    'FileHeader',
    element('SchemaVersion', '3.2.2') +
      element('Modality', 'I') +
      element('InvoiceIssuerType', invoice.issuerType) +
      given(invoice.thirdParty, thirdPartyXml) +
      wrap('Batch', batch),
  )
}

/** Issuer's tax id + number + series, as the format's notes ask. */
export const batchIdentifier = ({ seller, number, series }: Pick<Invoice, 'seller' | 'number' | 'series'>): string =>
  [...`${seller.taxId}${number}${series ?? ''}`].slice(0, 70).join('')

const invoiceXml = (invoice: Invoice, figures: Figures, amount: AmountWriter): string =>
  headerXml(invoice) +
  issueDataXml(invoice) +
  wrap('TaxesOutputs', figures.taxes.map((tax) => taxXml(tax, tax, amount)).join('')) +
  wrapOptional('TaxesWithheld', figures.withheld.map((tax) => taxXml(tax, tax, amount)).join('')) +
  wrap('InvoiceTotals', totalsXml(invoice, figures)) +
  `<Items>${itemsXml(invoice, figures, amount)}</Items>` +
  wrapOptional('PaymentDetails', invoice.installments.map(installmentXml).join('')) +
  wrapOptional('LegalLiterals', invoice.legalLiterals.map((text) => element('LegalReference', text)).join('')) +
  wrapOptional('AdditionalData', additionalDataXml(invoice))

function itemsXml(invoice: Invoice, figures: Figures, amount: AmountWriter): string {
  let xml = ''
  invoice.lines.forEach((line, index) => {
    const row = figures.lines[index]
    if (row !== undefined) xml += lineXml(line, row, index + 1, amount)
  })
  return xml
}

const headerXml = (invoice: Invoice): string =>
  wrap(
    'InvoiceHeader',
    element('InvoiceNumber', invoice.number) +
      optional('InvoiceSeriesCode', invoice.series) +
      element('InvoiceDocumentType', invoice.documentType) +
      element('InvoiceClass', invoice.invoiceClass) +
      given(invoice.corrective, correctiveXml),
  )

const correctiveXml = (corrective: Corrective): string =>
  wrap(
    'Corrective',
    optional('InvoiceNumber', corrective.number) +
      optional('InvoiceSeriesCode', corrective.series) +
      element('ReasonCode', corrective.reasonCode) +
      element('ReasonDescription', correctionReasons[corrective.reasonCode] ?? '') +
      periodXml('TaxPeriod', corrective.taxPeriod) +
      element('CorrectionMethod', corrective.method) +
      element('CorrectionMethodDescription', correctionMethods[corrective.method] ?? '') +
      optional('AdditionalReasonDescription', corrective.additionalReason) +
      optional('InvoiceIssueDate', corrective.issueDate),
  )

const issueDataXml = (invoice: Invoice): string =>
  wrap(
    'InvoiceIssueData',
    element('IssueDate', invoice.issueDate) +
      optional('OperationDate', invoice.operationDate) +
      given(invoice.placeOfIssue, ({ postCode, description }) =>
        wrap('PlaceOfIssue', element('PostCode', postCode) + optional('PlaceOfIssueDescription', description)),
      ) +
      periodXml('InvoicingPeriod', invoice.period) +
      element('InvoiceCurrencyCode', invoice.currency) +
      given(invoice.exchange, ({ rate, date }) =>
        wrap('ExchangeRateDetails', element('ExchangeRate', rateText(rate)) + element('ExchangeRateDate', date)),
      ) +
      element('TaxCurrencyCode', invoice.taxCurrency) +
      element('LanguageName', invoice.language) +
      optional('InvoiceDescription', invoice.description) +
      optional('ReceiverTransactionReference', invoice.transactionReference) +
      optional('FileReference', invoice.fileReference) +
      optional('ReceiverContractReference', invoice.contractReference),
  )

/** InvoiceTotalsType; its order is the schema's, in which reimbursable totals and payment in kind come last. */
function totalsXml(invoice: Invoice, figures: Figures): string {
  const money = (name: string, value: Cents) => `<${name}>${amountText(value)}</${name}>`
  return (
    money('TotalGrossAmount', figures.grossCents) +
    discountsXml('GeneralDiscounts', invoice.discounts) +
    chargesXml('GeneralSurcharges', invoice.charges) +
    (invoice.discounts.length === 0 ? '' : money('TotalGeneralDiscounts', figures.discountsCents)) +
    (invoice.charges.length === 0 ? '' : money('TotalGeneralSurcharges', figures.chargesCents)) +
    money('TotalGrossAmountBeforeTaxes', figures.beforeTaxesCents) +
    money('TotalTaxOutputs', figures.taxOutputsCents) +
    money('TotalTaxesWithheld', figures.taxesWithheldCents) +
    money('InvoiceTotal', figures.totalCents) +
    wrapOptional('Subsidies', invoice.subsidies.map((row) => wrap('Subsidy', adjustmentXml('Subsidy', row))).join('')) +
    wrapOptional(
      'PaymentsOnAccount',
      invoice.paymentsOnAccount
        .map((row) =>
          wrap(
            'PaymentOnAccount',
            element('PaymentOnAccountDate', row.date) + money('PaymentOnAccountAmount', row.amountCents),
          ),
        )
        .join(''),
    ) +
    wrapOptional('ReimbursableExpenses', invoice.reimbursableExpenses.map(reimbursableXml).join('')) +
    given(invoice.financialExpensesCents, (cents) => money('TotalFinancialExpenses', cents)) +
    money('TotalOutstandingAmount', figures.outstandingCents) +
    (invoice.paymentsOnAccount.length === 0 ? '' : money('TotalPaymentsOnAccount', figures.paymentsOnAccountCents)) +
    given(invoice.amountsWithheld, (row) => wrap('AmountsWithheld', adjustmentXml('Withholding', row))) +
    money('TotalExecutableAmount', figures.executableCents) +
    (invoice.reimbursableExpenses.length === 0 ? '' : money('TotalReimbursableExpenses', figures.reimbursableCents)) +
    given(invoice.paymentInKind, ({ reason, amountCents }) =>
      wrap('PaymentInKind', element('PaymentInKindReason', reason) + money('PaymentInKindAmount', amountCents)),
    )
  )
}

const reimbursableXml = (row: ReimbursableExpense): string =>
  wrap(
    'ReimbursableExpenses',
    given(row.seller, (seller) => wrap('ReimbursableExpensesSellerParty', taxIdentificationXml(seller))) +
      given(row.buyer, (buyer) => wrap('ReimbursableExpensesBuyerParty', taxIdentificationXml(buyer))) +
      optional('IssueDate', row.date) +
      optional('InvoiceNumber', row.number) +
      optional('InvoiceSeriesCode', row.series) +
      element('ReimbursableExpensesAmount', amountText(row.amountCents)),
  )

const installmentXml = (row: Installment): string =>
  wrap(
    'Installment',
    element('InstallmentDueDate', row.dueDate) +
      element('InstallmentAmount', amountText(row.amountCents)) +
      element('PaymentMeans', row.means) +
      accountXml('AccountToBeCredited', row.credited) +
      optional('PaymentReconciliationReference', row.reference) +
      accountXml('AccountToBeDebited', row.debited) +
      optional('CollectionAdditionalInformation', row.information),
  )

const accountXml = (name: string, account: Account | undefined): string =>
  given(account, ({ iban, accountNumber = '', bic }) =>
    wrap(
      name,
      (iban === undefined ? element('AccountNumber', accountNumber) : element('IBAN', iban)) + optional('BIC', bic),
    ),
  )

const additionalDataXml = (invoice: Invoice): string =>
  optional('RelatedInvoice', invoice.relatedInvoice) +
  wrapOptional('RelatedDocuments', invoice.attachments.map(attachmentXml).join('')) +
  optional('InvoiceAdditionalInformation', invoice.additionalInformation)

const attachmentXml = (row: Attachment): string =>
  wrap(
    'Attachment',
    optional('AttachmentCompressionAlgorithm', row.compression) +
      element('AttachmentFormat', row.format) +
      optional('AttachmentEncoding', row.encoding) +
      optional('AttachmentDescription', row.description) +
      element('AttachmentData', row.data),
  )
