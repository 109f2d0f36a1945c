import { withoutWaiting } from '@asiento/chassis/db'
import { insertIntoOutbox, type OutboxEntry, outboxEntry, wakeRelay } from '@asiento/chassis/outbox'
import type { Scope } from '@asiento/proto/actor'
import type { AppError } from '@asiento/proto/errors'
import type { Upload } from '@asiento/proto/operation'
import type { ExtractionResult } from '@asiento/proto/schemas/extraction-result'
import { sql } from 'kysely'
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
  const { workId, source, scope, upload, externalRef } = work
  const { rows } = await sql<LogRow>`
    insert into logs (work_id, user_id, key_id, subaccount_id, sandbox, source, status, filename, sha256, size_bytes,
      content_type, external_ref, search, created_at)
    values (${workId}, ${scope.userId}, ${scope.keyId}, ${scope.subaccountId}, ${scope.sandbox}, ${source}, 'running',
      ${upload.filename}, ${upload.sha256}, ${upload.sizeBytes}, ${upload.contentType}, ${externalRef},
      ${searchText([upload.filename, externalRef])}, ${clock.now()})
    on conflict (work_id) do nothing
    returning *, ${withoutWaiting}`.execute(db.query)
  return rows[0] ?? db.query.selectFrom('logs').selectAll().where('work_id', '=', workId).executeTakeFirstOrThrow()
}

export interface Finished {
  result: ExtractionResult
  /** False where no invoice was found: nothing is charged and no event is sent. */
  charged: boolean
  document: { key: string; until: Date } | null
}

/**
 * Closes a log with its result: log, day's sums, settled credit and event at once. A log that another holder has closed
 * meanwhile stays as it is; the answer is what is stored.
 */
export async function closeLog(deps: Deps, row: LogRow, work: Work, finished: Finished): Promise<ExtractionResult> {
  const { result, charged, document } = finished
  const credit = charged ? 'commit' : 'release'
  const ended = await endLog(deps, row, {
    columns: {
      ...columnsOf(result),
      status: 'ok',
      credit,
      result: JSON.stringify(result),
      search: searchText([row.filename, result.vendor_name, result.invoice_number, row.external_ref]),
      document_key: document?.key ?? null,
      document_until: document?.until ?? null,
    },
    count: { error: false, warnings: result.warnings.length > 0, confidence: result.confidence_score },
    events: [settled(work.workId, credit), ...(charged ? announced(row, work, result) : [])],
  })
  if (ended) return result
  const stored = await deps.db.query.selectFrom('logs').select('result').where('id', '=', row.id).executeTakeFirst()
  return stored?.result ?? result
}

/** Closes a log with an error; its credit goes back. */
export async function failLog(
  deps: Pick<Deps, 'db' | 'clock'>,
  row: LogRow,
  work: Pick<Work, 'workId'>,
  error: AppError,
): Promise<void> {
  await endLog(deps, row, {
    columns: { status: 'error', credit: 'release', error_code: error.code, error_detail: error.detail },
    count: { error: true, warnings: false, confidence: 0 },
    events: [settled(work.workId, 'release')],
  })
}

interface Ending {
  columns: Record<string, unknown>
  count: { error: boolean; warnings: boolean; confidence: number }
  events: OutboxEntry[]
}

/**
 * Ends a running log in one statement, which is one transaction and one trip to the database; false where the log has
 * ended already. Sandbox results stay out of metrics.
 */
async function endLog(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  row: LogRow,
  { columns, count, events }: Ending,
): Promise<boolean> {
  const set = Object.entries({ ...columns, finished_at: clock.now() }).map(
    ([name, value]) => sql`${sql.ref(name)} = ${value}`,
  )
  const { rows } = await sql`
    with ended as (
      update logs set ${sql.join(set)} where id = ${row.id} and status = 'running'
      returning user_id, coalesce(key_id, 0) as key_id, coalesce(subaccount_id, 0) as subaccount_id, created_at, sandbox
    ), counted as (
      insert into daily_usage as d
        (user_id, key_id, subaccount_id, day, ok_count, error_count, warning_count, confidence_sum)
      select user_id, key_id, subaccount_id, (created_at at time zone 'UTC')::date,
        ${count.error ? 0 : 1}::int, ${count.error ? 1 : 0}::int, ${count.warnings ? 1 : 0}::int, ${count.confidence}::float8
      from ended where not sandbox
      on conflict (user_id, day, key_id, subaccount_id) do update set
        ok_count = d.ok_count + excluded.ok_count,
        error_count = d.error_count + excluded.error_count,
        warning_count = d.warning_count + excluded.warning_count,
        confidence_sum = d.confidence_sum + excluded.confidence_sum
    ), written as (${insertIntoOutbox(events, sql`exists (select from ended)`)})
    select ${wakeRelay} from ended`.execute(db.query)
  return rows.length > 0
}

/** Removes a log whose work never began: a file refused at the door, a quota at zero. */
export async function dropLog({ db }: Deps, row: LogRow): Promise<void> {
  await db.query.deleteFrom('logs').where('id', '=', row.id).where('status', '=', 'running').execute()
}

const settled = (workId: string, outcome: 'commit' | 'release'): OutboxEntry =>
  outboxEntry('credits.settled', {
    key: reservationId(workId),
    payload: { reservationId: reservationId(workId), outcome },
  })

function announced(row: LogRow, { source, scope }: Work, result: ExtractionResult): OutboxEntry[] {
  if (source === 'sign') return []
  return [
    outboxEntry('invoice.extracted', {
      key: String(row.id),
      payload: {
        logId: row.id,
        scope,
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
    }),
  ]
}
