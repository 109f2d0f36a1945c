import type { Lexicon, Meaning, PhraseNode, Slot } from './lexicon.ts'

/** What a text says: points per account, and the phrase that says it loudest. */
export type Evidence = Map<string, { points: number; phrase: string }>

export type TextKind = 'vendor' | 'line'

/** How much a phrase of each slot counts in a vendor's name and in an invoice line. */
const slotPoints: Record<TextKind, Record<Slot, number>> = {
  vendor: { v: 3.4, n: 2.2, a: 1.3, l: 0.3 },
  line: { v: 0.8, n: 0.6, a: 3.2, l: 0.9 },
}

/** What a second, third and fourth phrase for the same account adds. */
const repeatFactors = [1, 0.4, 0.2, 0.1]

interface Match {
  start: number
  end: number
  /** Words of the phrase itself; fewer than its span where a word in between was skipped. */
  words: number
  meanings: Meaning[]
}

/**
 * Reads one text. A phrase inside a longer one that also matches says nothing of its own (`alquiler de contador` is no
 * rent), longer phrases count more, and the head of a Spanish noun phrase counts more than what follows it
 * (`reparación de carretilla` is a repair).
 */
export function evidence(lexicon: Lexicon, text: string, kind: TextKind): Evidence {
  const words = lexicon.read(text)
  const points = new Map<string, { value: number; phrase: string }[]>()
  const found = longest(matches(lexicon.root, words))
  const acts = kind === 'line' && found.some((match) => match.start === 0 && match.meanings.some(isAction))
  for (const match of found) {
    const place = match.start === 0 ? 1.25 : match.start <= 2 ? 0.9 : 0.8
    const whole = match.words === match.end - match.start ? 1 : 0.85
    const length = (1 + 0.35 * Math.min(match.words - 1, 3)) * whole
    for (const { account, slot, phrase } of match.meanings) {
      const object = acts && match.start > 0 && isThing(account) ? 0.4 : 1
      const brand = slot === 'v' && account.startsWith('2') ? 0.5 : 1
      const value = slotPoints[kind][slot] * length * (kind === 'line' ? place : 1) * object * brand
      const list = points.get(account) ?? []
      const same = list.find((entry) => entry.phrase === phrase)
      if (same === undefined) list.push({ value, phrase })
      else same.value = Math.max(same.value, value)
      points.set(account, list)
    }
  }
  const result: Evidence = new Map()
  for (const [account, list] of points) {
    list.sort((a, b) => b.value - a.value)
    const total = list.slice(0, 4).reduce((sum, entry, index) => sum + entry.value * (repeatFactors[index] ?? 0), 0)
    result.set(account, { points: total, phrase: list[0]?.phrase ?? '' })
  }
  return result
}

/** Something is done: repaired, rented, transported, insured. */
const isAction = ({ account, slot }: Meaning): boolean => slot === 'a' && /^(239|260|607|62[1-9]|662)$/.test(account)

/** A good that is bought; behind an action it is what the action is done to. */
const isThing = (account: string): boolean => account.startsWith('2') || /^60[012]$/.test(account)

function matches(root: PhraseNode, words: readonly string[]): Match[] {
  const found: Match[] = []
  const walk = (node: PhraseNode, start: number, at: number, skips: number) => {
    if (node.meanings.length > 0) {
      found.push({ start, end: at, words: at - start - (1 - skips), meanings: node.meanings })
    }
    const word = words[at]
    if (word === undefined) return
    const next = node.next.get(word)
    if (next !== undefined) walk(next, start, at + 1, skips)
    const after = words[at + 1]
    if (skips > 0 && after !== undefined && at > start) {
      const skipped = node.next.get(after)
      if (skipped !== undefined) walk(skipped, start, at + 2, skips - 1)
    }
  }
  for (let start = 0; start < words.length; start += 1) {
    const node = root.next.get(words[start] ?? '')
    if (node !== undefined) walk(node, start, start + 1, 1)
  }
  return found
}

const longest = (found: Match[]): Match[] =>
  found.filter(
    (match) =>
      !found.some((other) => other.start <= match.start && other.end >= match.end && other.words > match.words),
  )
