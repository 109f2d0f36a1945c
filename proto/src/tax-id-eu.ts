/**
 * VAT identification numbers of the EU member states and Northern Ireland: form and, where the state publishes one,
 * check digits. Spanish numbers are judged by `tax-id.ts`.
 *
 * Source: structure table of the VIES service (Council Regulation (EU) 904/2010, annex of national formats) and the
 * states' own rules for check digits. Where a state has no public rule for some of its numbers, form alone decides.
 */
import { checkTaxId, normalizeTaxId } from './tax-id.ts'

export interface VatVerdict {
  /** Upper case without blanks and punctuation; Spanish numbers without prefix, others with their prefix. */
  value: string
  /** VIES country code (`EL` for Greece, `XI` for Northern Ireland), null where the form belongs to no member state. */
  country: string | null
  /** The number without the country prefix, as VIES wants it. */
  number: string
  valid: boolean
}

type Judge = (number: string) => boolean

const digitsOf = (text: string): number[] => [...text].map((sign) => Number.parseInt(sign, 36))
const weighted = (text: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * Number(text[index] ?? 0), 0)
const last = (text: string): number => Number(text.at(-1))

/** Luhn over all digits. */
const luhn: Judge = (text) =>
  [...text].reverse().reduce((sum, sign, index) => {
    const doubled = Number(sign) * (index % 2 === 1 ? 2 : 1)
    return sum + (doubled > 9 ? doubled - 9 : doubled)
  }, 0) %
    10 ===
  0

