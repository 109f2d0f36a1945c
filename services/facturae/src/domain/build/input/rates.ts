import { type Cents, cents, type Scaled, scaled } from '@asiento/proto/money'
import type { InvoiceDataInput, InvoiceLineInput } from '@asiento/proto/schemas/invoice-input'
import {
  type IndirectTax,
  indirectTaxes,
  isRateInForce,
  ratesInForce,
  surchargesOf,
  withholdingRates,
} from '@asiento/proto/tax-rates'
import { taxCents } from '../../model/figures.ts'
import type { Tax } from '../../model/invoice.ts'
import { indirectTaxAt } from '../../model/places.ts'
import { exact } from './exact.ts'
import { type Notes, refuse, refuseField } from './notes.ts'

export const taxCodes: Readonly<Record<IndirectTax, string>> = { IVA: '01', IPSI: '02', IGIC: '03' }
export const irpfCode = '04'
/** Differences up to this are warnings; above they refuse. */
export const toleranceCents: Cents = 2

/** What decides the taxes of an invoice's lines. */
export interface RateRules {
  /** The dates of which a rate may be: of the operation, of the invoice, of the invoice it corrects. */
  dates: readonly string[]
  territory: IndirectTax
  input: InvoiceDataInput
  notes: Notes
  /** Where a line names no rate. */
  fallback: () => number
  /** Taxes that were found already, by what a line says of them. */
  known: Map<string, Tax>
}

export function rateRules(
  input: InvoiceDataInput,
  sellerPostCode: string,
  notes: Notes,
  lines: Cents | null,
): RateRules {
  const dates = [input.operation_date, input.invoice_date, input.corrective?.date, input.period?.end].filter(
    (date): date is string => date != null,
  )
  const rules: RateRules = {
    dates,
    territory: indirectTaxAt(sellerPostCode),
    input,
    notes,
    known: new Map(),
    fallback: () => {
      const rate = headerRate(rules, lines)
      rules.fallback = () => rate
      return rate
    },
  }
  return rules
}

/** The one tax of a line or of the whole: its type, rate and recargo. Fails with 422 for a rate that was not in force. */
export function taxOf(rules: RateRules, line: InvoiceLineInput | null, path: readonly (string | number)[]): Tax {
  const key = `${line?.tax_rate}/${line?.tax_type}/${line?.surcharge_rate}`
  const known = rules.known.get(key)
  if (known !== undefined) return known
  const tax = findTax(rules, line, path)
  rules.known.set(key, tax)
  return tax
}

function findTax(rules: RateRules, line: InvoiceLineInput | null, path: readonly (string | number)[]): Tax {
  const rate = line?.tax_rate ?? rules.fallback()
  const tax = taxTypeOf(rules, line, rate)
  if (tax === null) {
    refuseField(
      rules.notes,
      line?.tax_rate == null ? ['declared_tax_rate'] : [...path, 'tax_rate'],
      `${rate} % was no rate of IVA, IGIC or IPSI on ${rules.dates.join(' or ')}; operation_date tells when the tax fell due`,
    )
  }
  const surcharge = tax === 'IVA' ? surchargeOf(rules, line, rate, path) : undefined
  return {
    type: taxCodes[tax ?? 'IVA'],
    rate: exact(rate),
    ...(surcharge === undefined ? {} : { surcharge: exact(surcharge) }),
  }
}

const inForce = (rules: RateRules, tax: IndirectTax, rate: number): boolean =>
  rules.dates.some((date) => isRateInForce(tax, rate, date))

/** Named by the line, the invoice or its breakdown; else the tax of the seller's territory, else any that has the rate. */
function taxTypeOf(rules: RateRules, line: InvoiceLineInput | null, rate: number): IndirectTax | null {
  const named =
    line?.tax_type ??
    rules.input.tax_type ??
    rules.input.tax_breakdown?.find((row) => row.rate === rate && row.tax_type !== 'RE')?.tax_type
  if (named != null && named !== 'RE') return inForce(rules, named, rate) ? named : null
  const order = [rules.territory, ...indirectTaxes.filter((tax) => tax !== rules.territory)]
  return order.find((tax) => (tax !== 'IPSI' || rules.territory === 'IPSI') && inForce(rules, tax, rate)) ?? null
}

