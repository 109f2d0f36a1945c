import type { DateFound } from './dates.ts'
import { numberLabels } from './labels.ts'
import type { Cell, Sheet, Token } from './layout.ts'
import { overlapX, textOf } from './layout.ts'
import { findLabels, type Label } from './lexicon.ts'
import type { Found } from './parties.ts'

/** What else the sheet's tokens are, so that no date, tax id or amount is taken for a number. */
export interface Known {
  dates: readonly DateFound[]
  taken: ReadonlySet<Token>
  money: ReadonlySet<Token>
  blockedCells: ReadonlySet<number>
}

/** `#` alone heads a number. */
const numberSign: Label<'invoice'> = { meaning: 'invoice', words: ['no'], from: 0, to: 1 }
const strongWords = /factura|fra|invoice|faktura|ticket|tiquet|minuta|abono|simplificada|recibo|credit/

/** The invoice's own number, with its series; never that of an order, a delivery, a customer or a corrected invoice. */
export function findNumber(sheet: Sheet, known: Known): Found | null {
  const candidates: (Found & { series: boolean })[] = []
  let series: Found | null = null
  for (const cell of sheet.cells) {
    if (known.blockedCells.has(cell.index) || cell.tokens.length > 60) continue
    const labels = cell.text === '#' ? [numberSign] : findLabels(cell.tokens, numberLabels)
    for (const [index, label] of labels.entries()) {
      if (label.meaning === 'other') continue
      if (hasOwner(cell, labels, index, sheet)) continue
      const value = printedValue(sheet, cell, label, labels[index + 1]?.from ?? cell.tokens.length, known)
      if (value === null) continue
      const score = value.score + strengthOf(cell, label, sheet)
      if (label.meaning === 'series') {
        if (/^[A-Z0-9\-/.]{1,8}$/i.test(value.value)) series = { ...value, score }
      } else if (/\d/.test(value.value))
        candidates.push({ ...value, score, series: /serie/.test(label.words.join(' ')) })
    }
  }
  candidates.sort((a, b) => b.score - a.score)
  const best = candidates[0]
  if (best === undefined) return null
  return withSeries(best, series)
}

/** A series printed beside the number belongs to it unless the number shows it already. */
function withSeries(best: Found, series: Found | null): Found {
  if (series === null || series.tokens.some((token) => best.tokens.includes(token))) return best
  const near =
    Math.abs((series.tokens[0]?.y0 ?? 0) - (best.tokens[0]?.y0 ?? 0)) < 40 &&
    series.tokens[0]?.page === best.tokens[0]?.page
  if (!near || best.value.toUpperCase().startsWith(series.value.toUpperCase()) || /[/-]/.test(best.value)) return best
  return { value: `${series.value}-${best.value}`, tokens: [...series.tokens, ...best.tokens], score: best.score - 1 }
}

function strengthOf(cell: Cell, label: Label<string>, sheet: Sheet): number {
  const words = label.words.join(' ')
  let score = strongWords.test(words) ? 2 : 0.6
  if (label.words.length > 1) score += 1
  if (/numero|num|no|zk|zenbakia|number|nº/.test(words)) score += 0.5
  if (words === 'factura' || words === 'invoice' || words === 'faktura') score -= 0.3
  if (/documento|document|doc/.test(words)) score -= 0.6
  const page = sheet.document.pages.find((candidate) => candidate.index === cell.page)
  if (page !== undefined && cell.y0 < 0.45 * page.heightPt) score += 0.6
  if (page !== undefined && cell.y0 > 0.8 * page.heightPt) score -= 0.8
  if (cell.page !== (sheet.document.pages[0]?.index ?? 0)) score -= 0.5
  return score
}

