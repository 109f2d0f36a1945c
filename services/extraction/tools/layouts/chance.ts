/** A repeatable source of chance: the same seed gives the same documents. */
export interface Chance {
  next: () => number
  int: (from: number, to: number) => number
  pick: <T>(choices: readonly T[]) => T
  yes: (probability: number) => boolean
  digits: (count: number) => string
}

/** Mulberry32 over a hash of the text. */
export function chanceOf(seed: string): Chance {
  let state = 2166136261
  for (const sign of seed) state = Math.imul(state ^ (sign.codePointAt(0) ?? 0), 16777619)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    int,
    pick: <T>(choices: readonly T[]): T => {
      const chosen = choices[Math.floor(next() * choices.length)]
      if (chosen === undefined) throw new RangeError('nothing to pick from')
      return chosen
    },
    yes: (probability) => next() < probability,
    digits: (count) => Array.from({ length: count }, () => int(0, 9)).join(''),
  }
}
