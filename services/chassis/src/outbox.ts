import { randomUUID } from 'node:crypto'
import { type EventName, type EventPayload, events } from '@asiento/proto/events'
import { sql } from 'kysely'
import type { BusMessage } from './bus.ts'
import type { Tx } from './db.ts'
import { traceHeaders } from './telemetry.ts'

export interface Publication<N extends EventName> {
  /** Events with one key are applied in order; as a rule the account or the invoice. */
  key: string
  payload: EventPayload<N>
  /** Given where a repetition of the same work must not publish twice: the second one is ignored. */
  id?: string
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
  const trace = JSON.stringify(traceHeaders())
  const rows = publications.map((publication) => ({
    event_id: publication.id ?? randomUUID(),
    key: publication.key,
    payload: events[name].schema.parse(publication.payload),
  }))
  await sql`
    with written as (
      insert into outbox (event_id, name, key, payload, trace)
      select (row ->> 'event_id')::uuid, ${name}, row ->> 'key', row -> 'payload', ${trace}::jsonb
      from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as input (row, position)
      order by position
      on conflict (event_id) do nothing
    )
    select pg_notify('outbox_' || current_schema(), '')`.execute(tx)
}

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
