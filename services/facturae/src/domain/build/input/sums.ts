import { type Cents, cents, eurosText, scaled } from '@asiento/proto/money'
import type { InvoiceDataInput } from '@asiento/proto/schemas/invoice-input'
import type { Figures, TaxFigures } from '../../model/figures.ts'
import { type Notes, refuse } from './notes.ts'
import { irpfCode, taxCodes, toleranceCents } from './rates.ts'

/**
 * Compares the sums that the caller gave with those of the invoice. One that is off by at most two cents becomes a
 * warning, the computed one being used; above that it fails with INVALID_INPUT naming the sum. `total` may be the gross
 * or what is to pay, whichever adds up.
 */
export function checkGivenSums(input: InvoiceDataInput, figures: Figures, notes: Notes): void {
  const check = (field: string, given: number | null | undefined, ...computed: Cents[]): void => {
    if (given == null) return
    const value = cents(given)
    const nearest = computed.reduce((best, candidate) =>
      Math.abs(value - candidate) < Math.abs(value - best) ? candidate : best,
    )
    const residue = value - nearest
    if (residue === 0) return
    if (Math.abs(residue) > toleranceCents) {
      refuse(`${field} does not add up: it says ${eurosText(value)}, the invoice gives ${eurosText(nearest)}.`)
    }
    notes.warn(
      'amounts_mismatch',
      `${field} says ${eurosText(value)}, the invoice gives ${eurosText(nearest)}, which was used.`,
      field,
      residue,
    )
  }
  const surcharges = figures.taxes.reduce((sum, tax) => sum + tax.surchargeCents, 0)
  check('subtotal', input.subtotal, figures.beforeTaxesCents)
  check('tax', input.tax, figures.taxOutputsCents, figures.taxOutputsCents - surcharges)
  if (input.irpf_amount != null) {
    const irpf = figures.withheld.filter((tax) => tax.type === irpfCode).reduce((sum, tax) => sum + tax.amountCents, 0)
    check('irpf_amount', -Math.abs(input.irpf_amount), -Math.abs(irpf))
  }
  checkBreakdown(input, figures, check)
  const gross = figures.beforeTaxesCents + figures.taxOutputsCents
  check('total', input.total, figures.totalCents, gross, figures.executableCents, figures.outstandingCents)
}

function checkBreakdown(
  input: InvoiceDataInput,
  figures: Figures,
  check: (field: string, given: number, ...computed: Cents[]) => void,
): void {
  input.tax_breakdown?.forEach((row, index) => {
    if (row.base === 0 && row.amount === 0) return
    const rate = scaled(row.rate)
    const rows =
      row.tax_type === 'RE'
        ? figures.taxes.filter((tax) => tax.surcharge === rate)
        : figures.taxes.filter((tax) => tax.type === taxCodes[row.tax_type as 'IVA'] && tax.rate === rate)
    const sum = (of: (tax: TaxFigures) => Cents) => rows.reduce((total, tax) => total + of(tax), 0)
    check(
      `tax_breakdown[${index}].base`,
      row.base,
      sum((tax) => tax.baseCents),
    )
    check(
      `tax_breakdown[${index}].amount`,
      row.amount,
      sum((tax) => (row.tax_type === 'RE' ? tax.surchargeCents : tax.amountCents)),
    )
  })
}
