import { addressLabels, basqueEndings, needsSecond, registryWords, streetWords } from './address-words.ts'
import { institutionEnd } from './institution-words.ts'
import type { Token } from './layout.ts'
import { provinceOf } from './provinces.ts'

/** Signs that stand between the parts of an address. */
export const separators = /^[·•|—–\-/*]+$/

/** The tokens of a party's rows, one after another. */
export type Flat = readonly { token: Token; row: number }[]

/** Five digits of a province, or a country prefix before them, with words beside. */
export function isPostal(flat: Flat, index: number): boolean {
  const here = flat[index]
  if (here === undefined) return false
  const digits = /^\(?(?:E-?|ES-?|CP:?|C\.P\.:?)?(\d{5})[),.;·-]*$/i.exec(here.token.text)?.[1]
  if (digits === undefined || provinceOf(digits) === null) return false
  const next = flat[index + 1]
  const before = flat[index - 1]
  if ([next, before].some((other) => other !== undefined && registryWords.has(other.token.bare))) return false
  // `Kundennummer: 20881` is of another kind; after a street the colon is a mark misread
  if (
    before?.row === here.row &&
    flat[index - 3]?.row !== here.row &&
    /\p{L}{3}:$/u.test(before.token.text) &&
    !addressLabels.has(before.token.bare)
  )
    return false
  // `calle perojo 14, 35003 las palmas`: all in small letters
  if (
    before !== undefined &&
    /\d,$/.test(before.token.text) &&
    isSmall(flat, here.row) &&
    /^\p{Ll}{2}/u.test(next?.token.text ?? '')
  )
    return true
  const nextIsPlace = next !== undefined && /^\(?\p{Lu}|^l'|^L'|^-$|^–$|^·$|^,$/u.test(next.token.text)
  const beforeIsPlace = before !== undefined && before.row === here.row && /\p{L}{2}[,.]?$/u.test(before.token.text)
  return nextIsPlace || beforeIsPlace
}

/** A row without a capital letter. */
const isSmall = (flat: Flat, row: number): boolean =>
  flat.every(({ token, row: other }) => other !== row || !/\p{Lu}\p{L}/u.test(token.text))

/** Tokens of names that contain words of addresses. */
export function namedTokens(rows: readonly (readonly Token[])[], used: ReadonlySet<Token>): Set<Token> {
  const named = new Set<Token>()
  for (const row of rows) {
    for (const [index, token] of row.entries()) {
      const before = row[index - 1]
      if (used.has(token) || (before !== undefined && !used.has(before) && !/:$/.test(before.text))) continue
      for (const part of row.slice(index, institutionEnd(row, index))) named.add(part)
    }
  }
  return named
}

/** Index of the token that a street begins at, -1 without one. */
export function findStreet(
  flat: Flat,
  { used, named }: { used: ReadonlySet<Token>; named: ReadonlySet<Token> },
  postalAt: number,
): number {
  for (let index = 0; index < flat.length; index += 1) {
    const here = flat[index]
    if (here === undefined || used.has(here.token) || named.has(here.token)) continue
    if (postalAt >= 0 && index > postalAt + 8) break
    const before = flat[index - 1]
    const opens =
      before === undefined ||
      before.row !== here.row ||
      /[,.;:)|·]$/.test(before.token.text) ||
      separators.test(before.token.text) ||
      addressLabels.has(before.token.bare) ||
      used.has(before.token) ||
      before.token.bare === 'en'
    if (!opens || !opensStreet(flat, index)) continue
    return index
  }
  return -1
}

function opensStreet(flat: Flat, index: number): boolean {
  const here = flat[index]
  if (here === undefined) return false
  const word = here.token.bare
  const text = here.token.text.toLowerCase()
  if (/^c\/\S/.test(text) || /^c\/$/.test(text)) return true
  const next = flat[index + 1]
  if (next === undefined) return false
  const second = needsSecond[word]
  if (second !== undefined) return second.has(next.token.bare)
  if (
    word === 'c' ||
    word === 'pl' ||
    word === 'ps' ||
    word === 'po' ||
    word === 'bo' ||
    word === 'cc' ||
    word === 'lg'
  )
    return (
      /[./]$|º/.test(text) || (word !== 'c' && /^\p{Lu}/u.test(next.token.text) && /^\p{Lu}/u.test(here.token.text))
    )
  if (streetWords.has(word)) {
    if (!/^\p{Lu}/u.test(here.token.text) && !/[./]$/.test(text) && word !== 'c/' && !isSmall(flat, here.row))
      return false
    // a firm may be called so: `Plaza Motor, S.L.`
    const end = flat
      .slice(index, index + 6)
      .findIndex(
        ({ token, row }) => row === here.row && /^(?:s\.?l\.?u?\.?|s\.?a\.?u?\.?|c\.?b\.?)[,.]?$/i.test(token.text),
      )
    const digit = flat
      .slice(index, index + 9)
      .findIndex(({ token, row }) => row === here.row && /\d|s\/n/.test(token.bare))
    return end < 0 || (digit >= 0 && digit < end)
  }
  if (addressLabels.has(word)) return false
  // `Zabal plaza 3`, but not `Domicilio social: Plaza Mayor, 3`
  const ending = flat
    .slice(index, index + 4)
    .findIndex(({ token, row }) => row === here.row && basqueEndings.has(token.bare))
  const between = flat.slice(index, index + ending)
  const after = flat[index + ending + 1]
  return (
    ending > 0 &&
    /^\p{Lu}/u.test(here.token.text) &&
    between.every(({ token }) => !/[:;,.]$/.test(token.text)) &&
    (after === undefined || after.row !== here.row || !/^\p{Lu}/u.test(after.token.text))
  )
}
