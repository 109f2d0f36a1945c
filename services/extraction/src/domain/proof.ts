import { type Cents, percentOf } from '@asiento/proto/money'
import { role, type Value, valuesOf } from './amount-values.ts'
import { implied, partedBase } from './implied-proofs.ts'
import { differencesIn, judged, totalScore } from './judge-proof.ts'
import type { LabelledAmount } from './labelled-amounts.ts'
import { surchargeOf, withholdingRates } from './tax-rates.ts'

/**
 * The search for the amounts of an invoice as a proof: an assignment of printed amounts to bases, quotas, withholding
 * and total in which every sum and product holds to the cent.
 */

/** One rate of one tax: both amounts printed, or the base only implied by the total. */
export interface Pair {
  rate: string
  base: Cents
  tax: Cents
  surcharge: { rate: string; amount: Cents } | null
  /** Null where the document does not print it and it follows from the other amounts. */
  baseValue: Value | null
  taxValue: Value | null
  surchargeValue: Value | null
  score: number
}

export interface Proof {
  pairs: Pair[]
  /** Base without tax: exempt, or suplidos when `outside` is true. */
  extra: { value: Value; cents: Cents; outside: boolean } | null
  withholding: { rate: string | null; amount: Cents; value: Value } | null
  base: Cents
  tax: Cents
  total: Cents
  totalValue: Value
  score: number
  /** Another proof with other amounts was about as good. */
  ambiguous: boolean
}

export interface ProofInput {
  amounts: readonly LabelledAmount[]
  /** Rates to try, those printed with a percent sign first. */
  rates: readonly string[]
  printedRates: ReadonlySet<string>
  /** Sums of the lines' totals, without and with the discounts and charges printed below them; empty without lines. */
  linesSums: readonly Cents[]
  /** What printed percentages would take off the lines' sum. */
  impliedDiscounts: readonly Cents[]
  /** Sums of the lines of each printed rate: bases where only their sum is printed. */
  lineBases: readonly { rate: string; cents: Cents }[]
  /** Printed withholding percentages. */
  withholdingRates: ReadonlySet<string>
  lines: number
  /** The document says that it bears no tax. */
  exempt: boolean
  surcharge: boolean
  withholding: boolean
}

const nodesMax = 40_000
const pairsPerRateMax = 5

export function prove(input: ProofInput): Proof | null {
  const values = valuesOf(input.amounts)
  const byCents = new Map(values.map((value) => [value.cents, value]))
  const pairs = [...pairsOf(values, byCents, input), ...pairsOfLines(byCents, input)]
  const found: Proof[] = []
  let nodes = 0
  const perRate = groupByRate(pairs)
  const rates = [...perRate.keys()].slice(0, 8)
  const visit = (index: number, chosen: Pair[]): void => {
    nodes += 1
    if (nodes > nodesMax) return
    if (chosen.length > 0) finish(chosen, { values, byCents, input, found })
    if (chosen.length >= 5) return
    for (let next = index; next < rates.length; next += 1) {
      for (const pair of perRate.get(rates[next] ?? '') ?? []) visit(next + 1, [...chosen, pair])
    }
  }
  visit(0, [])
  implied(values, byCents, input, found)
  partedBase(values, byCents, found)
  if (found.length === 0) return null
  const differences = differencesIn(values, input.impliedDiscounts)
  const scored = found.map((proof) => ({ ...proof, score: proof.score + judged(proof, values, input, differences) }))
  scored.sort((a, b) => b.score - a.score)
  const best = scored[0]
  if (best === undefined) return null
  const rival = scored.find((proof) => proof.total !== best.total || proof.base !== best.base || proof.tax !== best.tax)
  return { ...best, ambiguous: rival !== undefined && rival.score > best.score - 1.5 }
}

function pairsOf(values: readonly Value[], byCents: ReadonlyMap<Cents, Value>, input: ProofInput): Pair[] {
  const pairs: Pair[] = []
  for (const base of values) {
    if (base.cents === 0) continue
    for (const rate of input.rates) {
      if (rate === '0') continue
      const exact = percentOf(base.cents, rate)
      if (exact === 0) continue
      const slack = Math.min(3, 1 + Math.floor(input.lines / 8))
      for (let off = 0; off <= slack; off += 1) {
        for (const cents of off === 0 ? [exact] : [exact - off, exact + off]) {
          const tax = byCents.get(cents)
          if (tax === undefined || tax === base) continue
          const score = pairScore(base, tax, rate, off, input)
          const plain: Pair = {
            rate,
            base: base.cents,
            tax: cents,
            surcharge: null,
            baseValue: base,
            taxValue: tax,
            surchargeValue: null,
            score,
          }
          pairs.push(plain)
          if (input.surcharge) withSurcharge(plain, byCents, pairs)
        }
      }
    }
  }
  return pairs
}

/** `IVA 21 %   90,75` without its base: the lines of that rate add up to it. */
function pairsOfLines(byCents: ReadonlyMap<Cents, Value>, input: ProofInput): Pair[] {
  return input.lineBases.flatMap(({ rate, cents }): Pair[] => {
    if (byCents.has(cents) || cents === 0 || !input.rates.includes(rate)) return []
    const exact = percentOf(cents, rate)
    const taxValue = [exact, exact - 1, exact + 1].map((tax) => byCents.get(tax)).find((value) => value !== undefined)
    if (taxValue === undefined || role(taxValue, 'tax') === 0 || !taxValue.rates.has(rate)) return []
    const score = role(taxValue, 'tax') + 1
    return [
      {
        rate,
        base: cents,
        tax: taxValue.cents,
        surcharge: null,
        baseValue: null,
        taxValue,
        surchargeValue: null,
        score,
      },
    ]
  })
}

