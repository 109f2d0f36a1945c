import { Readable } from 'node:stream'
import type { Actor } from '@asiento/proto/actor'
import type { Download } from '@asiento/proto/operation'
import type { HistoryItem } from '@asiento/proto/schemas/extraction'
import { stringify } from 'csv-stringify/sync'
import type { Deps } from './deps.ts'
import { filteredLogs, type HistoryFilters } from './list-history.ts'
import { toHistoryItem } from './log-row.ts'
import { type Cell, streamWorkbook } from './workbook.ts'

const pageRows = 2_000

const columns: (keyof HistoryItem)[] = [
  'log_id',
  'created_at',
  'status',
  'filename',
  'vendor_name',
  'vendor_vat',
  'invoice_number',
  'invoice_date',
  'due_date',
  'total',
  'currency',
  'confidence_score',
  'warnings_count',
  'account_code',
  'duplicate',
  'external_ref',
  'subaccount_id',
  'source',
  'error_code',
]

/** The filtered history as a file; pages of rows stream into the object store, so that memory stays bounded. */
export const exportHistory =
  (deps: Deps) =>
  async (actor: Actor, query: HistoryFilters & { format: 'csv' | 'xlsx' }): Promise<Download> => {
    const { format, ...filters } = query
    const pages = historyPages(deps, actor, filters)
    const objectKey = `exports/${deps.ids.uuid()}`
    const source = format === 'csv' ? Readable.from(csvParts(pages)) : workbookOf(deps, pages)
    await deps.objects.put(objectKey, source)
    return {
      objectKey,
      filename: `asiento-history.${format}`,
      contentType: format === 'csv' ? 'text/csv' : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      temporary: true,
    }
  }

const workbookOf = ({ clock }: Deps, pages: AsyncIterable<HistoryItem[]>): Readable =>
  streamWorkbook({ sheetName: 'history', header: columns, rows: cellParts(pages), modifiedAt: clock.now() })

async function* historyPages(deps: Deps, actor: Actor, filters: HistoryFilters): AsyncGenerator<HistoryItem[]> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await filteredLogs(deps, actor, filters)
      .selectAll()
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(pageRows)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map(toHistoryItem)
    before = last.id
  }
}

/** A byte order mark, so that spreadsheets take the text for UTF-8. */
async function* csvParts(pages: AsyncIterable<HistoryItem[]>): AsyncGenerator<Buffer> {
  yield Buffer.from(`\uFEFF${stringify([columns])}`)
  for await (const page of pages)
    yield Buffer.from(stringify(page.map((item) => columns.map((column) => safeCell(item[column])))))
}

/** Text that a spreadsheet would run as a formula is quoted. */
const safeCell = (value: unknown): unknown =>
  typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value

async function* cellParts(pages: AsyncIterable<HistoryItem[]>): AsyncGenerator<Cell[][]> {
  for await (const page of pages) yield page.map((item) => columns.map((column) => item[column]))
}
