import type { Cents } from '@asiento/proto/money'
import type { TaxType } from '@asiento/proto/schemas/extraction-result'
import { role, type Value, valuesOf } from './amount-values.ts'
import { adjustedSums, linesSum } from './check-lines.ts'
import { diagnose, type Mismatch, type Stated, type StatedRow } from './diagnose.ts'
import type { Figure } from './figures.ts'
import { differencesIn, unexplained } from './judge-proof.ts'
import type { LabelledAmount } from './labelled-amounts.ts'
import type { AmountMeaning } from './labels.ts'
import { adjustmentsOf, comparableLines, impliedDiscounts, lineBasesOf, strayRates } from './lines-as-evidence.ts'
import type { PrintedLine } from './printed-line.ts'
import { type Pair, type Proof, prove } from './proof.ts'
import { trimmed } from './rate-of-amount.ts'
import { anyRate, type ByLabels, statedByLabels } from './stated-amounts.ts'
import { taxRates, withholdingRates } from './tax-rates.ts'

export interface BreakdownRow {
  taxType: TaxType
  rate: string
  baseCents: Cents
  amountCents: Cents
}

/** The amounts of the invoice with the figures that show them. */
export interface SettledAmounts {
  subtotal: Cents | null
  tax: Cents | null
  total: Cents | null
  irpfRate: string | null
  /** Withheld, as it is subtracted: positive on an ordinary invoice. */
  irpf: Cents | null
  declaredRate: string | null
  breakdown: BreakdownRow[]
  linesIncludeTax: boolean
  proof: 'unique' | 'ambiguous' | 'none'
  mismatches: Mismatch[]
  figures: Partial<Record<'subtotal' | 'tax' | 'total' | 'irpf_rate' | 'irpf_amount' | 'declared_tax_rate', Figure>>
}

export interface SettleInput {
  amounts: readonly LabelledAmount[]
  figures: readonly Figure[]
  lines: readonly PrintedLine[]
  taxType: Exclude<TaxType, 'RE'>
  /** The document says that it bears no tax. */
  exempt: boolean
  /** Words of the document speak of a recargo de equivalencia or of a withholding. */
  surcharge: boolean
  withholding: boolean
}

export function settleAmounts(input: SettleInput): SettledAmounts {
  const printed = new Set(
    input.figures.filter((figure) => figure.percent).map((figure) => trimmed(figure.decimal.replace('-', ''))),
  )
  const legal = taxRates[input.taxType]
  const rates = [...legal.filter((rate) => printed.has(rate)), ...legal.filter((rate) => !printed.has(rate))]
  const sum = linesSum(input.lines)
  const irpfPrinted = new Set(
    input.amounts
      .filter((amount) => (amount.roles.irpf ?? 0) > 0 && amount.rate !== null)
      .map((amount) => trimmed((amount.rate ?? '').replace('-', ''))),
  )
  const implied = impliedDiscounts(input)
  const proof = prove({
    amounts: input.amounts,
    rates,
    printedRates: printed,
    linesSums:
      sum === null
        ? []
        : [...adjustedSums(sum, adjustmentsOf(input.amounts)), ...implied.map((amount) => sum - amount)],
    impliedDiscounts: implied,
    lineBases: lineBasesOf(input.lines, printed),
    withholdingRates: irpfPrinted,
    lines: input.lines.length,
    exempt: input.exempt,
    surcharge: input.surcharge,
    withholding: input.withholding,
  })
  const values = valuesOf(input.amounts)
  const others = differencesIn(values, implied)
  const contradictions = proof === null ? [] : values.filter((value) => unexplained(value, proof, others) > 0)
  const stated = statedByLabels(values, input)
  const trusted =
    proof !== null && proof.score > 3 && (contradictions.length === 0 || stated === null || stated.total === null)
  if (trusted && proof !== null) return fromProof(proof, input, rates)
  if (stated !== null && stated.found.total !== undefined) {
    const settled = fromLabels(stated, input, rates)
    // labels alone, and nothing fits them: a proof that contradicts few labels is better than nothing
    // the labels give the amounts of the proof, and what is called the base is another one
    const otherSums = contradictions.filter(
      (value) => role(value, 'base') >= 2 || (role(value, 'total') >= 2 && !isDifferencePrinted(value, settled, input)),
    )
    const alike = proof !== null && settled.subtotal === proof.base && settled.total === proof.total
    if (alike && settled.mismatches.length === 0 && otherSums.length === 1)
      return fromProof(proof, input, rates, otherSums)
    if (proof !== null && proof.score > 7 && settled.mismatches.length > 1 && contradictions.length <= 1)
      return fromProof(proof, input, rates, contradictions)
    return settled
  }
  if (proof !== null && proof.score > 0) return fromProof(proof, input, rates, contradictions)
  return stated === null ? nothing : fromLabels(stated, input, rates)
}

