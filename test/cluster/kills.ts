import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceName } from '@asiento/proto/operation'
import type pg from 'pg'
import { expect } from 'vitest'
import type { Cluster } from '../provision/cluster.ts'

/** A cluster at work on a job, and the owner's way into its database. */
export interface World {
  cluster: Cluster
  sql: pg.Pool
  /** Lets some files be worked on that were kept back until now. */
  freeFiles: () => Promise<unknown>
}

/**
 * Where a kill falls. Each place is brought about by a state that is waited for or held with a lock, and looked at again
 * once the process is gone: what had happened has happened, and what had not has not. Each frees its own files to fall among,
 * once what it holds is held.
 */
export const kills: Record<string, (world: World) => Promise<void>> = {
  'after reserve': async (world) => {
    await world.freeFiles()
    for (let fell = false; !fell; ) {
      await until('a file is worked on under a reserved credit', () => holds(world, reservedAndOpen))
      await kill(world, 'extraction')
      // Its file may just have ended: then the next one is taken.
      fell = await holds(world, reservedAndOpen)
      await world.cluster.start('extraction')
    }
  },

  'after extraction, before its commit': async (world) => {
    await whileLocked(world, lockOutbox, async () => {
      await world.freeFiles()
      await somebodyWaits(world, 'extraction', 'update logs')
      await kill(world, 'extraction')
    })
    expect(await holds(world, reservedAndOpen)).toBe(true)
    await world.cluster.start('extraction')
  },

  "after the log's commit, before the relay": async (world) => {
    await whileRelayWaits(world, async () => {
      await kill(world, 'extraction')
      expect(await holds(world, extractedAndUnsent)).toBe(true)
    })
    await world.cluster.start('extraction')
  },

  'after the relay sent, before it said so': async (world) => {
    // First an event is made to wait, then the relay may send it but not write that down.
    const table = await world.sql.connect()
    try {
      await whileRelayWaits(world, async () => {
        await table.query('begin')
        await table.query(lockOutbox)
      })
      await somebodyWaits(world, 'extraction', 'update "outbox"')
      await kill(world, 'extraction')
    } finally {
      await table.query('rollback')
      table.release()
    }
    expect(await holds(world, extractedAndUnsent)).toBe(true)
    await world.cluster.start('extraction')
  },

  "after a consumer's commit, before its offset": async (world) => {
    const applied = `select count(*)::int as n from notifications.inbox where group_name = 'notifications.extracted'`
    const count = async () => (await world.sql.query(applied)).rows[0].n as number
    let before = 0
    await whileLocked(world, `select pg_advisory_xact_lock(hashtext('chaos.commit'))`, async () => {
      await world.sql.query(holdCommits)
      before = await count()
      await world.freeFiles()
      await somebodyWaits(world, 'notifications', 'commit')
      // The database has been told to commit and does so below; who said it never hears of it.
      await world.cluster.kill('notifications')
    })
    await sessionsEnd(world, 'notifications')
    expect(await count()).toBeGreaterThan(before)
    await world.sql.query('drop function chaos_hold_commit cascade')
    await world.cluster.start('notifications')
  },

  'the broker, with events to send': async (world) => {
    const { cluster } = world
    const from = cluster.logs('extraction').length
    await whileRelayWaits(world, () => cluster.kafka.kill())
    await until('the relay has met the dead broker', async () =>
      cluster.logs('extraction').slice(from).includes('Connection error'),
    )
    await cluster.kafka.restart()
  },

  'identity, while an event needs it': async (world) => {
    const { cluster } = world
    const from = cluster.logs('notifications').length
    await whileRelayWaits(world, () => cluster.kill('identity'))
    // Longer than any fixed number of attempts would last.
    await until('an event has been tried seven times', async () =>
      /"attempt":7/.test(cluster.logs('notifications').slice(from)),
    )
    await cluster.start('identity')
  },
}

export async function until(what: string, probe: () => Promise<boolean>, withinMs = 120_000): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await probe())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`)
    await pause(20)
  }
}

export const holds = async ({ sql }: Pick<World, 'sql'>, query: string, values: unknown[] = []): Promise<boolean> =>
  ((await sql.query(query, values)).rowCount ?? 0) > 0

const reservedAndOpen = `
  select 1 from identity.reservations r join extraction.logs l on r.id = 'extraction:' || l.work_id
  where r.state = 'reserved' and l.status = 'running'`
const extractedAndUnsent = `select 1 from extraction.outbox where name = 'invoice.extracted' and sent_at is null`
const lockOutbox = 'lock table extraction.outbox in share row exclusive mode'
/** Lets the commit of an applied event wait until the advisory lock is free. */
const holdCommits = `
  create function chaos_hold_commit() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(hashtext('chaos.commit'));
      return null;
    end $$;
  create constraint trigger chaos_hold_commit after insert on notifications.inbox deferrable initially deferred
    for each row when (new.group_name = 'notifications.extracted') execute function chaos_hold_commit()`

/** Kills a service, and its sessions with it: a statement that waits would go on without its client. */
async function kill(world: World, name: ServiceName): Promise<void> {
  await world.cluster.kill(name)
  await world.sql.query(`select pg_terminate_backend(pid) ${sessionsOf}`, [`asiento-${name}`])
  await sessionsEnd(world, name)
}

const sessionsOf = 'from pg_stat_activity where application_name = $1 and datname = current_database()'

const sessionsEnd = (world: World, name: ServiceName): Promise<void> =>
  until('its sessions end', async () => !(await holds(world, `select 1 ${sessionsOf}`, [`asiento-${name}`])))

/** Waits until a statement of a service waits for a lock that the test holds. */
const somebodyWaits = (world: World, name: ServiceName, statement: string): Promise<void> =>
  until(`${name} waits in: ${statement}`, () =>
    holds(world, `select 1 ${sessionsOf} and wait_event_type = 'Lock' and query ilike $2`, [
      `asiento-${name}`,
      `%${statement}%`,
    ]),
  )

/** Runs `work` while a session of its own holds a lock; the lock is gone afterwards. */
async function whileLocked({ sql }: World, lock: string, work: () => Promise<void>): Promise<void> {
  const holder = await sql.connect()
  try {
    await holder.query('begin')
    await holder.query(lock)
    await work()
  } finally {
    await holder.query('rollback')
    holder.release()
  }
}

/** Holds the relay of extraction back until a new event waits for it, one that no relay can have sent, then runs `work`. */
const whileRelayWaits = (world: World, work: () => Promise<void>): Promise<void> =>
  whileLocked(world, `select pg_advisory_xact_lock(hashtext('outbox.extraction'))`, async () => {
    const { rows } = await world.sql.query('select coalesce(max(id), 0)::int as last from extraction.outbox')
    await world.freeFiles()
    await until('a new event waits for the relay', () =>
      holds(world, `${extractedAndUnsent} and id > $1`, [rows[0].last]),
    )
    await work()
  })
