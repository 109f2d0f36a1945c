import type { EventMessage } from '@asiento/proto/events'
import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createInProcessBus } from '../src/bus-in-process.ts'
import { type Consumer, type Definition, subscribeConsumers } from '../src/consume.ts'
import { createLog } from '../src/log.ts'
import { publish } from '../src/outbox.ts'
import { type Relay, startRelay } from '../src/relay.ts'
import { createTestDatabase, type TestDatabase } from '../src/testing/database.ts'

const patience = { timeout: 60_000 }
const log = createLog({ name: 'test', level: 'silent' })
const definition = { name: 'ledger', migrations: new URL('./no-migrations/', import.meta.url) }
const event = (userId: number) => ({ key: String(userId), payload: { jobId: 'job', userId } })

describe('outbox and consumers', () => {
  const open: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close()
  })

  async function database(): Promise<TestDatabase<unknown>> {
    const database = await createTestDatabase<unknown>(definition)
    open.push(() => database.drop())
    return database
  }

  async function run(testDatabase: TestDatabase<unknown>, consumers: Definition<unknown>[]): Promise<Relay> {
    const bus = createInProcessBus({ log })
    subscribeConsumers({ db: testDatabase.db, bus, log, consumers })
    await bus.start()
    open.push(() => bus.close())
    const relay = await startRelay({ db: testDatabase.db, bus, log })
    open.push(() => relay.close())
    return relay
  }

  const recorder = (group: string, seen: EventMessage[]): Consumer => ({
    event: 'batch.item.ready',
    group,
    handle: async (_tx, message) => {
      seen.push(message)
    },
  })

  test('an event of a transaction that rolls back is never sent', async () => {
    const testDatabase = await database()
    const seen: EventMessage[] = []
    await run(testDatabase, [recorder('a', seen)])
    await expect(
      testDatabase.db.transaction(async (tx) => {
        await publish(tx, 'batch.item.ready', event(1))
        throw new Error('roll back')
      }),
    ).rejects.toThrow('roll back')
    await testDatabase.db.transaction((tx) => publish(tx, 'batch.item.ready', event(2)))
    await vi.waitFor(() => expect(seen.map((message) => message.key)).toEqual(['2']), patience)
  })

  test('every group gets every event once, in order per key, also when the relay sends it again', async () => {
    const testDatabase = await database()
    const first: EventMessage[] = []
    const second: EventMessage[] = []
    for (let index = 0; index < 50; index += 1) {
      await testDatabase.db.transaction((tx) =>
        publish(tx, 'batch.item.ready', { key: String(index % 5), payload: { jobId: 'job', userId: index } }),
      )
    }
    await run(testDatabase, [recorder('a', first), recorder('b', second)])
    await vi.waitFor(() => expect([first.length, second.length]).toEqual([50, 50]), patience)
    await testDatabase.db.query.updateTable('outbox').set({ sent_at: null }).execute()
    await testDatabase.db.transaction((tx) => publish(tx, 'batch.item.ready', event(99)))
    await vi.waitFor(() => expect(first.some((message) => message.key === '99')).toBe(true), patience)
    expect(first).toHaveLength(51)
    for (const key of ['0', '1', '2', '3', '4']) {
      const users = first.filter((message) => message.key === key).map((message) => Object(message.payload).userId)
      expect(users).toEqual([...users].sort((a, b) => a - b))
    }
  })

  test('an event that cannot be applied is set aside and does not hold the others', async () => {
    const testDatabase = await database()
    const seen: string[] = []
    await run(testDatabase, [
      {
        event: 'batch.item.ready',
        group: 'picky',
        handle: async (_tx, message) => {
          if (message.key === '1') throw new Error('poison')
          seen.push(message.key)
        },
      },
    ])
    await testDatabase.db.transaction((tx) => publish(tx, 'batch.item.ready', event(1)))
    await testDatabase.db.transaction((tx) => publish(tx, 'batch.item.ready', event(2)))
    await vi.waitFor(async () => {
      const dead = await testDatabase.db.query.selectFrom('dead_letters').selectAll().execute()
      expect(dead).toMatchObject([{ group_name: 'picky', key: '1', error: 'poison', attempts: 6 }])
      expect(seen).toEqual(['2'])
    }, patience)
  })

  test('events that share a transaction are applied once each, and a bad one fails alone', async () => {
    const testDatabase = await database()
    for (let index = 0; index < 20; index += 1) {
      await testDatabase.db.transaction((tx) => publish(tx, 'batch.item.ready', event(index)))
    }
    const transactions = new Set<string>()
    let committed = 0
    await run(testDatabase, [
      {
        event: 'batch.item.ready',
        group: 'sharing',
        togetherMax: 100,
        handleAll: async (tx, messages) => {
          const { rows } = await sql<{ id: string }>`
            insert into inbox (group_name, event_id)
            select 'effect', id from unnest(${messages.map(({ id }) => id)}::uuid[]) as messages (id)
            returning pg_current_xact_id()::text as id`.execute(tx)
          if (messages.some(({ key }) => key === '7')) throw new Error('poison')
          return () => {
            committed += messages.length
            transactions.add(rows[0]?.id ?? '')
          }
        },
      },
    ])
    const countOf = async (group: string) =>
      (await testDatabase.db.query.selectFrom('inbox').selectAll().where('group_name', '=', group).execute()).length
    await vi.waitFor(async () => {
      const dead = await testDatabase.db.query.selectFrom('dead_letters').selectAll().execute()
      expect(dead).toMatchObject([{ key: '7', attempts: 6 }])
    }, patience)
    expect([await countOf('sharing'), await countOf('effect'), committed]).toEqual([19, 19, 19])
    transactions.clear()
    await testDatabase.db.transaction(async (tx) => {
      for (let index = 30; index < 50; index += 1) await publish(tx, 'batch.item.ready', event(index))
    })
    await vi.waitFor(async () => expect(await countOf('effect')).toBe(39), patience)
    await vi.waitFor(() => expect(committed).toBe(39), patience)
    expect(transactions.size).toBeLessThan(20)
  })

  test('a handler that fails half-way leaves nothing behind and is run again', async () => {
    const testDatabase = await database()
    let attempts = 0
    await run(testDatabase, [
      {
        event: 'batch.item.ready',
        group: 'flaky',
        handle: async (tx) => {
          attempts += 1
          await tx.insertInto('inbox').values({ group_name: 'effect', event_id: crypto.randomUUID() }).execute()
          if (attempts === 1) throw new Error('first time')
        },
      },
    ])
    await testDatabase.db.transaction((tx) => publish(tx, 'batch.item.ready', event(1)))
    await vi.waitFor(async () => {
      const effects = await testDatabase.db.query
        .selectFrom('inbox')
        .where('group_name', '=', 'effect')
        .selectAll()
        .execute()
      expect(effects).toHaveLength(1)
      expect(attempts).toBe(2)
    }, patience)
  })
})
