import { checkIban } from '@asiento/proto/iban'
import type { Cell, Sheet, Token } from './layout.ts'
import { likeliestDigit } from './look-alikes.ts'
import type { Found } from './parties.ts'

export interface IbansFound {
  /** The account to pay to or to be debited; null when none is printed whole. */
  iban: Found | null
  /** Printed whole under its own label, yet its check digits are wrong. */
  invalid: Found | null
  tokens: Set<Token>
}

/** IBANs in one word, in groups, over two lines. Of OCR text look-alike signs are replaced only when the check holds. */
export function findIbans(sheet: Sheet): IbansFound {
  const valid: Found[] = []
  let invalid: Found | null = null
  const tokens = new Set<Token>()
  for (const cell of sheet.cells) {
    for (let from = 0; from < cell.tokens.length; from += 1) {
      const first = cell.tokens[from]
      if (first === undefined || tokens.has(first)) continue
      const start = /^\(?(?:IBAN:?)?([A-Z]{2}[0-9OIlSB]{2}|[A-Z]{2}$|€S\d{2})/i.exec(first.text)
      if (start === null) continue
      const read = ibanAt(sheet, cell, from)
      if (read === null) continue
      if (read.valid) {
        valid.push({
          value: read.value,
          tokens: read.tokens,
          score: 3 + weightOf(sheet, cell) - (read.repaired ? 0.5 : 0),
        })
        for (const token of read.tokens) tokens.add(token)
      } else if (
        /^ES\d{22}$/.test(read.value) &&
        /iban|cuenta|c\/c|ccc|compte|konto|kontu|transfer|domicil|banc/i.test(contextOf(sheet, cell))
      ) {
        invalid ??= { value: read.value, tokens: read.tokens, score: 1 }
      }
    }
  }
  valid.sort((a, b) => b.score - a.score)
  return { iban: valid[0] ?? null, invalid: valid.length > 0 ? null : invalid, tokens }
}

const contextOf = (sheet: Sheet, cell: Cell): string =>
  `${sheet.rows[cell.row]?.cells.map((other) => other.text).join(' ') ?? ''} ${sheet.rows[cell.row - 1]?.cells.map((other) => other.text).join(' ') ?? ''}`

function weightOf(sheet: Sheet, cell: Cell): number {
  const text = contextOf(sheet, cell)
  return /iban|cuenta|transfer|domicil|adeudo|recibo|cargo|giro|pago|pagament|compte|kontu/i.test(text) ? 1 : 0
}

function ibanAt(
  sheet: Sheet,
  cell: Cell,
  from: number,
): { value: string; valid: boolean; repaired: boolean; tokens: Token[] } | null {
  const taken: Token[] = []
  let joined = ''
  let best: { value: string; valid: boolean; repaired: boolean; tokens: Token[] } | null = null
  const validNow = () => best?.valid === true
  const feed = (tokens: readonly Token[], start: number): boolean => {
    for (let index = start; index < tokens.length; index += 1) {
      const token = tokens[index]
      if (token === undefined) return false
      const part = token.text
        .replace(/^\(?IBAN:?/i, '')
        .replace(/^€S/, 'ES')
        .replace(/[^A-Za-z0-9*]/g, '')
      if (part.includes('*') || (part === '' && /[*·•xX]/.test(token.text))) return false
      if (part === '') continue
      joined += part.toUpperCase()
      taken.push(token)
      if (joined.length > 34) return false
      if (joined.length >= 15) {
        if (checkIban(joined).valid) {
          best = { value: joined, valid: true, repaired: false, tokens: [...taken] }
          return false
        }
        if (joined.length === 24 && /^[A-Z8]/.test(joined)) {
          const repaired = token.ocr ? repair(joined) : null
          if (repaired !== null) {
            best = { value: repaired, valid: true, repaired: true, tokens: [...taken] }
            return false
          }
          best ??= { value: joined, valid: false, repaired: false, tokens: [...taken] }
        }
      }
    }
    return joined.length < 24
  }
  if (!feed(cell.tokens, from)) return best
  // the rest stands below, aligned with the beginning of the cell
  const row = sheet.rows[cell.row + 1]
  if (row === undefined || row.page !== cell.page || row.y0 - cell.y1 > 1.8 * cell.size) return best
  const [before, count] = [joined, taken.length]
  for (const under of row.cells) {
    if (!/^\d{1,4}$/.test(under.tokens[0]?.text ?? '')) continue
    joined = before
    taken.length = count
    feed(under.tokens, 0)
    if (validNow()) return best
  }
  return best
}

function repair(text: string): string | null {
  const country = /^E[S5]|^[8E]S/.test(text) ? 'ES' : null
  if (country === null) return null
  const digits = [...text.slice(2)].map((sign) => likeliestDigit[sign] ?? sign).join('')
  const value = country + digits
  return value !== text && checkIban(value).valid ? value : null
}