function withSurcharge(pair: Pair, byCents: ReadonlyMap<Cents, Value>, pairs: Pair[]): void {
  for (const rate of surchargeOf[pair.rate] ?? []) {
    const exact = percentOf(pair.base, rate)
    for (const cents of [exact, exact - 1, exact + 1]) {
      const value = byCents.get(cents)
      if (value === undefined || cents === 0) continue
      const score = pair.score + 1 + role(value, 'surcharge')
      pairs.push({ ...pair, surcharge: { rate, amount: cents }, surchargeValue: value, score })
    }
  }
}

function pairScore(base: Value, tax: Value, rate: string, off: number, input: ProofInput): number {
  let score = role(base, 'base', 'gross') + role(tax, 'tax')
  if (role(base, 'base', 'gross') === 0) score -= role(base, 'total') > 0 ? 1.5 : 1
  if (role(tax, 'tax') === 0) score -= 1.5
  if (tax.rates.has(rate) || base.rates.has(rate)) score += 2
  else if (input.printedRates.has(rate)) score += 0.3
  else score -= tax.rates.size > 0 ? 3 : 1.5
  if (role(base, 'tax') > 2 || role(tax, 'base') > 2) score -= 3
  return score - off * 0.8
}

function groupByRate(pairs: readonly Pair[]): Map<string, Pair[]> {
  const groups = new Map<string, Pair[]>()
  const seen = new Set<string>()
  for (const pair of [...pairs].sort((a, b) => b.score - a.score)) {
    const key = `${pair.rate} ${pair.base} ${pair.tax} ${pair.surcharge?.amount}`
    if (seen.has(key)) continue
    seen.add(key)
    const list = groups.get(pair.rate) ?? []
    if (list.length < pairsPerRateMax) list.push(pair)
    groups.set(pair.rate, list)
  }
  return groups
}

interface Finishing {
  values: readonly Value[]
  byCents: ReadonlyMap<Cents, Value>
  input: ProofInput
  found: Proof[]
}

/** Closes a choice of pairs with a printed total, where one exists. */
function finish(pairs: readonly Pair[], around: Finishing): void {
  const base = sum(pairs.map((pair) => pair.base))
  const tax = sum(pairs.map((pair) => pair.tax + (pair.surcharge?.amount ?? 0)))
  const score = sum(pairs.map((pair) => pair.score)) / Math.sqrt(pairs.length)
  const extras: Proof['extra'][] = [null]
  for (const value of around.values) {
    if (role(value, 'suplido') > 1) extras.push({ value, cents: value.cents, outside: true })
    else if (
      role(value, 'base') > 1 &&
      !pairs.some((pair) => pair.baseValue === value) &&
      (value.rates.has('0') || exempt(value))
    ) {
      extras.push({ value, cents: value.cents, outside: false })
    }
  }
  const suplidos = around.values.filter((value) => role(value, 'suplido') > 1)
  const [first] = suplidos
  if (first !== undefined && suplidos.length > 1)
    extras.push({ value: first, cents: sum(suplidos.map((value) => value.cents)), outside: true })
  for (const extra of extras.slice(0, 8)) close({ pairs, base, tax, score, extra }, around)
}

const exempt = (value: Value): boolean =>
  value.occurrences.some((occurrence) => /exent|no suj|exempt/i.test(occurrence.label))

interface Open {
  pairs: readonly Pair[]
  base: Cents
  tax: Cents
  score: number
  extra: Proof['extra']
}

function close(open: Open, around: Finishing): void {
  const { byCents, input, found } = around
  const inside = open.extra !== null && !open.extra.outside ? open.extra.cents : 0
  const outside = open.extra?.outside ? open.extra.cents : 0
  const base = open.base + inside
  const gross = base + open.tax
  const bonus = open.extra === null ? 0 : role(open.extra.value, 'suplido', 'base') - 1.2
  const push = (total: Value, withholding: Proof['withholding'], score: number) => {
    found.push({
      pairs: [...open.pairs],
      extra: open.extra,
      withholding,
      base,
      tax: open.tax,
      total: total.cents,
      totalValue: total,
      score: open.score + bonus + score,
      ambiguous: false,
    })
  }
  const total = byCents.get(gross + outside)
  if (total !== undefined && total.cents !== 0) push(total, null, totalScore(total))
  const baseOfTax = open.base
  if (!input.withholding) return
  for (const rate of new Set([...input.withholdingRates, ...withholdingRates])) {
    for (const off of [0, 1, -1]) {
      const amount = percentOf(base, rate) + off
      if (amount === 0) continue
      const printed = byCents.get(-amount) ?? byCents.get(amount)
      const rest = byCents.get(gross + outside - amount)
      if (printed === undefined || rest === undefined || role(printed, 'irpf', 'tax') === 0) continue
      if (role(printed, 'irpf') === 0 && open.pairs.some((pair) => pair.taxValue === printed)) continue
      const named = input.withholdingRates.has(rate) || printed.rates.has(rate)
      push(
        rest,
        { rate, amount, value: printed },
        totalScore(rest) +
          role(printed, 'irpf') +
          (named ? 1.5 : -1) -
          Math.abs(off) * 0.7 +
          (baseOfTax === base ? 0 : -0.2),
      )
    }
  }
  for (const value of around.values) {
    // a withholding whose rate is not printed or not a known one
    if (role(value, 'irpf') < 2) continue
    const amount = base < 0 ? -Math.abs(value.cents) : Math.abs(value.cents)
    const rest = byCents.get(gross + outside - amount)
    if (rest !== undefined) push(rest, { rate: null, amount, value }, totalScore(rest) + role(value, 'irpf') - 1)
  }
}

const sum = (amounts: readonly Cents[]): Cents => amounts.reduce((total, amount) => total + amount, 0)
