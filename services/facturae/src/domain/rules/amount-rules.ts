import { currencyCodes } from '../model/codes.ts'
import { costCents } from '../model/figures.ts'
import { textOf, type XmlTree } from '../parse/tree.ts'
import { amountAt, type Emit, unequal } from './finding.ts'
import { type StatedInvoice, type StatedLine, sumOf } from './stated-invoice.ts'

/**
 * Rules 6a to 6f of annex II of Orden HAP/1650/2015. Accounting registers refuse an invoice that breaks one, so we never
 * let one out.
 */
export function checkAmountRules(invoice: StatedInvoice, emit: Emit): void {
  const euros = textOf(invoice.node, 'InvoiceIssueData', 'InvoiceCurrencyCode') === 'EUR'
  for (const line of invoice.lines) checkLine(line, euros, emit)
  if (euros) checkDecimals(invoice.totals, `${invoice.path}/InvoiceTotals`, '6b', emit)
  checkCurrency(invoice, emit)
  checkTotals(invoice, emit)
}

/** 6a: two decimals in euros, TotalCost = quantity × price, GrossAmount = TotalCost − discounts + charges. */
function checkLine(line: StatedLine, euros: boolean, emit: Emit): void {
  if (euros) checkDecimals(line.node, line.path, '6a', emit)
  const { quantity, price, totalCost, gross } = line
  if (quantity !== null && price !== null && totalCost !== null) {
    const expected = costCents(quantity, price)
    if (expected !== totalCost.cents) {
      emit({
        rule: '6a',
        severity: 'error',
        ...unequal(`${line.path}/TotalCost`, totalCost, expected, 'Quantity × UnitPriceWithoutTax, rounded to cents'),
      })
    }
  }
  if (totalCost !== null && gross !== null) {
    const expected = totalCost.cents - sumOf(line.discounts) + sumOf(line.charges)
    if (expected !== gross.cents) {
      emit({
        rule: '6a',
        severity: 'error',
        ...unequal(`${line.path}/GrossAmount`, gross, expected, 'TotalCost − discounts + charges'),
      })
    }
  }
}

/** Rates, quantity and unit price are free; every other amount has at most two decimals that are not zero. */
const amountNames: ReadonlySet<string> = new Set([
  'TotalCost',
  'GrossAmount',
  'DiscountAmount',
  'ChargeAmount',
  'TotalAmount',
  'TotalGrossAmount',
  'TotalGeneralDiscounts',
  'TotalGeneralSurcharges',
  'TotalGrossAmountBeforeTaxes',
  'TotalTaxOutputs',
  'TotalTaxesWithheld',
  'InvoiceTotal',
  'SubsidyAmount',
  'PaymentOnAccountAmount',
  'ReimbursableExpensesAmount',
  'TotalFinancialExpenses',
  'TotalOutstandingAmount',
  'TotalPaymentsOnAccount',
  'WithholdingAmount',
  'TotalExecutableAmount',
  'TotalReimbursableExpenses',
  'PaymentInKindAmount',
])
const isTooFine = ({ name, text }: XmlTree): boolean => {
  const dot = text.indexOf('.')
  return dot >= 0 && text.length > dot + 3 && amountNames.has(name) && tail.test(text)
}

const hasMore = (node: XmlTree): boolean =>
  node.children.some((entry) => (entry.children.length > 0 ? hasMore(entry) : isTooFine(entry)))

const tail = /\.\d\d0*[1-9]/

function checkDecimals(node: XmlTree | undefined, path: string, rule: '6a' | '6b', emit: Emit): void {
  for (const entry of node?.children ?? []) {
    if (entry.children.length > 0) {
      if (hasMore(entry)) checkDecimals(entry, `${path}/${entry.name}`, rule, emit)
    } else if (isTooFine(entry)) {
      emit({
        rule,
        severity: 'error',
        field: `${path}/${entry.name}`,
        value: entry.text,
        message: `${entry.name} ${entry.text} has more than two decimals; registers refuse that in euros.`,
      })
    }
  }
}

function checkCurrency(invoice: StatedInvoice, emit: Emit): void {
  for (const name of ['InvoiceCurrencyCode', 'TaxCurrencyCode']) {
    const value = textOf(invoice.node, 'InvoiceIssueData', name) ?? ''
    if (currencyCodes.has(value)) continue
    emit({
      rule: '6c',
      severity: 'error',
      field: `${invoice.path}/InvoiceIssueData/${name}`,
      value,
      message: `${name} '${value}' is no ISO 4217 code.`,
    })
  }
}

function checkTotals(invoice: StatedInvoice, emit: Emit): void {
  const { totals } = invoice
  const path = `${invoice.path}/InvoiceTotals`
  const gross = amountAt(totals, 'TotalGrossAmount')
  const before = amountAt(totals, 'TotalGrossAmountBeforeTaxes')
  const outputs = amountAt(totals, 'TotalTaxOutputs')
  const withheld = amountAt(totals, 'TotalTaxesWithheld')
  const total = amountAt(totals, 'InvoiceTotal')
  const linesCents = sumOf(invoice.lines.map((line) => line.gross))
  if (gross !== null && gross.cents !== linesCents) {
    emit({
      rule: '6b',
      severity: 'error',
      ...unequal(`${path}/TotalGrossAmount`, gross, linesCents, 'the sum of the GrossAmount of the lines'),
    })
  }
  if (withheld !== null && withheld.cents < 0 && sumOf(invoice.withheld.map((tax) => tax.base)) >= 0) {
    emit({
      rule: '6d',
      severity: 'error',
      field: `${path}/TotalTaxesWithheld`,
      value: withheld.text,
      message: `TotalTaxesWithheld is ${withheld.text}: on a positive base nothing negative is withheld.`,
    })
  }
  if (gross !== null && before !== null) {
    const discounts = amountAt(totals, 'TotalGeneralDiscounts')?.cents ?? 0
    const surcharges = amountAt(totals, 'TotalGeneralSurcharges')?.cents ?? 0
    const expected = gross.cents - discounts + surcharges
    if (expected !== before.cents) {
      emit({
        rule: '6e',
        severity: 'error',
        ...unequal(
          `${path}/TotalGrossAmountBeforeTaxes`,
          before,
          expected,
          'TotalGrossAmount − TotalGeneralDiscounts + TotalGeneralSurcharges',
        ),
      })
    }
  }
  if (before !== null && outputs !== null && withheld !== null && total !== null) {
    const expected = before.cents + outputs.cents - withheld.cents
    if (expected !== total.cents) {
      emit({
        rule: '6f',
        severity: 'error',
        ...unequal(
          `${path}/InvoiceTotal`,
          total,
          expected,
          'TotalGrossAmountBeforeTaxes + TotalTaxOutputs − TotalTaxesWithheld',
        ),
      })
    }
  }
}
