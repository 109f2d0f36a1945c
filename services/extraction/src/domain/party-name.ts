import { streetWords } from './address-words.ts'
import { isIdLabel } from './find-tax-ids.ts'
import { institutionEnd } from './institution-words.ts'
import { amountLabels, columnLabels, dateLabels, numberLabels, partyLabels } from './labels.ts'
import type { Token } from './layout.ts'
import { textOf } from './layout.ts'
import { labelAt } from './lexicon.ts'
import { courtesy, legalForms, nameLabels, notNames } from './name-words.ts'
import { mayBeginName } from './party-label.ts'
import { isPlaceName } from './provinces.ts'

/** A piece of a party's text that may be its name. */
export interface NameFound {
  text: string
  tokens: Token[]
  score: number
  /** It ends with a legal form (S.L., S.A., C.B., …). */
  legal: boolean
}

/** The best name among pieces of text; null when none looks like one. */
export function bestName(pieces: readonly (readonly Token[])[]): NameFound | null {
  let best: NameFound | null = null
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1]
    const whole = before !== undefined && continues(before, piece) ? [...before, ...piece] : null
    const found = whole === null ? nameOf(piece, index) : nameOf(whole, index - 1)
    // the whole beats its first row alone
    if (found !== null && (best === null || found.score > best.score || (whole !== null && found.score === best.score)))
      best = found
  }
  return best
}

/** A long name in two rows: `CONSTRUCCIONES RIERA E` over `HIJOS, SLU`. Alike in size, the first without an end of its own. */
function continues(before: readonly Token[], piece: readonly Token[]): boolean {
  const last = before.at(-1)
  const first = piece[0]
  if (last === undefined || first === undefined || first.row <= last.row || legalEndOf(before, 0) > 0) return false
  const open =
    /^(?:e|y|i|de|del|d'|dels|la|las|los|les|el|da|do|dos|and|eta|&|,|-)$/.test(
      last.bare === '' ? last.text : last.bare,
    ) || /[,&-]$/.test(last.text)
  // `Ayuntamiento de Sant Cugat del` over `Vallès`: no name ends with a preposition
  const cut =
    open &&
    /\p{L}$/u.test(last.text) &&
    piece.length <= 4 &&
    piece.every((token, at) => /^\p{L}/u.test(token.text) || (at > 0 && /^\d{1,3}$/.test(token.text)))
  if (legalEndOf(piece, 0) < 0 && !(piece.length <= 2 && isLegalForm(piece)) && !cut) return false
  if (
    Math.abs(last.size - first.size) > 0.03 * first.size ||
    last.bold !== first.bold ||
    before.length + piece.length > 9
  )
    return false
  const named = before.slice(labelledStart(before))
  // `PAYROLL CLOUD 2010` over `SOCIEDAD ANÓNIMA`: a year is part of the name before a legal form alone
  const later = isLegalForm(piece) ? /\d{5}|:$|@/ : cut ? /\d{3}|:$|@/ : /^\d|\d{3}|:$|@/
  if (
    named.length === 0 ||
    named.some((token, at) => (at === 0 ? /^\d|[:@]/ : later).test(token.text)) ||
    partyStart(named)
  )
    return false
  return open || piece.length <= 2
}

/** Words that are nothing but headings and labels. */
const isLabel = (tokens: readonly Token[]): boolean =>
  [amountLabels, columnLabels, dateLabels, numberLabels].some(
    (words) => (labelAt(tokens, 0, words)?.to ?? 0) >= tokens.length,
  )

const isLegalForm = (piece: readonly Token[]): boolean =>
  piece.every(
    (token) =>
      /^(?:profesional|unipersonal|laboral)$/.test(token.bare) ||
      legalForms.has(token.bare.replace(/[^a-z]/g, '')) ||
      token.bare.length <= 1,
  )

/** Index after a party's label that closes with a colon: `Interesado/a: Logística` begins at its second word. */
function labelledStart(piece: readonly Token[]): number {
  const label = labelAt(piece, 0, partyLabels)
  const end = label?.to ?? piece.findIndex((token) => /:$/.test(token.text)) + 1
  return end <= 4 && /:$/.test(piece[end - 1]?.text ?? '') ? end : 0
}
/** A name may begin with `de`: `de la Peña & Riquelme, S.L.`. */
const partyStart = (piece: readonly Token[]): boolean => {
  const label = labelAt(piece, 0, partyLabels)
  return label !== null && label.meaning !== 'neither' && label.words.join('').length > 2
}