/** `Nº` right after or below another thing's name belongs to that thing (`Albarán nº`, `Factura rectificada nº`). */
function hasOwner(cell: Cell, labels: readonly Label<string>[], index: number, sheet: Sheet): boolean {
  const label = labels[index]
  if (label === undefined) return true
  const before = labels[index - 1]
  if (before?.meaning === 'other' && label.from - before.to <= 1 && !strongWords.test(label.words.join(' ')))
    return true
  const next = cell.tokens[label.to]
  if (
    next !== undefined &&
    /^(?:rectificada|rectificado|original|anterior|proforma|pro-forma|de)$/.test(next.bare) &&
    !/^\d/.test(cell.tokens[label.to + 1]?.bare ?? '')
  ) {
    return next.bare !== 'de' || !/\d/.test(cell.tokens[label.to + 1]?.bare ?? '')
  }
  const previous = cell.tokens[label.from - 1]
  if (
    previous !== undefined &&
    /^(?:rectifica|rectificar|sobre|segun|s\/|su|esta|anula|abona|corrige|a|la|por|de|siguiente)$/.test(
      previous.bare,
    ) &&
    strongWords.test(label.words[0] ?? '')
  )
    return /^(?:rectifica|rectificar|anula|abona|corrige|la|sobre|segun|su|esta)$/.test(previous.bare)
  // a bare `nº` within a text is that of a street, a flat, a vehicle
  const alone = /^(?:no|n|num|numero|zk|zenbakia|op|id|documento|document|doc)$/.test(label.words.join(' '))
  const named = cell.tokens.slice(0, label.from).some((token) => strongWords.test(token.bare))
  if (alone && previous !== undefined && previous.bare !== '' && !named && before?.to !== label.from) return true
  void sheet
  return false
}

function printedValue(sheet: Sheet, cell: Cell, label: Label<string>, end: number, known: Known): Found | null {
  const own = take(cell.tokens, label.to, end, known, sheet)
  const prefix = own === null ? null : prefixOf(sheet, cell, label)
  if (own !== null && prefix !== null)
    return { value: `${prefix.text} ${own.value}`, tokens: [prefix, ...own.tokens], score: 3.2 }
  // `Factura N 277`: number or series? one cannot tell
  const first = own?.tokens[0]
  const before = first === undefined ? undefined : cell.tokens[cell.tokens.indexOf(first) - 1]
  if (own !== null) return { ...continued(sheet, cell, own, known), score: before?.text === 'N' && !before.ocr ? 0 : 3 }
  const qualified = afterQualifier(sheet, cell, label, end, known)
  if (qualified !== null) return qualified
  if (
    cell.tokens
      .slice(label.to, end)
      .some(
        (token) =>
          token.bare.length > 2 &&
          !known.taken.has(token) &&
          !/^(?:no|num|numero|factura|fra|fecha|del|dels|los|las)$/.test(token.bare),
      )
  )
    return null
  if (end < cell.tokens.length) return null
  const row = sheet.rows[cell.row]
  const right = row?.cells.find((other) => other.x0 >= cell.x1 && /[\p{L}\d]/u.test(other.text))
  const labelBox = cell.tokens.slice(label.from, label.to)
  const x0 = labelBox[0]?.x0 ?? cell.x0
  const below = belowCell(sheet, cell, x0)
  const rightValue =
    right === undefined || right.x0 - cell.x1 > 25 * cell.size
      ? null
      : take(right.tokens, 0, right.tokens.length, known, sheet)
  const belowValue = below === null ? null : take(below.tokens, 0, below.tokens.length, known, sheet)
  const headed = right !== undefined && findLabels(right.tokens, numberLabels).some((found) => found.from === 0)
  if (right !== undefined && rightValue !== null && !headed)
    return {
      ...continued(sheet, right, rightValue, known),
      score: 2.4 - Math.min(1, (right?.x0 ?? 0) - cell.x1 > 14 * cell.size ? 0.6 : 0),
    }
  if (belowValue !== null) return { ...belowValue, score: 2 }
  return null
}

