import { failValidation } from '@asiento/proto/errors'
import { type Cents, divideRounded, eurosText, percentOf, scaled } from '@asiento/proto/money'
import type { EntryAmounts } from './entry.ts'

/** What a caller stated of an entry's amounts; the rest is derived. */
export interface StatedAmounts {
  baseCents?: Cents | undefined
  taxRate?: number | undefined
  taxCents?: Cents | undefined
  irpfRate?: number | undefined
  /** Either sign; read as what lowers the total. */
  irpfCents?: Cents | undefined
  totalCents?: Cents | undefined
}

/** Rounding line by line may move a tax away from rate × base by some cents. */
const rateToleranceCents = 5

/** Rates that a tax amount is recognized as: IVA in force and former, IGIC, then none. */
const knownTaxRates = [21, 10, 4, 0, 5, 7.5, 2, 3, 7, 9.5, 15, 20, 18, 16, 8]
const knownIrpfRates = [15, 7, 19, 0, 1, 2, 21, 20, 9, 24]

/**
 * The whole amounts of an entry from those that were stated, so that base + tax + irpf = total holds exactly.
 *
 * Needs `total`, or `base` with a rate, a tax or a total. A total alone, without a rate or a tax, is an amount without
 * tax. Where rounding leaves a cent, the tax takes it (without tax, the withholding).
 *
 * Fails with 422 when the amounts are missing, do not add up, are zero, or are not all of one sign.
 */
export function deriveAmounts(stated: StatedAmounts): EntryAmounts {
  const { baseCents: base, totalCents: total } = stated
  if (base === 0) failValidation(['body', 'base'], 'The base must not be 0')
  if (total === 0) failValidation(['body', 'total'], 'The total must not be 0')
  if (base !== undefined) return finish(fromBase(base, stated), stated)
  if (total !== undefined) return finish(fromTotal(total, stated), stated)
  return failValidation(['body', 'total'], 'Give the total, or the base with its tax_rate', 'missing')
}

interface Parts {
  baseCents: Cents
  taxCents: Cents
  irpfCents: Cents
}

function fromBase(baseCents: Cents, stated: StatedAmounts): Parts {
  const irpfCents = statedIrpf(stated, baseCents) ?? 0
  if (stated.taxCents !== undefined) return { baseCents, taxCents: stated.taxCents, irpfCents }
  if (stated.taxRate !== undefined) return { baseCents, taxCents: percentOf(baseCents, stated.taxRate), irpfCents }
  if (stated.totalCents !== undefined) {
    return { baseCents, taxCents: stated.totalCents - baseCents - irpfCents, irpfCents }
  }
  return failValidation(['body', 'tax_rate'], 'With a base, give tax_rate, tax_amount or total', 'missing')
}

function fromTotal(totalCents: Cents, stated: StatedAmounts): Parts {
  const taxPercent = stated.taxCents === undefined ? (stated.taxRate ?? 0) : 0
  const irpfGiven = stated.irpfCents !== undefined
  const irpfPercent = irpfGiven ? 0 : (stated.irpfRate ?? 0)
  const knownIrpf = irpfGiven ? signed(stated.irpfCents ?? 0, totalCents) : 0
  const gross = totalCents - (stated.taxCents ?? 0) - knownIrpf
  const baseCents = withoutPercent(gross, scaled(taxPercent) - scaled(irpfPercent))
  if (baseCents === 0) failValidation(['body', 'total'], 'The base that follows from the total is 0')
  const irpfCents = irpfGiven ? knownIrpf : negate(percentOf(baseCents, irpfPercent))
  if (taxPercent !== 0) return { baseCents, irpfCents, taxCents: totalCents - baseCents - irpfCents }
  const taxCents = stated.taxCents ?? 0
  if (irpfPercent !== 0) return { baseCents, taxCents, irpfCents: totalCents - baseCents - taxCents }
  return { baseCents, taxCents, irpfCents }
}

/** gross ÷ (1 + percent/100), rounded once. */
function withoutPercent(grossCents: Cents, percentScaled: bigint): Cents {
  const hundred = scaled(100)
  const divisor = hundred + percentScaled
  if (divisor <= 0n) failValidation(['body', 'irpf_rate'], 'The withholding leaves nothing to pay')
  return Number(divideRounded(BigInt(grossCents) * hundred, divisor))
}

function statedIrpf(stated: StatedAmounts, baseCents: Cents): Cents | undefined {
  if (stated.irpfCents !== undefined) return signed(stated.irpfCents, baseCents)
  return stated.irpfRate === undefined ? undefined : negate(percentOf(baseCents, stated.irpfRate))
}

/** A withholding always has the sign opposite to its base, however it was written. */
const signed = (irpfCents: Cents, like: Cents): Cents => negate(Math.abs(irpfCents) * Math.sign(like))

const negate = (value: Cents): Cents => (value === 0 ? 0 : -value)

