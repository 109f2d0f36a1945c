import { createHash } from 'node:crypto'
import { bankOfAccount, bankOfHeader, bankOfText, columnsOf, foldHeader, isComplete } from './csv-columns.ts'
import { type CsvRow, csvPreview, type Delimiter, delimiters } from './csv-table.ts'
import { readAmount } from './read-amount.ts'
import { readDate } from './read-date.ts'
import type { Bank, CsvMapping } from './statement.ts'

/** What is known of a CSV before its rows are read. */
export interface CsvLayout {
  delimiter: Delimiter
  /** The line of the header, 0 where there is none. */
  headerLine: number
  columns: string[]
  mapping: Partial<CsvMapping>
  bank: Bank | null
  account: string | null
  layoutKey: string
  sample: string[][]
}

interface Found {
  delimiter: Delimiter
  rows: CsvRow[]
  header: CsvRow | null
  mapping: Partial<CsvMapping>
}

const sampleRows = 5

/**
 * Finds the delimiter, the header below any preamble, and what each column is. Where the header is unknown, or there is
 * none, `mapping` lacks something and a person has to say it.
 */
export function detectCsv(text: string): CsvLayout {
  const found = delimiters.map((delimiter) => inspect(text, delimiter))
  const best = found.find(({ header, mapping }) => header !== null && isComplete(mapping)) ??
    found.find(({ mapping }) => isComplete(mapping)) ??
    [...found].sort((a, b) => columnCount(b.rows) - columnCount(a.rows))[0] ?? {
      delimiter: ';' as const,
      rows: [],
      header: null,
      mapping: {},
    }
  return layoutOf(best)
}

function inspect(text: string, delimiter: Delimiter): Found {
  const rows = csvPreview(text, delimiter)
  for (const row of rows) {
    const mapping = columnsOf(row.cells)
    if (isComplete(mapping)) return { delimiter, rows, header: row, mapping }
  }
  return { delimiter, rows, header: null, mapping: sabadellWithoutHeader(delimiter, rows) }
}

/** Sabadell's text download: `date|concept|value date|amount|balance|reference|reference`, no header. */
function sabadellWithoutHeader(delimiter: Delimiter, rows: readonly CsvRow[]): Partial<CsvMapping> {
  const cells = rows[0]?.cells ?? []
  const [date = '', , valueDate = '', amount = '', balance = ''] = cells
  const fits =
    delimiter === '|' &&
    cells.length >= 5 &&
    readDate(date) !== null &&
    readDate(valueDate) !== null &&
    readAmount(amount, ',') !== null &&
    readAmount(balance, ',') !== null
  return fits ? { date: 0, description: [1], valueDate: 2, amount: 3, balance: 4, reference: 5 } : {}
}

function layoutOf({ delimiter, rows, header, mapping }: Found): CsvLayout {
  const headerless = header === null && isComplete(mapping)
  const named = header ?? (headerless ? null : likelyHeader(rows))
  const body = rows.filter((row) => row.line > (named?.line ?? 0) && row.cells.some((cell) => cell !== ''))
  const preamble = rows.filter((row) => row.line < (named?.line ?? 0)).flatMap((row) => row.cells)
  const account = accountIn(preamble.join(' '))
  const width = Math.max(named?.cells.length ?? 0, columnCount(body))
  const columns = Array.from({ length: width }, (_, at) => named?.cells[at] || `Columna ${at + 1}`)
  return {
    delimiter,
    headerLine: named?.line ?? 0,
    columns,
    mapping: header === null && named !== null ? columnsOf(named.cells) : mapping,
    bank: headerless
      ? 'sabadell'
      : (bankOfAccount(account) ?? bankOfHeader(named?.cells ?? []) ?? bankOfText(preamble.join(' '))),
    account,
    layoutKey: createHash('sha256')
      .update(`${delimiter}\n${named === null ? width : columns.map(foldHeader).join('\n')}`)
      .digest('hex')
      .slice(0, 32),
    sample: body.slice(0, sampleRows).map((row) => columns.map((_, at) => row.cells[at] ?? '')),
  }
}

/** Of an unknown layout: the last full row of words before the first row with a date. */
function likelyHeader(rows: readonly CsvRow[]): CsvRow | null {
  const width = columnCount(rows)
  const firstData = rows.findIndex((row) => row.cells.some((cell) => readDate(cell) !== null))
  const before = firstData === -1 ? rows.slice(0, 1) : rows.slice(0, firstData)
  const full = before.filter((row) => row.cells.filter((cell) => cell !== '' && !/\d/.test(cell)).length * 2 > width)
  return full.at(-1) ?? null
}

/** The most frequent number of cells, above one, weighed by how often it occurs. */
function columnCount(rows: readonly CsvRow[]): number {
  const counts = new Map<number, number>()
  for (const row of rows) counts.set(row.cells.length, (counts.get(row.cells.length) ?? 0) + 1)
  const several = [...counts].filter(([cells]) => cells > 1).sort((a, b) => b[1] - a[1] || b[0] - a[0])
  return several[0]?.[0] ?? 1
}

function accountIn(text: string): string | null {
  const iban =
    /\bES\d{2}(?:[ -]?\d{4}){5}\b/i.exec(text)?.[0] ?? /\b\d{4}[ -]?\d{4}[ -]?\d{2,4}[ -]?\d{8,10}\b/.exec(text)?.[0]
  const bare = iban?.toUpperCase().replace(/[^A-Z0-9]/g, '') ?? ''
  return /^(ES\d{22}|\d{20})$/.test(bare) ? bare : null
}
