import { stopWords } from './address-words.ts'
import { foreignCountry, mayEndCountry } from './countries.ts'
import { separators } from './find-street.ts'
import { type Token, textOf } from './layout.ts'
import { legalForms } from './name-words.ts'

/** An address abroad as parts of a party's text. */
export interface ForeignAddress {
  street: Token[]
  postal: Token[]
  city: Token[]
  /** ISO 3166-1 alpha-3. */
  country: string
  /** Tokens that name the state. */
  named: Token[]
}

/** Postal codes whose form alone tells the state. */
const forms: readonly (readonly [country: string, form: RegExp])[] = [
  ['GBR', /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/],
  ['IRL', /^(?:[AC-FHKNPRTV-Y]\d{2}|D6W) ?[\dAC-FHKNPRTV-Y]{4}$/],
  ['PRT', /^(?:P-?)?\d{4}-\d{3}$/],
  ['LUX', /^L(?:U)?-\d{4}$/],
  ['DEU', /^DE?-\d{5}$/],
  ['FRA', /^FR?-\d{5}$/],
  ['ITA', /^IT?-\d{5}$/],
  ['BEL', /^BE?-\d{4}$/],
  ['AUT', /^AT?-\d{4}$/],
  ['CHE', /^CH-\d{4}$/],
  ['NLD', /^(?:NL-)?\d{4} ?[A-Z]{2}$/],
  [
    'USA',
    /^(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]) \d{5}(?:-\d{4})?$/,
  ],
]

interface Segment {
  tokens: Token[]
  row: number
}

/**
 * Reads the address where the text names a foreign state or, unless it has a Spanish postal code, has a code of one; null
 * where it does not.
 */
export function readForeignAddress(
  rows: readonly (readonly Token[])[],
  used: ReadonlySet<Token>,
  spanish: boolean,
): ForeignAddress | null {
  const segments = segmentsOf(rows, used)
  const named = segments.flatMap((segment, at) => countryIn(segment, at) ?? [])[0]
  if (spanish && named === undefined) return null
  for (let at = 0; at < segments.length; at += 1) {
    const segment = segments[at]
    if (segment === undefined) continue
    const postal = postalIn(segment.tokens, named?.country ?? null)
    if (postal === null) continue
    if (named === undefined && !namesPlace(segment.tokens, postal)) continue
    const city = cityBeside(segments, at, postal, named?.tokens ?? [])
    if (city === null) continue
    return {
      street: streetBefore(segments, city.at, rows),
      postal: postal.tokens,
      city: city.tokens,
      country: named?.country ?? postal.country,
      named: named?.tokens ?? [],
    }
  }
  if (named === undefined) return null
  // no postal code: the place right before the state
  const own = (segments[named.at]?.tokens ?? []).filter((token) => !named.tokens.includes(token))
  const at = own.length > 0 ? named.at : named.at - 1
  const city = own.length > 0 ? own : (segments[at]?.tokens ?? [])
  if (at < 1 || city.length === 0 || city.length > 4 || !isPlace(city)) return null
  const street = streetBefore(segments, at, rows)
  return { street, postal: [], city: withoutDistrict(city), country: named.country, named: named.tokens }
}

/** Where no state is named, a place must stand at the code: `1012 AB Amsterdam`, but neither `2010 SL` nor `C123456`. */
function namesPlace(tokens: readonly Token[], postal: { tokens: readonly Token[]; country: string }): boolean {
  if (postal.country === 'NLD' && postal.tokens[0] !== tokens[0]) return false
  return tokens.some((token) => !postal.tokens.includes(token) && /^\p{Lu}\p{Ll}{2}|^\p{Lu}{4}/u.test(token.text))
}

/** Parts of the rows between commas and strokes, up to ids and contact data. */
function segmentsOf(rows: readonly (readonly Token[])[], used: ReadonlySet<Token>): Segment[] {
  const segments: Segment[] = []
  for (const [row, tokens] of rows.entries()) {
    let open: Token[] = []
    const close = () => {
      if (open.length > 0) segments.push({ tokens: open, row })
      open = []
    }
    for (const token of tokens) {
      if (used.has(token) || separators.test(token.text)) close()
      else if (stopWords.has(token.bare) || /@|www\./.test(token.text)) break
      else {
        open.push(token)
        if (/[,;]$/.test(token.text)) close()
      }
    }
    close()
  }
  return segments
}

