/**
 * Spanish tax identification numbers: NIF of natural persons (DNI, K, L, M), NIE of foreigners and NIF of entities
 * (formerly CIF), with their control characters.
 *
 * Source: Real Decreto 1065/2007 arts. 18–22, Orden EHA/451/2008 (letters of entities), Orden INT/2058/2008 (NIE).
 */
export type TaxIdKind = 'nif' | 'nie' | 'cif'

export interface TaxIdVerdict {
  /** Upper case, without the country prefix, blanks and punctuation. */
  value: string
  kind: TaxIdKind | null
  valid: boolean
}

const personLetters = 'TRWAGMYFPDXBNJZSQVHLCKE'
const entityControlLetters = 'JABCDEFGHI'
/** Entities whose control is always a letter (P, Q, R, S, N, W) or always a digit (A, B, E, H); the others take both. */
const letterOnly = 'NPQRSW'
const digitOnly = 'ABEH'

/**
 * Brings a tax id to its bare form: upper case, full-width and look-alike signs folded, blanks and punctuation gone, an
 * `ES` prefix removed where nine characters remain.
 */
export function normalizeTaxId(text: string): string {
  const bare = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
  return /^ES[A-Z0-9]{9}$/.test(bare) ? bare.slice(2) : bare
}

/** Judges a Spanish tax id by its form and control character. Never fails; an unknown form is `kind: null`. */
export function checkTaxId(text: string): TaxIdVerdict {
  const value = normalizeTaxId(text)
  if (/^\d{8}[A-Z]$/.test(value)) {
    return { value, kind: 'nif', valid: personLetter(Number(value.slice(0, 8))) === value[8] }
  }
  if (/^[KLM]\d{7}[A-Z]$/.test(value)) {
    return { value, kind: 'nif', valid: personLetter(Number(value.slice(1, 8))) === value[8] }
  }
  if (/^[XYZ]\d{7}[A-Z]$/.test(value)) {
    const digits = Number('XYZ'.indexOf(value.charAt(0)) + value.slice(1, 8))
    return { value, kind: 'nie', valid: personLetter(digits) === value[8] }
  }
  if (/^[ABCDEFGHJNPQRSUVW]\d{7}[0-9A-J]$/.test(value)) {
    return { value, kind: 'cif', valid: entityControlHolds(value) }
  }
  return { value, kind: null, valid: false }
}

/** True when the text is a Spanish tax id whose control character is right. */
export const isValidTaxId = (text: string): boolean => checkTaxId(text).valid

/** True when the id belongs to a legal person or entity, which decides PersonTypeCode `J` in Facturae. */
export const isLegalEntity = (taxId: string): boolean => checkTaxId(taxId).kind === 'cif'

const personLetter = (digits: number): string => personLetters.charAt(digits % 23)

function entityControlHolds(value: string): boolean {
  const digits = value.slice(1, 8)
  let sum = 0
  for (let index = 0; index < 7; index += 1) {
    const digit = Number(digits[index])
    const doubled = digit * 2
    sum += index % 2 === 0 ? Math.trunc(doubled / 10) + (doubled % 10) : digit
  }
  const control = (10 - (sum % 10)) % 10
  const last = value.charAt(8)
  const kind = value.charAt(0)
  const asDigit = last === String(control)
  const asLetter = last === entityControlLetters.charAt(control)
  if (letterOnly.includes(kind)) return asLetter
  if (digitOnly.includes(kind)) return asDigit
  return asDigit || asLetter
}