/** `FACTURA TALLER 1043/2025`: one or two words say what kind of invoice, and the number ends the cell. */
function afterQualifier(sheet: Sheet, cell: Cell, label: Label<string>, end: number, known: Known): Found | null {
  const at = cell.tokens.findIndex((token, index) => index > label.to && /\d/.test(token.text))
  const words = cell.tokens.slice(label.to, at)
  if (
    at < 0 ||
    at > label.to + 2 ||
    end < cell.tokens.length ||
    !/^(?:factura|fra|invoice|faktura)$/.test(label.words.join(' ')) ||
    words.some((token) => !/^\p{L}{4,}$/u.test(token.text) || /:$/.test(token.text))
  )
    return null
  const value = take(cell.tokens, at, cell.tokens.length, known, sheet)
  if (value === null || value.tokens.at(-1) !== cell.tokens.at(-1) || /^(?:19|20)\d{2}$/.test(value.value)) return null
  return { ...value, score: 1.6 }
}

/** A number broken at its dash in a narrow column (`DS-INV-2026-` over `24069481`) goes on below. */
function continued(sheet: Sheet, cell: Cell, value: Omit<Found, 'score'>, known: Known): Omit<Found, 'score'> {
  const last = value.tokens.at(-1)
  if (last === undefined || last !== cell.tokens.at(-1) || !/[A-Z0-9][-/]$/i.test(last.text)) return value
  const below = sheet.rows[cell.row + 1]?.cells.find((other) => overlapX(other, cell) > 0)
  if (below === undefined || below.page !== cell.page || below.y0 - cell.y1 > cell.size) return value
  const rest = take(below.tokens, 0, 1, known, sheet)
  return rest === null
    ? value
    : {
        value: `${value.value.replace(/[-/]$/, '')}${last.text.slice(-1)}${rest.value}`,
        tokens: [...value.tokens, ...rest.tokens],
      }
}

/** `Factura: FAC 942`, `Factura Nº   N 277`: capitals after a label that are a word for invoices too begin the number. */
function prefixOf(sheet: Sheet, cell: Cell, label: Label<string>): Token | null {
  const last = cell.tokens[label.to - 1]
  const before = cell.tokens[label.to - 2]
  const next = cell.tokens[label.to]
  if (last === undefined || !/^(?:[A-Z]|FAC|FACT|FV|FC|FR|INV)$/.test(last.text) || !/^\d/.test(next?.text ?? ''))
    return null
  if (before !== undefined)
    return /:$/.test(before.text) || /^(?:no|num|numero|number)$/.test(before.bare) ? last : null
  const left = sheet.rows[cell.row]?.cells.filter((other) => other.x1 <= cell.x0).at(-1)
  const above = sheet.rows[cell.row - 1]?.cells.find((other) => overlapX(other, cell) > 0)
  const named = (other: Cell | undefined) =>
    other !== undefined && !/\d/.test(other.text) && findLabels(other.tokens, numberLabels).length > 0
  return named(left) || named(above) ? last : null
}

function belowCell(sheet: Sheet, cell: Cell, x0: number): Cell | null {
  for (let index = cell.row + 1; index < Math.min(sheet.rows.length, cell.row + 4); index += 1) {
    const row = sheet.rows[index]
    if (row === undefined || row.page !== cell.page || row.y0 - cell.y1 > 2.2 * Math.max(cell.size, row.y1 - row.y0))
      return null
    const under = row.cells.find(
      (other) =>
        Math.min(other.x1, cell.x1) - Math.max(other.x0, cell.x0) > 0 || Math.abs(other.x0 - x0) < 1.5 * cell.size,
    )
    // the heading again in another language stands between it and its value
    if (under !== undefined && !isOnlyLabel(under)) return under
  }
  return null
}

const isOnlyLabel = (cell: Cell): boolean =>
  !/\d/.test(cell.text) && (findLabels(cell.tokens, numberLabels)[0]?.to ?? 0) >= cell.tokens.length

