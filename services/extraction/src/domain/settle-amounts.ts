import { type Cents, percentOf } from '@asiento/proto/money'
import type { TaxType } from '@asiento/proto/schemas/extraction-result'
import { adjustedSums, checkLine, linesSum } from './check-lines.ts'
import { diagnose, type Mismatch, type Stated, type StatedRow } from './diagnose.ts'
import type { Figure } from './figures.ts'
import { type LabelledAmount, trimmed } from './labelled-amounts.ts'
import type { AmountMeaning } from './labels.ts'
import type { PrintedLine } from './printed-line.ts'
import { adjustmentsIn, type Pair, type Proof, prove, unexplained, type Value, valuesOf } from './proof.ts'
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
  /** Words of the document speak of a recargo de equivalencia or of a withholding. */
  /** The document says that it bears no tax. */
  exempt: boolean
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
  const proof = prove({
    amounts: input.amounts,
    rates,
    printedRates: printed,
    linesSums: sum === null ? [] : adjustedSums(sum, adjustmentsOf(input.amounts)),
    withholdingRates: irpfPrinted,
    lines: input.lines.length,
    exempt: input.exempt,
    surcharge: input.surcharge,
    withholding: input.withholding,
  })
  const values = valuesOf(input.amounts)
  const contradictions =
    proof === null ? [] : values.filter((value) => unexplained(value, proof, adjustmentsIn(values)) > 0)
  const stated = statedByLabels(values, input)
  const trusted =
    proof !== null && proof.score > 3 && (contradictions.length === 0 || stated === null || stated.total === null)
  if (trusted && proof !== null) return fromProof(proof, input, rates)
  if (stated !== null && stated.found.total !== undefined) {
    const settled = fromLabels(stated, input, rates)
    // labels alone, and nothing fits them: a proof that contradicts few labels is better than nothing
    if (proof !== null && proof.score > 7 && settled.mismatches.length > 1 && contradictions.length <= 1)
      return fromProof(proof, input, rates, contradictions)
    return settled
  }
  if (proof !== null && proof.score > 0) return fromProof(proof, input, rates)
  return stated === null ? nothing : fromLabels(stated, input, rates)
}

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

const stateOf = (value: Value, ...meanings: AmountMeaning[]): number =>
  Math.max(0, ...meanings.map((meaning) => value.roles[meaning] ?? 0))

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
  const figures: SettledAmounts['figures'] = {}
  const baseValue =
    values.find((value) => value.cents === proof.base && stateOf(value, 'base', 'gross') > 0) ??
    values.find((value) => value.cents === proof.base) ??
    main?.baseValue ??
    null
  const taxValue =
    values.find((value) => value.cents === proof.tax && stateOf(value, 'tax') > 0) ??
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
    declaredRate: main?.rate ?? null,
    breakdown: breakdownOf(
      pairs.map((pair) => ({ ...pair })),
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

const anyRate = (value: Value): string | null => [...value.rates][0]?.replace('-', '') ?? null

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
    stateOf(value, 'irpf') >= 2
      ? (['irpf_amount', proof.withholding?.amount ?? 0] as const)
      : stateOf(value, 'tax') >= 2
        ? (['tax', proof.tax] as const)
        : stateOf(value, 'base') >= 2
          ? (['subtotal', proof.base] as const)
          : (['total', proof.total] as const)
  return { field, residueCents: value.cents - computed, message: 'Un importe impreso contradice a los demás.' }
}

/** Discounts (negative) and charges that stand below the lines. */
function adjustmentsOf(amounts: readonly LabelledAmount[]): Cents[] {
  const found = new Set<Cents>()
  for (const { figure, roles } of amounts) {
    if ((roles.discount ?? 0) >= 2) {
      found.add(-Math.abs(figure.cents))
      if (figure.cents < 0) continue
    } else if ((roles.charge ?? 0) >= 2) found.add(figure.cents)
  }
  return [...found]
}

/**
 * The sum of the lines as evidence: net or with tax, with the discounts that make it fit. Null when it cannot be told,
 * or when most products do not hold, so that a column read wrongly is no alarm.
 */
