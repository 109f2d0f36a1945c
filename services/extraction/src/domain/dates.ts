import { boxOf, type Cell, type Sheet, type Token, textOf } from './layout.ts'
import type { Box } from './page.ts'
import { bare, editDistance } from './text.ts'
import { wordedNumber } from './worded-numbers.ts'

/** A calendar date as printed. `iso` is `YYYY-MM-DD` and exists in the calendar. */
export interface DateFound extends Box {
  iso: string
  tokens: Token[]
  text: string
  page: number
  row: number
  cell: number
  /** Index in its cell's tokens of the first and after the last token. */
  from: number
  to: number
}

const monthNames: readonly (readonly string[])[] = [
  ['enero', 'ene', 'gener', 'gen', 'xaneiro', 'xan', 'urtarrila', 'urtarrilaren', 'urt', 'january', 'jan'],
  ['febrero', 'feb', 'febrer', 'febreiro', 'otsaila', 'otsailaren', 'ots', 'february'],
  ['marzo', 'mar', 'marc', 'martxoa', 'martxoaren', 'march', 'mzo'],
  ['abril', 'abr', 'apirila', 'apirilaren', 'api', 'april', 'apr'],
  ['mayo', 'may', 'maig', 'maio', 'mai', 'maiatza', 'maiatzaren'],
  ['junio', 'jun', 'juny', 'xuno', 'xun', 'ekaina', 'ekainaren', 'eka', 'june'],
  ['julio', 'jul', 'juliol', 'xullo', 'xul', 'uztaila', 'uztailaren', 'uzt', 'july'],
  ['agosto', 'ago', 'agost', 'abuztua', 'abuztuaren', 'abu', 'august', 'aug'],
  ['septiembre', 'sep', 'sept', 'set', 'setiembre', 'setembre', 'setembro', 'iraila', 'irailaren', 'ira', 'september'],
  ['octubre', 'oct', 'outubro', 'out', 'urria', 'urriaren', 'urr', 'october'],
  ['noviembre', 'nov', 'novembre', 'novembro', 'azaroa', 'azaroaren', 'aza', 'november'],
  ['diciembre', 'dic', 'desembre', 'des', 'decembro', 'dec', 'abendua', 'abenduaren', 'abe', 'december'],
]
const monthByName = new Map(monthNames.flatMap((names, index) => names.map((name) => [name, index + 1] as const)))
const romanMonths = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII']
const fillers = new Set(['de', 'del', 'd', "d'", 'of', 'ko', 'the'])

/** All dates of the sheet in reading order, in every form that Spaniards write them. */
export function readDates(sheet: Sheet): DateFound[] {
  const found: DateFound[] = []
  for (const cell of sheet.cells) {
    let index = 0
    while (index < cell.tokens.length) {
      const date = dateAt(cell, index) ?? wrappedDate(sheet, cell, index)
      if (date === null) index += 1
      else {
        found.push(date)
        index = date.to
      }
    }
  }
  return found
}

function dateAt(cell: Cell, from: number): DateFound | null {
  return numeric(cell, from) ?? named(cell, from) ?? basque(cell, from) ?? worded(cell, from) ?? boxed(cell, from)
}

