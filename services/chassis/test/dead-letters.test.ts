import { randomUUID } from 'node:crypto'
import { createInProcessBus } from '@asiento/chassis/bus-in-process'
import { type Consumer, consumer, subscribeConsumers } from '@asiento/chassis/consume'
import { applyReplays, listDeadLetters, replayDeadLetters } from '@asiento/chassis/dead-letters'
import { createLog } from '@asiento/chassis/log'
import { createTestDatabase } from '@asiento/chassis/testing/database'
import { afterEach, expect, test } from 'vitest'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

test('an event that cannot be applied is set aside, listed, and applied once when an operator replays it', async () => {
  const log = createLog({ name: 'test', level: 'silent' })
  const definition = { name: 'letters', migrations: new URL('no-migrations/', import.meta.url) }
  const { db, drop } = await createTestDatabase(definition)
  closers.push(drop)
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
  const bus = createInProcessBus({ log })
  closers.push(() => bus.close())
  subscribeConsumers({ db, bus, log, consumers })
  await bus.start()
  const id = randomUUID()
  const event = {
    id,
    name: 'account.changed',
    key: '1',
    occurredAt: new Date().toISOString(),
    payload: { userId: 1, change: 'plan' },
  }
  await bus.send([{ topic: 'asiento.account.changed.v1', key: '1', value: JSON.stringify(event), headers: {} }])
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
