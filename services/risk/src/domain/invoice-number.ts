/**
 * How an invoice number is compared: what a separator, a leading zero or letter case cannot change. `F-2026/0015` and
 * `f2026-15` are one number. Null where nothing is left to compare.
 */
export function numberKey(text: string | null): string | null {
  if (text === null) return null
  const runs =
    text
      .normalize('NFKC')
      .toUpperCase()
      .match(/[A-Z]+|\d+/g) ?? []
  const key = runs.map((run) => (/^\d/.test(run) ? run.replace(/^0+(?=\d)/, '') : run)).join('')
  return key === '' ? null : key.slice(0, 200)
}

/** Signs that scanners confuse, brought to one of them. */
const lookAlikes: Record<string, string> = { O: '0', Q: '0', D: '0', I: '1', L: '1', S: '5', B: '8', Z: '2', G: '6' }

/** Pairs of digits that scanners confuse; neighbours (5 and 6) are left out: they are the next invoice as a rule. */
const confusedDigits = new Set(['17', '71', '38', '83', '06', '60', '08', '80', '68', '86', '49', '94', '27', '72'])

const folded = (text: string): string =>
  [
    ...text
      .normalize('NFKC')
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, ''),
  ]
    .map((sign) => lookAlikes[sign] ?? sign)
    .join('')

/**
 * Whether two different numbers can be one that was written or read differently: a separator, a zero more or less, a
 * sign that scanners confuse, or a lost sign at either end. `F-101` and `F-102` cannot.
 */
export function numbersAlike(left: string, right: string): boolean {
  const [a, b] = [folded(left), folded(right)]
  if (a === '' || b === '') return false
  if (a === b || a.replace(/0/g, '') === b.replace(/0/g, '')) return hasSubstance(a)
  if (a.length === b.length) return differsByConfusion(a, b)
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= 4 && long.length - short.length <= 2 && (long.startsWith(short) || long.endsWith(short))
}

/** Numbers that are all zeros, or empty without them, say nothing when zeros are ignored. */
const hasSubstance = (text: string): boolean => text.replace(/0/g, '').length > 0

function differsByConfusion(a: string, b: string): boolean {
  if (a.length < 3) return false
  const different = [...a].map((sign, index) => `${sign}${b.charAt(index)}`).filter((pair) => pair[0] !== pair[1])
  return different.length === 1 && confusedDigits.has(different[0] ?? '')
}
