import type { Clock } from '@asiento/chassis/clock'
import { type Tx, withoutWaiting } from '@asiento/chassis/db'
import { insertIntoOutbox, type OutboxEntry, outboxEntry, wakeRelay } from '@asiento/chassis/outbox'
import type { Scope } from '@asiento/proto/actor'
import { type AppError, fail } from '@asiento/proto/errors'
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
export async function openLog(deps: Pick<Deps, 'db' | 'clock'>, work: Work): Promise<LogRow> {
  const [row] = await openLogs(deps, [work])
  return row ?? fail('SERVICE_ERROR', { internal: 'a new log is gone' })
}

/** Opens the logs of several pieces of work at once, in their order. */
export async function openLogs({ db, clock }: Pick<Deps, 'db' | 'clock'>, works: readonly Work[]): Promise<LogRow[]> {
  if (works.length === 0) return []
  const rows = works.map(({ workId, source, scope, upload, externalRef }) => ({
    work_id: workId,
    user_id: scope.userId,
    key_id: scope.keyId,
    subaccount_id: scope.subaccountId,
    sandbox: scope.sandbox,
    source,
    filename: upload.filename,
    sha256: upload.sha256,
    size_bytes: upload.sizeBytes,
    content_type: upload.contentType,
    external_ref: externalRef,
    search: searchText([upload.filename, externalRef]),
  }))
  const written = await sql<LogRow>`
    insert into logs (work_id, user_id, key_id, subaccount_id, sandbox, source, status, filename, sha256, size_bytes,
      content_type, external_ref, search, created_at)
    select work_id, user_id, key_id, subaccount_id, sandbox, source, 'running', filename, sha256, size_bytes,
      content_type, external_ref, search, ${clock.now()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as work (work_id uuid, user_id bigint, key_id bigint,
      subaccount_id bigint, sandbox boolean, source text, filename text, sha256 text, size_bytes bigint,
      content_type text, external_ref text, search text)
    on conflict (work_id) do nothing
    returning *, ${withoutWaiting}`.execute(db.query)
  const logs = new Map(written.rows.map((row) => [row.work_id, row]))
  const others = works.map(({ workId }) => workId).filter((workId) => !logs.has(workId))
  if (others.length > 0) {
    const known = await db.query.selectFrom('logs').selectAll().where('work_id', 'in', others).execute()
    for (const row of known) logs.set(row.work_id, row)
  }
  return works.map(({ workId }) => logs.get(workId) ?? fail('SERVICE_ERROR', { internal: 'a new log is gone' }))
}

export interface Finished {
  result: ExtractionResult
  /** False where no invoice was found: nothing is charged and no event is sent. */
  charged: boolean
  document: { key: string; until: Date } | null
}

/** A log that is to be closed with its result. */
export interface Closing {
  row: LogRow
  work: Pick<Work, 'workId' | 'source' | 'scope'>
  finished: Finished
}

/**
 * Closes a log with its result: log, day's sums, settled credit and event at once. A log that another holder has closed
 * meanwhile stays as it is; the answer is what is stored.
 */
export async function closeLog(deps: Pick<Deps, 'db' | 'clock'>, closing: Closing): Promise<ExtractionResult> {
  const { result } = closing.finished
  const { id } = closing.row
  const ended = await closeLogs(deps.db.query, deps.clock, [closing])
  if (ended.has(id)) return result
  const stored = await deps.db.query.selectFrom('logs').select('result').where('id', '=', id).executeTakeFirst()
  return stored?.result ?? result
}

/** Closes several logs; answers the ids of those that had not ended before. */
export const closeLogs = (query: Query, clock: Clock, closings: readonly Closing[]): Promise<Set<number>> =>
  endLogs(
    query,
    clock,
    closings.map(({ row, work, finished: { result, charged, document } }) => {
      const credit = charged ? ('commit' as const) : ('release' as const)
      return {
        columns: {
          ...columnsOf(result),
          id: row.id,
          status: 'ok',
          credit,
          result,
          search: searchText([row.filename, result.vendor_name, result.invoice_number, row.external_ref]),
          document_key: document?.key ?? null,
          document_until: document?.until ?? null,
        },
        events: [settled(work.workId, credit), ...(charged ? announced(row, work, result) : [])],
      }
    }),
  )

