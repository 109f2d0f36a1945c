import type { Word } from '../domain/page.ts'

/** Words in front of which `N2` or `NT` can only be `Nº`. */
const numbered = /^(?:de|factura|fra|cuenta|cta|documento|doc|albar[aá]n|pedido|cliente|contrato|referencia)\b/i
/** A figure of one or two digits with a stray sign: an ordinal of an address. */
const ordinalSign = /^(\d{1,2})[*?"”“’°]([.,]?)$/

/**
 * Puts right what recognition makes of the raised letters in abbreviations (`N*`, `N?`, `1*`) and of capitals between
 * dots (`C.1.F.`, `1.V.A.`). Only words that cannot be anything else change; their boxes stay.
 */
export function repairWords(words: readonly Word[]): Word[] {
  return words.map((word, index) => {
    const next = words[index + 1]
    const following = next !== undefined && next.line === word.line ? next.text : ''
    const text = repair(word.text, following)
    return text === word.text ? word : { ...word, text }
  })
}

function repair(text: string, following: string): string {
  if (/^[Nn]\.?[*?"”“’%°ª&]{1,2}[.:]?$/.test(text)) return `${text.charAt(0)}º${text.endsWith(':') ? ':' : ''}`
  if (/^N[29TeE?]$/.test(text) && numbered.test(following)) return 'Nº'
  if (/^[CN]\.[1lL|]\.?F\b/.test(text)) return text.replace(/^([CN])\.[1lL|]\.?/, '$1.I.')
  if (/^[1lL|]\.?V\.?A\b/.test(text)) return text.replace(/^[1lL|]/, 'I')
  if (/^[1lL|]\.?G\.?[1lI|]\.?C\b/.test(text)) return text.replace(/^[1lL|](\.?G\.?)[1lI|]/, 'I$1I')
  if (/^T[1l]f\b/.test(text)) return text.replace(/^T[1l]f/, 'Tlf')
  return text.replace(ordinalSign, '$1º$2')
}