/** Reads one piece as a name: labels before it are dropped, it ends with a legal form or where other data begin. */
export function nameOf(piece: readonly Token[], index: number): NameFound | null {
  let start = 0
  while (start < piece.length) {
    const token = piece[start]
    if (token === undefined) break
    const party = labelAt(piece, start, partyLabels)
    const exact =
      party?.words.join('') ===
      piece
        .slice(start, party?.to ?? start)
        .map((part) => part.bare)
        .join('')
    if (
      party !== null &&
      party.to < piece.length &&
      (/:$/.test(piece[party.to - 1]?.text ?? '') ||
        (start === 0 &&
          exact &&
          party.meaning !== 'neither' &&
          party.words.join(' ').length > 4 &&
          !mayBeginName(party.words)))
    )
      start = party.to
    else if (isCourtesy(piece, start)) start += 1
    else if (token.bare === '' || (nameLabels.has(token.bare) && hasColonSoon(piece, start))) start += 1
    else break
  }
  start = Math.max(start, unknownLabelEnd(piece))
  // `Ruta:`
  if (/:$/.test(piece.at(-1)?.text ?? '')) return null
  const institution = institutionEnd(piece, start)
  const legalEnd = institution > 0 ? institution : legalEndOf(piece, start)
  // the document's title in the same row: `FACTURA COMERCIAL Axioma, S.C.`
  const title = legalEnd > 0 ? labelAt(piece, start, numberLabels) : null
  if (title?.meaning === 'invoice' && title.to < legalEnd - 1) start = title.to
  let end = legalEnd > 0 ? legalEnd : piece.length
  // `…, S.à r.l., Sucursal en España`
  if (legalEnd > 0 && piece[legalEnd]?.bare === 'sucursal') end = Math.min(piece.length, legalEnd + 3)
  let numbered = false
  if (legalEnd < 0) {
    const stop = piece.findIndex(
      (token, position) => position > start && (notNames.has(token.bare) || /@|\d{4}|^\(/.test(token.text)),
    )
    if (stop > 0) end = stop
    if (stop > 0 && piece[stop]?.bare !== '' && /^\d{2,}$/.test(piece[stop]?.text ?? '')) numbered = true
  }
  let tokens = piece.slice(start, end)
  while (tokens.length > 0 && tokens.at(-1)?.bare === '') tokens = tokens.slice(0, -1)
  const text = textOf(tokens)
    .replace(/[\s,;:·|(–—-]+$/, '')
    .replace(/^[\s,;:·|–—"“«-]+/, '')
    .replace(/["”»]+$/, '')
    .replace(/\.{2,}$/, '.')
    .trim()
  const letters = text.replace(/[^\p{L}]/gu, '').length
  if (letters < 3 || text.length > 90 || tokens.length > 12) return null
  const first = tokens[0]
  if (
    first === undefined ||
    isPlaceName(text) ||
    tokens.every((token) => nameLabels.has(token.bare)) ||
    (legalEnd < 0 && (isLabel(tokens) || (labelAt(tokens, 0, partyLabels)?.to ?? 0) >= tokens.length)) ||
    (legalEnd < 0 && first.bare.split(/[/-]/).every((part) => notNames.has(part))) ||
    (legalEnd < 0 && (isStreet(tokens) || isDateLike(text) || isIdLabel(first.bare))) ||
    /@|www\.|https?:|\.(?:es|com|net|org|cat|eus|gal)$/i.test(text)
  )
    return null
  // unions of firms are called by their law: `UTE Variante Sur (Ley 18/1982)`
  const digits = text.replace(/ley 18\/1982/i, '').replace(/\D/g, '').length
  if (digits > 4 || digits > letters / 2) return null
  let score = 4 - Math.min(index, 6) * 0.5
  if (legalEnd > 0) score += 4
  if (tokens.some((token) => token.bold)) score += 0.7
  // `Licencia 1234` identifies something
  if (numbered) score -= 3
  const labelled = start > 0
  if (labelled) score += 2
  if (!/^[\p{Lu}\d"«]/u.test(text)) score -= 3
  if (tokens.length === 1 && legalEnd < 0) score -= 0.8
  const other = labelAt(piece, 0, numberLabels) ?? labelAt(piece, 0, dateLabels) ?? labelAt(piece, 0, amountLabels)
  if (other !== null && legalEnd < 0) score -= 3
  if (/[.:]$/.test(text) && legalEnd < 0) score -= 1
  // `Notario de Sagunto` is what somebody is
  if (
    legalEnd < 0 &&
    /^(?:notari[oa]?|registrador[a]?|procurador[a]?|abogad[oa]|arquitect[oa]) (?:del? |d')/i.test(text)
  )
    score -= 2
  // `Persona de contacto`, `De acuerdo con el Reglamento`: names have their nouns in capitals
  if (legalEnd < 0 && tokens.some((token, at) => at > 0 && /^\p{Ll}{5,}/u.test(token.text))) score -= 3
  return { text, tokens: [...tokens], score, legal: legalEnd > 0 }
}

/**
 * Where the name begins behind a label that no list has: one to three words and a colon, more words after it. What the
 * known labels name otherwise (a number, a date, an amount, contact) stays, and is judged below.
 */
function unknownLabelEnd(piece: readonly Token[]): number {
  const end = piece.findIndex((token) => /:$/.test(token.text)) + 1
  const words = piece.slice(0, end)
  // `Nome ou razón social:` is one label, however long: its words are small after the first
  const phrase = end <= 7 && words.slice(1).every((token) => /^[\p{Ll}/()]+:?$/u.test(token.text))
  if (end === 0 || (end > 3 && !phrase) || end >= piece.length - 1 || !/^\p{Lu}/u.test(piece[end]?.text ?? '')) return 0
  if (words.some((token) => /\d/.test(token.text) || notNames.has(token.bare))) return 0
  const known = [amountLabels, columnLabels, dateLabels, numberLabels, partyLabels] as const
  return known.some((labels) => (labelAt(words, 0, labels as typeof partyLabels)?.to ?? 0) >= end) ? 0 : end
}

/** `Avda. Tres Cruces, 14`: a type of way and a number. */
const isStreet = (tokens: readonly Token[]): boolean =>
  streetWords.has(tokens[0]?.bare ?? '') && tokens.slice(1).some((token) => /^\d|^s\/n/i.test(token.text))

/** `September 25`, `12 mayo`: a month and a number. */
const isDateLike = (text: string): boolean =>
  /\d/.test(text) &&
  /\b(?:ene|jan|feb|mar|abr|apr|may|jun|jul|ago|aug|sep|oct|nov|dic|dec)[a-z]*\b/i.test(text) &&
  text.split(/\s+/).length <= 3

/** `D.`, `Sra.`, and `Doña` before a name of two words. */
const isCourtesy = (piece: readonly Token[], at: number): boolean => {
  const token = piece[at]
  if (token === undefined || !/^\p{Lu}/u.test(piece[at + 1]?.text ?? '')) return false
  if (/^(?:don|dona)$/.test(token.bare)) return at + 2 < piece.length && legalEndOf(piece, at) < 0
  return courtesy.test(token.bare) && /[./]/.test(token.text)
}

const hasColonSoon = (piece: readonly Token[], start: number): boolean =>
  piece.slice(start, start + 4).some((token) => /:$/.test(token.text) || token.text === ':')

/** Index after the legal form, -1 without one. `S. L.` in two words counts; `S.L.,` ends there too. */
function legalEndOf(piece: readonly Token[], start: number): number {
  for (let index = start + 1; index < piece.length; index += 1) {
    const token = piece[index]
    if (token === undefined) break
    const word = token.bare.replace(/[^a-z]/g, '')
    if (
      legalForms.has(word) &&
      (/[.]/.test(token.text) || token.text === token.text.toUpperCase() || word.length > 3)
    ) {
      const next = piece[index + 1]
      const joined = next === undefined ? '' : next.bare.replace(/[^a-z]/g, '')
      if (
        next !== undefined &&
        /^(?:u|p|lu|unipersonal|and|coop|v|mad|anonima|limitada|unipersonal|laboral|profesional|madrid|ltda|cat|gal|rl|company)$/.test(
          joined,
        ) &&
        !/,$/.test(token.text)
      )
        return index + (/^(?:profesional|unipersonal|laboral)$/.test(piece[index + 2]?.bare ?? '') ? 3 : 2)
      if (word === 'sociedad' || word === 'agrupacion') continue
      // `GmbH & Co. KG`
      if (word === 'gmbh' && /^[&+]$/.test(next?.text ?? '')) {
        const end = piece.findIndex((other, at) => at > index && /^kgaa?$|^kg$/.test(other.bare))
        if (end > 0 && end <= index + 3) return end + 1
      }
      return index + 1
    }
    const next = piece[index + 1]
    if (
      next !== undefined &&
      /^[sc]\.?$/i.test(token.text) &&
      /^(?:l|a|b|c|p|coop|com)$/.test(next.bare.replace(/[^a-z]/g, '')) &&
      /\.$/.test(token.text)
    ) {
      const third = piece[index + 2]
      return third !== undefined && /^[upl]\.,?$/i.test(third.text) ? index + 3 : index + 2
    }
  }
  return -1
}
