import { Kysely, sql, type Transaction } from 'kysely'
import pg from 'pg'
import type { Log } from './log.ts'
import { isOutdatedPlan, openPool, PipelinedDialect } from './postgres-driver.ts'
import { withSpan } from './telemetry.ts'

/** Bookkeeping tables that the chassis keeps in every service's schema. */
export interface ChassisTables {
  outbox: {
    id: import('kysely').Generated<number>
    event_id: string
    name: string
    key: string
    payload: string
    trace: string
    created_at: import('kysely').Generated<Date>
    sent_at: Date | null
  }
  inbox: { group_name: string; event_id: string; applied_at: import('kysely').Generated<Date> }
  dead_letters: {
    id: import('kysely').Generated<number>
    group_name: string
    event_id: string
    name: string
    key: string
    message: string
    error: string
    attempts: number
    created_at: import('kysely').Generated<Date>
    replayed_at: Date | null
  }
}

/** A service's own schema: one pool, one typed query builder, transactions. */
export interface Database<T = unknown> {
  /** For single statements. */
  query: Kysely<T & ChassisTables>
  /** Runs `work` in one transaction (READ COMMITTED); a failure rolls everything back. */
  transaction<R>(work: (tx: Tx<T>) => Promise<R>): Promise<R>
  /** Runs `heard` at every NOTIFY on the channel; reconnects by itself. Returns how to stop. */
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>
  pool: pg.Pool
  schema: string
  close(): Promise<void>
}

export type Tx<T = unknown> = Transaction<T & ChassisTables>

export interface DatabaseOptions {
  url: string
  schema: string
  /** The role that the sessions take; it has only what the service needs. */
  role?: string
  poolMax: number
  log: Log
}

// Ids and counts are bigint in SQL and stay below 2^53; dates stay text so that no time zone can move them.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/**
 * Selected or returned by a statement, lets its commit not wait for the disk. What it wrote is visible at once and stays,
 * except when the database server itself crashes within the next moments; a later commit on that server that waits keeps
 * it too. For what is made good by itself: marks, logs, steps before a commit that does wait.
 */
export const withoutWaiting = sql<string>`set_config('synchronous_commit', 'off', true)`

/** Opens a pool on a service's schema. Statements end after 30 s, idle transactions after 60 s. */
export function openDatabase<T>(options: DatabaseOptions): Database<T> {
  const settings = [`-c search_path=${options.schema},public`, ...(options.role ? [`-c role=${options.role}`] : [])]
  const connection: pg.PoolConfig = {
    connectionString: options.url,
    options: settings.join(' '),
    max: options.poolMax,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: `asiento-${options.schema}`,
  }
  const pool = openPool(connection)
  let closing = false
  pool.on('error', (error) => {
    if (!closing) options.log.warn({ err: error }, 'idle database connection lost')
  })
  const query = new Kysely<T & ChassisTables>({ dialect: new PipelinedDialect(pool) })
  return {
    query,
    pool,
    schema: options.schema,
    transaction: (work) =>
      withSpan('db.transaction', { kind: 'CLIENT', attributes: { 'db.namespace': options.schema } }, async () => {
        const attempt = () => query.transaction().execute(work)
        try {
          return await attempt()
        } catch (error) {
          if (isOutdatedPlan(error)) return attempt()
          throw error
        }
      }),
    listen: (channel, heard) => listen(connection, channel, heard, options.log),
    close: () => {
      closing = true
      return query.destroy()
    },
  }
}

async function listen(
  connection: pg.PoolConfig,
  channel: string,
  heard: (payload: string) => void,
  log: Log,
): Promise<() => Promise<void>> {
  let stopped = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  const connect = async () => {
    const next = new pg.Client({ ...connection, statement_timeout: 0, idle_in_transaction_session_timeout: 0 })
    next.on('notification', (message) => heard(message.payload ?? ''))
    next.on('error', (error) => {
      log.warn({ err: error, channel }, 'listening connection lost')
      client = undefined
      next.end().catch(() => {})
      if (!stopped) retry = setTimeout(() => connect().catch((cause) => next.emit('error', cause)), 1_000)
    })
    await next.connect()
    await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    client = next
    heard('')
  }
  await connect()
  return async () => {
    stopped = true
    clearTimeout(retry)
    await client?.end()
  }
}
