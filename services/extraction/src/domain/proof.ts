import { type Cents, percentOf } from '@asiento/proto/money'
import { type LabelledAmount, trimmed } from './labelled-amounts.ts'
import type { AmountMeaning } from './labels.ts'
import { surchargeOf, withholdingRates } from './tax-rates.ts'

/**
 * The search for the amounts of an invoice as a proof: an assignment of printed amounts to bases, quotas, withholding
 * and total in which every sum and product holds to the cent.
 */

/** An amount by its value, with everything that its occurrences on the document say of it. */
export interface Value {
  cents: Cents
  roles: Partial<Record<AmountMeaning, number>>
  rates: Set<string>
  occurrences: LabelledAmount[]
}

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
  /** Printed withholding percentages. */
  withholdingRates: ReadonlySet<string>
  lines: number
  /** The document says that it bears no tax. */
  exempt: boolean
  surcharge: boolean
  withholding: boolean
}

const valuesMax = 220
const nodesMax = 40_000
const pairsPerRateMax = 5

export function prove(input: ProofInput): Proof | null {
  const values = valuesOf(input.amounts)
  const byCents = new Map(values.map((value) => [value.cents, value]))
  const pairs = pairsOf(values, byCents, input)
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
  if (found.length === 0) return null
  const scored = found.map((proof) => ({ ...proof, score: proof.score + judged(proof, values, input) }))
  scored.sort((a, b) => b.score - a.score)
  const best = scored[0]
  if (best === undefined) return null
  const rival = scored.find((proof) => proof.total !== best.total || proof.base !== best.base || proof.tax !== best.tax)
  return { ...best, ambiguous: rival !== undefined && rival.score > best.score - 1.5 }
}

/** One value per distinct number of cents; the strongest are kept when there are too many. */
export function valuesOf(amounts: readonly LabelledAmount[]): Value[] {
  const byCents = new Map<Cents, Value>()
  for (const amount of amounts) {
    const cents = amount.figure.cents
    const value = byCents.get(cents) ?? { cents, roles: {}, rates: new Set<string>(), occurrences: [] }
    for (const [meaning, strength] of Object.entries(amount.roles) as [AmountMeaning, number][]) {
      value.roles[meaning] = Math.max(value.roles[meaning] ?? 0, strength)
    }
    if (amount.rate !== null) value.rates.add(trimmed(amount.rate))
    value.occurrences.push(amount)
    byCents.set(cents, value)
  }
  const all = [...byCents.values()]
  if (all.length <= valuesMax) return all
  const weight = (value: Value) =>
    Math.max(0, ...Object.values(value.roles)) * 1e12 + Math.min(1e11, Math.abs(value.cents))
  return all.sort((a, b) => weight(b) - weight(a)).slice(0, valuesMax)
}

const role = (value: Value | null, ...meanings: AmountMeaning[]): number =>
  value === null ? 0 : Math.max(0, ...meanings.map((meaning) => value.roles[meaning] ?? 0))

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
  for (const extra of extras.slice(0, 6)) close({ pairs, base, tax, score, extra }, around)
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

const totalScore = (value: Value): number => {
  const stated = role(value, 'total')
  return stated > 0 ? stated * 1.4 : role(value, 'base', 'tax', 'irpf') > 0 ? -2 : -0.8
}

