import { type Cents, percentOf } from '@asiento/proto/money'
import { role, type Value } from './amount-values.ts'
import { linesSum } from './check-lines.ts'
import type { Stated, StatedRow } from './diagnose.ts'
import type { AmountMeaning } from './labels.ts'
import { comparableLines } from './lines-as-evidence.ts'
import type { SettleInput } from './settle-amounts.ts'

/** What the labels state, before it is asked whether it holds. */
export interface ByLabels extends Stated {
  found: { base?: Value; tax?: Value; total?: Value; withholding?: Value }
}

/** The amounts as their labels name them, without asking whether they fit. */
export function statedByLabels(values: readonly Value[], input: SettleInput): ByLabels | null {
  const strongest = (floor: number, ...meanings: AmountMeaning[]) =>
    values
      .filter((value) => role(value, ...meanings) >= floor && !strongerElsewhere(value, meanings))
      .sort((a, b) => role(b, ...meanings) - role(a, ...meanings) || Math.abs(b.cents) - Math.abs(a.cents))
  const taxes = strongest(1.4, 'tax').filter((value) => value.cents !== 0)
  const bases = strongest(1.4, 'base', 'gross')
  const totals = strongest(1.4, 'total')
  const withheld = strongest(2, 'irpf')[0]
  if (taxes.length === 0 && bases.length === 0 && totals.length === 0) return null
  const { rows, taxSum, baseSum } = statedRows(taxes, bases)
  const whole = totals[0]
  // quotas without a base that is named as one: `Total ejecutado` over them, or what the lines add up to
  const unnamed =
    taxes.length === 1 && rows.length === 0
      ? (unnamedBase(values, taxes[0], input) ?? (bases.length === 0 ? linesSum(input.lines) : null))
      : null
  const rateOfTax = [...(taxes[0]?.rates ?? [])][0]
  if (unnamed !== null && taxes[0] !== undefined && rateOfTax !== undefined)
    rows.push({ base: unnamed, tax: taxes[0].cents, rate: rateOfTax.replace('-', ''), surcharge: null })
  // an exempt document with a total alone: what its lines must add up to
  if (input.exempt && rows.length === 0 && taxes.length === 0 && whole !== undefined)
    rows.push({ base: whole.cents, tax: 0, rate: null, surcharge: null })
  const base = rows.reduce((total, row) => total + row.base, 0)
  const tax = rows.reduce((total, row) => total + row.tax, 0)
  const amount = withheld === undefined ? 0 : base < 0 ? -Math.abs(withheld.cents) : Math.abs(withheld.cents)
  const others = values.filter((value) => role(value, 'suplido') >= 2).reduce((all, value) => all + value.cents, 0)
  const expected = base + tax + others - amount
  const total =
    totals.find((value) => value.cents === expected) ??
    totals.find((value) => value.cents !== base && value.cents !== tax) ??
    totals[0]
  const found: ByLabels['found'] = {}
  const baseValue = values.find((value) => value.cents === base && role(value, 'base', 'gross') > 0)
  const taxValue = values.find((value) => value.cents === tax && role(value, 'tax') > 0)
  if (baseValue !== undefined) found.base = baseValue
  if (taxValue !== undefined) found.tax = taxValue
  if (total !== undefined) found.total = total
  if (withheld !== undefined) found.withholding = withheld
  return {
    rows,
    others,
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
      (rest.length > 1 ? bases.find((value) => !usedBases.has(value) && isRightAbove(value, tax)) : undefined) ??
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

/** The amount in the row right above the only quota, where lines are read and add up to about as much. */
function unnamedBase(values: readonly Value[], tax: Value | undefined, input: SettleInput): Cents | null {
  const lines = linesSum(input.lines)
  if (tax === undefined || lines === null) return null
  const above = values.find(
    (value) =>
      value !== tax &&
      role(value, 'total', 'base', 'gross') > 0 &&
      value.occurrences.some((one) =>
        tax.occurrences.some(
          (other) => one.figure.page === other.figure.page && one.figure.row === other.figure.row - 1,
        ),
      ),
  )
  return above !== undefined && Math.abs(above.cents - lines) <= 0.1 * Math.abs(lines) ? above.cents : null
}

/** `Base 1.149,50` over `IVA 21 % 231,40`, once for each rate. */
const isRightAbove = (base: Value, tax: Value): boolean =>
  base.occurrences.some((one) =>
    tax.occurrences.some(
      (other) => one.figure.page === other.figure.page && one.figure.row === other.figure.row - 1 && one.rate === null,
    ),
  )

/** With one quota: the base that it fits, else the one that is named most clearly. */
function bestBase(bases: readonly Value[], tax: Value): Value | undefined {
  for (const rate of tax.rates) {
    const fitting = bases.find((base) => Math.abs(percentOf(base.cents, rate.replace('-', '')) - tax.cents) <= 1)
    if (fitting !== undefined) return fitting
  }
  return [...bases].sort((a, b) => (b.roles.base ?? 0) - (a.roles.base ?? 0))[0]
}

/** The first percentage printed at a value, without sign. */
export const anyRate = (value: Value): string | null => [...value.rates][0]?.replace('-', '') ?? null
