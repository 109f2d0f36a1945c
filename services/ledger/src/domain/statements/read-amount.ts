/** Amounts as banks print them: `-1.234,56 €`, `1,234.56`, `12,30-`, `(12,30)`, `+5`, `1.234EUR`. */
import { type Cents, cents } from '@asiento/proto/money'

export type DecimalMark = ',' | '.'

/**
 * Which mark separates the cents, judged over a whole column: one value with cents tells for all. A column with no cents
 * at all is read the Spanish way, where a point groups thousands.
 */
export function decimalMarkOf(values: readonly string[]): DecimalMark {
  for (const value of values) {
    const digits = bareDigits(value)
    const both = digits.includes(',') && digits.includes('.')
    if (both) return digits.lastIndexOf(',') > digits.lastIndexOf('.') ? ',' : '.'
    if (/,\d{1,2}$/.test(digits)) return ','
    if (/\.\d{1,2}$/.test(digits)) return '.'
  }
  return values.some((value) => /^\d{1,3}(,\d{3})+$/.test(bareDigits(value))) ? '.' : ','
}

/**
 * Reads one amount; null where it is none, also where it has three decimals or groups that are not of three digits,
 * because a guess about money is worse than an error. One or two digits after the other mark are cents too: some banks
 * mix both in a file.
 */
export function readAmount(value: string, mark: DecimalMark): Cents | null {
  const text = value
    .replace(/[\s\u00a0\u202f']/g, '')
    .replace(/[−–]/g, '-')
    .replace(/€|EUROS?|EUR/gi, '')
  const match = /^(?<open>\()?(?<before>[+-])?(?<digits>[\d.,]+)(?<after>[+-])?(?<close>\))?$/.exec(text)
  const groups = match?.groups
  if (groups === undefined || (groups.open === undefined) !== (groups.close === undefined)) return null
  if (groups.before !== undefined && groups.after !== undefined) return null
  const digits = groups.digits ?? ''
  const other = mark === ',' ? '.' : ','
  const strayMark = new RegExp(`\\${other}\\d{1,2}$`).test(digits)
  const plain = plainDecimal(digits, strayMark ? other : mark)
  if (plain === null || plain.length > 17) return null
  const negative = groups.open !== undefined || groups.before === '-' || groups.after === '-'
  const amount = cents(plain)
  return negative && amount !== 0 ? -amount : amount
}

/** `1.234,50` → `1234.50`; null where it does not read that way. More than three decimals are let pass if all zeros. */
function plainDecimal(digits: string, mark: DecimalMark): string | null {
  const pattern =
    mark === ','
      ? /^(\d+|\d{1,3}(?:\.\d{3})+)(?:,(\d{1,2}|\d{2}00+))?$/
      : /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}|\d{2}00+))?$/
  const match = pattern.exec(digits)
  const whole = match?.[1]
  return whole === undefined ? null : `${whole.replace(/[.,]/g, '')}.${match?.[2]?.slice(0, 2) ?? '0'}`
}

const bareDigits = (value: string): string => value.replace(/[^\d.,]/g, '')
