import type { Chance } from './chance.ts'
import type { Doc } from './document.ts'

export const errorKinds = ['line', 'base', 'tax', 'rate', 'withholding', 'total'] as const
export type ErrorKind = (typeof errorKinds)[number]

/** A copy whose one printed figure is wrong; null where the document cannot show such an error. */
export function plantError(doc: Doc, kind: ErrorKind, chance: Chance): Doc | null {
  const copy: Doc = structuredClone(doc)
  const off = (cents: number): number => cents + chance.pick([-1, 1]) * chance.pick([9, 10, 100, 270, 1000, 4500])
  const row = copy.rates[0]
  if (row === undefined) return null
  if (kind === 'line') {
    const line = chance.pick(copy.lines)
    line.cents = off(line.cents)
  } else if (kind === 'base') {
    const before = row.base
    row.base = off(row.base)
    copy.base += row.base - before
  } else if (kind === 'tax') {
    if (row.quota === 0) return null
    const before = row.quota
    row.quota = off(row.quota)
    copy.quotas += row.quota - before
  } else if (kind === 'rate') {
    if (row.quota === 0 || copy.tax === 'IGIC') return null
    const rate = row.rate === 21 ? 10 : 21
    for (const line of copy.lines) if (line.rate === row.rate) line.rate = rate
    row.rate = rate
  } else if (kind === 'withholding') {
    if (copy.irpf === 0) return null
    copy.irpf = off(copy.irpf)
  } else copy.total = off(copy.total)
  return copy
}
