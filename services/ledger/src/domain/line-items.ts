import { failValidation } from '@asiento/proto/errors'
import { type Cents, percentOf, timesToCents } from '@asiento/proto/money'
import type { EntryAmounts, TaxLine } from './entry.ts'

/** A line of a proposal or a recurring invoice; prices exclude tax. */
export interface PricedLine {
  description: string
  quantity: number
  unit_price: number
  /** Percent; 21 where none is given. */
  tax_rate?: number | undefined
  total?: number | undefined
}

const generalRate = 21

/**
 * The sums of priced lines: each line rounded once, VAT per rate on the sum of its lines, the withholding on the base.
 * Fails with 422 when the whole comes to 0 or less.
 */
export function sumLines(lines: readonly PricedLine[], irpfRate: number | null): EntryAmounts {
  const bases = new Map<number, Cents>()
  for (const line of lines) {
    const rate = line.tax_rate ?? generalRate
    bases.set(rate, (bases.get(rate) ?? 0) + lineTotal(line))
  }
  const taxLines: TaxLine[] = [...bases]
    .sort(([a], [b]) => b - a)
    .map(([rate, baseCents]) => ({ taxType: 'IVA', rate, baseCents, amountCents: percentOf(baseCents, rate) }))
  const baseCents = taxLines.reduce((sum, line) => sum + line.baseCents, 0)
  const taxCents = taxLines.reduce((sum, line) => sum + line.amountCents, 0)
  const withheld = irpfRate === null ? 0 : percentOf(baseCents, irpfRate)
  const totalCents = baseCents + taxCents - withheld
  if (baseCents <= 0 || totalCents <= 0) failValidation(['body', 'line_items'], 'The lines must add up to more than 0')
  return {
    baseCents,
    taxRate: taxLines.length === 1 ? (taxLines[0]?.rate ?? null) : null,
    taxCents,
    irpfRate,
    irpfCents: withheld === 0 ? 0 : -withheld,
    totalCents,
    taxLines,
  }
}

/** quantity × unit price in cents, rounded once. */
export const lineTotal = (line: PricedLine): Cents => timesToCents(line.quantity, line.unit_price)
