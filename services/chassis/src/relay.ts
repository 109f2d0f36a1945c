import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Counter, Gauge } from 'prom-client'
import type { Bus } from './bus.ts'
import { type Database, withoutWaiting } from './db.ts'
import type { Log } from './log.ts'
import { type OutboxRow, outboxChannel, toBusMessage } from './outbox.ts'
import { metrics } from './telemetry.ts'

const batchRows = 200
const pollMs = 2_000
/** From one round to the next: the first event of a while goes at once, those of a rush go together. */
const gatherMs = 25
const keepSentMs = 3 * 24 * 3_600_000
const forgetEveryMs = 600_000

const sent = new Counter({
  name: 'asiento_outbox_sent_total',
  help: 'Events sent from the outbox',
  labelNames: ['schema'],
  registers: [metrics],
})
const oldest = new Gauge({
  name: 'asiento_outbox_oldest_seconds',
  help: 'Age of the oldest unsent event',
  labelNames: ['schema'],
  registers: [metrics],
})

export interface Relay {
  close(): Promise<void>
}

/**
 * Sends the outbox of a schema: at least once, in order per key, one relay at a time in the whole cluster (an advisory
 * lock), woken by NOTIFY and by a slow poll. Rows are picked by state, never by cursor.
 */
export async function startRelay(options: { db: Database; bus: Bus; log: Log }): Promise<Relay> {
  const { db, bus, log } = options
  let closed = false
  let wake = () => {}
  let awake = true
  let forgottenAt = 0
  const closing = new AbortController()
  const stopListening = await db.listen(outboxChannel(db.schema), () => {
    awake = true
    wake()
  })

  const loop = async () => {
    while (!closed) {
      awake = false
      try {
        const round = await relayOnce(db, bus, log)
        if (round.isFull) continue
        if (round.isEmpty && Date.now() - forgottenAt > forgetEveryMs) {
          forgottenAt = Date.now()
          await forgetSent(db)
        }
      } catch (error) {
        if (!closed) log.warn({ err: error, schema: db.schema }, 'outbox relay will try again')
      }
      await pause(gatherMs, undefined, { signal: closing.signal }).catch(() => {})
      if (awake || closed) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pollMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  const running = loop()
  return {
    close: async () => {
      closed = true
      closing.abort()
      wake()
      await stopListening()
      await running
    },
  }
}

interface Round {
  /** There may be more at once. */
  isFull: boolean
  isEmpty: boolean
}

/** One round under the lock; nothing is done where another process holds it. */
async function relayOnce(db: Database, bus: Bus, log: Log): Promise<Round> {
  return db.query.connection().execute(async (connection) => {
    const locked = await sql<{ locked: boolean }>`
      select pg_try_advisory_lock(hashtext(${`outbox.${db.schema}`})) as locked`.execute(connection)
    if (locked.rows[0]?.locked !== true) return { isFull: false, isEmpty: false }
    try {
      const { rows } = await sql<OutboxRow>`
        select id, event_id, name, key, payload, trace, created_at
        from outbox where sent_at is null order by id limit ${batchRows}`.execute(connection)
      oldest.set({ schema: db.schema }, rows[0] === undefined ? 0 : (Date.now() - rows[0].created_at.getTime()) / 1_000)
      const chains = [...Map.groupBy(rows, (row) => row.key).values()]
      // The rows of one key go in order; a failure keeps the later ones of its key back.
      const outcomes = await Promise.allSettled(chains.map((chain) => bus.send(chain.map(toBusMessage))))
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') log.warn({ err: outcome.reason, schema: db.schema }, 'events not sent yet')
      }
      await markSent(connection, chains.filter((_, index) => outcomes[index]?.status === 'fulfilled').flat(), db.schema)
      const isFull = rows.length === batchRows && outcomes.every((outcome) => outcome.status === 'fulfilled')
      return { isFull, isEmpty: rows.length === 0 }
    } finally {
      await sql`select pg_advisory_unlock(hashtext(${`outbox.${db.schema}`}))`.execute(connection)
    }
  })
}

/** In one statement on the relay's own connection: however many keys there are, the pool stays free for the service. */
async function markSent(connection: Database['query'], rows: readonly OutboxRow[], schema: string): Promise<void> {
  if (rows.length === 0) return
  await connection
    .updateTable('outbox')
    .set({ sent_at: new Date() })
    .where(
      'id',
      'in',
      rows.map((row) => row.id),
    )
    // Lost with a crash, they are only sent once more.
    .returning(withoutWaiting.as('unwaited'))
    .execute()
  sent.inc({ schema }, rows.length)
}

async function forgetSent(db: Database): Promise<void> {
  const before = new Date(Date.now() - keepSentMs)
  await db.query.deleteFrom('outbox').where('sent_at', '<', before).execute()
  // The inbox must outlive any redelivery, so it is kept much longer than the outbox.
  await db.query
    .deleteFrom('inbox')
    .where('applied_at', '<', new Date(before.getTime() - 10 * keepSentMs))
    .execute()
}