/** ISO 7064 MOD 11,10. */
const mod1110: Judge = (text) => {
  let product = 10
  for (const digit of digitsOf(text.slice(0, -1))) {
    const sum = (digit + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === last(text)
}

const austria: Judge = (text) => {
  const sum = [...text.slice(1, 8)].reduce((total, sign, index) => {
    const product = Number(sign) * (index % 2 === 0 ? 1 : 2)
    return total + Math.trunc(product / 10) + (product % 10)
  }, 4)
  return (10 - (sum % 10)) % 10 === last(text)
}

const bulgaria: Judge = (text) => {
  if (text.length === 10) return true
  const first = weighted(text, [1, 2, 3, 4, 5, 6, 7, 8]) % 11
  const check = first === 10 ? (weighted(text, [3, 4, 5, 6, 7, 8, 9, 10]) % 11) % 10 : first
  return check === last(text)
}

const cyprus: Judge = (text) => {
  const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21]
  const sum = [...text.slice(0, 8)].reduce(
    (total, sign, index) => total + (index % 2 === 0 ? (odd[Number(sign)] ?? 0) : Number(sign)),
    0,
  )
  return String.fromCharCode(65 + (sum % 26)) === text.at(-1)
}

const czechia: Judge = (text) => {
  if (text.length !== 8) return true
  return (11 - (weighted(text, [8, 7, 6, 5, 4, 3, 2]) % 11)) % 10 === last(text)
}

const estonia: Judge = (text) => (10 - (weighted(text, [3, 7, 1, 3, 7, 1, 3, 7]) % 10)) % 10 === last(text)

const greece: Judge = (text) => (weighted(text, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === last(text)

const finland: Judge = (text) => {
  const rest = weighted(text, [7, 9, 10, 5, 8, 4, 2]) % 11
  return rest !== 1 && (rest === 0 ? 0 : 11 - rest) === last(text)
}

const france: Judge = (text) => {
  const siren = text.slice(2)
  if (!/^\d{2}/.test(text)) return luhn(siren)
  return (12 + 3 * (Number(siren) % 97)) % 97 === Number(text.slice(0, 2)) && (luhn(siren) || siren.startsWith('356'))
}

const hungary: Judge = (text) => (10 - (weighted(text, [9, 7, 3, 1, 9, 7, 3]) % 10)) % 10 === last(text)

const ireland: Judge = (text) => {
  const letters = 'WABCDEFGHIJKLMNOPQRSTUV'
  if (/^\d[A-Z+*]/.test(text)) {
    return letters[weighted(`0${text.slice(2, 7)}${text[0]}`, [8, 7, 6, 5, 4, 3, 2]) % 23] === text[7]
  }
  const extra = text.length === 9 ? 9 * Math.max(0, 'WABCDEFGHI'.indexOf(text.charAt(8))) : 0
  return letters[(weighted(text, [8, 7, 6, 5, 4, 3, 2]) + extra) % 23] === text[7]
}

const latvia: Judge = (text) => {
  if (/^[0-3]/.test(text)) return true
  const rest = (3 - (weighted(text, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6]) % 11) + 11) % 11
  return rest === last(text)
}

const lithuania: Judge = (text) => {
  const body = text.slice(0, -1)
  const weights = (start: number) => [...body].map((_, index) => ((index + start - 1) % 9) + 1)
  const first = weighted(body, weights(1)) % 11
  const check = first === 10 ? (weighted(body, weights(3)) % 11) % 10 : first
  return check === last(text)
}

const luxembourg: Judge = (text) => Number(text.slice(0, 6)) % 89 === Number(text.slice(6))

const malta: Judge = (text) => 37 - (weighted(text, [3, 4, 6, 7, 8, 9]) % 37) === Number(text.slice(6))

/** Citizen service numbers by mod 11 (until 2019), and since 2020 mod 97 over `NL` and the number. */
const netherlands: Judge = (text) =>
  weighted(text, [9, 8, 7, 6, 5, 4, 3, 2]) % 11 === Number(text[8]) || mod97(`NL${text}`) === 1

const poland: Judge = (text) => weighted(text, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === last(text)

const portugal: Judge = (text) => {
  const check = 11 - (weighted(text, [9, 8, 7, 6, 5, 4, 3, 2]) % 11)
  return (check > 9 ? 0 : check) === last(text)
}

const romania: Judge = (text) =>
  ((weighted(text.padStart(10, '0'), [7, 5, 3, 2, 1, 7, 5, 3, 2]) * 10) % 11) % 10 === last(text)

const slovenia: Judge = (text) => {
  const check = 11 - (weighted(text, [8, 7, 6, 5, 4, 3, 2]) % 11)
  return check !== 11 && (check === 10 ? 0 : check) === last(text)
}

const denmark: Judge = (text) => weighted(text, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
const belgium: Judge = (text) => 97 - (Number(text.slice(0, 8)) % 97) === Number(text.slice(8))
const sweden: Judge = (text) => luhn(text.slice(0, 10))
const slovakia: Judge = (text) => Number(text) % 11 === 0

/** British numbers, of which Northern Ireland's VIES numbers are some: mod 97, or 55 less since 2010. */
const northernIreland: Judge = (text) => {
  if (!/^\d{9}/.test(text)) return true
  const rest = (weighted(text, [8, 7, 6, 5, 4, 3, 2]) + Number(text.slice(7, 9))) % 97
  return rest === 0 || (rest + 55) % 97 === 0
}

function mod97(text: string): number {
  let remainder = 0
  for (const number of digitsOf(text)) remainder = (remainder * (number > 9 ? 100 : 10) + number) % 97
  return remainder
}

const states: Record<string, { form: RegExp; judge: Judge }> = {
  AT: { form: /^U\d{8}$/, judge: austria },
  BE: { form: /^[01]\d{9}$/, judge: belgium },
  BG: { form: /^\d{9,10}$/, judge: bulgaria },
  CY: { form: /^\d{8}[A-Z]$/, judge: cyprus },
  CZ: { form: /^\d{8,10}$/, judge: czechia },
  DE: { form: /^[1-9]\d{8}$/, judge: mod1110 },
  DK: { form: /^\d{8}$/, judge: denmark },
  EE: { form: /^\d{9}$/, judge: estonia },
  EL: { form: /^\d{9}$/, judge: greece },
  FI: { form: /^\d{8}$/, judge: finland },
  FR: { form: /^[0-9A-HJ-NP-Z]{2}\d{9}$/, judge: france },
  HR: { form: /^\d{11}$/, judge: mod1110 },
  HU: { form: /^\d{8}$/, judge: hungary },
  IE: { form: /^(\d{7}[A-W][A-IW]?|\d[A-Z+*]\d{5}[A-W])$/, judge: ireland },
  IT: { form: /^\d{11}$/, judge: luhn },
  LT: { form: /^(\d{9}|\d{12})$/, judge: lithuania },
  LU: { form: /^\d{8}$/, judge: luxembourg },
  LV: { form: /^\d{11}$/, judge: latvia },
  MT: { form: /^\d{8}$/, judge: malta },
  NL: { form: /^\d{9}B\d{2}$/, judge: netherlands },
  PL: { form: /^\d{10}$/, judge: poland },
  PT: { form: /^[1-9]\d{8}$/, judge: portugal },
  RO: { form: /^[1-9]\d{1,9}$/, judge: romania },
  SE: { form: /^\d{10}01$/, judge: sweden },
  SI: { form: /^[1-9]\d{7}$/, judge: slovenia },
  SK: { form: /^[1-9]\d[2-47-9]\d{7}$/, judge: slovakia },
  XI: { form: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/, judge: northernIreland },
}

/** Country codes of the member states as they begin a VAT number, Spain and Northern Ireland included. */
export const vatCountries: readonly string[] = [...Object.keys(states), 'ES']

/**
 * Judges a VAT number of any member state. A number without prefix is Spanish unless `country` (VIES code or ISO
 * 3166-1 alpha-2) says otherwise. Never fails.
 */
export function checkVatNumber(text: string, country?: string): VatVerdict {
  const bare = normalizeTaxId(text)
  const spanish = checkTaxId(bare)
  if (spanish.kind !== null && (country === undefined || country === 'ES')) {
    return { value: spanish.value, country: 'ES', number: spanish.value, valid: spanish.valid }
  }
  const given = country === 'GR' ? 'EL' : country
  const prefix = bare.startsWith('GR') ? 'EL' : bare.slice(0, 2)
  const state = states[prefix]
  if (state?.form.test(bare.slice(2))) return judged(prefix, bare.slice(2), state)
  const own = given === undefined ? undefined : states[given]
  if (given !== undefined && own?.form.test(bare)) return judged(given, bare, own)
  return { value: bare, country: state !== undefined && /\d/.test(bare) ? prefix : null, number: bare, valid: false }
}

const judged = (country: string, number: string, state: { judge: Judge }): VatVerdict => ({
  value: `${country}${number}`,
  country,
  number,
  valid: state.judge(number),
})
