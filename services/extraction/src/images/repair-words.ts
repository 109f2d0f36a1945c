import type { Word } from '../domain/page.ts'

/** Words in front of which `N2` or `NT` can only be `Nº`. */
const numbered = /^(?:de|factura|fra|cuenta|cta|documento|doc|albar[aá]n|pedido|cliente|contrato|referencia)\b/i
/** A figure of one or two digits with a stray sign: an ordinal of an address. */
const ordinalSign = /^(\d{1,2})[*?"”“’°]([.,]?)$/

/** `I.R.P.F.` as recognition spells it. */
const withholding = /^[I1lL|]?\.?R\.?[PB]\.?[FE]\.?[,:]?$/

/** `17:10:2025`, `01/12;2025`, `17/102025`: a stroke that was taken for points, or lost. */
const brokenDate = /^(?=.*[:;,]|\d{2}[/.-]\d{6}$|\d{4}[/.-]\d{4}$)(\d{2})[/.:;,-]?(\d{2})[/.:;,-]?((?:19|20)\d{2})$/

/**
 * Puts right what recognition makes of the raised letters in abbreviations (`N*`, `P9`, `42 planta`, `1% B`) and of
 * capitals between dots (`C.1.F.`, `1.V.A.`). Only words that cannot be anything else change; their boxes stay.
 */
export function repairWords(words: readonly Word[]): Word[] {
  return words.map((word, index) => {
    const before = neighbour(words[index - 1], word)
    const after = neighbour(words[index + 1], word)
    const text = isAmpersand(words, index, before, after) ? '&' : repair(word, before, after)
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
const name = /^\p{Lu}[\p{L}.'-]+,?$/u
const road =
  /^(?:c\/.*|calle|carrer|rúa|avda?\.?|avenida|av\.|pl?za\.?|plaza|paseo|pº|ctra\.?|carretera|ronda|pol\.?|polígono|camino|travesía|nave|local|parcela|portal)$/i
const company =
  /^(?:S\.? ?[LAC]\.?(?:\p{Lu}\.?){0,3}|S\.?L\.?P\.?|C\.?B\.?|S\.?Coop\.?|SOCIEDAD|Sociedad|Cía\.?|Hnos\.?|Hijos|Asociados)[.,]?$/u

/** `Lacasa 8 Jurado S.A.`, `Nogueira € Dopico`: the sign between two names of a firm. */
function isAmpersand(words: readonly Word[], index: number, before: string, after: string): boolean {
  const word = words[index]
  if (word === undefined || !name.test(before) || /,$/.test(before) || !name.test(after)) return false
  if (/^(?:[€£$]:?|8:|é)$/.test(word.text)) return true
  if (!/^[86]$/.test(word.text)) return false
  const near = words.slice(Math.max(0, index - 6), index)
  if (near.some(({ text, line }) => line === word.line && road.test(text))) return false
  return words.slice(index + 2, index + 8).some(({ text }) => company.test(text))
}

function repair({ text, confidence }: Word, before: string, after: string): string {
  const roadLike = /^N9$/.test(text) && after !== ''
  if (!roadLike && /^[Nn]\.?[*?"”“’%°ª&9]{1,2}[.:]{0,2}$/.test(text))
    return `${text.charAt(0)}º${/:/.test(text) ? ':' : ''}`
  if (/^N[29TeE?]$/.test(text) && numbered.test(after)) return 'Nº'
  if (/^N[A-Z]:?$/.test(text) && confidence < doubtful && /^(?:de)?$/i.test(after) && /^(?:factura)?$/i.test(before))
    return 'Nº'
  if (/^n[eo029*?°]$/.test(text) && (text !== 'no' || confidence < doubtful) && /^\d{1,4}[,.]?$/.test(after))
    return 'nº'
  if (/^N[A-Z]:$/.test(text) && confidence < doubtful && /^[A-Z]{0,4}[\d/-]*\d{3}/.test(after)) return 'Nº:'
  const numberAfter = /^[A-Z]{0,4}[\d/-]*\d{3}/.test(after) && (!roadLike || /\d{5}/.test(after))
  if (/^N[2?9e°*]$/.test(text) && confidence < doubtful && numberAfter) return 'Nº'
  if (text === 'N' && confidence < doubtful && before === '' && after === '') return 'Nº'
  if (/^Pp?[*?"”“’%°ª9]{1,2}$/.test(text) && /^(?:\p{Lu}|de\b|del\b)/u.test(after)) return 'Pº'
  if (/^(?:[CN]\.I\.F\.\/)?[CN]\.[1lL|]\.?F\b/.test(text)) return text.replace(/([CN])\.[1lL|]\.?(?=F\b)/, '$1.I.')
  if (/^[1lL|]\.R\.?P\.?F\b/.test(text)) return text.replace(/^[1lL|]/, 'I')
  if (/^IL\.V\.A\b/.test(text)) return text.replace(/^IL/, 'I')
  if (withholding.test(text) && /\..*\./.test(text)) return 'I.R.P.F.'
  if (/^V[il1]o[.:]{1,2}$/i.test(text) || (/^TO:$/.test(text) && confidence < doubtful)) return 'Vto.:'
  if (/^N\S{1,2}$/.test(text) && confidence < doubtful && /^factura$/i.test(before)) return 'Nº'
  if (/^4%$/.test(text) && /^n[uú]mero$/i.test(before) && /^\d/.test(after)) return '#'
  if (/^%s\/?$/.test(text)) return '%'
  if (
    /^[:.]$/.test(text) &&
    confidence < doubtful &&
    /\d|\p{Ll}$/u.test(before) &&
    /^(?:\d{5}$|[CN]\.?I\.?F\b)/.test(after)
  )
    return '·'
  if (/^[1lL|]\.?V\.?A\b/.test(text)) return text.replace(/^[1lL|]/, 'I')
  if (/^[1lL|]\.?G\.?[1lI|]\.?C\b/.test(text)) return text.replace(/^[1lL|](\.?G\.?)[1lI|]/, 'I$1I')
  if (/^T[1l]f\b/.test(text)) return text.replace(/^T[1l]f/, 'Tlf')
  if (/^planta\b/i.test(after) && /^\d(?:[2?*%"]|21|3)$/.test(text)) return `${text.charAt(0)}ª`
  const isFloor = /^\d9º$/.test(text) || (/^\d9$/.test(text) && /^[-–]$|\d,?$/.test(before))
  if (isFloor && /^(?:izq\.?|izda\.?|dcha\.?)[.,;]?$/.test(after)) return `${text.charAt(0)}º`
  if (isFlat(after)) {
    if (/\d[%*?]$/.test(text))
      return text.replace(/,?(\d)[%*?]$/, (_, floor) => (/,/.test(text) ? `, ${floor}º` : `${floor}º`))
    if (/^\d[279]$/.test(text) && confidence < doubtful) return `${text.charAt(0)}º`
  }
  const date = brokenDate.exec(text)
  if (date !== null && Number(date[1]) <= 31 && Number(date[2]) <= 12) return `${date[1]}/${date[2]}/${date[3]}`
  return text.replace(ordinalSign, '$1º$2')
}

/** What follows the floor in an address: a side, a door. */
const isFlat = (text: string): boolean => /^(?:[A-D]|izq\.?|izda\.?|dcha\.?|\d[ºª%*?])[.,;]?$/.test(text)
