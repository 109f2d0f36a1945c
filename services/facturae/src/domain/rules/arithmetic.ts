import { type Cents, scaledText } from '@asiento/proto/money'
import { taxCents } from '../model/figures.ts'
import { child, children, type XmlTree } from '../parse/tree.ts'
import { amountAt, type Emit, type StatedAmount, unequal } from './finding.ts'
import { amounts, type StatedInvoice, type StatedTax, sumOf, taxesCents } from './stated-invoice.ts'

/**
 * The sums that annex II does not check but that must hold all the same. Two schools of rounding exist for a tax: base ×
 * rate once, as here, or the sum of rounded line taxes; the other school's result is a warning, not an error.
 */
export function checkArithmetic(root: XmlTree, invoices: readonly StatedInvoice[], emit: Emit): void {
  for (const invoice of invoices) {
    checkTaxes(invoice, 'taxes', emit)
    checkTaxes(invoice, 'withheld', emit)
    checkBases(invoice, emit)
    checkTaxTotals(invoice, emit)
    checkSettlement(invoice, emit)
  }
  checkBatch(root, invoices, emit)
}

function checkTaxes(invoice: StatedInvoice, kind: 'taxes' | 'withheld', emit: Emit): void {
  for (const tax of invoice[kind]) {
    if (tax.base !== null && tax.amount !== null) {
      const lines = lineTaxes(invoice, kind, tax.key).map((row) => row.amount)
      checkTax(`${tax.path}/TaxAmount`, tax.amount, taxCents(tax.base.cents, tax.rate), lines, emit)
    }
    if (tax.base !== null && tax.surchargeAmount !== null) {
      const lines = lineTaxes(invoice, kind, tax.key).map((row) => row.surchargeAmount)
      const expected = taxCents(tax.base.cents, tax.surcharge)
      checkTax(`${tax.path}/EquivalenceSurchargeAmount`, tax.surchargeAmount, expected, lines, emit)
    }
  }
}

const lineTaxes = (invoice: StatedInvoice, kind: 'taxes' | 'withheld', key: string): StatedTax[] =>
  invoice.lines.flatMap((line) => line[kind].filter((tax) => tax.key === key))

/** Each rounded line may be half a cent away; a difference within that is the other school's. */
function checkTax(
  field: string,
  stated: StatedAmount,
  expected: Cents,
  lines: readonly (StatedAmount | null)[],
  emit: Emit,
): void {
  if (stated.cents === expected) return
  const otherSchool =
    lines.length > 0 &&
    (sumOf(lines) === stated.cents || Math.abs(stated.cents - expected) <= Math.ceil(lines.length / 2))
  emit({
    rule: null,
    severity: otherSchool ? 'warning' : 'error',
    ...unequal(
      field,
      stated,
      expected,
      otherSchool ? 'base × rate rounded once; this is the sum of taxes rounded line by line' : 'base × rate',
    ),
  })
}

/** The base of a rate is the sum of its lines; general discounts and charges are shared among the rates. */
function checkBases(invoice: StatedInvoice, emit: Emit): void {
  const before = amountAt(invoice.totals, 'TotalGrossAmountBeforeTaxes')
  const gross = amountAt(invoice.totals, 'TotalGrossAmount')
  if (before === null || gross === null) return
  const shared = before.cents - gross.cents
  const sums = new Map<string, Cents>()
  let single = true
  for (const line of invoice.lines) {
    if (line.taxes.length !== 1) single = false
    for (const tax of line.taxes) sums.set(tax.key, (sums.get(tax.key) ?? 0) + (line.gross?.cents ?? 0))
  }
  if (single) {
    const bases = sumOf(invoice.taxes.map((tax) => tax.base))
    if (bases !== before.cents) {
      emit({
        rule: null,
        severity: 'error',
        ...unequal(
          `${invoice.path}/InvoiceTotals/TotalGrossAmountBeforeTaxes`,
          before,
          bases,
          'the sum of the taxable bases of TaxesOutputs',
        ),
      })
    }
  }
  if (shared !== 0) return
  const stated = new Map<string, StatedTax[]>()
  for (const tax of invoice.taxes) stated.set(tax.key, [...(stated.get(tax.key) ?? []), tax])
  for (const [key, rows] of stated) {
    const expected = sums.get(key)
    const [first] = rows
    if (expected === undefined || first?.base == null) continue
    if (sumOf(rows.map((row) => row.base)) === expected) continue
    emit({
      rule: null,
      severity: 'error',
      ...unequal(
        `${first.path}/TaxableBase`,
        first.base,
        expected,
        `the sum of the lines at ${scaledText(first.rate)} %`,
      ),
    })
  }
}

