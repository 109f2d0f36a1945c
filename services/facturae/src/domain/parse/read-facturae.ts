import type {
  Account,
  Attachment,
  Corrective,
  Installment,
  Invoice,
  InvoiceClass,
  ReimbursableExpense,
} from '../model/invoice.ts'
import { centsOf, decimalOf, readAdjustments, readLine, readNamedAdjustment, readPeriod } from './read-line.ts'
import { given, readParty, readTaxIdentification } from './read-party.ts'
import { child, children, descend, textOf, type XmlTree } from './tree.ts'

/**
 * Reads the invoices of a Facturae 3.2, 3.2.1 or 3.2.2 that is valid by its schema into the model. Figures are not
 * read: they follow from the model, and `checkDocument` compares them with those of the file.
 */
export function readInvoices(root: XmlTree): Invoice[] {
  const header = child(root, 'FileHeader')
  const parties = child(root, 'Parties')
  const thirdParty = child(header, 'ThirdParty')
  const shared = {
    issuerType: oneOf(textOf(header, 'InvoiceIssuerType'), ['EM', 'RE', 'TE'] as const),
    ...given('thirdParty', thirdParty === undefined ? undefined : readParty(thirdParty)),
    seller: readParty(child(parties, 'SellerParty')),
    buyer: readParty(child(parties, 'BuyerParty')),
  }
  return children(child(root, 'Invoices'), 'Invoice').map((invoice) => ({ ...shared, ...readInvoice(invoice) }))
}

const oneOf = <T extends string>(text: string | undefined, values: readonly [T, ...T[]]): T =>
  values.find((value) => value === text) ?? values[0]

type Rest = Omit<Invoice, 'issuerType' | 'thirdParty' | 'seller' | 'buyer'>

function readInvoice(node: XmlTree): Rest {
  const header = child(node, 'InvoiceHeader')
  const issue = child(node, 'InvoiceIssueData')
  const totals = child(node, 'InvoiceTotals')
  const extra = child(node, 'AdditionalData')
  const exchange = child(issue, 'ExchangeRateDetails')
  const place = child(issue, 'PlaceOfIssue')
  return {
    number: textOf(header, 'InvoiceNumber') ?? '',
    ...given('series', textOf(header, 'InvoiceSeriesCode')),
    documentType: oneOf(textOf(header, 'InvoiceDocumentType'), ['FC', 'FA', 'AF'] as const),
    invoiceClass: oneOf<InvoiceClass>(textOf(header, 'InvoiceClass'), ['OO', 'OR', 'OC', 'CO', 'CR', 'CC']),
    ...given('corrective', readCorrective(child(header, 'Corrective'))),
    issueDate: textOf(issue, 'IssueDate') ?? '',
    ...given('operationDate', textOf(issue, 'OperationDate')),
    ...given('placeOfIssue', place === undefined ? undefined : readPlace(place)),
    ...given('period', readPeriod(child(issue, 'InvoicingPeriod'))),
    currency: textOf(issue, 'InvoiceCurrencyCode') ?? '',
    ...given(
      'exchange',
      exchange === undefined
        ? undefined
        : { rate: decimalOf(textOf(exchange, 'ExchangeRate')), date: textOf(exchange, 'ExchangeRateDate') ?? '' },
    ),
    taxCurrency: textOf(issue, 'TaxCurrencyCode') ?? '',
    language: textOf(issue, 'LanguageName') ?? '',
    ...given('description', textOf(issue, 'InvoiceDescription')),
    ...given('transactionReference', textOf(issue, 'ReceiverTransactionReference')),
    ...given('fileReference', textOf(issue, 'FileReference')),
    ...given('contractReference', textOf(issue, 'ReceiverContractReference')),
    lines: children(child(node, 'Items'), 'InvoiceLine').map(readLine),
    discounts: readAdjustments(child(totals, 'GeneralDiscounts'), 'Discount'),
    charges: readAdjustments(child(totals, 'GeneralSurcharges'), 'Charge'),
    ...readSettlements(totals),
    installments: children(child(node, 'PaymentDetails'), 'Installment').map(readInstallment),
    legalLiterals: children(child(node, 'LegalLiterals'), 'LegalReference').map((entry) => entry.text),
    ...given('relatedInvoice', textOf(extra, 'RelatedInvoice')),
    attachments: children(child(extra, 'RelatedDocuments'), 'Attachment').map(readAttachment),
    ...given('additionalInformation', textOf(extra, 'InvoiceAdditionalInformation')),
  }
}

const readPlace = (place: XmlTree) => ({
  postCode: textOf(place, 'PostCode') ?? '',
  ...given('description', textOf(place, 'PlaceOfIssueDescription')),
})