const numberWord = /^[A-Z0-9][A-Z0-9\-/._\\#ºª–]*$/i

/** The tokens from a place on that read as a number: capitals, digits and their separators. */
function take(
  tokens: readonly Token[],
  start: number,
  end: number,
  known: Known,
  sheet: Sheet,
): Omit<Found, 'score'> | null {
  let index = start
  while (
    index < end &&
    !isSeries(tokens, index) &&
    (tokens[index]?.bare === '' || /^(?:no|n9|num|numero|nº|n|number|zk|zenbakia|:|#)$/.test(tokens[index]?.bare ?? ''))
  )
    index += 1
  if (isNumberSign(tokens[index], tokens[index + 1]) && index + 1 < end) index += 1
  const taken: Token[] = []
  const dates = new Set(known.dates.flatMap((date) => date.tokens))
  for (; index < end && taken.length < 5; index += 1) {
    const token = tokens[index]
    if (token === undefined || known.taken.has(token)) break
    const text = token.text.replace(/[,;:)\]]+$/, '').replace(/^[([#:]+/, '')
    if (text === '' && taken.length === 0) continue
    if (dates.has(token) && !/^\d{1,4}$/.test(token.text)) break
    if (dates.has(token) && known.dates.some((date) => date.tokens[0] === token && date.tokens.length > 1)) break
    if (!numberWord.test(text) && !(taken.length > 0 && /^[-/–]$/.test(text))) break
    if (taken.length > 0) {
      const last = taken.at(-1)
      if (last !== undefined && token.x0 - last.x1 > (token.ocr ? 0.9 : 0.7) * token.size) break
      // a word of letters only ends the number, unless it is a short series before digits
      if (!/\d/.test(text) && !/^[-/–]$/.test(text)) break
      if (/[,;]$/.test(last?.text ?? '')) break
    } else if (!/\d/.test(text) && !(/^[A-Z]{1,5}[-/]?$/.test(text) && seriesGoesOn(tokens[index + 1]))) break
    if (/^\d{1,3}(?:\.\d{3})*,\d{2}$/.test(text) || /^\d{1,2}:\d{2}/.test(text)) break
    taken.push(token)
    if (/[,;)]$/.test(token.text)) break
  }
  while (taken.length > 0 && /^[-/–]$/.test(taken.at(-1)?.text ?? '')) taken.pop()
  if (taken.length === 0) return null
  const value = textOf(taken)
    .replace(/^[([#:\s]+/, '')
    .replace(/[,;:.)\]\s]+$/, '')
  if (!/\d/.test(value) && !/^[A-Z]{1,6}$/.test(value)) return null
  if (taken[0]?.ocr && /^[A-Z]+l[\d/-]/.test(value)) return { value: value.replace(/^([A-Z]+)l/, '$1I'), tokens: taken }
  if (value.length > 30) return null
  void sheet
  return { value, tokens: taken }
}

/** OCR reads the sign `#` in front of a number as one or two signs of its own. */
const isNumberSign = (token: Token | undefined, next: Token | undefined): boolean =>
  token?.ocr === true && /^(?:x?4|x?H|tt|ff)$/.test(token.text) && /^(?:[A-Z]{1,4}$|.*\d{3})/.test(next?.text ?? '')

/** `Nº factura: N 277`: a capital alone, after a label that is closed or says number, begins the number. */
function isSeries(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]
  return (
    /^[A-Z]{1,4}$/.test(tokens[index]?.text ?? '') &&
    /^\d/.test(tokens[index + 1]?.text ?? '') &&
    (before === undefined || /:$/.test(before.text) || /^(?:no|num|numero|number|zk|zenbakia)$/.test(before.bare))
  )
}

const seriesGoesOn = (next: Token | undefined): boolean => next !== undefined && /^[-/]?\d/.test(next.text)