/** Something that no label is known of stands between two totals. */
const isDifferencePrinted = (value: Value, settled: SettledAmounts, { figures }: SettleInput): boolean =>
  figures.some((figure) => !figure.percent && Math.abs(figure.cents) === Math.abs(value.cents - (settled.total ?? 0)))

const nothing: SettledAmounts = {
  subtotal: null,
  tax: null,
  total: null,
  irpfRate: null,
  irpf: null,
  declaredRate: null,
  breakdown: [],
  linesIncludeTax: false,
  proof: 'none',
  mismatches: [],
  figures: {},
}

/** The occurrence of a value that best shows it in a role. */
const figureFor = (value: Value | null, ...meanings: AmountMeaning[]): Figure | undefined => {
  if (value === null) return undefined
  const strength = (amount: LabelledAmount) => Math.max(0, ...meanings.map((meaning) => amount.roles[meaning] ?? 0))
  return [...value.occurrences].sort((a, b) => strength(b) - strength(a))[0]?.figure
}

function fromProof(
  proof: Proof,
  input: SettleInput,
  rates: readonly string[],
  contradictions: readonly Value[] = [],
): SettledAmounts {
  const gross = proof.base + proof.tax
  const compared = comparableLines(input, proof.base, gross)
  const linesIncludeTax = compared.includeTax
  const pairs = [...proof.pairs].sort((a, b) => Math.abs(b.base) - Math.abs(a.base))
  const values = valuesOf(input.amounts)
  const main = pairs[0]
  const untaxed = proof.extra === null || proof.extra.outside ? null : proof.extra.cents
  const rows: StatedRow[] = pairs.map((pair) => ({
    base: pair.base,
    tax: pair.tax,
    rate: printedRate(pair),
    surcharge: pair.surcharge,
  }))
  const stated: Stated = {
    rows,
    others: proof.extra?.cents ?? 0,
    withholding:
      proof.withholding === null ? null : { amount: proof.withholding.amount, rate: printedWithholding(proof) },
    total: proof.total,
    lines: compared.sum,
    baseSum: null,
    taxSum: null,
  }
  const mismatches = diagnose(stated, { rates, withholdingRates, quotaSlack: quotaSlack(input.lines), linesIncludeTax })
  for (const value of contradictions) mismatches.push(contradiction(value, proof))
  if (mismatches.length === 0 && proof.extra === null) mismatches.push(...strayRates(input.lines, proof.pairs))
  const figures: SettledAmounts['figures'] = {}
  const baseValue =
    values.find((value) => value.cents === proof.base && role(value, 'base', 'gross') > 0) ??
    values.find((value) => value.cents === proof.base) ??
    main?.baseValue ??
    null
  const taxValue =
    values.find((value) => value.cents === proof.tax && role(value, 'tax') > 0) ??
    values.find((value) => value.cents === proof.tax) ??
    main?.taxValue ??
    null
  set(figures, 'subtotal', figureFor(baseValue, 'base', 'gross'))
  set(figures, 'tax', figureFor(taxValue, 'tax'))
  set(figures, 'total', figureFor(proof.totalValue, 'total'))
  set(figures, 'declared_tax_rate', rateFigure(main?.taxValue ?? main?.baseValue ?? null, main?.rate ?? null))
  if (proof.withholding !== null) {
    set(figures, 'irpf_amount', figureFor(proof.withholding.value, 'irpf'))
    set(figures, 'irpf_rate', rateFigure(proof.withholding.value, proof.withholding.rate))
  }
  return {
    subtotal: proof.base,
    tax: proof.tax,
    total: proof.total,
    irpf: proof.withholding?.amount ?? null,
    irpfRate: proof.withholding === null ? null : (proof.withholding.rate ?? anyRate(proof.withholding.value)),
    declaredRate: untaxed !== null && Math.abs(untaxed) > Math.abs(main?.base ?? 0) ? '0' : (main?.rate ?? null),
    breakdown: breakdownOf(
      [...pairs, ...(untaxed === null ? [] : [{ rate: '0', base: untaxed, tax: 0, surcharge: null }])],
      input.taxType,
    ),
    linesIncludeTax,
    proof: proof.ambiguous ? 'ambiguous' : 'unique',
    mismatches,
    figures,
  }
}