/** `veintiséis de mayo de dos mil veinticuatro`. */
function worded(cell: Cell, from: number): DateFound | null {
  const next = cell.tokens[from + 1]?.bare
  if (next === undefined || !/^(?:de|d|y|e|i)$/.test(next)) return null
  const words = cell.tokens.slice(from, from + 14).map((token) => token.bare)
  const day = wordedNumber(words)
  if (day === null) return null
  let index = skipFillers(cell, from + day.count)
  const month = monthByName.get(cell.tokens[index]?.bare.replace(/^d'/, '') ?? '')
  if (month === undefined) return null
  index = skipFillers(cell, index + 1)
  const year = wordedNumber(words.slice(index - from))
  const iso = year === null || year.value < 2000 ? null : calendar(year.value, month, day.value)
  return iso === null ? null : made(cell, from, index + (year?.count ?? 0), iso)
}

/** `25 02 26` alone in its cell: the boxes of a form. */
function boxed(cell: Cell, from: number): DateFound | null {
  if (from > 0 || cell.tokens.length !== 3) return null
  const text = cell.tokens.map((token) => token.text).join(' ')
  const parts = /^(\d{2}) (\d{2}) (\d{4}|\d{2})$/.exec(text)
  if (parts === null) return null
  const iso = calendar(fullYear(parts[3] ?? ''), Number(parts[2]), Number(parts[1]))
  return iso === null ? null : made(cell, 0, 3, iso)
}

/** `20 ago.` over `2026` in a narrow column: the year stands in the row below at the same margin. */
function wrappedDate(sheet: Sheet, cell: Cell, from: number): DateFound | null {
  const [first, second] = [cell.tokens[from], cell.tokens[from + 1]]
  if (first === undefined || second === undefined || from + 2 !== cell.tokens.length) return null
  const month = /^\d{1,2}$/.test(first.text) ? (monthByName.get(second.bare) ?? 0) : 0
  if (month === 0) return null
  const below = sheet.rows[cell.row + 1]?.cells.find(
    (other) => Math.abs(other.x0 - cell.x0) < 1 || Math.abs(other.x1 - cell.x1) < 1,
  )
  if (below === undefined || below.page !== cell.page || below.y0 - cell.y1 > cell.size) return null
  const year = /^20\d{2}$/.exec(below.tokens[0]?.text ?? '')?.[0]
  const iso = year === undefined ? null : calendar(Number(year), month, Number(first.text))
  return iso === null ? null : made(cell, from, from + 2, iso)
}

/** `12/03/2025`, `12-3-25`, `2025-03-12`, `12.03.2025`, also broken in up to five words (`12 / 03 / 2025`). */
function numeric(cell: Cell, from: number): DateFound | null {
  let text = ''
  for (let count = 1; count <= 5; count += 1) {
    const token = cell.tokens[from + count - 1]
    const last = cell.tokens[from + count - 2]
    if (token === undefined || token.text.length > 26) return null
    if (count > 1 && last !== undefined && token.x0 - last.x1 > 0.6 * token.size) return null
    text += token.text
    if (count > 1 && !/^[\d/.\-–T:]+[,.;)]*$/.test(token.text)) return null
    const iso = numericDate(text, token.ocr)
    if (iso !== null) return made(cell, from, from + count, iso)
    if (!/^[(\dOlI/.\-–]+$/.test(text)) return null
  }
  return null
}

function numericDate(printed: string, ocr: boolean): string | null {
  let text = printed
    .replace(/^[(«]+/, '')
    .replace(/[,.;:)»]+$/, '')
    .replace(/–/g, '-')
  if (ocr) text = text.replace(/[Oo]/g, '0').replace(/[lI|]/g, '1')
  const time = /^(\d{4}-\d{2}-\d{2})T\d{2}:/.exec(text)
  if (time?.[1] !== undefined) text = time[1]
  const iso = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text)
  if (iso !== null) return calendar(Number(iso[1]), Number(iso[3]), Number(iso[4]))
  const day = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/.exec(text)
  if (day !== null) return calendar(fullYear(day[4] ?? ''), Number(day[3]), Number(day[1]))
  const roman = /^(\d{1,2})[-/.]([IVX]{1,4})[-/.](\d{4}|\d{2})$/.exec(text)
  if (roman !== null)
    return calendar(fullYear(roman[3] ?? ''), romanMonths.indexOf(roman[2] ?? '') + 1, Number(roman[1]))
  const short = /^(\d{1,2})[-/.]([a-zç]{3,10})[-/.](\d{4}|\d{2})$/i.exec(text)
  if (short !== null) {
    const month = monthOf(bare(short[2] ?? ''), false)
    return month === 0 ? null : calendar(fullYear(short[3] ?? ''), month, Number(short[1]))
  }
  return null
}

/** `12 de marzo de 2025`, `12 març 2025`, `1 d'abril de 2025`, `March 12, 2025`, `12 mar. 2025`. */
function named(cell: Cell, from: number): DateFound | null {
  const first = cell.tokens[from]
  if (first === undefined) return null
  const whole = numericDate(first.text, first.ocr)
  if (whole !== null) return made(cell, from, from + 1, whole)
  const dayFirst = /^\d{1,2}[ºª°.]?$/.test(first.text)
  const monthFirst = !dayFirst && monthByName.has(first.bare)
  if (!dayFirst && !monthFirst) return null
  let index = from + 1
  let month = monthFirst ? (monthByName.get(first.bare) ?? 0) : 0
  let day = dayFirst ? Number.parseInt(first.text, 10) : 0
  if (dayFirst) {
    index = skipFillers(cell, index)
    const token = cell.tokens[index]
    if (token === undefined) return null
    month = monthOf(token.bare.replace(/^d'/, ''), token.ocr)
    if (month === 0) return null
    index += 1
  } else {
    const token = cell.tokens[index]
    if (token === undefined || !/^\d{1,2}(?:st|nd|rd|th)?,?$/.test(token.text)) return null
    day = Number.parseInt(token.text, 10)
    index += 1
  }
  index = skipFillers(cell, index)
  const year = /^(\d{4}|\d{2}|\d\.\d{3})[.,;:)]*$/.exec(cell.tokens[index]?.text ?? '')?.[1]?.replace('.', '')
  if (year === undefined) return null
  const iso = calendar(fullYear(year), month, day)
  return iso === null ? null : made(cell, from, index + 1, iso)
}

/** `2025eko martxoaren 12a`. */
function basque(cell: Cell, from: number): DateFound | null {
  const year = /^(\d{4})(?:e?ko)$/i.exec(cell.tokens[from]?.text ?? '')?.[1]
  const month = monthByName.get(cell.tokens[from + 1]?.bare ?? '')
  const day = /^(\d{1,2})(?:a|an|ean)?[.,;]?$/i.exec(cell.tokens[from + 2]?.text ?? '')?.[1]
  if (year === undefined || month === undefined || day === undefined) return null
  const iso = calendar(Number(year), month, Number(day))
  return iso === null ? null : made(cell, from, from + 3, iso)
}

function skipFillers(cell: Cell, start: number): number {
  let index = start
  while (fillers.has(cell.tokens[index]?.bare ?? '') || /^[-/,.]$/.test(cell.tokens[index]?.text ?? '')) index += 1
  return index
}

function monthOf(name: string, ocr: boolean): number {
  const exact = monthByName.get(name)
  if (exact !== undefined) return exact
  if (!ocr || name.length < 5) return 0
  const close = monthNames.findIndex((names) =>
    names.some((known) => known.length >= 5 && editDistance(known, name, 1) <= 1),
  )
  return close + 1
}

const fullYear = (text: string): number => (text.length === 2 ? 2000 + Number(text) : Number(text))

function calendar(year: number, month: number, day: number): string | null {
  if (year < 1990 || year > 2099 || month < 1 || month > 12 || day < 1) return null
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (day > lastDay) return null
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

function made(cell: Cell, from: number, to: number, iso: string): DateFound {
  const tokens = cell.tokens.slice(from, to)
  return {
    ...boxOf(tokens),
    iso,
    tokens,
    text: textOf(tokens),
    page: cell.page,
    row: cell.row,
    cell: cell.index,
    from,
    to,
  }
}

/** The plain date `days` after another. */
export function addDays(iso: string, days: number): string {
  const date = new Date(`${iso}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}
