import type { Cents } from '@asiento/proto/money'
import { isComplete } from './csv-columns.ts'
import { type CsvLayout, detectCsv } from './csv-detect.ts'
import { type CsvRow, csvRows } from './csv-table.ts'
import { type DecimalMark, decimalMarkOf, readAmount } from './read-amount.ts'
import { type DateOrder, dateOrderOf, readDate } from './read-date.ts'
import type { CsvMapping, RawMovement, RawStatement, StatementError } from './statement.ts'

/** Which mapping a layout was given earlier, by its `layoutKey`. */
export type RememberedMappings = (layoutKey: string) => CsvMapping | undefined

interface Style {
  mapping: CsvMapping
  mark: DecimalMark
  order: DateOrder
}

const codePartsMax = 12

/**
 * Reads a bank's CSV. A layout that is not understood, and for which no mapping is remembered, gives a `mappingRequest`,
 * the error `mapping_needed` and no movements. Rows that cannot be read are errors with their line; the others are read.
 */
export function readCsv(text: string, remembered: RememberedMappings = () => undefined): RawStatement {
  const layout = detectCsv(text)
  const mapping = remembered(layout.layoutKey) ?? layout.mapping
  const base = { format: 'csv' as const, bank: layout.bank }
  if (!isComplete(mapping)) {
    const message = 'No se reconocen las columnas del fichero: indique cuál es la fecha, el concepto y el importe.'
    return {
      ...base,
      movements: [],
      errors: [{ line: null, code: 'mapping_needed', message }],
      mappingRequest: requestFor(layout),
    }
  }
  return { ...base, ...applyMapping(text, layout, mapping), mappingRequest: null }
}

/** Reads the rows below the header by a mapping. */
export function applyMapping(
  text: string,
  layout: Pick<CsvLayout, 'delimiter' | 'headerLine' | 'account' | 'columns'>,
  mapping: CsvMapping,
): Pick<RawStatement, 'movements' | 'errors'> {
  const highest = Math.max(
    mapping.date,
    ...mapping.description,
    mapping.amount ?? 0,
    mapping.debit ?? 0,
    mapping.credit ?? 0,
  )
  if (highest >= layout.columns.length) {
    const message = `El fichero tiene ${layout.columns.length} columnas y se ha indicado la ${highest + 1}.`
    return { movements: [], errors: [{ line: null, code: 'mapping_invalid', message }] }
  }
  const rows = csvRows(text, layout.delimiter).filter(
    (row) => row.line > layout.headerLine && row.cells.some((cell) => cell !== ''),
  )
  const style = styleOf(rows, mapping)
  const movements: RawMovement[] = []
  const errors: StatementError[] = []
  for (const row of rows) {
    const read = readRow(row, style, layout.account)
    if (read === null) continue
    if ('code' in read) errors.push(read)
    else movements.push(read)
  }
  return { movements, errors }
}

function styleOf(rows: readonly CsvRow[], mapping: CsvMapping): Style {
  const column = (at: number | null | undefined): string[] =>
    at === null || at === undefined ? [] : rows.map((row) => row.cells[at] ?? '')
  const money = [mapping.amount, mapping.debit, mapping.credit, mapping.balance].flatMap(column)
  return {
    mapping,
    mark: mapping.decimal ?? decimalMarkOf(money),
    order: mapping.dateOrder ?? dateOrderOf(column(mapping.date)),
  }
}

/** A movement, an error, or null for a row that is none: totals, notes, repeated headers. */
function readRow(
  row: CsvRow,
  { mapping, mark, order }: Style,
  account: string | null,
): RawMovement | StatementError | null {
  const cell = (at: number | null | undefined): string => (at === null || at === undefined ? '' : (row.cells[at] ?? ''))
  const dateText = cell(mapping.date)
  const date = readDate(dateText, order)
  const amount = amountOf(cell, mapping, mark)
  if (date === null) {
    if (!/\d/.test(dateText) || amount === null) return null
    return { line: row.line, code: 'invalid_date', message: `«${dateText}» no es una fecha.` }
  }
  if (amount === null) return { line: row.line, code: 'invalid_amount', message: 'El importe no se puede leer.' }
  if (amount === 0)
    return { line: row.line, code: 'zero_amount', message: 'Apunte de 0,00: no mueve dinero y no se importa.' }
  return {
    date,
    valueDate: readDate(cell(mapping.valueDate), order),
    amountCents: amount,
    description: describe(mapping.description.map(cell)),
    balanceCents: readAmount(cell(mapping.balance), mark),
    currency: currencyCode(cell(mapping.currency)),
    reference: cell(mapping.reference) || null,
    account,
  }
}

/** The signed amount; a debit column takes away and a credit column adds, whatever sign the bank prints in them. */
function amountOf(
  cell: (at: number | null | undefined) => string,
  mapping: CsvMapping,
  mark: DecimalMark,
): Cents | null {
  if (mapping.amount !== null && mapping.amount !== undefined) return readAmount(cell(mapping.amount), mark)
  const texts = [cell(mapping.debit), cell(mapping.credit)]
  if (texts.every((text) => text === '')) return null
  const [debit, credit] = texts.map((text) => (text === '' ? 0 : readAmount(text, mark)))
  if (debit === null || credit === null || debit === undefined || credit === undefined) return null
  if (debit !== 0 && credit !== 0) return null
  return debit === 0 ? Math.abs(credit) : -Math.abs(debit)
}

/** Columns joined, without the ones that only repeat another (BBVA's Observaciones). */
function describe(parts: readonly string[]): string {
  const kept: string[] = []
  for (const part of parts.map((text) => text.replace(/\s+/g, ' ').trim()).slice(0, codePartsMax)) {
    const said = kept.join(' ').toLowerCase()
    if (part !== '' && !said.includes(part.toLowerCase())) kept.push(part)
  }
  return kept.join(' ')
}

const currencyCode = (text: string): string | null => {
  const code = text.trim().toUpperCase()
  return /^EUROS?$/.test(code) || code === '€' ? 'EUR' : /^[A-Z]{3}$/.test(code) ? code : null
}

const requestFor = ({ layoutKey, delimiter, columns, sample, mapping }: CsvLayout) => ({
  layoutKey,
  delimiter,
  columns,
  sample,
  guess: mapping,
})