/** Simplified invoices print the total and the quota only, or the total alone; exempt ones no quota. */
function implied(
  values: readonly Value[],
  byCents: ReadonlyMap<Cents, Value>,
  input: ProofInput,
  found: Proof[],
): void {
  for (const total of values) {
    if (role(total, 'total') < 1.4 || total.cents === 0) continue
    for (const tax of values) {
      if (role(tax, 'tax') < 1.4 || tax === total || Math.abs(tax.cents) >= Math.abs(total.cents)) continue
      for (const rate of input.rates) {
        if (rate === '0') continue
        const base = total.cents - tax.cents
        if (Math.abs(percentOf(base, rate) - tax.cents) > 1) continue
        const named = tax.rates.has(rate)
        const baseValue = byCents.get(base) ?? null
        if (baseValue !== null) continue
        const pair: Pair = {
          rate,
          base,
          tax: tax.cents,
          surcharge: null,
          baseValue,
          taxValue: tax,
          surchargeValue: null,
          score: 0,
        }
        found.push({
          pairs: [pair],
          extra: null,
          withholding: null,
          base,
          tax: tax.cents,
          total: total.cents,
          totalValue: total,
          score: role(tax, 'tax') + totalScore(total) + (named ? 1 : -2) - 2,
          ambiguous: false,
        })
      }
    }
    // nothing but a total that is the base as well: exempt, reverse charge or not subject
    const noTax = !values.some((value) => role(value, 'tax') > 1.4 && value.cents !== 0)
    if (!noTax) continue
    const asBase = role(total, 'base', 'gross')
    const exemptPair = (score: number, withholding: Proof['withholding'], base: Value, sumTotal: Value) =>
      found.push({
        pairs: [
          {
            rate: '0',
            base: base.cents,
            tax: 0,
            surcharge: null,
            baseValue: base,
            taxValue: null,
            surchargeValue: null,
            score: 0,
          },
        ],
        extra: null,
        withholding,
        base: base.cents,
        tax: 0,
        total: sumTotal.cents,
        totalValue: sumTotal,
        score,
        ambiguous: false,
      })
    if (asBase === 0 && input.exempt && (input.linesSums.length === 0 || input.linesSums.includes(total.cents)))
      exemptPair(totalScore(total) + 1, null, total, total)
    if (asBase > 0) exemptPair(totalScore(total) + asBase, null, total, total)
    for (const base of values) {
      if (base === total || role(base, 'base', 'gross') < 1.4 || !input.withholding) continue
      const amount = base.cents - total.cents
      const printed = byCents.get(amount) ?? byCents.get(-amount)
      if (printed === undefined || role(printed, 'irpf') < 1) continue
      const rate = [...input.withholdingRates, ...withholdingRates].find(
        (candidate) => Math.abs(percentOf(base.cents, candidate) - amount) <= 1,
      )
      if (rate !== undefined)
        exemptPair(
          totalScore(total) + role(base, 'base', 'gross') + role(printed, 'irpf'),
          { rate, amount, value: printed },
          base,
          total,
        )
    }
  }
}

/** Agreement with the lines, and labelled amounts that the proof leaves unexplained. */
function judged(proof: Proof, values: readonly Value[], input: ProofInput): number {
  let score = 0
  const gross = proof.base + proof.tax
  if (input.linesSums.some((sum) => Math.abs(sum - proof.base) <= 1)) score += 3
  else if (input.linesSums.some((sum) => Math.abs(sum - gross) <= 1)) score += 2.5
  const adjustments = adjustmentsIn(values)
  for (const value of values) score -= unexplained(value, proof, adjustments)
  return score
}

/** Discounts, charges and the like that stand between the sum of the lines and the base; none: both are the same. */
export const adjustmentsIn = (values: readonly Value[]): Cents[] =>
  values
    .filter((value) => role(value, 'discount', 'charge', 'suplido', 'advance') >= 1.4)
    .map((value) => Math.abs(value.cents))

/** Only read by OCR without a decimal comma, or with one put back: no evidence against anything. */
export const doubtful = (value: Value): boolean =>
  value.occurrences.every(({ figure }) => figure.ocr && (figure.repaired || figure.decimals === 0))

/** How much a strongly labelled amount contradicts a proof that does not contain it, 0–3. */
export function unexplained(value: Value, proof: Proof, adjustments: readonly Cents[]): number {
  const gross = proof.base + proof.tax
  const outside = proof.extra?.outside ? proof.extra.cents : 0
  const stated = (meaning: AmountMeaning) => (role(value, meaning) >= 2 ? 1 : 0)
  const c = value.cents
  if (c === 0 || doubtful(value)) return 0
  const bases = [proof.base, ...proof.pairs.map((pair) => pair.base), proof.extra?.cents]
  const taxes = [
    proof.tax,
    ...proof.pairs.flatMap((pair) => [pair.tax, pair.surcharge?.amount, pair.tax + (pair.surcharge?.amount ?? 0)]),
    sum(proof.pairs.map((pair) => pair.tax)),
    sum(proof.pairs.map((pair) => pair.surcharge?.amount ?? 0)),
  ]
  const totals = [
    proof.total,
    gross,
    gross + outside,
    ...proof.pairs.map((pair) => pair.base + pair.tax),
    ...proof.pairs.map((pair) => pair.base + pair.tax + (pair.surcharge?.amount ?? 0)),
  ]
  const withheld = proof.withholding === null ? [] : [proof.withholding.amount, -proof.withholding.amount]
  const explained = [...bases, ...taxes, ...totals, ...withheld].includes(c) || bases.includes(-c) || taxes.includes(-c)
  if (explained || adjustments.some((amount) => c - amount === proof.base || c + amount === proof.base)) return 0
  if (stated('irpf')) return 3
  if (stated('tax')) return 2
  if (stated('base') || (adjustments.length === 0 && stated('gross'))) return 2
  if (stated('total')) return 2
  return 0
}

const sum = (amounts: readonly Cents[]): Cents => amounts.reduce((total, amount) => total + amount, 0)
