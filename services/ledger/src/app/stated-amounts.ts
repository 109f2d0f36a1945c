import { cents } from '@asiento/proto/money'
import type { StatedAmounts } from '../domain/amounts.ts'

interface AmountFields {
  base?: number | undefined
  tax_rate?: number | null | undefined
  tax_amount?: number | undefined
  irpf_rate?: number | null | undefined
  irpf_amount?: number | undefined
  total?: number | undefined
}

const optionalCents = (euros: number | undefined): number | undefined =>
  euros === undefined ? undefined : cents(euros)

/** The amounts of a request in cents; a rate of null states nothing. */
export const statedAmounts = (fields: AmountFields): StatedAmounts => ({
  baseCents: optionalCents(fields.base),
  taxRate: fields.tax_rate ?? undefined,
  taxCents: optionalCents(fields.tax_amount),
  irpfRate: fields.irpf_rate ?? undefined,
  irpfCents: optionalCents(fields.irpf_amount),
  totalCents: optionalCents(fields.total),
})

/** The amounts of a change: a rate of null takes the tax or the withholding away. */
export function changedAmounts(fields: AmountFields): StatedAmounts {
  const stated = statedAmounts(fields)
  return {
    ...stated,
    taxCents: fields.tax_rate === null ? (stated.taxCents ?? 0) : stated.taxCents,
    irpfCents: fields.irpf_rate === null ? (stated.irpfCents ?? 0) : stated.irpfCents,
  }
}
