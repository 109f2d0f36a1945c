import { type Cents, cents, eurosText, scaled } from '@asiento/proto/money'
import { otherDocumentTypes } from '@asiento/proto/schemas/extraction-result'
import type { InvoiceDataInput, PartyInfoInput } from '@asiento/proto/schemas/invoice-input'
import { currencyCodes, languageCodes } from '../model/codes.ts'
import { computeFigures, type Figures, lineFigures, sumCents } from '../model/figures.ts'
import type { Invoice, InvoiceLine, Party } from '../model/invoice.ts'
import { attachmentsFrom, centresFrom, correctiveFrom, invoiceClassOf, legalLiterals } from './input/details.ts'
import { genericBase, linesFrom, printedLinesCents, specialEvent, withWithholding } from './input/lines.ts'
import {
  type ConversionWarning,
  clipOptional,
  createNotes,
  maybe,
  type Notes,
  present,
  refuse,
  refuseForbiddenCharacters,
} from './input/notes.ts'
import { isNameless, partyFrom, partyInputOf } from './input/parties.ts'
import { installmentsFrom } from './input/payment.ts'
import { adjustmentsFrom } from './input/priced-line.ts'
import { type RateRules, rateRules, taxOf, withholdingRate } from './input/rates.ts'
import { checkGivenSums } from './input/sums.ts'

export interface BuiltInvoice {
  invoice: Invoice
  figures: Figures
  warnings: ConversionWarning[]
}

export interface InputOptions {
  seller?: PartyInfoInput | null | undefined
  buyer?: PartyInfoInput | null | undefined
  /** Where the invoice lies in the request, for 422: `['body']` unless named. */
  loc?: readonly string[]
}

/**
 * Turns what a caller sent into an invoice that can be written, with all its figures. What the minimal body leaves out
 * is derived or assumed, and said so in warnings (docs/algorithms/facturae-mapping.md).
 *
 * Fails with INVALID_INPUT where a field that Facturae needs is missing (all are named) or a sum does not add up by
 * more than two cents, and with 422 for a tax rate that was not in force.
 */
export function invoiceFromInput(input: InvoiceDataInput, options: InputOptions = {}): BuiltInvoice {
  const notes = createNotes(options.loc ?? ['body'])
  refuseForbiddenCharacters({ ...input, seller_info: options.seller, buyer_info: options.buyer })
  const { number, issueDate } = identityOf(input, options)
  const seller = partyFrom(partyInputOf(input, 'vendor', options.seller), 'vendor', notes)
  const buyer = partyFrom(partyInputOf(input, 'buyer', options.buyer), 'buyer', notes)
  const rules = rateRules(input, seller.address.postCode, notes, printedLinesCents(input))
  const lines =
    (input.line_items ?? []).length > 0 ? linesFrom(input, rules, notes) : genericLines(input, rules, number)
  const draft = draftOf(input, { number, issueDate, seller, buyer, lines }, notes)
  const rate = withholdingRate(input, grossCents(lines) - sumCents(draft.discounts) + sumCents(draft.charges))
  const invoice = { ...draft, lines: withWithholding(lines, input.line_items ?? [], rate) }
  const figures = computeFigures(invoice)
  checkGivenSums(input, figures, notes)
  invoice.installments = installmentsFrom(input, figures, issueDate, notes)
  if (input.total == null)
    notes.warn('total_computed', `total was missing: ${eurosText(figures.totalCents)} was computed.`, 'total')
  return { invoice, figures, warnings: notes.warnings }
}

