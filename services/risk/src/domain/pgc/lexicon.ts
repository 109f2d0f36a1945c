import { readFileSync } from 'node:fs'
import { repairer } from './repair.ts'
import { stems } from './words.ts'

/** Where a phrase speaks: a brand, a trade in a vendor's name, a deciding phrase of a line, a supporting word. */
export type Slot = 'v' | 'n' | 'a' | 'l'

export interface Meaning {
  account: string
  slot: Slot
  /** The phrase as the lexicon writes it, for the reasoning. */
  phrase: string
}

export interface PhraseNode {
  next: Map<string, PhraseNode>
  meanings: Meaning[]
}

/** An account of group 2: below `minCents` (the value of one purchase) it is expensed on `under`. */
export interface InvestmentRule {
  minCents: number
  under: string
}

export interface Lexicon {
  root: PhraseNode
  investments: ReadonlyMap<string, InvestmentRule>
  /** The stems of a text, with scan errors and typing errors mended where the lexicon knows the word. */
  read(text: string): string[]
  /** The word that the lexicon knows and a scan or a keyboard got wrong by one sign, or null. */
  mended(word: string): string | null
}

/** Every word, and those that are not only names: a misspelt word is never mended into somebody's name. */
interface Vocabulary {
  all: Set<string>
  plain: Set<string>
}

const parts = ['expense', 'services', 'goods', 'more', 'trades', 'sectors']

/** The lexicon in its text form. */
export const lexiconText = (): string =>
  parts.map((name) => readFileSync(new URL(`../../data/lexicon-${name}.txt`, import.meta.url), 'utf8')).join('\n')

let loaded: Lexicon | undefined

/** The lexicon that comes with the service; read once. */
export function lexicon(): Lexicon {
  loaded ??= parseLexicon(lexiconText())
  return loaded
}

/** Reads the lexicon's text form: `@account min=… under=…`, then `slot: phrase, phrase`. */
export function parseLexicon(text: string): Lexicon {
  const root: PhraseNode = { next: new Map(), meanings: [] }
  const investments = new Map<string, InvestmentRule>()
  const vocabulary: Vocabulary = { all: new Set(), plain: new Set() }
  let account = ''
  for (const line of text.split('\n')) {
    const header = /^@(\d+)(?: min=(\d+) under=(\d+))?/.exec(line)
    if (header !== null) {
      account = header[1] ?? ''
      if (header[2] !== undefined) {
        investments.set(account, { minCents: Number(header[2]) * 100, under: header[3] ?? '629' })
      }
      continue
    }
    const entry = /^([vnal]): (.*)$/.exec(line)
    if (entry === null) continue
    for (const phrase of (entry[2] ?? '').split(',').map((part) => part.trim())) {
      add(root, phrase, { account, slot: entry[1] as Slot, phrase }, vocabulary)
    }
  }
  const repair = repairer(vocabulary.all, vocabulary.plain)
  return { root, investments, read: (source) => stems(source, repair), mended: repair }
}

function add(root: PhraseNode, phrase: string, meaning: Meaning, vocabulary: Vocabulary): void {
  let node = root
  const words = stems(phrase)
  if (words.length === 0) return
  for (const word of words) {
    vocabulary.all.add(word)
    if (meaning.slot !== 'v') vocabulary.plain.add(word)
    let next = node.next.get(word)
    if (next === undefined) {
      next = { next: new Map(), meanings: [] }
      node.next.set(word, next)
    }
    node = next
  }
  if (!node.meanings.some((other) => other.account === meaning.account && other.slot === meaning.slot)) {
    node.meanings.push(meaning)
  }
}
