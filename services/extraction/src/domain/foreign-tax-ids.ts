import { checkVatNumber, vatCountries } from '@asiento/proto/tax-id-eu'
import { countryAlpha3 } from './country-codes.ts'
import type { Cell } from './layout.ts'

/** A VAT number of another state as printed in a cell. */
export interface ForeignId {
  /** With its prefix: `IE6058370M`, `GB123456789`. */
  value: string
  valid: boolean
  /** Index after its last token. */
  to: number
}

/** Words before a VAT number, in the languages of the states that Spain buys from. */
const labels =
  /^(?:vat|nif|cif|nie|dni|ifz|ifk|tin|tva|btw|iva|piva|partita|mwst|ust|ustid|ustidnr|uid|moms|mva|alv|dic|nipc|contribuinte|intracommunautaire|intracomunitario|intra|tax)$/
const fillers = /^(?:no|nr|num|number|id|reg|registration|id-nr|idnr|n|ident|code|c|de|l'ue|ue|eu|ie|gb|#|)$/
const prefixes = new Set([...vatCountries.filter((code) => code !== 'ES'), 'GB', 'GR', 'EU', 'CHE'])

/**
 * The VAT number of another state that begins at a token. It needs a label before it, in its cell or in `left`, the cell
 * beside it: what looks like one may be any reference. Null where there is none.
 */
export function foreignIdAt(cell: Cell, from: number, left: Cell | null): ForeignId | null {
  const first = cell.tokens[from]
  const prefix = /^\(?(CHE|[A-Z]{2})(?=[-. ]?[0-9A-Z]|$)/.exec(first?.text ?? '')?.[1]
  if (first === undefined || prefix === undefined || !prefixes.has(prefix)) return null
  if (!isLabelled(cell, from) && !(from === 0 && left !== null && isLabelled(left, left.tokens.length))) return null
  let joined = ''
  let doubtful: ForeignId | null = null
  for (let count = 1; count <= 6; count += 1) {
    const token = cell.tokens[from + count - 1]
    const last = cell.tokens[from + count - 2]
    if (token === undefined || (count > 1 && last !== undefined && token.x0 - last.x1 > 0.9 * token.size)) break
    const part = token.text.toUpperCase().replace(/[^A-Z0-9]/g, '')
    if (count > 1 && !/\d/.test(part) && doubtful !== null) break
    joined += part
    if (joined.length > 15) break
    const verdict = judge(joined)
    if (verdict === null) continue
    const found = { ...verdict, to: from + count }
    if (found.valid) return found
    doubtful = found
  }
  return doubtful
}

/** The number and whether its check digits hold; null where its form is no state's. */
function judge(text: string): { value: string; valid: boolean } | null {
  if (/^GB(?:\d{9}|\d{12})$/.test(text)) return { value: text, valid: checkVatNumber(`XI${text.slice(2)}`).valid }
  // sellers from outside the Union under the one-stop shop (Directive 2006/112/EC art. 362)
  if (/^EU\d{9}$/.test(text)) return { value: text, valid: true }
  if (/^CHE\d{9}$/.test(text)) return { value: text, valid: swiss(text) }
  const { value, country, number, valid } = checkVatNumber(text)
  if (country === null || country === 'ES' || number === value) return null
  return { value, valid }
}

const swiss = (text: string): boolean => {
  const sum = [5, 4, 3, 2, 7, 6, 5, 4].reduce((total, weight, at) => total + weight * Number(text[3 + at]), 0)
  return (11 - (sum % 11)) % 11 === Number(text[11])
}

function isLabelled(cell: Cell, from: number): boolean {
  for (let index = from - 1; index >= Math.max(0, from - 5); index -= 1) {
    const word = cell.tokens[index]?.bare ?? ''
    if (isAnyIdLabel(word)) return true
    if (!fillers.test(word)) return false
  }
  return false
}

/** Words that introduce a tax id of any state. */
export const isAnyIdLabel = (word: string): boolean =>
  word.split(/[-/]/).some((part) => labels.test(part.replace(/[^a-z]/g, '')))

/** The state (ISO 3166-1 alpha-3) of a tax id: of one without a foreign prefix Spain; null for the one-stop shop. */
export function countryOfId(value: string): string | null {
  if (/^EU\d{9}$/.test(value)) return null
  const prefix = /^(CHE|[A-Z]{2})\w{6,}$/.exec(value)?.[1]
  return prefix === undefined ? 'ESP' : (countryAlpha3(prefix) ?? 'ESP')
}
