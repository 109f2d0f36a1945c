import { type EventMessage, type EventName, events } from '@asiento/proto/events'
import { sql } from 'kysely'
import { Counter } from 'prom-client'
import { z } from 'zod'
import { isAway } from './away.ts'
import type { Bus, BusMessage, Delivery } from './bus.ts'
import type { Database, Tx } from './db.ts'
import type { Log } from './log.ts'
import { metrics, withSpan } from './telemetry.ts'
import { together } from './together.ts'

/** What a service does about an event. */
export interface Consumer<T = unknown, N extends EventName = EventName> {
  event: N
  /** One group applies each event once; as a rule `<service>.<purpose>`. */
  group: string
  /** Runs in the transaction that also remembers the event's id, so that its effect happens exactly once. */
  handle: (tx: Tx<T>, event: EventMessage<N>) => Promise<void>
}

/**
 * What a service does about events that come at the same time: they share one transaction, one transaction after the
 * other. For short handlers that lock nothing which another transaction may hold in another order.
 */
export interface GroupConsumer<T = unknown, N extends EventName = EventName> {
  event: N
  group: string
  /** So many events share a transaction at most. */
  togetherMax: number
  /** Like {@link Consumer.handle}, for all of them; what it answers is called as soon as the transaction has committed. */
  handleAll: (tx: Tx<T>, events: readonly EventMessage<N>[]) => Promise<(() => void) | undefined>
}

/** Keeps the exact event type of each consumer while they stand in one list. */
export const consumer = <T, N extends EventName>(definition: Consumer<T, N>): Consumer<T> =>
  definition as unknown as Consumer<T>
export const groupConsumer = <T, N extends EventName>(definition: GroupConsumer<T, N>): GroupConsumer<T> =>
  definition as unknown as GroupConsumer<T>

/**
 * A consumer of a mere signal, which may come twice and changes nothing by itself: it costs no transaction and no row.
 */
export interface Listener<N extends EventName = EventName> {
  event: N
  group: string
  heard: (event: EventMessage<N>) => void
}

export type Definition<T> = Consumer<T> | GroupConsumer<T> | Listener

const failuresMax = 6
const longestPauseMs = 2_500
const applied = new Counter({
  name: 'asiento_events_applied_total',
  help: 'Events applied by a consumer group',
  labelNames: ['group', 'outcome'],
  registers: [metrics],
})

const envelope = z.object({
  id: z.uuid(),
  name: z.string(),
  key: z.string(),
  occurredAt: z.string(),
  payload: z.unknown(),
})

export interface ConsumeOptions<T> {
  db: Database<T>
  bus: Bus
  log: Log
  consumers: readonly Definition<T>[]
}

/**
 * Subscribes a service's consumers. An event waits, however long, for what it needs and is away; one that fails by itself
 * goes to `dead_letters` after six attempts, and the group goes on.
 */
export function subscribeConsumers<T>(options: ConsumeOptions<T>): void {
  for (const definition of options.consumers) {
    const apply = applying(options.db, definition)
    options.bus.subscribe({
      group: definition.group,
      topic: events[definition.event].topic,
      handle: (message, delivery) =>
        withSpan(
          `consume ${definition.event}`,
          {
            kind: 'CONSUMER',
            parent: message.headers,
            attributes: { 'messaging.consumer.group.name': definition.group },
          },
          () => deliver(options, { ...definition, apply }, message, delivery),
        ),
    })
  }
}

async function deliver<T>(
  { db, log }: ConsumeOptions<T>,
  definition: Definition<T> & { apply: Apply },
  message: BusMessage,
  delivery: Delivery,
): Promise<void> {
  let event: EventMessage
  try {
    event = parseEvent(definition.event, message.value)
  } catch (error) {
    log.error({ err: error, group: definition.group, topic: message.topic }, 'message does not fit its schema')
    await bury(db, definition, message, undefined, error, 1)
    return
  }
  let failures = 0
  for (let attempt = 1; ; attempt += 1) {
    try {
      await definition.apply(event)
      applied.inc({ group: definition.group, outcome: 'applied' })
      return
    } catch (error) {
      log.warn({ err: error, group: definition.group, event: event.id, attempt }, 'event not applied')
      if (!isAway(error)) failures += 1
      if (failures >= failuresMax) {
        await bury(db, definition, message, event, error, attempt)
        applied.inc({ group: definition.group, outcome: 'dead' })
        return
      }
      await delivery.heartbeat()
      await new Promise((resolve) => setTimeout(resolve, Math.min(longestPauseMs, 100 * 2 ** attempt)))
    }
  }
}

type Apply = (event: EventMessage) => Promise<unknown>

function applying<T>(db: Database<T>, definition: Definition<T>): Apply {
  if (!('togetherMax' in definition)) return (event) => applyOnce(db, definition, event)
  return together<EventMessage, undefined>(definition.togetherMax, async (news) => {
    await applyAll(db, definition, news)
    return []
  })
}

/** Applies an event unless this group has applied it before. */
export async function applyOnce<T>(db: Database<T>, definition: Definition<T>, event: EventMessage): Promise<void> {
  if ('heard' in definition) return definition.heard(event)
  await applyAll(db, definition, [event])
}

/** In one transaction, leaving out what was applied before. */
async function applyAll<T>(
  db: Database<T>,
  definition: Consumer<T> | GroupConsumer<T>,
  news: readonly EventMessage[],
): Promise<void> {
  const committed = await db.transaction(async (tx) => {
    const { rows } = await sql<{ event_id: string }>`
      insert into inbox (group_name, event_id)
      select ${definition.group}, id from unnest(${news.map(({ id }) => id)}::uuid[]) as news (id)
      on conflict do nothing returning event_id`.execute(tx)
    const ids = new Set(rows.map((row) => row.event_id))
    const fresh = news.filter(({ id }) => ids.delete(id))
    if (fresh.length === 0) return undefined
    if ('handleAll' in definition) return definition.handleAll(tx, fresh)
    for (const event of fresh) await definition.handle(tx, event)
    return undefined
  })
  committed?.()
}

/** Reads a message of the bus as an event of the catalogue; fails when it does not fit. */
export function parseEvent(name: EventName, value: string): EventMessage {
  const raw = envelope.parse(JSON.parse(value))
  if (raw.name !== name) throw new Error(`event ${raw.name} on the topic of ${name}`)
  return { ...raw, name, payload: events[name].schema.parse(raw.payload) } as EventMessage
}

async function bury<T>(
  db: Database<T>,
  definition: Definition<T>,
  message: BusMessage,
  event: EventMessage | undefined,
  error: unknown,
  attempts: number,
): Promise<void> {
  await sql`
    insert into dead_letters (group_name, event_id, name, key, message, error, attempts)
    values (${definition.group}, ${event?.id ?? crypto.randomUUID()}, ${definition.event}, ${message.key},
      ${JSON.stringify(message)}::jsonb, ${error instanceof Error ? error.message : String(error)}, ${attempts})
    on conflict (group_name, event_id) do update
      set error = excluded.error, attempts = dead_letters.attempts + excluded.attempts, replayed_at = null`.execute(
    db.query,
  )
}