function checkTaxTotals(invoice: StatedInvoice, emit: Emit): void {
  const path = `${invoice.path}/InvoiceTotals`
  const outputs = amountAt(invoice.totals, 'TotalTaxOutputs')
  const expected = taxesCents(invoice.taxes)
  if (outputs !== null && outputs.cents !== expected) {
    emit({
      rule: null,
      severity: 'error',
      ...unequal(`${path}/TotalTaxOutputs`, outputs, expected, 'the sum of the taxes and recargos of TaxesOutputs'),
    })
  }
  const withheld = amountAt(invoice.totals, 'TotalTaxesWithheld')
  const withheldSum = taxesCents(invoice.withheld)
  if (withheld !== null && withheld.cents !== withheldSum) {
    emit({
      rule: null,
      severity: 'error',
      ...unequal(`${path}/TotalTaxesWithheld`, withheld, withheldSum, 'the sum of TaxesWithheld'),
    })
  }
}

function checkSettlement(invoice: StatedInvoice, emit: Emit): void {
  const { totals } = invoice
  const path = `${invoice.path}/InvoiceTotals`
  const check = (name: string, expected: Cents, why: string): void => {
    const stated = amountAt(totals, name)
    if (stated === null || stated.cents === expected) return
    emit({ rule: null, severity: 'error', ...unequal(`${path}/${name}`, stated, expected, why) })
  }
  const list = (name: string, amount: string) => sumOf(amounts(child(totals, name), amount))
  const value = (...names: string[]) => amountAt(totals, ...names)?.cents ?? 0
  check('TotalGeneralDiscounts', list('GeneralDiscounts', 'DiscountAmount'), 'the sum of GeneralDiscounts')
  check('TotalGeneralSurcharges', list('GeneralSurcharges', 'ChargeAmount'), 'the sum of GeneralSurcharges')
  const onAccount = list('PaymentsOnAccount', 'PaymentOnAccountAmount')
  check('TotalPaymentsOnAccount', onAccount, 'the sum of PaymentsOnAccount')
  const reimbursable = list('ReimbursableExpenses', 'ReimbursableExpensesAmount')
  check('TotalReimbursableExpenses', reimbursable, 'the sum of ReimbursableExpenses')
  check(
    'TotalOutstandingAmount',
    value('InvoiceTotal') - list('Subsidies', 'SubsidyAmount') - onAccount,
    'InvoiceTotal − subsidies − TotalPaymentsOnAccount',
  )
  check(
    'TotalExecutableAmount',
    value('TotalOutstandingAmount') -
      value('AmountsWithheld', 'WithholdingAmount') -
      value('PaymentInKind', 'PaymentInKindAmount') +
      reimbursable +
      value('TotalFinancialExpenses'),
    'TotalOutstandingAmount − amounts withheld − payment in kind + reimbursable and financial expenses',
  )
  checkInstallments(invoice, value('TotalExecutableAmount'), value('TotalOutstandingAmount'), emit)
}

function checkInstallments(invoice: StatedInvoice, executable: Cents, outstanding: Cents, emit: Emit): void {
  const rows = amounts(child(invoice.node, 'PaymentDetails'), 'InstallmentAmount')
  const sum = sumOf(rows)
  const [first] = rows
  if (first === undefined || sum === executable || sum === outstanding) return
  emit({
    rule: null,
    severity: 'warning',
    field: `${invoice.path}/PaymentDetails`,
    value: first.text,
    message: `The installments add up to ${(sum / 100).toFixed(2)}, to pay are ${(executable / 100).toFixed(2)}.`,
  })
}

function checkBatch(root: XmlTree, invoices: readonly StatedInvoice[], emit: Emit): void {
  const batch = child(child(root, 'FileHeader'), 'Batch')
  const pairs = [
    ['TotalInvoicesAmount', 'InvoiceTotal'],
    ['TotalOutstandingAmount', 'TotalOutstandingAmount'],
    ['TotalExecutableAmount', 'TotalExecutableAmount'],
  ] as const
  for (const [name, total] of pairs) {
    const stated = amountAt(batch, name, 'TotalAmount')
    const expected = sumOf(invoices.map((invoice) => amountAt(invoice.totals, total)))
    if (stated === null || stated.cents === expected) continue
    emit({
      rule: null,
      severity: 'error',
      ...unequal(`FileHeader/Batch/${name}`, stated, expected, `the sum of the ${total} of the invoices`),
    })
  }
  const count = child(batch, 'InvoicesCount')
  const actual = children(child(root, 'Invoices'), 'Invoice').length
  if (count !== undefined && Number(count.text) !== actual) {
    emit({
      rule: null,
      severity: 'error',
      field: 'FileHeader/Batch/InvoicesCount',
      value: count.text,
      message: `InvoicesCount is ${count.text} and must be ${actual}.`,
    })
  }
}
