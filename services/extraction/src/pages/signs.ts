import type { Glyph } from './glyphs-to-words.ts'

const ligatures: Record<string, string> = { ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl', ﬅ: 'st', ﬆ: 'st' }

/** Marks that some typesetting draws as glyphs of their own above a letter, and what they mean. */
const drawnMarks: Record<string, string> = {
  '´': '\u0301',
  '\u02ca': '\u0301',
  '`': '\u0300',
  '¨': '\u0308',
  '˜': '\u0303',
  '¸': '\u0327',
  '\u0301': '\u0301',
  '\u0300': '\u0300',
  '\u0308': '\u0308',
  '\u0303': '\u0303',
  '\u0327': '\u0327',
}

/** Blank for every kind of white space, nothing for marks without width, letters for ligatures; else the sign itself. */
export function plainSign(sign: string): string {
  const code = sign.charCodeAt(0)
  if (code < 0x21) return ' '
  if (code < 0xa0) return code === 0x7f ? ' ' : sign
  if (code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x202f || code === 0x205f || code === 0x3000) {
    return ' '
  }
  if (code === 0xad) return '-'
  if ((code >= 0x200b && code <= 0x200f) || code === 0xfeff || code === 0x2060) return ''
  if (code === 0x2212 || code === 0x2010 || code === 0x2011) return '-'
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0)
  return ligatures[sign] ?? sign
}

/** Folds accents that are drawn as a sign of their own over the letter before or after them into that letter. */
export function composeAccents(glyphs: readonly Glyph[]): Glyph[] {
  const result: Glyph[] = []
  let pending: Glyph | undefined
  for (const glyph of glyphs) {
    const mark = drawnMarks[glyph.sign]
    if (mark !== undefined) {
      const last = result.at(-1)
      if (last !== undefined && isLetter(last.sign) && covers(last, glyph)) {
        last.sign = compose(last.sign, mark)
        continue
      }
      if (pending !== undefined) result.push(pending)
      pending = { ...glyph }
      continue
    }
    if (pending !== undefined && isLetter(glyph.sign) && covers(glyph, pending)) {
      result.push({ ...glyph, sign: compose(glyph.sign, drawnMarks[pending.sign] ?? '') })
    } else {
      if (pending !== undefined) result.push(pending)
      result.push({ ...glyph })
    }
    pending = undefined
  }
  if (pending !== undefined) result.push(pending)
  return result
}

const compose = (letter: string, mark: string): string => (letter === 'ı' ? 'i' : letter).concat(mark).normalize('NFC')
const isLetter = (sign: string): boolean => /^\p{L}$/u.test(sign)

function covers(letter: Glyph, mark: Glyph): boolean {
  const center = (mark.x0 + mark.x1) / 2
  const sameLine = Math.abs(letter.y1 - mark.y1) < letter.fontSize
  return sameLine && center > letter.x0 - 0.05 * letter.fontSize && center < letter.x1 + 0.05 * letter.fontSize
}

/**
 * Letters of one ligature glyph all start where the glyph starts: gives each its part of the room up to what follows.
 */
export function spreadLigatures(glyphs: readonly Glyph[]): Glyph[] {
  const result = [...glyphs]
  let from = 0
  while (from < result.length) {
    let to = from + 1
    while (to < result.length && to - from < 4 && sameOrigin(result[from], result[to])) to += 1
    if (to - from > 1) share(result, from, to)
    from = to
  }
  return result
}

const sameOrigin = (a: Glyph | undefined, b: Glyph | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.rotation === 0 &&
  b.rotation === 0 &&
  a.sign !== b.sign &&
  isLetter(a.sign) &&
  isLetter(b.sign) &&
  Math.abs(a.x0 - b.x0) < 0.02 * a.fontSize &&
  Math.abs(a.y1 - b.y1) < 0.02 * a.fontSize

function share(glyphs: Glyph[], from: number, to: number): void {
  const letters = glyphs.slice(from, to)
  const first = letters[0]
  if (first === undefined) return
  const next = glyphs[to]
  const widest = Math.max(...letters.map(({ x1 }) => x1))
  const follows = next !== undefined && Math.abs(next.y1 - first.y1) < 0.1 * first.fontSize && next.x0 > first.x0
  const end = follows && next.x0 - first.x0 < 0.8 * first.fontSize * letters.length ? next.x0 : widest
  const step = (end - first.x0) / letters.length
  letters.forEach((letter, index) => {
    glyphs[from + index] = { ...letter, x0: first.x0 + step * index, x1: first.x0 + step * (index + 1) }
  })
}
