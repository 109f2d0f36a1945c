import { Readable } from 'node:stream'
import type { WorkerPool } from '@asiento/chassis/workers'
import { fail } from '@asiento/proto/errors'
import type { Download } from '@asiento/proto/operation'
import { stringify } from 'csv-stringify'
import type { Ledger } from './ledger.ts'
import type { SheetTask } from './sheet-worker.ts'

export type CellValue = string | number | null

export interface Column<R> {
  /** In Spanish. */
  label: string
  value: (row: R) => CellValue
}

export interface Table<R> {
  /** The file's name without its extension. */
  name: string
  columns: readonly Column<R>[]
  rows: AsyncIterable<R> | Iterable<R>
}

export type Exporter = <R>(format: 'csv' | 'xlsx', table: Table<R>) => Promise<Download>

/** Rows of one workbook: it is made in memory. */
const sheetRowsMax = 100_000

/** Writes tables as files that exist for one answer: CSV (RFC 4180, streamed) or a workbook (made on a thread). */
export const createExporter =
  ({ objects, ids }: Pick<Ledger, 'objects' | 'ids'>, sheets: WorkerPool<SheetTask, Uint8Array>): Exporter =>
  async (format, table) => {
    const objectKey = `uploads/export-${ids.uuid()}`
    const body = format === 'csv' ? csvOf(table) : await sheetOf(table, sheets)
    await objects.put(objectKey, body)
    return {
      objectKey,
      filename: `${table.name}.${format}`,
      contentType:
        format === 'csv'
          ? 'text/csv; charset=utf-8'
          : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      temporary: true,
    }
  }

function csvOf<R>({ columns, rows }: Table<R>): Readable {
  const records = async function* () {
    yield columns.map((column) => column.label)
    for await (const row of rows) yield columns.map((column) => harmless(column.value(row)))
  }
  return Readable.from(records()).compose(stringify())
}

/** Text that a spreadsheet would take for a formula is marked as text (OWASP, CSV injection). */
const harmless = (value: CellValue): CellValue =>
  typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value

async function sheetOf<R>(table: Table<R>, sheets: WorkerPool<SheetTask, Uint8Array>): Promise<Uint8Array> {
  const cells: CellValue[][] = []
  for await (const row of table.rows) {
    if (cells.length === sheetRowsMax) {
      fail('INVALID_INPUT', { detail: `More than ${sheetRowsMax} rows: narrow the dates or take format=csv.` })
    }
    cells.push(table.columns.map((column) => column.value(row)))
  }
  return sheets.run({ header: table.columns.map((column) => column.label), rows: cells })
}
