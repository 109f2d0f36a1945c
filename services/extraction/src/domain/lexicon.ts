import type { Token } from './layout.ts'
import { bare, editDistance } from './text.ts'

/**
 * Phrases by the meaning that they have, and a finder that walks words once. Phrases are compared with the blanks left
 * out, because PDF text often lacks blanks (`Baseimponible`) or has them within words (`T O T A L`). No regular
 * expression is involved.
 */
export interface Lexicon<Meaning extends string> {
  byJoined: Map<string, { words: string[]; meaning: Meaning }>
  /** Beginnings of phrases, so that the search stops early. */
  starts: Set<string>
  vocabulary: Set<string>
  close: Map<string, string>
}

export interface Label<Meaning extends string> {
  meaning: Meaning
  words: string[]
  /** Indexes in the searched tokens: first, and after the last. */
  from: number
  to: number
}

/** The meanings of a lexicon. */
export type MeaningOf<T> = T extends Lexicon<infer Meaning> ? Meaning : never

/** Makes a lexicon from lists of phrases; each phrase is words separated by blanks, in any case and with accents. */
export function lexicon<Meaning extends string>(
  phrases: Readonly<Record<Meaning, readonly string[]>>,
): Lexicon<Meaning> {
  const made: Lexicon<Meaning> = { byJoined: new Map(), starts: new Set(), vocabulary: new Set(), close: new Map() }
  for (const meaning of Object.keys(phrases) as Meaning[]) {
    for (const phrase of phrases[meaning]) {
      const words = phrase
        .split(' ')
        .map(bare)
        .filter((word) => word !== '')
      const joined = words.join('')
      if (joined === '' || made.byJoined.has(joined)) continue
      made.byJoined.set(joined, { words, meaning })
      for (let length = 1; length <= joined.length; length += 1) made.starts.add(joined.slice(0, length))
      for (const word of words) made.vocabulary.add(word)
      made.vocabulary.add(joined)
    }
  }
  return made
}

/** The longest phrases that occur in the tokens, from left to right, without overlap. */
export function findLabels<Meaning extends string>(
  tokens: readonly Token[],
  words: Lexicon<Meaning>,
): Label<Meaning>[] {
  const found: Label<Meaning>[] = []
  let index = 0
  while (index < tokens.length) {
    const label = labelAt(tokens, index, words)
    if (label === null) index += 1
    else {
      found.push(label)
      index = label.to
    }
  }
  return found
}

/** The longest phrase that begins at a token and ends with one. */
export function labelAt<Meaning extends string>(
  tokens: readonly Token[],
  from: number,
  words: Lexicon<Meaning>,
): Label<Meaning> | null {
  let joined = ''
  let best: Label<Meaning> | null = null
  for (let index = from; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (token === undefined) break
    if (token.bare === '') {
      if (joined === '') return null
      continue
    }
    joined += known(token, words)
    const phrase = words.byJoined.get(joined)
    if (phrase !== undefined) best = { meaning: phrase.meaning, words: phrase.words, from, to: index + 1 }
    if (!words.starts.has(joined)) break
  }
  return best
}

/** Words of their own that differ from labels by one or two signs. */
const isAnother = (text: string): boolean => /^factura(?:r|do|da|dos|cion)$/.test(text)

/** `Ud/H`: words of one meaning with a stroke between them stand for their first. */
function ofOneMeaning<Meaning extends string>(text: string, words: Lexicon<Meaning>): string | null {
  const parts = text.split('/')
  const phrases = parts.map((part) => words.byJoined.get(part))
  const [first] = phrases
  return parts.length > 1 && first !== undefined && phrases.every((phrase) => phrase?.meaning === first.meaning)
    ? (parts[0] ?? null)
    : null
}

/** The word itself, or of OCR text the one word of the lexicon that it differs from by one or two signs. */
function known<Meaning extends string>(token: Token, words: Lexicon<Meaning>): string {
  const text =
    token.bare.includes('/') && !words.vocabulary.has(token.bare)
      ? (ofOneMeaning(token.bare, words) ?? token.bare)
      : token.bare
  // OCR reads the sign º as a figure or a mark
  if (token.ocr && /^n\.?[9?*2e%]{1,2}$/.test(text)) return 'no'
  if (!token.ocr || text.length < 4 || words.vocabulary.has(text) || isAnother(text)) return text
  const cached = words.close.get(text)
  if (cached !== undefined) return cached
  const limit = text.length >= 9 ? 2 : 1
  let best = text
  let bestDistance = limit + 1
  if (!/\d{2}/.test(text)) {
    for (const word of words.vocabulary) {
      if (word.length < 4) continue
      const distance = editDistance(word, text, limit)
      if (distance < bestDistance) {
        best = word
        bestDistance = distance
      }
    }
  }
  if (words.close.size > 5000) words.close.clear()
  words.close.set(text, best)
  return best
}
