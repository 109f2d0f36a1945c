import { isIdLabel, type TaxIdFound } from './find-tax-ids.ts'
import type { Cell, Token } from './layout.ts'
import { textOf } from './layout.ts'

/** A name within a sentence, with the word before it. */
export interface SentenceName {
  text: string
  tokens: Token[]
  /** `a` in `que presenta a NAME, con N.I.F. …`: what is due is put to that party. */
  before: string
}

const linking = /^(?:de|del|la|las|los|el|y|e|i|d'|da|do|dos|dels|les|eta)$/

/**
 * The name that a sentence gives right before a tax id: `… suscribe a Colegio de Aparejadores, con N.I.F. Q15…`. Null
 * where the id stands in no sentence, or no name right before it.
 */
export function nameInSentence(cells: readonly Cell[], id: TaxIdFound): SentenceName | null {
  const at = cells.indexOf(id.cell)
  const above = cells[at - 1]
  const joins = above !== undefined && above.page === id.page && id.y0 - above.y1 < above.size
  const tokens = joins ? [...above.tokens, ...id.cell.tokens] : id.cell.tokens
  const offset = tokens.length - id.cell.tokens.length + id.from
  if (id.cell.tokens.filter((token) => /^\p{Ll}{3,}/u.test(token.text)).length < 3) return null
  let end = offset
  while (
    end > 0 &&
    (isIdLabel(tokens[end - 1]?.bare ?? '') || /^(?:con|no|num|titular|cuyo|y)$/.test(tokens[end - 1]?.bare ?? ''))
  )
    end -= 1
  if (end === offset || !/,$/.test(tokens[end - 1]?.text ?? '')) return null
  let from = end
  while (from > 0 && belongs(tokens[from - 1], tokens[from], end - from)) from -= 1
  while (from < end && linking.test(tokens[from]?.bare ?? '')) from += 1
  const name = tokens.slice(from, end)
  if (name.length < 2 && !/\p{L}{5}/u.test(name[0]?.text ?? '')) return null
  return { text: textOf(name).replace(/[\s,]+$/, ''), tokens: name, before: tokens[from - 1]?.bare ?? '' }
}

/** Words in capitals, and what links them; a comma only before a legal form (`Bosco, C.B.`). */
function belongs(token: Token | undefined, next: Token | undefined, length: number): boolean {
  if (token === undefined || length > 12 || /[:;(]$/.test(token.text)) return false
  if (length > 0 && /,$/.test(token.text)) return /^(?:\p{Lu}\.){1,}|^S[LAC]/u.test(next?.text ?? '')
  return /^["«]?\p{Lu}/u.test(token.text) || (length > 0 && (linking.test(token.bare) || token.text === '&'))
}
