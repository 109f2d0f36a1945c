import { addressLabels, stopWords } from './address-words.ts'
import { type Flat, findStreet, isPostal, namedTokens, separators } from './find-street.ts'
import { type Token, textOf } from './layout.ts'
import { isPlaceName, provinceOf } from './provinces.ts'
import { type ForeignAddress, readForeignAddress } from './read-foreign-address.ts'

/** Name and address as parts of a party's text. Token lists are empty where a part is missing. */
export interface AddressRead {
  street: Token[]
  postalCode: Token | null
  city: Token[]
  province: string | null
  /** Postal code and state (ISO 3166-1 alpha-3) of an address abroad. */
  foreign: { postal: Token[]; country: string } | null
  /** The tokens that are none of these, row by row and piece by piece: names, labels, contact data. */
  rest: Token[][]
}

/** Splits a party's text (rows of tokens) into street, postal code, city, province and the rest. */
export function readAddress(rows: readonly (readonly Token[])[], used: ReadonlySet<Token>): AddressRead {
  const read: AddressRead = { street: [], postalCode: null, city: [], province: null, foreign: null, rest: [] }
  const flat = rows.flatMap((row, index) => row.map((token) => ({ token, row: index })))
  const postalAt = flat.findIndex(({ token }, index) => isPostal(flat, index) && !used.has(token))
  const streetAt = findStreet(flat, { used, named: namedTokens(rows, used) }, postalAt)
  if (postalAt >= 0) readPlace(flat, postalAt, read)
  if (streetAt >= 0) readStreet(flat, streetAt, used, read)
  else if (postalAt >= 0) streetBefore(rows, flat, postalAt, used, read)
  const abroad = readForeignAddress(rows, used, read.postalCode !== null)
  if (abroad !== null && isAbroad(abroad, read)) {
    Object.assign(read, { street: abroad.street, city: abroad.city, postalCode: null, province: null })
    read.foreign = { postal: abroad.postal, country: abroad.country }
  }
  collectRest(rows, new Set([...used, ...(abroad?.named ?? []), ...(abroad?.postal ?? [])]), read)
  return read
}

function readStreet(flat: Flat, start: number, used: ReadonlySet<Token>, read: AddressRead): void {
  const first = flat[start]
  if (first === undefined) return
  let row = first.row
  for (let index = start; index < flat.length && read.street.length < 18; index += 1) {
    const here = flat[index]
    if (here === undefined || used.has(here.token)) break
    if (here.token === read.postalCode || read.city.includes(here.token) || isPostal(flat, index)) break
    if (here.row !== row) {
      if (!goesOn(read.street, flat, index)) break
      row = here.row
    }
    if (index > start && separators.test(here.token.text) && here.token.text !== '/') {
      const next = flat[index + 1]?.token
      const numbered = read.street.some((token) => /\d|^s\/n/i.test(token.text))
      const goesOnHere =
        next !== undefined && !isPostal(flat, index + 1) && (/^\d/.test(next.text) || floorWords.test(next.bare))
      if (!numbered || !goesOnHere) break
    }
    if (index > start && stopWords.has(here.token.bare)) break
    read.street.push(here.token)
  }
}

const floorWords =
  /^(?:nave|no|num|piso|planta|local|bajo|puerta|esc|escalera|bloque|portal|parcela|oficina|of|edificio|edif|izda|dcha|izq|km|pta|manzana|atico|entlo|entresuelo|modulo|baixos|baixo)$/