function comparableLines(input: SettleInput, base: Cents, gross: Cents): { sum: Cents | null; includeTax: boolean } {
  const sum = linesSum(input.lines)
  if (sum === null) return { sum, includeTax: false }
  const told = input.lines.map(checkLine).filter((check) => check.holds !== null)
  const reliable =
    told.length === 0 ||
    told.filter((check) => check.holds === true || Math.abs(check.residueCents) <= check.slackCents).length >=
      told.length * 0.5
  const sums = adjustedSums(sum, adjustmentsOf(input.amounts))
  const net = sums.find((value) => Math.abs(value - base) <= 2)
  if (net !== undefined) return { sum: net, includeTax: false }
  const taxed = base === gross ? undefined : sums.find((value) => Math.abs(value - gross) <= 2)
  if (taxed !== undefined) return { sum: taxed, includeTax: true }
  return { sum: reliable ? (sums.at(-1) ?? sum) : null, includeTax: false }
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

interface ByLabels extends Stated {
  found: { base?: Value; tax?: Value; total?: Value; withholding?: Value }
}

/** The amounts as their labels name them, without asking whether they fit. */
function statedByLabels(values: readonly Value[], input: SettleInput): ByLabels | null {
  const strongest = (floor: number, ...meanings: AmountMeaning[]) =>
    values
      .filter((value) => stateOf(value, ...meanings) >= floor && !strongerElsewhere(value, meanings))
      .sort((a, b) => stateOf(b, ...meanings) - stateOf(a, ...meanings) || Math.abs(b.cents) - Math.abs(a.cents))
  const taxes = strongest(1.4, 'tax').filter((value) => value.cents !== 0)
  const bases = strongest(1.4, 'base', 'gross')
  const totals = strongest(1.4, 'total')
  const withheld = strongest(2, 'irpf')[0]
  if (taxes.length === 0 && bases.length === 0 && totals.length === 0) return null
  const { rows, taxSum, baseSum } = statedRows(taxes, bases)
  const base = rows.reduce((total, row) => total + row.base, 0)
  const tax = rows.reduce((total, row) => total + row.tax, 0)
  const amount = withheld === undefined ? 0 : base < 0 ? -Math.abs(withheld.cents) : Math.abs(withheld.cents)
  const expected = base + tax - amount
  const total =
    totals.find((value) => value.cents === expected) ??
    totals.find((value) => value.cents !== base && value.cents !== tax) ??
    totals[0]
  const found: ByLabels['found'] = {}
  const baseValue = values.find((value) => value.cents === base && stateOf(value, 'base', 'gross') > 0)
  const taxValue = values.find((value) => value.cents === tax && stateOf(value, 'tax') > 0)
  if (baseValue !== undefined) found.base = baseValue
  if (taxValue !== undefined) found.tax = taxValue
  if (total !== undefined) found.total = total
  if (withheld !== undefined) found.withholding = withheld
  return {
    rows,
    others: 0,
    withholding: withheld === undefined ? null : { amount, rate: anyRate(withheld) },
    total: total?.cents ?? null,
    lines: comparableLines(input, base, base + tax).sum,
    baseSum,
    taxSum,
    found,
  }
}

/** No occurrence of the value is foremost in one of the meanings. */
const strongerElsewhere = (value: Value, meanings: readonly AmountMeaning[]): boolean =>
  !value.occurrences.some(({ roles }) => {
    const here = Math.max(0, ...meanings.map((meaning) => roles[meaning] ?? 0))
    const most = Math.max(0, ...Object.values(roles))
    return here > 0 && here >= most
  })

/** Bases and quotas put together by row, by rate, or because there is one of each. */
function statedRows(
  taxes: readonly Value[],
  bases: readonly Value[],
): { rows: StatedRow[]; taxSum: Cents | null; baseSum: Cents | null } {
  const rows: StatedRow[] = []
  const usedBases = new Set<Value>()
  let taxSum: Cents | null = null
  let baseSum: Cents | null = null
  const rest = taxes.filter((tax) => {
    const others = taxes.filter((other) => other !== tax)
    const isSum = others.length >= 2 && others.reduce((total, other) => total + other.cents, 0) === tax.cents
    if (isSum) taxSum = tax.cents
    return !isSum
  })
  for (const tax of rest) {
    const base =
      bases.find((value) => !usedBases.has(value) && sharesRow(value, tax)) ??
      bases.find((value) => !usedBases.has(value) && [...value.rates].some((rate) => tax.rates.has(rate))) ??
      (rest.length === 1 ? bestBase(bases, tax) : undefined)
    if (base === undefined) continue
    usedBases.add(base)
    const rate = [...tax.rates][0] ?? [...base.rates][0] ?? null
    rows.push({ base: base.cents, tax: tax.cents, rate: rate === null ? null : rate.replace('-', ''), surcharge: null })
  }
  if (rows.length === 0 && bases[0] !== undefined && taxes.length === 0)
    rows.push({ base: bases[0].cents, tax: 0, rate: null, surcharge: null })
  const together = rows.reduce((total, row) => total + row.base, 0)
  for (const value of bases) {
    if (
      !usedBases.has(value) &&
      rows.length >= 2 &&
      Math.abs(value.cents) > Math.max(...rows.map((row) => Math.abs(row.base)))
    )
      baseSum = value.cents
  }
  if (baseSum !== null && baseSum !== together && rows.length < 2) baseSum = null
  return { rows, taxSum, baseSum }
}

const sharesRow = (a: Value, b: Value): boolean =>
  a.occurrences.some((one) => b.occurrences.some((other) => one.figure.row === other.figure.row))

/** With one quota: the base that it fits, else the one that is named most clearly. */
function bestBase(bases: readonly Value[], tax: Value): Value | undefined {
  for (const rate of tax.rates) {
    const fitting = bases.find((base) => Math.abs(percentOf(base.cents, rate.replace('-', '')) - tax.cents) <= 1)
    if (fitting !== undefined) return fitting
  }
  return [...bases].sort((a, b) => (b.roles.base ?? 0) - (a.roles.base ?? 0))[0]
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
