/**
 * What the text of a bank movement says about an entry: whether it names its invoice number, its tax id, its
 * counterparty. Text only ranks candidates; it never makes one, because the rules of matching are amount and date.
 */
import { normalizeTaxId } from '@asiento/proto/tax-id'

export interface EntryText {
  invoiceNumber: string | null
  counterpartyVat: string | null
  counterpartyName: string | null
}

/** A movement's description, taken apart once. */
export interface MovementText {
  words: ReadonlySet<string>
  /** Neighbouring pieces joined, so that `F-2026/12` is found in `FRA F 2026 12`, but not in `F 2026 123`. */
  phrases: ReadonlySet<string>
}

/** An entry's identifying texts, taken apart once. */
export interface EntryKeys {
  number: string | null
  vat: string | null
  name: readonly string[]
}

export interface TextEvidence {
  number: boolean
  vat: boolean
  /** The share (0–1) of the significant words of the counterparty's name that the description has. */
  nameShare: number
}

const piecesMax = 64
const joinedMax = 8

/** Legal forms and particles, which tell no company from another. */
const insignificant = new Set(
  'SL SLU SA SAU SLL SLNE SC SCP CB COOP SCOOP SOCIEDAD LIMITADA ANONIMA UNIPERSONAL COMUNIDAD BIENES DE DEL LA LAS EL LOS Y E EN THE OF AND'.split(
    ' ',
  ),
)

const nothing: MovementText = { words: new Set(), phrases: new Set() }

export function movementText(description: string | null | undefined): MovementText {
  if (description === null || description === undefined || description === '') return nothing
  const folded = fold(description)
  const pieces = (folded.match(/[A-Z]+|\d+/g) ?? []).slice(0, piecesMax)
  const phrases = new Set<string>()
  for (let start = 0; start < pieces.length; start += 1) {
    let phrase = ''
    for (const piece of pieces.slice(start, start + joinedMax)) {
      phrase += piece
      phrases.add(phrase)
    }
  }
  return { words: new Set(wordsOf(folded)), phrases }
}

export function entryKeys(entry: EntryText): EntryKeys {
  const number = fold(entry.invoiceNumber ?? '').replace(/[^A-Z0-9]/g, '')
  const vat = normalizeTaxId(entry.counterpartyVat ?? '')
  return {
    number: tellsApart(number) ? number : null,
    vat: vat.length >= 8 ? vat : null,
    name: [...new Set(wordsOf(fold(entry.counterpartyName ?? '')).filter((word) => isSignificant(word)))],
  }
}

export function textEvidence(text: MovementText, keys: EntryKeys): TextEvidence {
  const named = keys.name.reduce((count, word) => (text.words.has(word) ? count + 1 : count), 0)
  return {
    number: keys.number !== null && text.phrases.has(keys.number),
    vat: keys.vat !== null && (text.phrases.has(keys.vat) || text.phrases.has(`ES${keys.vat}`)),
    nameShare: keys.name.length === 0 ? 0 : named / keys.name.length,
  }
}

/** `12` is in too many descriptions to name an invoice; `A7` and `312` are not. */
const tellsApart = (number: string): boolean => number.length >= 3 || (/[A-Z]/.test(number) && /\d/.test(number))

const isSignificant = (word: string): boolean => word.length >= 2 && !insignificant.has(word)

/** `S.L.` is one word, not two letters. */
const wordsOf = (folded: string): string[] => folded.replace(/\b([A-Z])\.(?=[A-Z]\b)/g, '$1').match(/[A-Z0-9]+/g) ?? []

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase()
