import { child, children, type XmlTree } from '../parse/tree.ts'
import { amountAt, decimalAt, type StatedAmount } from './finding.ts'

/** One invoice of a document as its figures are stated, with the nodes behind them. */
export interface StatedInvoice {
  node: XmlTree
  /** Path of the invoice in the document. */
  path: string
  totals: XmlTree | undefined
  lines: StatedLine[]
  taxes: StatedTax[]
  withheld: StatedTax[]
}

export interface StatedLine {
  node: XmlTree
  path: string
  quantity: bigint | null
  price: bigint | null
  totalCost: StatedAmount | null
  gross: StatedAmount | null
  discounts: StatedAmount[]
  charges: StatedAmount[]
  taxes: StatedTax[]
  withheld: StatedTax[]
}

export interface StatedTax {
  path: string
  /** Type, rate and recargo; a recargo of 0 is none. */
  key: string
  rate: bigint
  surcharge: bigint
  base: StatedAmount | null
  amount: StatedAmount | null
  surchargeAmount: StatedAmount | null
}

export const statedInvoices = (root: XmlTree): StatedInvoice[] => {
  const invoices = children(child(root, 'Invoices'), 'Invoice')
  return invoices.map((node, index) => {
    const path = `Invoices/Invoice${invoices.length > 1 ? `[${index + 1}]` : ''}`
    return {
      node,
      path,
      totals: child(node, 'InvoiceTotals'),
      lines: children(child(node, 'Items'), 'InvoiceLine').map((line, position) =>
        statedLine(line, `${path}/Items/InvoiceLine[${position + 1}]`),
      ),
      taxes: statedTaxes(child(node, 'TaxesOutputs'), `${path}/TaxesOutputs`),
      withheld: statedTaxes(child(node, 'TaxesWithheld'), `${path}/TaxesWithheld`),
    }
  })
}

const statedLine = (node: XmlTree, path: string): StatedLine => ({
  node,
  path,
  quantity: decimalAt(node, 'Quantity'),
  price: decimalAt(node, 'UnitPriceWithoutTax'),
  totalCost: amountAt(node, 'TotalCost'),
  gross: amountAt(node, 'GrossAmount'),
  discounts: amounts(child(node, 'DiscountsAndRebates'), 'DiscountAmount'),
  charges: amounts(child(node, 'Charges'), 'ChargeAmount'),
  taxes: statedTaxes(child(node, 'TaxesOutputs'), `${path}/TaxesOutputs`),
  withheld: statedTaxes(child(node, 'TaxesWithheld'), `${path}/TaxesWithheld`),
})

/** The amounts of the rows of a list, in order; a row without one is left out. */
export const amounts = (list: XmlTree | undefined, name: string): StatedAmount[] =>
  list === undefined ? [] : list.children.flatMap((row) => amountAt(row, name) ?? [])

/** A recargo of 0 % still states an amount where the element is there. */
const zeroSurcharge = (tax: XmlTree): StatedAmount | null =>
  tax.children.length < 5 ? null : amountAt(tax, 'EquivalenceSurchargeAmount', 'TotalAmount')

const noTaxes: StatedTax[] = []

const statedTaxes = (list: XmlTree | undefined, path: string): StatedTax[] =>
  list === undefined
    ? noTaxes
    : children(list, 'Tax').map((tax, index) => {
        const type = child(tax, 'TaxTypeCode')?.text ?? ''
        const rate = decimalAt(tax, 'TaxRate') ?? 0n
        const surcharge = decimalAt(tax, 'EquivalenceSurcharge') ?? 0n
        return {
          path: `${path}/Tax[${index + 1}]`,
          key: `${type}/${rate}/${surcharge}`,
          rate,
          surcharge,
          base: amountAt(tax, 'TaxableBase', 'TotalAmount'),
          amount: amountAt(tax, 'TaxAmount', 'TotalAmount'),
          surchargeAmount:
            surcharge === 0n ? zeroSurcharge(tax) : amountAt(tax, 'EquivalenceSurchargeAmount', 'TotalAmount'),
        }
      })

export const sumOf = (rows: readonly (StatedAmount | null)[]): number =>
  rows.reduce((sum, row) => sum + (row?.cents ?? 0), 0)

/** What the header's taxes amount to: quotas and recargos. */
export const taxesCents = (taxes: readonly StatedTax[]): number =>
  taxes.reduce((sum, tax) => sum + (tax.amount?.cents ?? 0) + (tax.surchargeAmount?.cents ?? 0), 0)
