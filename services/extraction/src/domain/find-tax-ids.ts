import { checkTaxId } from '@asiento/proto/tax-id'
import { foreignIdAt } from './foreign-tax-ids.ts'
import { boxOf, type Cell, type Sheet, type Token, textOf } from './layout.ts'
import { likeliestDigit } from './look-alikes.ts'
import type { Box } from './page.ts'

/** A tax id as printed, with its verdict. */
export interface TaxIdFound extends Box {
  value: string
  valid: boolean
  /** True when look-alike signs were replaced so that the check character holds. */
  repaired: boolean
  /** A label such as NIF or CIF stands before it. */
  labelled: boolean
  tokens: Token[]
  text: string
  page: number
  cell: Cell
  from: number
  to: number
}

const idLabels = new Set([
  'nif',
  'cif',
  'nie',
  'dni',
  'vat',
  'nif/cif',
  'cif/nif',
  'dni/nif',
  'nif/dni',
  'cif/dni',
  'dni/cif',
  'ifz',
  'ifk',
  'iva',
  'tax',
  'id',
  'fiscal',
  'nif-iva',
  'identificacion',
  'vat/nif',
  'ident',
  'nifcif',
  'cifnif',
  'nif-cif',
  'cif-nif',
  'nan',
  'nif/nie',
  'cif/nif/nie',
  'nif/cif/nie',
  'no',
  'n',
  'nifs',
  'clf',
  'nlf',
  'c1f',
  'n1f',
  'nf',
  'cf',
  'c',
  'f',
  'i',
])
const strongLabels = new Set([
  'nif',
  'cif',
  'nie',
  'dni',
  'vat',
  'nif/cif',
  'cif/nif',
  'dni/nif',
  'ifz',
  'ifk',
  'nif-iva',
  'nifcif',
  'clf',
  'nlf',
  'c1f',
  'n1f',
])

/** All tax ids of the sheet, those of other states by their label, and labelled words of the form of one whose check character is wrong. */
export function findTaxIds(sheet: Sheet): TaxIdFound[] {
  const found: TaxIdFound[] = []
  for (const cell of sheet.cells) {
    let index = 0
    while (index < cell.tokens.length) {
      const id = idAt(sheet, cell, index)
      if (id === null) index += 1
      else {
        found.push(id)
        index = id.to
      }
    }
  }
  return found
}

function idAt(sheet: Sheet, cell: Cell, from: number): TaxIdFound | null {
  let joined = ''
  let doubtful: TaxIdFound | null = null
  for (let count = 1; count <= 5; count += 1) {
    const token = cell.tokens[from + count - 1]
    const last = count === 1 ? undefined : cell.tokens[from + count - 2]
    if (token === undefined || (last !== undefined && token.x0 - last.x1 > 0.9 * token.size)) break
    const part = token.text.toUpperCase().replace(/[^A-Z0-9]/g, '')
    if (count === 1 && part === '') return null
    joined += part
    if (joined.length > 14) break
    const text = withoutLabel(joined)
    if (text.length < 9) continue
    if (text.length > 11) break
    const labelled = labelBefore(cell, from) || text.length !== joined.length || (from === 0 && labelLeft(sheet, cell))
    const verdict = checkTaxId(text)
    if (verdict.valid)
      return made(cell, from, from + count, { value: verdict.value, valid: true, repaired: false, labelled })
    if (token.ocr && (labelled || (count === 1 && cell.tokens.length === 1))) {
      const repaired = repair(verdict.value, entityLabel(cell, from))
      if (repaired !== null)
        return made(cell, from, from + count, { value: repaired, valid: true, repaired: true, labelled })
    }
    if (verdict.kind !== null && labelled && doubtful === null) {
      doubtful = made(cell, from, from + count, { value: verdict.value, valid: false, repaired: false, labelled })
    }
  }
  const foreign = foreignIdAt(cell, from, leftOf(sheet, cell))
  if (foreign === null || (doubtful !== null && !foreign.valid)) return doubtful
  const { value, valid, to } = foreign
  return made(cell, from, to, { value, valid, repaired: false, labelled: true })
}

