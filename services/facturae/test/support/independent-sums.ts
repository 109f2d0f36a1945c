/**
 * A second opinion on the sums of a Facturae, written apart from the product: regular expressions over the XML and
 * exact fractions of bigints, no code of ours. Says each sum that is off.
 */
const all = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map((match) => match[1] ?? '')
const first = (xml: string, name: string): string => all(xml, name)[0] ?? '0'

/** A decimal as [numerator, denominator]. */
function fraction(text: string): [bigint, bigint] {
  const negative = text.startsWith('-')
  const [whole = '0', decimals = ''] = text.replace('-', '').split('.')
  const value = BigInt(whole + decimals)
  return [negative ? -value : value, 10n ** BigInt(decimals.length)]
}

const cents = (text: string): bigint => rounded(fraction(text))

function rounded([numerator, denominator]: [bigint, bigint]): bigint {
  const scaled = numerator * 100n
  const magnitude = scaled < 0n ? -scaled : scaled
  const quotient = magnitude / denominator
  const up = (magnitude % denominator) * 2n >= denominator ? 1n : 0n
  return scaled < 0n ? -(quotient + up) : quotient + up
}

const times = (a: string, b: string): bigint => {
  const [an, ad] = fraction(a)
  const [bn, bd] = fraction(b)
  return rounded([an * bn, ad * bd])
}

const percent = (base: string, rate: string): bigint => {
  const [bn, bd] = fraction(base)
  const [rn, rd] = fraction(rate)
  return rounded([bn * rn, bd * rd * 100n])
}

const sum = (values: readonly string[]): bigint => values.reduce((total, value) => total + cents(value), 0n)

export function independentSums(xml: string): string[] {
  const wrong: string[] = []
  const same = (name: string, a: bigint, b: bigint) => {
    if (a !== b) wrong.push(`${name}: ${a} is not ${b}`)
  }
  const items = first(xml, 'Items')
  const lines = all(items, 'InvoiceLine')
  for (const line of lines) {
    const cost = first(line, 'TotalCost')
    same('TotalCost', cents(cost), times(first(line, 'Quantity'), first(line, 'UnitPriceWithoutTax')))
    const gross = cents(cost) - sum(all(line, 'DiscountAmount')) + sum(all(line, 'ChargeAmount'))
    same('GrossAmount', cents(first(line, 'GrossAmount')), gross)
  }
  const head = xml.slice(0, xml.indexOf('<Items>'))
  const totals = first(head, 'InvoiceTotals')
  const outputs = all(first(head, 'TaxesOutputs'), 'Tax')
  const withheld = all(first(head, 'TaxesWithheld'), 'Tax')
  const inner = (tax: string, name: string) => first(first(tax, name), 'TotalAmount')
  let taxes = 0n
  for (const tax of outputs) {
    const base = inner(tax, 'TaxableBase')
    same('TaxAmount', cents(inner(tax, 'TaxAmount')), percent(base, first(tax, 'TaxRate')))
    const surcharge = all(tax, 'EquivalenceSurcharge')[0]
    if (surcharge !== undefined) {
      same('Surcharge', cents(inner(tax, 'EquivalenceSurchargeAmount')), percent(base, surcharge))
      taxes += cents(inner(tax, 'EquivalenceSurchargeAmount'))
    }
    taxes += cents(inner(tax, 'TaxAmount'))
  }
  const kept = withheld.reduce((total, tax) => total + cents(inner(tax, 'TaxAmount')), 0n)
  for (const tax of withheld) {
    same('Withheld', cents(inner(tax, 'TaxAmount')), percent(inner(tax, 'TaxableBase'), first(tax, 'TaxRate')))
  }
  const before = cents(first(totals, 'TotalGrossAmountBeforeTaxes'))
  same(
    'TotalGrossAmount',
    cents(first(totals, 'TotalGrossAmount')),
    sum(lines.map((line) => first(line, 'GrossAmount'))),
  )
  same(
    'BeforeTaxes',
    before,
    cents(first(totals, 'TotalGrossAmount')) -
      sum(all(first(totals, 'GeneralDiscounts'), 'DiscountAmount')) +
      sum(all(first(totals, 'GeneralSurcharges'), 'ChargeAmount')),
  )
  same(
    'Bases',
    before,
    outputs.reduce((total, tax) => total + cents(inner(tax, 'TaxableBase')), 0n),
  )
  same('TotalTaxOutputs', cents(first(totals, 'TotalTaxOutputs')), taxes)
  same('TotalTaxesWithheld', cents(first(totals, 'TotalTaxesWithheld')), kept)
  const total = before + taxes - kept
  same('InvoiceTotal', cents(first(totals, 'InvoiceTotal')), total)
  const outstanding = total - sum(all(totals, 'SubsidyAmount')) - sum(all(totals, 'PaymentOnAccountAmount'))
  same('Outstanding', cents(first(totals, 'TotalOutstandingAmount')), outstanding)
  same(
    'Executable',
    cents(first(totals, 'TotalExecutableAmount')),
    outstanding -
      sum(all(totals, 'WithholdingAmount')) -
      sum(all(totals, 'PaymentInKindAmount')) +
      sum(all(totals, 'ReimbursableExpensesAmount')) +
      sum(all(totals, 'TotalFinancialExpenses')),
  )
  return wrong
}
