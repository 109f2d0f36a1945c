import type { Token } from './layout.ts'

/** Which sign separates decimals in a document. */
export type DecimalSign = ',' | '.'

const digitsMax = 15

/** Judged by the numbers that can be read in one way only; a comma when there are none. */
export function decimalSignOf(tokens: readonly Token[]): DecimalSign {
  let comma = 0
  let dot = 0
  for (const token of tokens) {
    const text = token.text
    if (text.length > 20) continue
    if (/\d,\d{2}(?!\d)/.test(text) && !/,\d+[,.]\d/.test(text)) comma += 1
    else if (/\d\.\d{2}(?!\d)/.test(text) && !/\.\d+[.,]\d/.test(text)) dot += 1
  }
  return dot > comma ? '.' : ','
}

/** The exact decimal of printed digits, or null when they are no number (a date with dots, a code). */
export function toDecimal(printed: string, sign: DecimalSign): string | null {
  let text = printed.replace(/[.,]+$/, '')
  if (text.replace(/\D/g, '').length > digitsMax) return null
  // `1.234'56`: the stroke above that Spaniards write, and some still type
  const stroke = /^(?<whole>\d{1,3}(?:\.\d{3})*|\d+)'(?<fraction>\d{2})$/.exec(text)?.groups
  if (stroke !== undefined) return `${Number(stroke.whole?.replaceAll('.', ''))}.${stroke.fraction}`
  const grouped = text.includes(' ')
  text = text.replace(/ /g, '')
  const lastComma = text.lastIndexOf(',')
  const lastDot = text.lastIndexOf('.')
  let whole = text
  let fraction = ''
  if (lastComma >= 0 && lastDot >= 0) {
    const at = Math.max(lastComma, lastDot)
    whole = text.slice(0, at)
    fraction = text.slice(at + 1)
    if (/[.,]/.test(fraction)) return null
    const separator = lastComma > lastDot ? '.' : ','
    if (!groupsHold(whole, separator)) return null
  } else if (lastComma >= 0 || lastDot >= 0) {
    const used = lastComma >= 0 ? ',' : '.'
    const at = text.indexOf(used)
    const single = at === Math.max(lastComma, lastDot)
    const after = text.slice(text.lastIndexOf(used) + 1)
    if (
      single &&
      (used === sign || after.length !== 3 || grouped || at > 3 || at === 0 || /^0+$/.test(text.slice(0, at)))
    ) {
      whole = text.slice(0, at)
      fraction = after
    } else if (groupsHold(text, used)) whole = text
    else return null
  } else if (text.includes("'") && !groupsHold(text, "'")) return null
  whole = whole.replace(/[.,']/g, '')
  if (!/^\d*$/.test(whole) || !/^\d*$/.test(fraction) || fraction.length > 8) return null
  if (whole === '' && fraction === '') return null
  return fraction === '' ? `${Number(whole)}` : `${Number(whole)}.${fraction}`
}

const groupsHold = (text: string, separator: string): boolean => {
  const groups = text.replace(/'/g, separator).split(separator)
  return (
    groups.every((group, index) => (index === 0 ? /^\d{1,3}$/.test(group) : /^\d{3}$/.test(group))) ||
    groups.length === 1
  )
}