/** A street goes on in the next row when it ended with a comma or has no number yet, and that row is no other part. */
function goesOn(street: readonly Token[], flat: Flat, index: number): boolean {
  const last = street.at(-1)
  const next = flat[index]
  if (last === undefined || next === undefined) return false
  if (isPostal(flat, index) || stopWords.has(next.token.bare) || /@|www/.test(next.token.text)) return false
  const row = flat.filter((other) => other.row === next.row)
  if (isPostal(row, 0)) return false
  const numbered = street.some((token) => /\d|s\/n/i.test(token.text))
  if (/,$/.test(last.text)) return row.length <= 6
  // no name of a street ends with a preposition
  if (!numbered && row.length <= 6 && /^(?:de|del|la|las|los|el|d'|dels|les|do|da|dos|y|i)$/.test(last.bare))
    return true
  // a paragraph broken within the street: `… en Avenida` and `Tres Cruces, nº 45, 46334 Gijón`
  const number = row.findIndex(({ token }) => /^\d{1,3}\b|^s\/n/i.test(token.text))
  if (!numbered && number > 0 && number <= 5 && row.some((_, at) => isPostal(row, at))) return true
  if (
    /^(?:nave|no|num|piso|planta|local|bajo|puerta|esc|escalera|bloque|portal|parcela|oficina|of|edificio|edif|izda|dcha|km|pta|pol|poligono|manzana|atico|entlo|entresuelo|modulo)$/.test(
      next.token.bare,
    )
  )
    return true
  return !numbered && /^\d/.test(next.token.text)
}

/** Five digits are a Spanish postal code unless the state that is named beside them is another. */
const isAbroad = (abroad: ForeignAddress, read: AddressRead): boolean =>
  read.postalCode === null || (abroad.named.length > 0 && abroad.postal.includes(read.postalCode))

/** No word of a street type: the row right before the postal code, where it has a number and is no name. */
function streetBefore(
  rows: readonly (readonly Token[])[],
  flat: Flat,
  postalAt: number,
  used: ReadonlySet<Token>,
  read: AddressRead,
): void {
  const postal = flat[postalAt]
  if (postal === undefined) return
  const sameRow = flat
    .slice(0, postalAt)
    .filter(({ row, token }) => row === postal.row && !used.has(token) && !read.city.includes(token))
  const candidates =
    sameRow.length > 1
      ? sameRow.map(({ token }) => token)
      : [...(rows[postal.row - 1] ?? [])].filter((token) => !used.has(token))
  let tokens = candidates
  const cut = tokens.findLastIndex((token) => separators.test(token.text))
  if (cut >= 0 && cut === tokens.length - 1) tokens = tokens.slice(0, -1)
  const from = tokens.findLastIndex((token) => separators.test(token.text) || addressLabels.has(token.bare)) + 1
  tokens = tokens.slice(from)
  if (tokens.length === 0 || tokens.length > 12) return
  if (tokens.some((token) => stopWords.has(token.bare) || /@/.test(token.text))) return
  if (!tokens.some((token) => /\d|^s\/n/i.test(token.text)) || !tokens.some((token) => /\p{L}{3}/u.test(token.text)))
    return
  read.street = tokens
}

function readPlace(flat: Flat, postalAt: number, read: AddressRead): void {
  const postal = flat[postalAt]
  if (postal === undefined) return
  read.postalCode = postal.token
  const digits = postalDigits(postal.token)
  let index = postalAt + 1
  while (separators.test(flat[index]?.token.text ?? '') || flat[index]?.token.text === ',') index += 1
  const place: Token[] = isBracketed(postal.token) ? placeBefore(flat, postalAt) : []
  const lettersBefore = flat.some(
    ({ token, row: other }, position) =>
      position < postalAt &&
      other === postal.row &&
      /\p{L}{3}/u.test(token.text) &&
      !addressLabels.has(token.bare) &&
      !read.street.includes(token),
  )
  let row = flat[index]?.row ?? -1
  const next = flat.filter((other) => other.row === row)
  const numbered = /\d|^s\/n/i.test(flat[postalAt - 1]?.token.text ?? '')
  const wrapped = numbered && next.length <= 4 && next.every(({ token }) => /^[\p{L}'’()/-]+[.,]?$/u.test(token.text))
  if (place.length > 0 || row - postal.row > 1 || (row !== postal.row && lettersBefore && !wrapped)) row = -1
  for (; index < flat.length && row >= 0; index += 1) {
    const here = flat[index]
    if (here === undefined || here.row !== row) break
    if (
      separators.test(here.token.text) ||
      stopWords.has(here.token.bare) ||
      /^\(/.test(here.token.text) ||
      /\d|@/.test(here.token.text)
    )
      break
    place.push(here.token)
    if (/[,.;)]$/.test(here.token.text) && !/^(?:sta|sto|st|s|sant|vva|n|ntra|sra)\.$/i.test(here.token.text)) break
    if (place.length >= 7) break
  }
  if (place.length === 0) {
    place.push(...placeBefore(flat, postalAt))
  }
  read.city = place
  read.province = provinceOf(digits)
}

const isBracketed = (token: Token): boolean => /^\(\d{5}\)/.test(token.text)

/** `Madrid 28001`, `Getafe (28901)`, `Gijón, Asturias, 33201`: the place before a postal code, its province left out. */
function placeBefore(flat: Flat, postalAt: number): Token[] {
  const postal = flat[postalAt]
  const parts: Token[][] = []
  let part: Token[] = []
  for (let back = postalAt - 1; back >= 0; back -= 1) {
    const here = flat[back]
    if (
      here === undefined ||
      here.row !== postal?.row ||
      /[;:·|]$/.test(here.token.text) ||
      separators.test(here.token.text) ||
      /\d/.test(here.token.text) ||
      (addressLabels.has(here.token.bare) && !/^(?:real|rodrigo)$/.test(part[0]?.bare ?? ''))
    )
      break
    if (/[,.]$/.test(here.token.text) && part.length > 0) {
      parts.unshift(part)
      part = []
    }
    part.unshift(here.token)
  }
  if (part.length > 0) parts.unshift(part)
  const last = parts.at(-1) ?? []
  const before = parts.at(-2)
  return before !== undefined && isPlaceName(textOf(last)) ? before : last
}

export const postalDigits = (token: Token): string => /\d{5}/.exec(token.text)?.[0] ?? ''

function collectRest(rows: readonly (readonly Token[])[], used: ReadonlySet<Token>, read: AddressRead): void {
  const taken = new Set<Token>([
    ...read.street,
    ...read.city,
    ...(read.postalCode === null ? [] : [read.postalCode]),
    ...used,
  ])
  for (const row of rows) {
    let piece: Token[] = []
    for (const token of row) {
      if (taken.has(token) || separators.test(token.text)) {
        if (piece.length > 0) read.rest.push(piece)
        piece = []
      } else piece.push(token)
    }
    if (piece.length > 0) read.rest.push(piece)
  }
}

/** A part of an address as text, without the punctuation around it. */
export const cleanText = (tokens: readonly Token[]): string | null => {
  const text = textOf(tokens)
    .replace(/^[\s,;:·|-]+/, '')
    .replace(/[\s,;:·|(-]+$/, '')
    .trim()
  return text === '' ? null : text
}
