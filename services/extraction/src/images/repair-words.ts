import type { Word } from '../domain/page.ts'

/** Words in front of which `N2` or `NT` can only be `Nº`. */
const numbered = /^(?:de|factura|fra|cuenta|cta|documento|doc|albar[aá]n|pedido|cliente|contrato|referencia)\b/i
/** A figure of one or two digits with a stray sign: an ordinal of an address. */
const ordinalSign = /^(\d{1,2})[*?"”“’°]([.,]?)$/

/**
 * Puts right what recognition makes of the raised letters in abbreviations (`N*`, `P9`, `42 planta`, `1% B`) and of
 * capitals between dots (`C.1.F.`, `1.V.A.`). Only words that cannot be anything else change; their boxes stay.
 */
export function repairWords(words: readonly Word[]): Word[] {
  return words.map((word, index) => {
    const before = neighbour(words[index - 1], word)
    const after = neighbour(words[index + 1], word)
    const text = repair(word, before, after)
    return text === word.text ? word : { ...word, text }
  })
}

/** The text beside a word; empty where the line ends or a wide gap follows. */
function neighbour(other: Word | undefined, word: Word): string {
  if (other === undefined || other.line !== word.line) return ''
  const gap = Math.max(other.x0 - word.x1, word.x0 - other.x1)
  // boxes are in shares of the page: a letter is about a two hundredth of its width
  return gap > 0.03 ? '' : other.text
}

const doubtful = 0.75

function repair({ text, confidence }: Word, before: string, after: string): string {
  const roadLike = /^N9$/.test(text) && after !== ''
  if (!roadLike && /^[Nn]\.?[*?"”“’%°ª&9]{1,2}[.:]{0,2}$/.test(text))
    return `${text.charAt(0)}º${/:/.test(text) ? ':' : ''}`
  if (/^N[29TeE?]$/.test(text) && numbered.test(after)) return 'Nº'
  if (/^N[A-Z]:?$/.test(text) && confidence < doubtful && /^(?:de)?$/i.test(after) && /^(?:factura)?$/i.test(before))
    return 'Nº'
  if (/^Pp?[*?"”“’%°ª9]{1,2}$/.test(text) && /^(?:\p{Lu}|de\b|del\b)/u.test(after)) return 'Pº'
  if (/^[CN]\.[1lL|]\.?F\b/.test(text)) return text.replace(/^([CN])\.[1lL|]\.?/, '$1.I.')
  if (/^[1lL|]\.?V\.?A\b/.test(text)) return text.replace(/^[1lL|]/, 'I')
  if (/^[1lL|]\.?G\.?[1lI|]\.?C\b/.test(text)) return text.replace(/^[1lL|](\.?G\.?)[1lI|]/, 'I$1I')
  if (/^T[1l]f\b/.test(text)) return text.replace(/^T[1l]f/, 'Tlf')
  if (/^planta\b/i.test(after) && /^\d(?:[2?*%"]|21|3)$/.test(text)) return `${text.charAt(0)}ª`
  if (isFlat(after)) {
    if (/\d[%*?]$/.test(text))
      return text.replace(/,?(\d)[%*?]$/, (_, floor) => (/,/.test(text) ? `, ${floor}º` : `${floor}º`))
    if (/^\d[279]$/.test(text) && confidence < doubtful) return `${text.charAt(0)}º`
  }
  return text.replace(ordinalSign, '$1º$2')
}

/** What follows the floor in an address: a side, a door. */
const isFlat = (text: string): boolean => /^(?:[A-D]|izq\.?|izda\.?|dcha\.?|\d[ºª%*?])[.,;]?$/.test(text)