const readCorrective = (node: XmlTree | undefined): Corrective | undefined =>
  node === undefined
    ? undefined
    : {
        ...given('number', textOf(node, 'InvoiceNumber')),
        ...given('series', textOf(node, 'InvoiceSeriesCode')),
        reasonCode: textOf(node, 'ReasonCode') ?? '',
        taxPeriod: readPeriod(child(node, 'TaxPeriod')) ?? { start: '', end: '' },
        method: oneOf(textOf(node, 'CorrectionMethod'), ['01', '02', '03', '04'] as const),
        ...given('additionalReason', textOf(node, 'AdditionalReasonDescription')),
        ...given('issueDate', textOf(node, 'InvoiceIssueDate')),
      }

function readSettlements(totals: XmlTree | undefined) {
  const withheld = child(totals, 'AmountsWithheld')
  const inKind = child(totals, 'PaymentInKind')
  const financial = textOf(totals, 'TotalFinancialExpenses')
  return {
    subsidies: children(child(totals, 'Subsidies'), 'Subsidy').map((row) =>
      readNamedAdjustment(row, ['SubsidyDescription', 'SubsidyRate', 'SubsidyAmount']),
    ),
    paymentsOnAccount: children(child(totals, 'PaymentsOnAccount'), 'PaymentOnAccount').map((row) => ({
      date: textOf(row, 'PaymentOnAccountDate') ?? '',
      amountCents: centsOf(textOf(row, 'PaymentOnAccountAmount')),
    })),
    reimbursableExpenses: children(descend(totals, 'ReimbursableExpenses'), 'ReimbursableExpenses').map(
      readReimbursable,
    ),
    ...given('financialExpensesCents', financial === undefined ? undefined : centsOf(financial)),
    ...given(
      'amountsWithheld',
      withheld === undefined
        ? undefined
        : readNamedAdjustment(withheld, ['WithholdingReason', 'WithholdingRate', 'WithholdingAmount']),
    ),
    ...given(
      'paymentInKind',
      inKind === undefined
        ? undefined
        : {
            reason: textOf(inKind, 'PaymentInKindReason') ?? '',
            amountCents: centsOf(textOf(inKind, 'PaymentInKindAmount')),
          },
    ),
  }
}

function readReimbursable(row: XmlTree): ReimbursableExpense {
  const seller = child(row, 'ReimbursableExpensesSellerParty')
  const buyer = child(row, 'ReimbursableExpensesBuyerParty')
  return {
    ...given('seller', seller === undefined ? undefined : readTaxIdentification(seller)),
    ...given('buyer', buyer === undefined ? undefined : readTaxIdentification(buyer)),
    ...given('date', textOf(row, 'IssueDate')),
    ...given('number', textOf(row, 'InvoiceNumber')),
    ...given('series', textOf(row, 'InvoiceSeriesCode')),
    amountCents: centsOf(textOf(row, 'ReimbursableExpensesAmount')),
  }
}

const readInstallment = (row: XmlTree): Installment => ({
  dueDate: textOf(row, 'InstallmentDueDate') ?? '',
  amountCents: centsOf(textOf(row, 'InstallmentAmount')),
  means: textOf(row, 'PaymentMeans') ?? '',
  ...given('credited', readAccount(child(row, 'AccountToBeCredited'))),
  ...given('debited', readAccount(child(row, 'AccountToBeDebited'))),
  ...given('reference', textOf(row, 'PaymentReconciliationReference')),
  ...given('information', textOf(row, 'CollectionAdditionalInformation')),
})

const readAccount = (node: XmlTree | undefined): Account | undefined =>
  node === undefined
    ? undefined
    : {
        ...given('iban', textOf(node, 'IBAN')),
        ...given('accountNumber', textOf(node, 'AccountNumber')),
        ...given('bic', textOf(node, 'BIC')),
      }

function readAttachment(row: XmlTree): Attachment {
  const compression = textOf(row, 'AttachmentCompressionAlgorithm')
  const encoding = textOf(row, 'AttachmentEncoding')
  return {
    ...given(
      'compression',
      compression === undefined ? undefined : oneOf(compression, ['NONE', 'ZIP', 'GZIP'] as const),
    ),
    format: textOf(row, 'AttachmentFormat') ?? '',
    ...given(
      'encoding',
      encoding === undefined ? undefined : oneOf(encoding, ['BASE64', 'BER', 'DER', 'NONE'] as const),
    ),
    ...given('description', textOf(row, 'AttachmentDescription')),
    data: textOf(row, 'AttachmentData') ?? '',
  }
}
