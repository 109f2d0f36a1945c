import { type Database, withoutWaiting } from '@asiento/chassis/db'
import type { Log } from '@asiento/chassis/log'
import type { Actor } from '@asiento/proto/actor'
import { limits } from '@asiento/proto/plans'
import { timestamp } from '@asiento/proto/time'
import { type Insertable, sql } from 'kysely'
import type { Tables } from './tables.ts'

export type RequestLogRow = Insertable<Tables['request_logs']>

const flushEveryMs = 100
const rowsMax = 20_000
const rowsAtOnce = 500

export interface RequestLog {
  /** Takes a row off the hot path; when the database is away for long the oldest rows are dropped, and counted. */
  add(row: RequestLogRow): void
  flush(): Promise<void>
  close(): Promise<void>
}

/** Writes request logs in batches. */
export function createRequestLog(options: { db: Database<Tables>; log: Log }): RequestLog {
  let rows: RequestLogRow[] = []
  let dropped = 0
  let writing: Promise<void> = Promise.resolve()

  const write = async () => {
    while (rows.length > 0) {
      const batch = rows.splice(0, rowsAtOnce)
      try {
        await insertRows(options.db, batch)
      } catch (error) {
        options.log.warn({ err: error, rows: batch.length }, 'request logs not written yet')
        rows = [...batch, ...rows].slice(-rowsMax)
        return
      }
    }
  }
  const flush = () => {
    writing = writing.then(write)
    return writing
  }
  const timer = setInterval(flush, flushEveryMs)
  return {
    add: (row) => {
      if (rows.length >= rowsMax) {
        rows.shift()
        dropped += 1
        if (dropped % 1_000 === 1) options.log.error({ dropped }, 'request logs dropped')
      }
      rows.push(row)
    },
    flush,
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}

/** As one parameter: five hundred rows of twelve would take the door's thread for longer than a request does. */
async function insertRows(db: Database<Tables>, rows: readonly RequestLogRow[]): Promise<void> {
  await sql`
    insert into request_logs (created_at, request_id, user_id, key_id, subaccount_id, method, path, status_code,
      duration_ms, sandbox, error_code, ip)
    select created_at, request_id, user_id, key_id, subaccount_id, method, path, status_code,
      duration_ms, sandbox, error_code, ip
    from json_populate_recordset(null::request_logs, ${JSON.stringify(rows)}::json)
    where (select ${withoutWaiting}) is not null`.execute(db.query)
}

/** Makes the partitions of the coming days and drops those past their time. */
export async function keepPartitions(db: Database<Tables>, now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10)
  await sql`select keep_request_log_partitions(${today}::date, 3, ${limits.requestLogRetentionDays})`.execute(db.query)
}

export interface RequestLogQuery {
  limit: number
  offset: number
  path: string
  status: number
}

/** The caller's own requests, newest first: a key sees those made with it (a subaccount's key: its subaccount's). */
export async function listRequestLogs(db: Database<Tables>, actor: Actor, query: RequestLogQuery) {
  let own = db.query.selectFrom('request_logs').where('user_id', '=', actor.userId)
  if (actor.subaccountId !== null) own = own.where('subaccount_id', '=', actor.subaccountId)
  else if (actor.keyId !== null) own = own.where('key_id', '=', actor.keyId)
  if (query.path !== '') own = own.where(sql<boolean>`starts_with(path, ${query.path})`)
  if (query.status !== 0) own = own.where('status_code', '=', query.status)
  const count = await own.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await own
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  const total = Number(count.total)
  return {
    items: rows.map((row) => ({
      request_id: row.request_id,
      method: row.method,
      path: row.path,
      status_code: row.status_code,
      duration: row.duration_ms,
      sandbox: row.sandbox,
      error_code: row.error_code,
      created_at: timestamp(row.created_at),
      ip: row.ip,
    })),
    total,
    limit: query.limit,
    offset: query.offset,
    has_more: query.offset + rows.length < total,
  }
}
