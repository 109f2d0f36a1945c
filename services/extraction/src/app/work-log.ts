import { type Tx, withoutWaiting } from '@asiento/chassis/db'
import { publish } from '@asiento/chassis/outbox'
import type { Scope } from '@asiento/proto/actor'
import type { AppError } from '@asiento/proto/errors'
import type { Upload } from '@asiento/proto/operation'
import type { ExtractionResult } from '@asiento/proto/schemas/extraction-result'
import { sql } from 'kysely'
import type { Tables } from '../adapters/tables.ts'
import type { Deps } from './deps.ts'
import { columnsOf, type LogRow, searchText } from './log-row.ts'

export type Source = LogRow['source']

export interface Work {
  workId: string
  scope: Scope
  source: Source
  upload: Pick<Upload, 'objectKey' | 'sha256' | 'sizeBytes' | 'filename' | 'contentType'>
  externalRef: string | null
}

/** The id under which identity holds the credit of a piece of work. */
export const reservationId = (workId: string): string => `extraction:${workId}`

/**
 * Opens the log of a piece of work, or finds it: the same work id is the same log. A log that is still running after its
 * holder died is simply worked on again.
 */
export async function openLog({ db, clock }: Deps, work: Work): Promise<LogRow> {
  const { scope, upload } = work
  await db.query
    .insertInto('logs')
    .values({
      work_id: work.workId,
      user_id: scope.userId,
      key_id: scope.keyId,
      subaccount_id: scope.subaccountId,
      sandbox: scope.sandbox,
      source: work.source,
      status: 'running',
      filename: upload.filename,
      sha256: upload.sha256,
      size_bytes: upload.sizeBytes,
      content_type: upload.contentType,
      external_ref: work.externalRef,
      search: searchText([upload.filename, work.externalRef]),
      created_at: clock.now(),
    } as never)
    .onConflict((conflict) => conflict.column('work_id').doNothing())
    .returning(withoutWaiting.as('unwaited'))
    .execute()
  return db.query.selectFrom('logs').selectAll().where('work_id', '=', work.workId).executeTakeFirstOrThrow()
}

export interface Finished {
  result: ExtractionResult
  /** False where no invoice was found: nothing is charged and no event is sent. */
  charged: boolean
  document: { key: string; until: Date } | null
}

/**
 * Closes a log with its result: log, day's sums, settled credit and event in one transaction. A log that another holder
 * has closed meanwhile stays as it is; the answer is what is stored.
 */
export async function closeLog(deps: Deps, row: LogRow, work: Work, finished: Finished): Promise<ExtractionResult> {
  const { result, charged, document } = finished
  return deps.db.transaction(async (tx) => {
    const closed = await tx
      .updateTable('logs')
      .set({
        ...columnsOf(result),
        status: 'ok',
        credit: charged ? 'commit' : 'release',
        result: JSON.stringify(result) as never,
        search: searchText([row.filename, result.vendor_name, result.invoice_number, row.external_ref]),
        document_key: document?.key ?? null,
        document_until: document?.until ?? null,
        finished_at: deps.clock.now(),
      })
      .where('id', '=', row.id)
      .where('status', '=', 'running')
      .returning('id')
      .executeTakeFirst()
    if (closed === undefined) return storedResult(tx, row.id, result)
    await countDay(tx, row, { error: false, warnings: result.warnings.length > 0, confidence: result.confidence_score })
    await settle(tx, work.workId, charged ? 'commit' : 'release')
    if (charged) await announce(tx, row, work, result)
    return result
  })
}

async function storedResult(tx: Tx<Tables>, id: number, fallback: ExtractionResult): Promise<ExtractionResult> {
  const stored = await tx.selectFrom('logs').select('result').where('id', '=', id).executeTakeFirst()
  return stored?.result ?? fallback
}

/** Closes a log with an error; its credit goes back. */
export async function failLog(
  deps: Pick<Deps, 'db' | 'clock'>,
  row: LogRow,
  work: Work,
  error: AppError,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const closed = await tx
      .updateTable('logs')
      .set({
        status: 'error',
        credit: 'release',
        error_code: error.code,
        error_detail: error.detail,
        finished_at: deps.clock.now(),
      })
      .where('id', '=', row.id)
      .where('status', '=', 'running')
      .returning('id')
      .executeTakeFirst()
    if (closed === undefined) return
    await countDay(tx, row, { error: true, warnings: false, confidence: 0 })
    await settle(tx, work.workId, 'release')
  })
}

/** Removes a log whose work never began: a file refused at the door, a quota at zero. */
export async function dropLog({ db }: Deps, row: LogRow): Promise<void> {
  await db.query.deleteFrom('logs').where('id', '=', row.id).where('status', '=', 'running').execute()
}

const settle = (tx: Tx<Tables>, workId: string, outcome: 'commit' | 'release') =>
  publish(tx, 'credits.settled', {
    key: reservationId(workId),
    payload: { reservationId: reservationId(workId), outcome },
  })

async function announce(tx: Tx<Tables>, row: LogRow, work: Work, result: ExtractionResult): Promise<void> {
  const { source } = work
  if (source === 'sign') return
  await publish(tx, 'invoice.extracted', {
    key: String(row.id),
    payload: {
      logId: row.id,
      scope: work.scope,
      source,
      externalRef: row.external_ref,
      filename: row.filename,
      vendorName: result.vendor_name,
      vendorVat: result.vendor_vat,
      invoiceNumber: result.invoice_number,
      totalCents: columnsOf(result).total_cents,
      confidence: result.confidence_score,
      accountCode: result.accounting?.account_code ?? null,
      duplicate: result.fraud_checks?.duplicate.detected ?? null,
    },
  })
}

interface DayCount {
  error: boolean
  warnings: boolean
  confidence: number
}

/** Sandbox results stay out of metrics. */
async function countDay(tx: Tx<Tables>, row: LogRow, count: DayCount): Promise<void> {
  if (row.sandbox) return
  const day = row.created_at.toISOString().slice(0, 10)
  await sql`
    insert into daily_usage as d
      (user_id, key_id, subaccount_id, day, ok_count, error_count, warning_count, confidence_sum)
    values (${row.user_id}, ${row.key_id ?? 0}, ${row.subaccount_id ?? 0}, ${day}::date,
      ${count.error ? 0 : 1}, ${count.error ? 1 : 0}, ${count.warnings ? 1 : 0}, ${count.confidence})
    on conflict (user_id, day, key_id, subaccount_id) do update set
      ok_count = d.ok_count + excluded.ok_count,
      error_count = d.error_count + excluded.error_count,
      warning_count = d.warning_count + excluded.warning_count,
      confidence_sum = d.confidence_sum + excluded.confidence_sum`.execute(tx)
}
