import { type PartyMeaning, partyLabels } from './labels.ts'
import { type Cell, oncePerCell, type Token } from './layout.ts'
import { type Label, labelAt } from './lexicon.ts'

/** What a label says of the data that it heads. */
export interface PartyLabel {
  meaning: PartyMeaning
  tokens: Token[]
  /** Nothing but the label stands in its cell. */
  alone: boolean
  /** The word calls one side on some invoices and the other on others: `propiedad`, `contratista`. */
  relative: boolean
}

/** Words that mean something else within a sentence; they count only alone or before a colon. */
const weak = new Set([
  'de',
  'a',
  'para',
  'to',
  'from',
  'empresa',
  'titular',
  'comunidad',
  'propietario',
  'propietaria',
  'propiedad',
  'propietat',
  'propietari',
  'nori',
  'nork',
  'jabea',
  'comercial',
  'obra',
  'finca',
  'banco',
  'entidad',
  'notas',
  'entrega',
  'agente',
  'socio',
  'abonado',
  'profesional',
  'factura a',
  'facturar',
  'client',
  'beneficiario',
  'a nombre de',
  'usuario',
  'provider',
  'tenant',
  'd/dna',
  'sr/sra',
  'sr/sres',
  'sres',
  'senores',
  'senor',
  'acreedor',
  'acreedora',
  'contratista',
  'promotor',
  'promotora',
  'gestor',
  'comercializadora',
  'comercialitzadora',
  'suministradora',
  'suministrador',
  'distribuidora',
  'aseguradora',
  'copropietario',
  'empresa comercializadora',
  'empresa instaladora',
  'corredor',
  'otorgante',
  'pasajero',
  'remitente',
  'remitent',
  'presentante',
  'sr d',
  'sra dna',
  'sr don',
  'sra dona',
])

/**
 * Sides that only the other one tells apart: the owner lets a house or pays for works in it, the contractor works for a
 * developer or pays a subcontractor. The meaning that the lexicon has is the likelier one.
 */
const relative =
  /^(?:promotor|propieta|propiedad|copropietario|contratista$|titular$|(?:datos (?:de la )?)?empresa$|sra? d(?:na|on|ona)?$|profesional$|socio$|comunidad|interesad|jabea|usuari)/

/** Words of a label that say nothing of whose data follow. */
const connecting = new Set(
  'datos dades datuak data del de la el los las do da dos els les y i e eta and the of o fiscal fiscales fiscals fiscais nombre nom nome razon rao social parte part details information identificacion final'.split(
    ' ',
  ),
)

/** True for the words of a label that may as well begin a name: `Promotora Alameda`, `Comunidad de Propietarios`. */
export const mayBeginName = (words: readonly string[]): boolean =>
  weak.has(words.join(' ')) || relative.test(words.join(' '))

/** The party label that a cell begins with; short prepositions count only where they stand alone. */
export const partyLabelOf = oncePerCell((cell: Cell): PartyLabel | null => {
  const start = cell.tokens.findIndex((token) => token.bare !== '')
  if (start < 0) return null
  const composed = composedLabel(cell)
  if (composed !== null) return composed
  const label = joinedLabel(cell, start)
  if (label === null) return null
  const tokens = cell.tokens.slice(0, label.to)
  const next = cell.tokens[label.to]
  // `CLIENTE 21781:` is a label with its number
  const alone = cell.tokens.slice(label.to).every((token) => token.bare === '' || /^\d+:$/.test(token.text))
  const closed = /:$/.test(tokens.at(-1)?.text ?? '') || next?.text === ':'
  const words = label.words.join(' ')
  const exact = label.words.join('') === tokens.map((token) => token.bare).join('')
  if ((weak.has(words) || !exact || label.meaning === 'neither') && !alone && !closed) return null
  // `Cliente nº 123` identifies and does not name
  if (
    next !== undefined &&
    /^(?:no|num|numero|n|codigo|cod|id)$/.test(next.bare) &&
    !/:$/.test(tokens.at(-1)?.text ?? '')
  )
    return null
  if (!alone && !closed && next !== undefined && !/^[\p{Lu}\d"“«(]/u.test(next.text)) return null
  return { meaning: label.meaning, tokens, alone, relative: relative.test(words) }
})

/**
 * A heading of several words for one side: `PROPIETAT (ARRENDADORA)`, `Promotor / Contratista (cliente)`, `Datos de la
 * empresa emisora`. What stands in brackets explains the rest; a word that is always one side's outweighs one that is not.
 */
function composedLabel(cell: Cell): PartyLabel | null {
  if (cell.tokens.length < 2 || cell.tokens.length > 9) return null
  const labels: (Label<PartyMeaning> & { bracketed: boolean; relative: boolean })[] = []
  let index = 0
  while (index < cell.tokens.length) {
    const token = cell.tokens[index]
    if (token === undefined) break
    const label = labelAt(cell.tokens, index, partyLabels)
    const words = label?.words.join(' ') ?? ''
    if (label !== null && !connecting.has(words)) {
      labels.push({ ...label, bracketed: token.text.startsWith('('), relative: relative.test(words) })
      index = label.to
    } else if (token.bare === '' || connecting.has(token.bare)) index += 1
    else return null
  }
  if (labels.length < 2) return null
  const bracketed = labels.filter((label) => label.bracketed)
  const certain = labels.filter((label) => !label.relative)
  const telling = [bracketed, certain, labels].find((some) => some.length > 0) ?? labels
  const meanings = new Set(telling.map((label) => label.meaning))
  const [meaning] = meanings
  if (meaning === undefined || meanings.size > 1) return null
  return { meaning, tokens: [...cell.tokens], alone: true, relative: telling.every((label) => label.relative) }
}

/** A label, or several of one meaning with strokes between them: `Bezeroa / Cliente`, `Alumno/Paciente:`. */
function joinedLabel(cell: Cell, start: number): Label<PartyMeaning> | null {
  const parts = (cell.tokens[start]?.bare ?? '').split('/')
  if (parts.length > 1) {
    const known = parts.map((part) => partyLabels.byJoined.get(part))
    const first = known.find((phrase) => phrase !== undefined && !relative.test(phrase.words.join(' '))) ?? known[0]
    if (first !== undefined && known.every((phrase) => phrase?.meaning === first.meaning))
      return { meaning: first.meaning, words: parts, from: start, to: start + 1 }
  }
  const label = labelAt(cell.tokens, start, partyLabels)
  if (label === null) return null
  let to = label.to
  while (cell.tokens[to]?.text === '/' || /\p{L}\/$/u.test(cell.tokens[to - 1]?.text ?? '')) {
    const next = labelAt(cell.tokens, cell.tokens[to]?.text === '/' ? to + 1 : to, partyLabels)
    if (next === null || next.meaning !== label.meaning) break
    to = next.to
  }
  return to === label.to
    ? label
    : {
        ...label,
        words: cell.tokens
          .slice(start, to)
          .map((token) => token.bare)
          .filter((word) => word !== ''),
        to,
      }
}
