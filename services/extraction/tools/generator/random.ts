/** A seeded source of choices: the same seed gives the same sequence on every machine. */
export interface Random {
  /** 0 ≤ value < 1. */
  next: () => number
  /** Both ends included. */
  int: (from: number, to: number) => number
  chance: (probability: number) => boolean
  pick: <T>(items: readonly T[]) => T
  /** Picks by weight. */
  weighted: <T>(items: readonly (readonly [T, number])[]) => T
  shuffle: <T>(items: readonly T[]) => T[]
  digits: (count: number) => string
}

/** sfc32 (PractRand-clean, public domain), seeded by a text through xmur3-like mixing. */
export function random(seed: string): Random {
  const mix = mixer(seed)
  let [a, b, c, counter] = [mix(), mix(), mix(), 1]
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }
  for (let index = 0; index < 15; index += 1) next()
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))
  const pick = <T>(items: readonly T[]): T => {
    const item = items[int(0, items.length - 1)]
    if (item === undefined) throw new RangeError('nothing to pick from')
    return item
  }
  return {
    next,
    int,
    pick,
    chance: (probability) => next() < probability,
    weighted: (items) => {
      const total = items.reduce((sum, [, weight]) => sum + weight, 0)
      let at = next() * total
      for (const [item, weight] of items) {
        at -= weight
        if (at < 0) return item
      }
      return pick(items)[0]
    },
    shuffle: (items) => {
      const copy = [...items]
      for (let index = copy.length - 1; index > 0; index -= 1) {
        const other = int(0, index)
        const [x, y] = [copy[index], copy[other]]
        if (x !== undefined && y !== undefined) [copy[index], copy[other]] = [y, x]
      }
      return copy
    },
    digits: (count) => Array.from({ length: count }, () => int(0, 9)).join(''),
  }
}

function mixer(seed: string): () => number {
  let hash = 1_779_033_703 ^ seed.length
  for (let index = 0; index < seed.length; index += 1) {
    hash = Math.imul(hash ^ seed.charCodeAt(index), 3_432_918_353)
    hash = (hash << 13) | (hash >>> 19)
  }
  return () => {
    hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507)
    hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909)
    hash ^= hash >>> 16
    return hash >>> 0
  }
}
