import { sql } from 'kysely'
import type { BusMessage } from './bus.ts'
import { applyOnce, type Definition, parseEvent } from './consume.ts'
import type { Database } from './db.ts'

/** An event that a consumer group could not apply. */
export interface DeadLetter {
  id: number
  group: string
  eventId: string
  name: string
  key: string
  error: string
  attempts: number
  createdAt: Date
  replayedAt: Date | null
  /** JSON text of the event as it came. */
  value: string
}

interface Row {
  id: number
  group_name: string
  event_id: string
  name: string
  key: string
  message: BusMessage
  error: string
  attempts: number
  created_at: Date
  replayed_at: Date | null
}

/** The dead letters of a service's schema, oldest first; replayed ones only when asked for. */
export async function listDeadLetters(
  db: Database,
  options: { group?: string; replayed?: boolean; limit?: number } = {},
): Promise<DeadLetter[]> {
  const { rows } = await sql<Row>`
    select * from dead_letters
    where (${options.group ?? null}::text is null or group_name = ${options.group ?? null})
      and (${options.replayed === true} or replayed_at is null)
    order by id limit ${options.limit ?? 200}`.execute(db.query)
  return rows.map(toDeadLetter)
}

const toDeadLetter = (row: Row): DeadLetter => ({
  id: row.id,
  group: row.group_name,
  eventId: row.event_id,
  name: row.name,
  key: row.key,
  error: row.error,
  attempts: row.attempts,
  createdAt: row.created_at,
  replayedAt: row.replayed_at,
  value: row.message.value,
})

/**
 * Asks for dead letters to be applied again: the running service does it within seconds, once each. Answers how many
 * were marked. `ids` absent: all that wait.
 */
export async function replayDeadLetters(
  db: Database,
  options: { ids?: readonly number[]; group?: string } = {},
): Promise<{ replayed: number }> {
  const { rows } = await sql<{ id: number }>`
    update dead_letters set replayed_at = now(), attempts = 0
    where replayed_at is null
      and (${options.group ?? null}::text is null or group_name = ${options.group ?? null})
      and (${options.ids === undefined} or id = any(${[...(options.ids ?? [])]}::bigint[]))
    returning id`.execute(db.query)
  return { replayed: rows.length }
}

/**
 * Applies what {@link replayDeadLetters} marked, each in its own transaction that also removes it; what fails again
 * stays, with its new error, and waits for the operator. Answers how many were applied.
 */
export async function applyReplays<T>(db: Database<T>, consumers: readonly Definition<T>[]): Promise<number> {
  const groups = consumers.map((consumer) => consumer.group)
  const { rows } = await sql<Row>`
    select * from dead_letters where replayed_at is not null and group_name = any(${groups}::text[])
    order by id limit 100`.execute(db.query)
  let applied = 0
  for (const row of rows) {
    const consumer = consumers.find((each) => each.group === row.group_name && each.event === row.name)
    if (consumer === undefined) continue
    try {
      await applyOnce(db, consumer, parseEvent(consumer.event, row.message.value))
      await sql`delete from dead_letters where id = ${row.id}`.execute(db.query)
      applied += 1
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      await sql`update dead_letters set replayed_at = null, error = ${text}, attempts = attempts + 1
        where id = ${row.id}`.execute(db.query)
    }
  }
  return applied
}
