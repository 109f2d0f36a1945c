import { randomUUID } from 'node:crypto'
import { isAway } from '@asiento/chassis/away'
import type { Bus } from '@asiento/chassis/bus'
import { createInProcessBus } from '@asiento/chassis/bus-in-process'
import { type Consumer, consumer, subscribeConsumers } from '@asiento/chassis/consume'
import type { Database } from '@asiento/chassis/db'
import { applyReplays, listDeadLetters, replayDeadLetters } from '@asiento/chassis/dead-letters'
import { createLog } from '@asiento/chassis/log'
import { createTestDatabase } from '@asiento/chassis/testing/database'
import { fail, failure } from '@asiento/proto/errors'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const eventOf = (id: string) => ({
  topic: 'asiento.account.changed.v1',
  key: '1',
  value: JSON.stringify({
    id,
    name: 'account.changed',
    key: '1',
    occurredAt: new Date().toISOString(),
    payload: { userId: 1, change: 'plan' },
  }),
  headers: {},
})

const log = createLog({ name: 'test', level: 'silent' })

async function openDatabase(): Promise<Database> {
  const definition = { name: 'letters', migrations: new URL('no-migrations/', import.meta.url) }
  const { db, drop } = await createTestDatabase<unknown>(definition)
  closers.push(drop)
  return db
}

async function startBus(db: Database, consumers: Consumer[]): Promise<Bus> {
  const bus = createInProcessBus({ log })
  closers.push(() => bus.close())
  subscribeConsumers({ db, bus, log, consumers })
  await bus.start()
  return bus
}

test('an event that cannot be applied is set aside, listed, and applied once when an operator replays it', async () => {
  const db = await openDatabase()
  let broken = true
  let applied = 0
  const consumers: Consumer[] = [
    consumer<unknown, 'account.changed'>({
      event: 'account.changed',
      group: 'letters.test',
      handle: async () => {
        if (broken) throw new Error('the table is missing')
        applied += 1
      },
    }),
  ]
  const bus = await startBus(db, consumers)
  const id = randomUUID()
  await bus.send([eventOf(id)])
  await expect
    .poll(() => listDeadLetters(db), { timeout: 20_000 })
    .toMatchObject([
      { group: 'letters.test', eventId: id, name: 'account.changed', error: 'the table is missing', attempts: 6 },
    ])

  expect(await replayDeadLetters(db)).toEqual({ replayed: 1 })
  expect(await applyReplays(db, consumers)).toBe(0)
  expect(await listDeadLetters(db)).toHaveLength(1)

  broken = false
  const [letter] = await listDeadLetters(db)
  expect(await replayDeadLetters(db, { ids: [letter?.id ?? 0] })).toEqual({ replayed: 1 })
  expect(await applyReplays(db, consumers)).toBe(1)
  expect(await applyReplays(db, consumers)).toBe(0)
  expect(applied).toBe(1)
  expect(await listDeadLetters(db, { replayed: true })).toEqual([])
})

test('an event waits for a service that is away for longer than six attempts, and is then applied', async () => {
  const db = await openDatabase()
  let attempts = 0
  const bus = await startBus(db, [
    consumer<unknown, 'account.changed'>({
      event: 'account.changed',
      group: 'letters.patient',
      handle: async () => {
        attempts += 1
        if (attempts <= 7) fail('SERVICE_UNAVAILABLE', { internal: 'identity is not reachable' })
      },
    }),
  ])
  await bus.send([eventOf(randomUUID())])
  expect(attempts).toBe(8)
  expect(await listDeadLetters(db)).toEqual([])
})

test.each([
  ['a service that is not reachable', failure('SERVICE_UNAVAILABLE'), true],
  ['a refused connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), true],
  [
    'one behind another error',
    new Error('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) }),
    true,
  ],
  ['a pool without a free connection', new Error('timeout exceeded when trying to connect'), true],
  [
    'a database that shuts down',
    Object.assign(new pg.DatabaseError('terminating', 1, 'error'), { code: '57P01' }),
    true,
  ],
  ['a deadlock', Object.assign(new pg.DatabaseError('deadlock', 1, 'error'), { code: '40P01' }), true],
  ['a broken constraint', Object.assign(new pg.DatabaseError('duplicate', 1, 'error'), { code: '23505' }), false],
  ['an internal error elsewhere', failure('SERVICE_ERROR'), false],
  ['a defect', new TypeError('undefined is not a function'), false],
])('%s', (_name, error, away) => {
  expect(isAway(error)).toBe(away)
})
