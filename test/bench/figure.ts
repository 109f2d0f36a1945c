/** One measured figure: ours against a baseline of the same run. */
export interface Figure {
  name: string
  ours: string
  baseline: string
  /** What is compared with the target, in its unit. */
  ratio: number
  target: { atLeast: number } | { atMost: number } | null
}

export const isMet = ({ ratio, target }: Figure): boolean | null => {
  if (target === null) return null
  return 'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** A number as a person reads it: three significant digits. */
export const short = (value: number): string =>
  value >= 1_000 ? String(Math.round(value)) : String(+value.toPrecision(3))
