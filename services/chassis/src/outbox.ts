import { randomUUID } from 'node:crypto'
import { type EventName, type EventPayload, events } from '@asiento/proto/events'
import { type RawBuilder, sql } from 'kysely'
import type { BusMessage } from './bus.ts'
import type { Tx } from './db.ts'
import { traceHeaders } from './telemetry.ts'

export interface Publication<N extends EventName> {
  /** Events with one key are applied in order; as a rule the account or the invoice. */
  key: string
  payload: EventPayload<N>
  /** Given where a repetition of the same work must not publish twice: the second one is ignored. */
  id?: string
  /** The trace of its cause, where one statement holds the events of several; absent: the one under way. */
  trace?: Record<string, string>
}

/** The channel that wakes the relay of a schema. */
export const outboxChannel = (schema: string): string => `outbox_${schema}`

/**
 * Writes an event into the outbox in the transaction of its cause: it is sent if, and only if, the transaction commits.
 */
export async function publish<N extends EventName, T>(tx: Tx<T>, name: N, publication: Publication<N>): Promise<void> {
  await publishAll(tx, name, [publication])
}

/** Writes many events of one kind in a single statement. */
export async function publishAll<N extends EventName, T>(
  tx: Tx<T>,
  name: N,
  publications: readonly Publication<N>[],
): Promise<void> {
  if (publications.length === 0) return
  const entries = publications.map((publication) => outboxEntry(name, publication))
  await sql`with written as (${insertIntoOutbox(entries)}) select ${wakeRelay}`.execute(tx)
}

/** An event on its way into the outbox. */
export interface OutboxEntry {
  event_id: string
  name: EventName
  key: string
  payload: unknown
  trace: Record<string, string>
}

export const outboxEntry = <N extends EventName>(
  name: N,
  { id, key, payload, trace }: Publication<N>,
): OutboxEntry => ({
  event_id: id ?? randomUUID(),
  name,
  key,
  payload: events[name].schema.parse(payload),
  trace: trace ?? traceHeaders(),
})

/**
 * The insert alone, for a statement that writes events together with their cause, `given` what that statement did;
 * {@link wakeRelay} belongs into its select. `given` may look at more that an entry holds, as `row`.
 */
export function insertIntoOutbox(entries: readonly OutboxEntry[], given: RawBuilder<unknown> = sql`true`) {
  return sql`
    insert into outbox (event_id, name, key, payload, trace)
    select (row ->> 'event_id')::uuid, row ->> 'name', row ->> 'key', row -> 'payload', row -> 'trace'
    from jsonb_array_elements(${JSON.stringify(entries)}::jsonb) with ordinality as input (row, position)
    where ${given}
    order by position
    on conflict (event_id) do nothing`
}

export const wakeRelay = sql<string>`pg_notify('outbox_' || current_schema(), '')`

export interface OutboxRow {
  id: number
  event_id: string
  name: EventName
  key: string
  payload: unknown
  trace: Record<string, string>
  created_at: Date
}

/** A row as it travels on the bus. */
export const toBusMessage = (row: OutboxRow): BusMessage => ({
  topic: events[row.name].topic,
  key: row.key,
  value: JSON.stringify({
    id: row.event_id,
    name: row.name,
    key: row.key,
    occurredAt: row.created_at.toISOString(),
    payload: row.payload,
  }),
  headers: row.trace,
})