const withoutLabel = (text: string): string => {
  const label = /^(?:NIF|CIF|NIE|DNI|VAT|IFZ)(?=[A-Z0-9]{9,11}$)/.exec(text)?.[0] ?? ''
  const rest = text.slice(label.length)
  return /^ES[A-Z0-9]{9}$/.test(rest) ? rest.slice(2) : rest
}

function labelBefore(cell: Cell, from: number): boolean {
  for (let index = from - 1; index >= Math.max(0, from - 4); index -= 1) {
    const word = cell.tokens[index]?.bare ?? ''
    if (strongLabels.has(word)) return true
    if (word !== '' && !idLabels.has(word)) return false
  }
  return false
}

const labelLeft = (sheet: Sheet, cell: Cell): boolean =>
  strongLabels.has(leftOf(sheet, cell)?.tokens.at(-1)?.bare ?? '')

function leftOf(sheet: Sheet, cell: Cell): Cell | null {
  const left = sheet.rows[cell.row]?.cells.filter((other) => other.x1 <= cell.x0).at(-1)
  return left !== undefined && cell.x0 - left.x1 < 12 * cell.size ? left : null
}

const entityLabel = (cell: Cell, from: number): boolean => /^(?:cif|clf|c1f)$/.test(cell.tokens[from - 1]?.bare ?? '')

/** Letters that recognition takes for a digit, the likeliest first. */
const toLetters: Record<string, string> = {
  '0': 'DQ',
  '1': 'JIL',
  '2': 'Z',
  '3': 'JB',
  '4': 'A',
  '5': 'S',
  '6': 'G',
  '7': 'ZTY',
  '8': 'B',
  '9': 'GPQ',
}

/**
 * Replaces letters where only digits may stand (and the reverse); accepted only when the check character then holds,
 * and when no other replacement of as few signs makes it hold too.
 */
function repair(value: string, entity: boolean): string | null {
  if (value.length !== 9) return null
  const middle = [...value.slice(1, 8)].map((sign) => likeliestDigit[sign] ?? sign).join('')
  if (!/^\d{7}$/.test(middle)) return null
  const options = (sign: string): string[] => [sign, ...(toLetters[sign] ?? ''), ...(likeliestDigit[sign] ?? '')]
  const [first, last] = [value.charAt(0), value.charAt(8)]
  // no entity bears a D in our time
  const firsts = options(first).filter((sign) => sign === first || sign !== 'D')
  const valid: { id: string; changes: number }[] = []
  for (const a of firsts) {
    for (const z of options(last)) {
      const id = a + middle + z
      const changes = Number(a !== first) + Number(z !== last)
      // only a foreigner's id has letters at both ends
      if (changes === 2 && !/^[XYZ]\d{7}[A-Z]$/.test(id)) continue
      if (checkTaxId(id).valid) valid.push({ id, changes })
    }
  }
  const fitting =
    entity && valid.some(({ id }) => /^[A-Z]/.test(id)) ? valid.filter(({ id }) => /^[A-Z]/.test(id)) : valid
  const fewest = Math.min(...fitting.map(({ changes }) => changes))
  const [only, ...others] = fitting.filter(({ changes }) => changes === fewest)
  return only !== undefined && others.length === 0 && only.id !== value ? only.id : null
}

function made(
  cell: Cell,
  from: number,
  to: number,
  what: Pick<TaxIdFound, 'value' | 'valid' | 'repaired' | 'labelled'>,
): TaxIdFound {
  const tokens = cell.tokens.slice(from, to)
  return { ...what, ...boxOf(tokens), tokens, text: textOf(tokens), page: cell.page, cell, from, to }
}

/** Words that introduce a tax id, for reading what stands around one. */
export const isIdLabel = (word: string): boolean => strongLabels.has(word)
