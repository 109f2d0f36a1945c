import type { Cents } from '@asiento/proto/money'
import type { LabelledAmount } from './labelled-amounts.ts'
import type { AmountMeaning } from './labels.ts'
import { trimmed } from './rate-of-amount.ts'

/** An amount by its value, with everything that its occurrences on the document say of it. */
export interface Value {
  cents: Cents
  roles: Partial<Record<AmountMeaning, number>>
  rates: Set<string>
  occurrences: LabelledAmount[]
}

const valuesMax = 220

/** One value per distinct number of cents; the strongest are kept when there are too many. */
export function valuesOf(amounts: readonly LabelledAmount[]): Value[] {
  const byCents = new Map<Cents, Value>()
  for (const amount of amounts) {
    const cents = amount.figure.cents
    const value = byCents.get(cents) ?? { cents, roles: {}, rates: new Set<string>(), occurrences: [] }
    for (const [meaning, strength] of Object.entries(amount.roles) as [AmountMeaning, number][]) {
      value.roles[meaning] = Math.max(value.roles[meaning] ?? 0, strength)
    }
    if (amount.rate !== null && bearsRate(amount)) value.rates.add(trimmed(amount.rate))
    value.occurrences.push(amount)
    byCents.set(cents, value)
  }
  const all = [...byCents.values()]
  if (all.length <= valuesMax) return all
  const weight = (value: Value) =>
    Math.max(0, ...Object.values(value.roles)) * 1e12 + Math.min(1e11, Math.abs(value.cents))
  return all.sort((a, b) => weight(b) - weight(a)).slice(0, valuesMax)
}

/** A bare number is a rate only beside what has one: `June 15, 2026   376,56   Paid` has none. */
const bearsRate = ({ roles, rateFigure }: LabelledAmount): boolean =>
  rateFigure?.percent === true || rated.some((meaning) => (roles[meaning] ?? 0) > 0) || Object.keys(roles).length === 0
const rated = ['tax', 'base', 'gross', 'surcharge', 'irpf'] as const

/** How strongly a value is stated as one of the meanings. */
export const role = (value: Value | null, ...meanings: AmountMeaning[]): number =>
  value === null ? 0 : Math.max(0, ...meanings.map((meaning) => value.roles[meaning] ?? 0))