function finish(parts: Parts, stated: StatedAmounts): EntryAmounts {
  const totalCents = parts.baseCents + parts.taxCents + parts.irpfCents
  if (stated.totalCents !== undefined && stated.totalCents !== totalCents) {
    failValidation(
      ['body', 'total'],
      `base ${eurosText(parts.baseCents)} + tax ${eurosText(parts.taxCents)} + irpf ${eurosText(parts.irpfCents)} = ${eurosText(totalCents)}, not ${eurosText(stated.totalCents)}`,
    )
  }
  checkSigns(parts, totalCents)
  checkRate('tax', parts.taxCents, stated.taxRate, parts.baseCents)
  checkRate('irpf', -parts.irpfCents, stated.irpfRate, parts.baseCents)
  const taxRate = stated.taxRate ?? recognizeTax(parts, stated)
  const irpfRate =
    stated.irpfRate ?? (parts.irpfCents === 0 ? null : recognize(-parts.irpfCents, parts.baseCents, knownIrpfRates))
  return { ...parts, totalCents, taxRate, irpfRate, taxLines: singleLine(parts, taxRate) }
}

function checkSigns({ baseCents, taxCents, irpfCents }: Parts, totalCents: Cents): void {
  const sign = Math.sign(baseCents)
  if (Math.sign(totalCents) !== sign) failValidation(['body', 'total'], 'The total must have the sign of the base')
  if (taxCents !== 0 && Math.sign(taxCents) !== sign) {
    failValidation(['body', 'tax_amount'], 'The tax must have the sign of the base')
  }
  if (irpfCents !== 0 && Math.sign(irpfCents) === sign) {
    failValidation(['body', 'irpf_amount'], 'The withholding must lower the total')
  }
}

function checkRate(name: 'tax' | 'irpf', cents: Cents, rate: number | undefined, baseCents: Cents): void {
  if (rate === undefined) return
  const expected = percentOf(baseCents, rate)
  if (Math.abs(cents - expected) > rateToleranceCents) {
    failValidation(
      ['body', `${name}_amount`],
      `${rate} % of ${eurosText(baseCents)} is ${eurosText(expected)}, not ${eurosText(cents)}`,
    )
  }
}

function recognizeTax(parts: Parts, stated: StatedAmounts): number | null {
  if (parts.taxCents === 0) return stated.taxCents === undefined ? null : 0
  return recognize(parts.taxCents, parts.baseCents, knownTaxRates)
}

/** The known rate that yields the amount to within a cent; null where none or the amount is too small to tell. */
function recognize(cents: Cents, baseCents: Cents, rates: readonly number[]): number | null {
  const fitting = rates.filter((rate) => Math.abs(percentOf(baseCents, rate) - cents) <= 1)
  return fitting[0] ?? null
}

/** One line where one rate holds; a tax whose rate is not known keeps its rate as base and amount show it. */
function singleLine({ baseCents, taxCents }: Parts, taxRate: number | null): EntryAmounts['taxLines'] {
  if (taxRate === null && taxCents === 0) return []
  const rate = taxRate ?? Number(divideRounded(BigInt(taxCents) * 10_000n, BigInt(baseCents))) / 100
  return [{ taxType: 'IVA', rate, baseCents, amountCents: taxCents }]
}

/**
 * The amounts after a change: what the change states wins, the rest follows anew from the rates. A change of a rate
 * keeps the base (where no rate was stated before, the total, since the base was then only assumed).
 *
 * Fails with 422 like {@link deriveAmounts}, and when an entry of several rates is changed without saying its new tax.
 */
export function changeAmounts(current: EntryAmounts, change: StatedAmounts): EntryAmounts {
  const named = Object.values(change).some((value) => value !== undefined)
  if (!named) return current
  const severalRates = current.taxRate === null && current.taxCents !== 0
  if (severalRates && change.taxRate === undefined && change.taxCents === undefined) {
    failValidation(
      ['body', 'tax_amount'],
      'The entry has several tax rates: give tax_rate or tax_amount too',
      'missing',
    )
  }
  const keepsTax = change.taxCents !== undefined || change.taxRate !== undefined
  const rates: StatedAmounts = {
    taxRate: change.taxRate ?? (keepsTax ? undefined : (current.taxRate ?? undefined)),
    irpfRate: change.irpfRate ?? (change.irpfCents === undefined ? (current.irpfRate ?? undefined) : undefined),
    irpfCents:
      change.irpfCents ??
      (change.irpfRate === undefined && current.irpfRate === null && current.irpfCents !== 0
        ? current.irpfCents
        : undefined),
  }
  if (change.baseCents !== undefined || change.totalCents !== undefined) {
    const needsTax = change.taxCents === undefined && rates.taxRate === undefined && change.totalCents === undefined
    return deriveAmounts({ ...change, ...rates, ...(needsTax ? { taxCents: 0 } : {}) })
  }
  const fromTotalKept = current.taxLines.length === 0 && change.taxRate !== undefined
  const kept: StatedAmounts = fromTotalKept ? { totalCents: current.totalCents } : { baseCents: current.baseCents }
  const untaxed = !keepsTax && rates.taxRate === undefined ? { taxCents: 0 } : {}
  const amounts = deriveAmounts({ ...change, ...rates, ...kept, ...untaxed })
  return untaxed.taxCents === 0 && current.taxRate === null ? { ...amounts, taxRate: null, taxLines: [] } : amounts
}

/** Refuses what only a corrective invoice may be: amounts below 0. */
export function refuseNegative(amounts: EntryAmounts): void {
  if (amounts.totalCents < 0) failValidation(['body', 'total'], 'The amount must be greater than 0', 'greater_than')
}
