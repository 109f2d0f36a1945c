/**
 * IBAN checks: ISO 13616 form and mod 97, the country's length, and for Spanish accounts the two CCC control digits
 * (Orden 1987 of the Consejo Superior Bancario).
 */
export interface IbanVerdict {
  /** Upper case without blanks and punctuation. */
  value: string
  valid: boolean
}

/** Lengths of the IBAN registry (SWIFT, release 98). */
const ibanLengths: Record<string, number> = {
  AD: 24,
  AE: 23,
  AL: 28,
  AT: 20,
  AZ: 28,
  BA: 20,
  BE: 16,
  BG: 22,
  BH: 22,
  BR: 29,
  BY: 28,
  CH: 21,
  CR: 22,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  DO: 28,
  EE: 20,
  EG: 29,
  ES: 24,
  FI: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GL: 18,
  GR: 27,
  GT: 28,
  HR: 21,
  HU: 28,
  IE: 22,
  IL: 23,
  IQ: 23,
  IS: 26,
  IT: 27,
  JO: 30,
  KW: 30,
  KZ: 20,
  LB: 28,
  LC: 32,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  LY: 25,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MR: 27,
  MT: 31,
  MU: 30,
  NL: 18,
  NO: 15,
  PK: 24,
  PL: 28,
  PS: 29,
  PT: 25,
  QA: 29,
  RO: 24,
  RS: 22,
  SA: 24,
  SC: 31,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  ST: 25,
  SV: 28,
  TL: 23,
  TN: 24,
  TR: 26,
  UA: 29,
  VA: 22,
  VG: 24,
  XK: 20,
}

/** Upper case, without anything that is no letter or digit. */
export const normalizeIban = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/^\s*IBAN\b/, '')
    .replace(/[^A-Z0-9]/g, '')

/** Judges an IBAN by length, mod 97 and, for Spain, by the CCC control digits. Never fails. */
export function checkIban(text: string): IbanVerdict {
  const value = normalizeIban(text)
  const country = value.slice(0, 2)
  const formHolds = /^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/.test(value) && ibanLengths[country] === value.length
  if (!formHolds || mod97(value) !== 1) return { value, valid: false }
  return { value, valid: country !== 'ES' || cccControlHolds(value.slice(4)) }
}

/** True when the text is an IBAN whose check digits are right. */
export const isValidIban = (text: string): boolean => checkIban(text).valid

function mod97(iban: string): number {
  let remainder = 0
  for (const sign of iban.slice(4) + iban.slice(0, 4)) {
    const number = Number.parseInt(sign, 36)
    remainder = (remainder * (number > 9 ? 100 : 10) + number) % 97
  }
  return remainder
}

/** Twenty digits of a Spanish account: entity (4), branch (4), control (2), account (10). */
export function cccControlHolds(ccc: string): boolean {
  if (!/^\d{20}$/.test(ccc)) return false
  const control = `${cccDigit(`00${ccc.slice(0, 8)}`)}${cccDigit(ccc.slice(10))}`
  return control === ccc.slice(8, 10)
}

function cccDigit(tenDigits: string): number {
  const weights = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]
  const sum = weights.reduce((total, weight, index) => total + weight * Number(tenDigits[index]), 0)
  const digit = 11 - (sum % 11)
  return digit === 11 ? 0 : digit === 10 ? 1 : digit
}
