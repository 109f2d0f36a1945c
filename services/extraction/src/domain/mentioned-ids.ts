import { isIdLabel, type TaxIdFound } from './find-tax-ids.ts'
import type { Sheet, Token } from './layout.ts'

/**
 * True for a tax id that a sentence mentions in passing: a third body in brackets (`un ingrés de l'Agència (Q080…)`), the
 * insurer, the distributor, who lends his platform. Such an id is no party's as long as others may be.
 */
export function isMentioned(sheet: Sheet, id: TaxIdFound): boolean {
  const { cell } = id
  const above = id.from === 0 ? proseAbove(sheet, id) : null
  const tokens = above === null ? cell.tokens : [...above, ...cell.tokens]
  const from = id.from + (above?.length ?? 0)
  const sentence = sentenceOf(tokens, from)
  if (sentence.tokens.some((token) => registryWord.test(token.bare))) return false
  if (sentence.tokens.slice(0, sentence.at).some((token) => thirdBody.test(token.bare))) return true
  const bracketed = isBracketed(tokens, from)
  return isProse(tokens) && sentence.at >= 4 && (bracketed || !id.labelled)
}

/** Who is named on invoices besides the two that they are between. */
const thirdBody =
  /^(?:distribuidora|aseguradora|asseguradora|asegurador|otorgantes?|fedatario|juzgado|intermediari[oa]|plataforma|factoring|cedido|endosado|confirming|responsable|sucursal|subvencionado|cofinanciado|agencia|agenci[ae]|colegio|col-legi|junta|ministerio|conselleria|consejeria|fabricante|marca|licenciante|auditor[ae]?|auditado)$/
const registryWord =
  /^(?:registro|rm|reg|registre|rexistro|inscrita|inscrito|tomo|folio|hoja|domicilio|capital|iscr|cliente|emisor)$/

const isProse = (tokens: readonly Token[]): boolean =>
  tokens.length >= 8 && tokens.filter((token) => /^\p{Ll}{2,}/u.test(token.text)).length >= 3

/** The row that a sentence began in, where the id is the first thing of the next. */
function proseAbove(sheet: Sheet, id: TaxIdFound): readonly Token[] | null {
  const above = sheet.rows[id.cell.row - 1]?.cells.find((cell) => Math.abs(cell.x0 - id.cell.x0) < 2)
  if (above === undefined || above.page !== id.page || id.y0 - above.y1 > above.size) return null
  return above.tokens.length >= 6 && !/[.:]$/.test(above.tokens.at(-1)?.text ?? '') ? above.tokens : null
}

/** The sentence around a place, and the place within it. Abbreviations and legal forms end no sentence. */
function sentenceOf(tokens: readonly Token[], at: number): { tokens: readonly Token[]; at: number } {
  const ends = (token: Token | undefined): boolean =>
    token !== undefined && (/\)\.$/.test(token.text) || (/\.$/.test(token.text) && /^\p{Ll}{4,}$/u.test(token.bare)))
  let from = at
  while (from > 0 && !ends(tokens[from - 1])) from -= 1
  let to = at
  while (to < tokens.length && !ends(tokens[to])) to += 1
  return { tokens: tokens.slice(from, to + 1), at: at - from }
}

/** `(CIF A48…)`, `(A28…)`: nothing but the label stands between the bracket and the id. */
function isBracketed(tokens: readonly Token[], at: number): boolean {
  let from = at
  while (from > 0 && isIdLabel(tokens[from - 1]?.bare ?? '') && !/^\(/.test(tokens[from]?.text ?? '')) from -= 1
  return /^\(/.test(tokens[from]?.text ?? '')
}
