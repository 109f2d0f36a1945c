import type { Bus, BusMessage } from '@asiento/chassis/bus'
import { createInProcessBus } from '@asiento/chassis/bus-in-process'
import { byPartition, createKafkaBus } from '@asiento/chassis/bus-kafka'
import { chassisEnvironment, loadConfig } from '@asiento/chassis/config'
import { createLog } from '@asiento/chassis/log'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type KafkaBroker, kafkaIsPossible, startKafka } from '../provision/kafka.ts'

const log = createLog({ name: 'test', level: 'silent' })
const patience = { timeout: 45_000, interval: 50 }

interface World {
  name: string
  possible: () => Promise<boolean>
  before: () => Promise<void>
  after: () => Promise<void>
  bus: () => Bus
}

let broker: KafkaBroker | undefined
const worlds: World[] = [
  {
    name: 'in process',
    possible: async () => true,
    before: async () => {},
    after: async () => {},
    bus: () => createInProcessBus({ log }),
  },
  {
    name: 'Apache Kafka',
    possible: kafkaIsPossible,
    before: async () => {
      broker = await startKafka()
    },
    after: async () => broker?.stop(),
    bus: () =>
      createKafkaBus({
        config: loadConfig(chassisEnvironment, { KAFKA_BROKERS: broker?.brokers, KAFKA_PARTITIONS: '4' }),
        clientId: 'contract',
        log,
      }),
  },
]

const message = (topic: string, key: string, value: number): BusMessage => ({
  topic,
  key,
  value: JSON.stringify(value),
  headers: { traceparent: 'none' },
})

for (const world of worlds) {
  const possible = await world.possible()
  describe.skipIf(!possible)(`bus contract: ${world.name}`, () => {
    beforeAll(world.before, 180_000)
    afterAll(world.after)
    const open: Bus[] = []
    afterEach(async () => {
      for (const bus of open.splice(0)) await bus.close()
    })

    const start = async (
      topic: string,
      groups: Record<string, (received: BusMessage) => Promise<void>>,
    ): Promise<Bus> => {
      const bus = world.bus()
      open.push(bus)
      for (const [group, handle] of Object.entries(groups)) bus.subscribe({ group: `${topic}.${group}`, topic, handle })
      await bus.start()
      return bus
    }
    const topicName = (name: string) => `contract.${name}.${Date.now()}`

    test('every group gets every message, in order per key', async () => {
      const topic = topicName('order')
      const seen = { a: [] as BusMessage[], b: [] as BusMessage[] }
      const bus = await start(topic, {
        a: async (received) => void seen.a.push(received),
        b: async (received) => void seen.b.push(received),
      })
      const sent = Array.from({ length: 200 }, (_, index) => message(topic, `key-${index % 7}`, index))
      for (let index = 0; index < sent.length; index += 20) await bus.send(sent.slice(index, index + 20))
      await vi.waitFor(() => expect([seen.a.length, seen.b.length]).toEqual([200, 200]), patience)
      for (const received of Object.values(seen)) {
        for (const [, ofKey] of Map.groupBy(received, ({ key }) => key)) {
          const values = ofKey.map(({ value }) => Number(value))
          expect(values).toEqual([...values].sort((x, y) => x - y))
        }
        expect(received.every(({ headers }) => headers.traceparent === 'none')).toBe(true)
      }
    }, 90_000)

    test('a message whose handler rejects is delivered again, before the later ones of its key', async () => {
      const topic = topicName('again')
      const applied: number[] = []
      let failures = 2
      const bus = await start(topic, {
        a: async ({ value }) => {
          if (value === '1' && failures-- > 0) throw new Error('not yet')
          applied.push(Number(value))
        },
      })
      void bus.send([message(topic, 'k', 1), message(topic, 'k', 2), message(topic, 'k', 3)]).catch(() => {})
      await vi.waitFor(() => expect(applied.slice(-3)).toEqual([1, 2, 3]), patience)
      expect(failures).toBeLessThan(0)
    }, 90_000)

    test('sends that resolve are not lost when they are made at once from many places', async () => {
      const topic = topicName('many')
      const seen = new Set<string>()
      const bus = await start(topic, { a: async ({ value }) => void seen.add(value) })
      await Promise.all(Array.from({ length: 300 }, (_, index) => bus.send([message(topic, `k${index}`, index)])))
      await vi.waitFor(() => expect(seen.size).toBe(300), patience)
    }, 90_000)
  })
}

test('one send to the producer never spans partitions', async () => {
  const messages = Array.from({ length: 500 }, (_, index) => message('t', `key-${index % 37}`, index))
  const batches = await byPartition(messages, async () => 6)
  expect(batches.flatMap((batch) => batch.messages)).toHaveLength(500)
  expect(new Set(batches.map(({ partition }) => partition)).size).toBe(batches.length)
  for (const key of new Set(messages.map((sent) => sent.key))) {
    const holders = batches.filter((batch) => batch.messages.some((sent) => sent.key === key))
    expect(holders).toHaveLength(1)
  }
})
