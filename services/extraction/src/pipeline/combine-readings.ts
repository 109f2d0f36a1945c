import type { Extraction } from '@asiento/proto/schemas/extraction-result'

/** What is not an amount: a second reading of the amounts says nothing new about it. */
const beside = [
  'vendor_name',
  'vendor_vat',
  'vendor_address',
  'vendor_city',
  'buyer_name',
  'buyer_vat',
  'invoice_number',
  'invoice_date',
  'due_date',
  'iban',
  'payment_method',
] as const satisfies (keyof Extraction)[]

const mismatches = ({ warnings }: Extraction): number =>
  warnings.filter(({ code }) => code === 'amounts_mismatch').length

const missing = ({ subtotal, tax, total }: Extraction): number =>
  [subtotal, tax, total].filter((amount) => amount === null).length

/**
 * A second reading counts only where it makes the sums hold better; it never trades one doubt for another, nor an amount
 * for none.
 */
export function isBetter(second: Extraction, first: Extraction): boolean {
  const fewer = mismatches(first) - mismatches(second)
  const surer = second.confidence_score - first.confidence_score
  return missing(second) <= missing(first) && fewer >= 0 && surer >= 0 && fewer + surer > 0
}

/** The amounts and lines of the second reading with everything else of the first, as far as the first has it. */
export function combine(first: Extraction, second: Extraction): Extraction {
  const names: readonly string[] = beside.filter((field) => first[field] !== null)
  const evidence = { ...second.field_evidence }
  for (const name of names) {
    const found = first.field_evidence[name]
    if (found === undefined) delete evidence[name]
    else evidence[name] = found
  }
  const kept = Object.fromEntries(Object.entries(first).filter(([name]) => names.includes(name)))
  return { ...second, ...kept, field_evidence: evidence }
}