function identityOf(input: InvoiceDataInput, options: InputOptions): { number: string; issueDate: string } {
  const missing: string[] = []
  for (const side of ['vendor', 'buyer'] as const) {
    const party = partyInputOf(input, side, side === 'vendor' ? options.seller : options.buyer)
    if (isNameless(party)) missing.push(`${side}_name`)
    if (party.vat === undefined) missing.push(`${side}_vat`)
  }
  const number = present(input.invoice_number)
  if (number === undefined) missing.push('invoice_number')
  if (input.invoice_date == null) missing.push('invoice_date')
  if (input.total == null && input.subtotal == null && (input.line_items ?? []).length === 0) missing.push('total')
  if (missing.length > 0) refuse(`Facturae needs what is missing: ${missing.join(', ')}.`)
  if ((otherDocumentTypes as readonly string[]).includes(input.document_type ?? '')) {
    refuse(`document_type ${input.document_type} is no invoice.`)
  }
  if ([...(number ?? '')].length > 20) refuse('invoice_number is longer than the 20 characters that Facturae takes.')
  return { number: number ?? '', issueDate: input.invoice_date ?? '' }
}

/** 'Según factura NUMBER': one line, or one for each rate of the breakdown. */
function genericLines(input: InvoiceDataInput, rules: RateRules, number: string): InvoiceLine[] {
  const rows = (input.tax_breakdown ?? []).filter(
    (row) => row.tax_type !== 'RE' && (row.base !== 0 || row.amount !== 0),
  )
  const line = (baseCents: Cents, rate: number | null, index: number): InvoiceLine => {
    const item = rate === null ? null : { ...blankItem, tax_rate: rate }
    const tax = taxOf(rules, item, ['tax_breakdown', index])
    return {
      description: `Según factura ${number}`,
      quantity: scaled(1),
      unitPrice: BigInt(baseCents) * 10n ** 6n,
      discounts: [],
      charges: [],
      deliveryNotes: [],
      taxes: [tax],
      withheld: [],
      ...specialEvent(null, input, tax, index, rules.notes),
    }
  }
  if (rows.length > 1) return rows.map((row, index) => line(cents(row.base), row.rate, index))
  const tax = taxOf(rules, rows[0] === undefined ? null : { ...blankItem, tax_rate: rows[0].rate }, [])
  const base = rows[0] === undefined ? genericBase(input, tax) : cents(rows[0].base)
  const before = base + sum(input.discounts) - sum(input.charges)
  return [line(before, rows[0]?.rate ?? null, 0)]
}

const blankItem = { description: '', quantity: 1, unit_price: 0, total: 0 }

const sum = (rows: readonly { amount?: number | null | undefined }[] | null | undefined): Cents =>
  (rows ?? []).reduce((total, row) => total + cents(row.amount ?? 0), 0)

interface Core {
  number: string
  issueDate: string
  seller: Party
  buyer: Party
  lines: InvoiceLine[]
}

function draftOf(input: InvoiceDataInput, core: Core, notes: Notes): Invoice {
  const { number, issueDate, seller, lines } = core
  const gross = grossCents(lines)
  const invoiceClass = invoiceClassOf(input)
  const corrects = invoiceClass === 'OR' || invoiceClass === 'CR'
  const thirdParty = input.third_party == null ? undefined : partyFrom(input.third_party, 'third_party', notes)
  const issuerType = thirdParty !== undefined ? 'TE' : input.issuer_type === 'RE' ? 'RE' : 'EM'
  const currency = currencyOf(input)
  const buyer = { ...core.buyer, centres: centresFrom(input, core.buyer, notes) }
  const exempt = lines.flatMap((line) => (line.specialEvent === undefined ? [] : [line.specialEvent.reason]))
  return {
    issuerType,
    ...maybe('thirdParty', thirdParty),
    seller,
    buyer,
    number,
    ...maybe('series', present(input.series)),
    documentType: issuerType === 'RE' ? 'AF' : input.document_type === 'simplified' ? 'FA' : 'FC',
    invoiceClass,
    ...maybe('corrective', corrects ? correctiveFrom(input, issueDate, notes) : undefined),
    issueDate,
    ...maybe('operationDate', input.operation_date ?? undefined),
    ...maybe('period', input.period ?? undefined),
    currency,
    ...maybe('exchange', exchangeOf(input, currency, issueDate, notes)),
    taxCurrency: 'EUR',
    language: languageOf(input),
    ...maybe('description', clipOptional(input.description, 2500, 'description', notes)),
    ...maybe('transactionReference', present(input.transaction_reference)),
    ...maybe('fileReference', present(input.file_reference)),
    ...maybe('contractReference', present(input.contract_reference)),
    lines,
    discounts: adjustmentsFrom(input.discounts, gross, 'Descuento'),
    charges: adjustmentsFrom(input.charges, gross, 'Cargo'),
    ...settlements(input),
    installments: [],
    legalLiterals: legalLiterals(input, exempt, notes),
    ...maybe('relatedInvoice', present(input.related_invoice)),
    attachments: attachmentsFrom(input, notes),
    ...maybe('additionalInformation', clipOptional(input.notes, 2500, 'notes', notes)),
  }
}