function surchargeOf(
  rules: RateRules,
  line: InvoiceLineInput | null,
  rate: number,
  path: readonly (string | number)[],
): number | undefined {
  const legal = rules.dates.flatMap((date) => surchargesOf(rate, date)).filter((value) => value > 0)
  if (line?.surcharge_rate != null) {
    if (line.surcharge_rate === 0) return undefined
    if (legal.includes(line.surcharge_rate)) return line.surcharge_rate
    refuseField(rules.notes, [...path, 'surcharge_rate'], `No recargo de equivalencia that goes with ${rate} %`)
  }
  const printed = (rules.input.tax_breakdown ?? [])
    .filter((row) => row.tax_type === 'RE' && legal.includes(row.rate))
    .map((row) => row.rate)
  if (printed.length > 1) {
    refuse(
      `${rate} % goes with several rates of recargo here (${printed.join(', ')}): give each line its surcharge_rate.`,
    )
  }
  return printed[0] ?? (rules.input.recargo_equivalencia === true ? legal[0] : undefined)
}

/** declared_tax_rate, else what subtotal and tax say, else the only one of the breakdown, else 21 with a warning. */
function headerRate(rules: RateRules, linesCents: Cents | null): number {
  const { input, notes } = rules
  if (input.declared_tax_rate != null) return input.declared_tax_rate
  const derived = rateFromAmounts(rules, linesCents)
  if (derived !== null) return derived
  const rows = (input.tax_breakdown ?? []).filter((row) => row.tax_type !== 'RE')
  const [only] = rows
  if (only !== undefined && rows.length === 1) return only.rate
  const given = new Set((input.line_items ?? []).flatMap((line) => (line.tax_rate == null ? [] : [line.tax_rate])))
  const [common] = given
  if (common !== undefined && given.size === 1) return common
  if (input.exempt_reason != null) return 0
  const usual = rules.territory === 'IGIC' ? 7 : rules.territory === 'IPSI' ? 4 : 21
  notes.warn('tax_rate_assumed', `No tax rate was given: ${usual} % was assumed.`, 'declared_tax_rate')
  return usual
}

function rateFromAmounts(rules: RateRules, linesCents: Cents | null): number | null {
  const { input } = rules
  if (input.tax == null) return null
  const tax = cents(input.tax)
  const base =
    input.subtotal != null
      ? cents(input.subtotal)
      : (linesCents ?? (input.total == null ? null : cents(input.total) - tax - cents(input.irpf_amount ?? 0)))
  if (base === null || base === 0) return tax === 0 ? 0 : null
  const mixed = (input.line_items ?? []).some((line) => line.tax_rate != null)
  const candidates = [rules.territory, 'IVA' as const, 'IGIC' as const].flatMap((kind) =>
    rules.dates.flatMap((date) => ratesInForce(kind, date)),
  )
  const found = candidates.find((rate) => {
    const surcharge = input.recargo_equivalencia === true ? (surchargesOf(rate, rules.dates[0] ?? '')[0] ?? 0) : 0
    const whole = taxCents(base, exact(rate)) + taxCents(base, exact(surcharge))
    return Math.abs(whole - tax) <= toleranceCents
  })
  if (found !== undefined) return found
  if (mixed || (input.tax_breakdown ?? []).length > 1) return null
  return refuse(`tax does not add up: ${input.tax} is no legal rate of the base ${base / 100}.`)
}

/**
 * The withholding rate: the one given, else the one that makes `irpf_amount` of the base, usual rates first.
 *
 * @returns percent in units of 1e-8, or null where nothing is withheld
 */
export function withholdingRate(input: InvoiceDataInput, baseCents: Cents): Scaled | null {
  if (input.irpf_rate != null && input.irpf_rate !== 0) return exact(Math.abs(input.irpf_rate))
  const amount = Math.abs(cents(input.irpf_amount ?? 0))
  if (amount === 0 || baseCents === 0) return null
  const base = Math.abs(baseCents)
  for (const rate of withholdingRates) {
    if (Math.abs(taxCents(base, exact(rate)) - amount) <= toleranceCents) return exact(rate)
  }
  for (const places of [2, 4, 6, 8]) {
    const unit = 10 ** places
    const rate = scaled(String(Math.round((amount / base) * 100 * unit) / unit))
    if (taxCents(base, rate) === amount) return rate
  }
  return refuse(`irpf_amount does not add up: no rate of ${base / 100} gives ${amount / 100}.`)
}