function set(
  figures: SettledAmounts['figures'],
  field: keyof SettledAmounts['figures'],
  figure: Figure | undefined,
): void {
  if (figure !== undefined) figures[field] = figure
}

const rateFigure = (value: Value | null, rate: string | null): Figure | undefined =>
  value?.occurrences.find(
    (amount) => amount.rateFigure !== null && trimmed(amount.rateFigure.decimal.replace('-', '')) === rate,
  )?.rateFigure ?? undefined

/** The rate printed at a pair's amounts: the proven one where it is among them, else what contradicts it. */
function printedRate(pair: Pair): string | null {
  const rates = new Set([
    ...(pair.taxValue?.rates ?? []),
    ...(pair.taxValue === null ? (pair.baseValue?.rates ?? []) : []),
  ])
  if (rates.size === 0 || rates.has(pair.rate) || pair.baseValue?.rates.has(pair.rate)) return pair.rate
  return [...rates][0] ?? pair.rate
}

function printedWithholding(proof: Proof): string | null {
  const withholding = proof.withholding
  if (withholding === null) return null
  const rates = [...withholding.value.rates].map((rate) => rate.replace('-', ''))
  if (withholding.rate !== null && (rates.length === 0 || rates.includes(withholding.rate))) return withholding.rate
  return rates[0] ?? withholding.rate
}

function contradiction(value: Value, proof: Proof): Mismatch {
  const [field, computed] =
    role(value, 'irpf') >= 2
      ? (['irpf_amount', proof.withholding?.amount ?? 0] as const)
      : role(value, 'tax') >= 2
        ? (['tax', proof.tax] as const)
        : role(value, 'base') >= 2
          ? (['subtotal', proof.base] as const)
          : (['total', proof.total] as const)
  return { field, residueCents: value.cents - computed, message: 'Un importe impreso contradice a los demás.' }
}

const quotaSlack = (lines: readonly PrintedLine[]): Cents => Math.min(3, 1 + Math.floor(lines.length / 8))

function breakdownOf(
  pairs: readonly { rate: string; base: Cents; tax: Cents; surcharge: { rate: string | null; amount: Cents } | null }[],
  taxType: Exclude<TaxType, 'RE'>,
): BreakdownRow[] {
  const rows: BreakdownRow[] = pairs.map((pair) => ({
    taxType,
    rate: pair.rate,
    baseCents: pair.base,
    amountCents: pair.tax,
  }))
  for (const pair of pairs) {
    if (pair.surcharge !== null)
      rows.push({
        taxType: 'RE',
        rate: pair.surcharge.rate ?? '0',
        baseCents: pair.base,
        amountCents: pair.surcharge.amount,
      })
  }
  return rows
}

function fromLabels(stated: ByLabels, input: SettleInput, rates: readonly string[]): SettledAmounts {
  const base = stated.rows.reduce((total, row) => total + row.base, 0)
  const tax = stated.rows.reduce((total, row) => total + row.tax, 0)
  const linesIncludeTax = comparableLines(input, base, base + tax).includeTax
  const mismatches =
    stated.rows.length === 0
      ? []
      : diagnose(stated, { rates, withholdingRates, quotaSlack: quotaSlack(input.lines), linesIncludeTax })
  const figures: SettledAmounts['figures'] = {}
  set(figures, 'subtotal', figureFor(stated.found.base ?? null, 'base', 'gross'))
  set(figures, 'tax', figureFor(stated.found.tax ?? null, 'tax'))
  set(figures, 'total', figureFor(stated.found.total ?? null, 'total'))
  const main = [...stated.rows].sort((a, b) => Math.abs(b.base) - Math.abs(a.base))[0]
  if (stated.found.tax !== undefined)
    set(figures, 'declared_tax_rate', rateFigure(stated.found.tax, main?.rate ?? null))
  if (stated.found.withholding !== undefined) {
    set(figures, 'irpf_amount', figureFor(stated.found.withholding, 'irpf'))
    set(figures, 'irpf_rate', rateFigure(stated.found.withholding, stated.withholding?.rate ?? null))
  }
  const rows = stated.rows.filter((row) => row.rate !== null).map((row) => ({ ...row, rate: row.rate ?? '0' }))
  return {
    subtotal: stated.rows.length === 0 ? null : base,
    tax: stated.rows.length === 0 ? null : tax,
    total: stated.total,
    irpf: stated.withholding?.amount ?? null,
    irpfRate: stated.withholding?.rate ?? null,
    declaredRate: main?.rate ?? null,
    breakdown: breakdownOf(rows, input.taxType),
    linesIncludeTax,
    proof: 'none',
    mismatches,
    figures,
  }
}