/** Closes a log with an error; its credit goes back. */
export async function failLog(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  row: LogRow,
  work: Pick<Work, 'workId'>,
  error: AppError,
): Promise<void> {
  const columns = {
    id: row.id,
    status: 'error',
    credit: 'release',
    error_code: error.code,
    error_detail: error.detail,
    search: row.search,
  } as const
  await endLogs(db.query, clock, [{ columns, events: [settled(work.workId, 'release')] }])
}

type Query = Deps['db']['query'] | Tx<Tables>

interface Ending {
  columns: { id: number; status: 'ok' | 'error'; [column: string]: unknown }
  events: OutboxEntry[]
}

/**
 * Ends running logs in one statement, with what belongs to each, and tells which had not ended before. Sandbox results stay
 * out of metrics.
 */
async function endLogs(query: Query, clock: Clock, endings: readonly Ending[]): Promise<Set<number>> {
  const entries = endings.flatMap(({ columns, events }) => events.map((event) => ({ ...event, log_id: columns.id })))
  const { rows } = await sql<{ id: number }>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(endings.map(({ columns }) => columns))}::jsonb) as given (
        id bigint, status text, credit text, error_code text, error_detail text, result jsonb, search text,
        document_key text, document_until timestamptz, vendor_name text, vendor_vat text, invoice_number text,
        invoice_date date, due_date date, total_cents bigint, currency text, confidence float8, warnings_count integer,
        account_code text, duplicate boolean)
    ), ended as (
      update logs l set status = g.status, credit = g.credit, error_code = g.error_code, error_detail = g.error_detail,
        result = g.result, search = g.search, document_key = g.document_key, document_until = g.document_until,
        vendor_name = g.vendor_name, vendor_vat = g.vendor_vat, invoice_number = g.invoice_number,
        invoice_date = g.invoice_date, due_date = g.due_date, total_cents = g.total_cents, currency = g.currency,
        confidence = g.confidence, warnings_count = coalesce(g.warnings_count, 0), account_code = g.account_code,
        duplicate = g.duplicate, finished_at = ${clock.now()}
      from given g where l.id = g.id and l.status = 'running'
      returning l.id, l.user_id, coalesce(l.key_id, 0) as key_id, coalesce(l.subaccount_id, 0) as subaccount_id,
        l.sandbox, (l.created_at at time zone 'UTC')::date as day, g.status, g.warnings_count, g.confidence
    ), counted as (
      insert into daily_usage as d
        (user_id, key_id, subaccount_id, day, ok_count, error_count, warning_count, confidence_sum)
      select user_id, key_id, subaccount_id, day, count(*) filter (where status = 'ok'),
        count(*) filter (where status = 'error'), count(*) filter (where warnings_count > 0),
        coalesce(sum(confidence), 0)
      from ended where not sandbox
      group by user_id, key_id, subaccount_id, day order by user_id, key_id, subaccount_id, day
      on conflict (user_id, day, key_id, subaccount_id) do update set
        ok_count = d.ok_count + excluded.ok_count,
        error_count = d.error_count + excluded.error_count,
        warning_count = d.warning_count + excluded.warning_count,
        confidence_sum = d.confidence_sum + excluded.confidence_sum
    ), written as (${insertIntoOutbox(entries, sql`(row ->> 'log_id')::bigint in (select id from ended)`)})
    select id, ${wakeRelay} from ended`.execute(query)
  return new Set(rows.map((row) => row.id))
}

/** Removes logs whose work never began: a file refused at the door, a quota at zero, an item handed back. */
export async function dropLogs({ db }: Pick<Deps, 'db'>, workIds: readonly string[]): Promise<void> {
  await db.query.deleteFrom('logs').where('work_id', 'in', workIds).where('status', '=', 'running').execute()
}

const settled = (workId: string, outcome: 'commit' | 'release'): OutboxEntry =>
  outboxEntry('credits.settled', {
    key: reservationId(workId),
    payload: { reservationId: reservationId(workId), outcome },
  })

function announced(row: LogRow, { source, scope }: Closing['work'], result: ExtractionResult): OutboxEntry[] {
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
