/**
 * Text as it is compared: lower case, without accents, the signs that mean the same folded into one. What is shown to
 * people is always the text as printed.
 */

const folded = new Map<string, string>()

/** Lower case without accents; `º`, `°` and `ª` become letters, dashes and quotes their plain forms. Keeps blanks. */
export function fold(text: string): string {
  const known = folded.get(text)
  if (known !== undefined) return known
  const result = text
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/[’‘´`]/g, "'")
    .replace(/[º°]/g, 'o')
    .replace(/ª/g, 'a')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
  if (folded.size > 20_000) folded.clear()
  folded.set(text, result)
  return result
}

/**
 * A word as a label sees it: folded, without the punctuation around it, and without the dots of an abbreviation
 * (`C.I.F.:` → `cif`, `(21%)` → `21%`, `N.º` → `no`). Numbers keep their dots and commas.
 */
export function bare(text: string): string {
  const plain = fold(text)
  let from = 0
  let to = plain.length
  while (from < to && !isCore(plain.charCodeAt(from))) from += 1
  while (to > from && !isCore(plain.charCodeAt(to - 1))) to -= 1
  const core = plain.slice(from, to)
  return /\d/.test(core) ? core : core.replace(/\./g, '')
}

/** Letters, digits, `%`, `€`, `$`, `£`. */
function isCore(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 48 && code <= 57) ||
    code === 37 ||
    code === 8364 ||
    code === 36 ||
    code === 163 ||
    (code > 191 && code !== 8211 && code !== 8212 && code !== 8226 && code < 8192)
  )
}

/** Edits (insert, delete, replace) between two short words, counted only up to `limit` + 1. */
export function editDistance(a: string, b: string, limit: number): number {
  if (a === b) return 0
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i]
    let best = i
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const value = Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1)
      current.push(value)
      if (value < best) best = value
    }
    if (best > limit) return limit + 1
    previous = current
  }
  return previous[b.length] ?? limit + 1
}