const grossCents = (lines: readonly InvoiceLine[]): Cents =>
  lines.reduce((total, line) => total + lineFigures(line).grossCents, 0)

function settlements(input: InvoiceDataInput) {
  const withheld = input.amounts_withheld
  const inKind = input.payment_in_kind
  return {
    subsidies: (input.subsidies ?? []).map((row) => ({
      reason: row.description,
      ...maybe('rate', row.rate == null ? undefined : scaled(row.rate)),
      amountCents: cents(row.amount),
    })),
    paymentsOnAccount: (input.payments_on_account ?? []).map((row) => ({
      date: row.date,
      amountCents: cents(row.amount),
    })),
    reimbursableExpenses: (input.reimbursable_expenses ?? []).map((row) => ({
      ...maybe('seller', row.seller_vat == null ? undefined : taxIdentification(row.seller_vat)),
      ...maybe('buyer', row.buyer_vat == null ? undefined : taxIdentification(row.buyer_vat)),
      ...maybe('date', row.date ?? undefined),
      ...maybe('number', present(row.invoice_number)),
      ...maybe('series', present(row.series)),
      amountCents: cents(row.amount),
    })),
    ...maybe('financialExpensesCents', input.financial_expenses == null ? undefined : cents(input.financial_expenses)),
    ...maybe(
      'amountsWithheld',
      withheld == null
        ? undefined
        : {
            reason: withheld.reason,
            ...maybe('rate', withheld.rate == null ? undefined : scaled(withheld.rate)),
            amountCents: cents(withheld.amount),
          },
    ),
    ...maybe(
      'paymentInKind',
      inKind == null ? undefined : { reason: inKind.reason, amountCents: cents(inKind.amount) },
    ),
  }
}

function taxIdentification(vat: string) {
  const { personType, residence, taxId } = partyFrom(
    { name: vat, vat, address: '-', city: '-', province: '-', postal_code: '28001' },
    'reimbursable_expenses',
    createNotes([]),
  )
  return { personType, residence, taxId }
}

function currencyOf(input: InvoiceDataInput): string {
  const currency = (present(input.currency) ?? 'EUR').toUpperCase()
  return currencyCodes.has(currency)
    ? currency
    : refuse(`currency is no ISO 4217 code that Facturae knows: ${currency}`)
}

/** `exchange_rate` is euros for one unit of the invoice's currency. */
function exchangeOf(input: InvoiceDataInput, currency: string, issueDate: string, notes: Notes) {
  if (currency === 'EUR') return undefined
  if (input.exchange_rate == null) {
    notes.warn(
      'exchange_rate_missing',
      `An invoice in ${currency} has to say its equivalent in euros: give exchange_rate.`,
      'exchange_rate',
    )
    return undefined
  }
  return { rate: scaled(input.exchange_rate), date: input.exchange_rate_date ?? issueDate }
}

const languageOf = (input: InvoiceDataInput): string => {
  const language = (present(input.language) ?? 'es').toLowerCase().slice(0, 2)
  return languageCodes.has(language) ? language : 'es'
}