function countryIn(segment: Segment, at: number): { country: string; tokens: Token[]; at: number } | null {
  if (!mayEndCountry(segment.tokens.at(-1)?.bare ?? '')) return null
  for (let count = Math.min(4, segment.tokens.length); count >= 1; count -= 1) {
    const tokens = segment.tokens.slice(-count)
    const country = foreignCountry(textOf(tokens))
    // `Luxembourg` is a city as well, and `Talleres Malta, S.L.` is none
    if (country !== null && (count === segment.tokens.length || at > 0)) return { country, tokens, at }
  }
  return null
}

/** The tokens of a postal code: of a form that tells its state, or any digits where the state is named. */
function postalIn(tokens: readonly Token[], named: string | null): { tokens: Token[]; country: string } | null {
  for (let from = 0; from < tokens.length; from += 1) {
    for (const count of [2, 1]) {
      const part = tokens.slice(from, from + count)
      if (part.length < count) continue
      const text = textOf(part).replace(/[,.;]+$/, '')
      const form = forms.find(([, own]) => own.test(text))
      if (form !== undefined && (named === null || named === form[0])) return { tokens: part, country: form[0] }
      if (named !== null && count === 1 && /^\d{4,6}$/.test(text) && tokens.length > 1)
        return { tokens: part, country: named }
      if (named !== null && count === 2 && /^\d{3} \d{2}$/.test(text)) return { tokens: part, country: named }
    }
  }
  return null
}

/** The place in the segment of the postal code, else in the next or the one before. */
function cityBeside(
  segments: readonly Segment[],
  at: number,
  postal: { tokens: readonly Token[]; country: string },
  country: readonly Token[],
): { tokens: Token[]; at: number } | null {
  const rest = (segment: Segment | undefined) =>
    (segment?.tokens ?? []).filter((token) => !postal.tokens.includes(token))
  const first = postal.tokens[0]
  const own = rest(segments[at])
  const after = own.filter((token) => first !== undefined && token.index > first.index)
  // a state that is called as its capital leaves the capital
  const inOwn = (after.length > 0 ? after : own).filter(
    (token, _, all) => !country.includes(token) || all.every((other) => country.includes(other)),
  )
  // `San Francisco, California 94104`: beside the code stands the state of the union
  const before = segments[at - 1]
  const inUnion = postal.country === 'USA' && before !== undefined && before.row === segments[at]?.row
  if (isPlace(inOwn) && !(inUnion && isPlace(before.tokens))) return { tokens: withoutDistrict(inOwn), at }
  const near = [segments[at - 1], segments[at + 1]].find(
    (other) => other !== undefined && isPlace(other.tokens) && foreignCountry(textOf(other.tokens)) === null,
  )
  if (near === undefined) return null
  return { tokens: withoutDistrict(near.tokens), at: Math.min(at, segments.indexOf(near)) }
}

const isPlace = (tokens: readonly Token[]): boolean =>
  tokens.length > 0 && tokens.length <= 5 && /^\p{Lu}/u.test(tokens[0]?.text ?? '')

/** `Dublin 2` is in Dublin. */
const withoutDistrict = (tokens: readonly Token[]): Token[] =>
  tokens.length > 1 && /^\d{1,2}[,.]?$/.test(tokens.at(-1)?.text ?? '') ? tokens.slice(0, -1) : [...tokens]

/** What stands between the name and the place: at most three rows, with a number as a rule. */
function streetBefore(segments: readonly Segment[], cityAt: number, rows: readonly (readonly Token[])[]): Token[] {
  const place = segments[cityAt]
  const street: Segment[] = []
  for (let at = cityAt - 1; at >= 0 && place !== undefined; at -= 1) {
    const segment = segments[at]
    if (segment === undefined || place.row - segment.row > 3 || endsName(segment)) break
    if (segment.row === 0 && rows.length > 1 && !hasDigit(segment)) break
    if (segment.tokens.some((token) => /:$/.test(token.text))) break
    street.unshift(segment)
  }
  const numbered = street.findIndex(hasDigit)
  const from = street.findIndex((segment) => segment.row === street[Math.max(0, numbered)]?.row)
  return street.slice(Math.max(0, from)).flatMap((segment) => segment.tokens)
}

const hasDigit = (segment: Segment): boolean => segment.tokens.some((token) => /\d/.test(token.text))

const endsName = (segment: Segment): boolean =>
  segment.tokens.some(
    (token, at) =>
      (at > 0 || segment.tokens.length === 1) &&
      legalForms.has(token.bare.replace(/[^a-z]/g, '')) &&
      (/[.]/.test(token.text) || token.bare.length > 3 || token.text === token.text.toUpperCase()),
  )
