import { connect, type Socket } from 'node:net'
import type { Bus } from '@asiento/chassis/bus'
import { createKafkaBus } from '@asiento/chassis/bus-kafka'
import { createProducer } from '@asiento/chassis/bus-kafka-producer'
import { chassisEnvironment, loadConfig } from '@asiento/chassis/config'
import { createLog } from '@asiento/chassis/log'
import { metrics } from '@asiento/chassis/telemetry'
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type KafkaBroker, kafkaIsPossible, startKafka } from '../provision/kafka.ts'

const log = createLog({ name: 'test', level: 'silent' })
const patience = { timeout: 45_000, interval: 50 }

describe.skipIf(!(await kafkaIsPossible()))('the bus on Kafka when things take long or break', () => {
  let broker: KafkaBroker
  const open: Bus[] = []
  beforeAll(async () => {
    broker = await startKafka()
  }, 180_000)
  afterEach(async () => {
    for (const bus of open.splice(0)) await bus.close()
  })
  afterAll(() => broker?.stop())

  const createBus = (): Bus => {
    const config = loadConfig(chassisEnvironment, { KAFKA_BROKERS: broker.brokers, KAFKA_PARTITIONS: '2' })
    const bus = createKafkaBus({ config, clientId: 'test', log })
    open.push(bus)
    return bus
  }
  const message = (topic: string, value: string) => ({ topic, key: 'k', value, headers: {} })

  test('the lag of a group is shown while it stands still, and is none once it has caught up', async () => {
    const topic = 'kafka.lag'
    const held = Promise.withResolvers<void>()
    const bus = createBus()
    bus.subscribe({ group: 'lag', topic, handle: () => held.promise })
    await bus.start()
    await bus.send(['1', '2', '3'].map((value) => message(topic, value)))
    const lag = async () =>
      (await metrics.getSingleMetric('asiento_kafka_consumer_lag')?.get())?.values.map(({ labels, value }) => ({
        ...labels,
        value,
      }))
    await vi.waitFor(async () => expect(await lag()).toEqual([{ group: 'asiento.lag', topic, value: 3 }]), patience)
    held.resolve()
    await vi.waitFor(async () => expect(await lag()).toEqual([{ group: 'asiento.lag', topic, value: 0 }]), patience)
  }, 90_000)

  test('work that outlasts the session keeps its partition and is not handed out twice', async () => {
    const topic = 'kafka.long'
    const handed: string[] = []
    const handle = async ({ value }: { value: string }) => {
      handed.push(value)
      if (value === 'long') await new Promise((resolve) => setTimeout(resolve, 14_000))
    }
    for (const bus of [createBus(), createBus()]) {
      bus.subscribe({ group: 'long', topic, handle })
      await bus.start()
    }
    await open[0]?.send([message(topic, 'long')])
    await vi.waitFor(() => expect(handed).toEqual(['long']), patience)
    await open[0]?.send([message(topic, 'next')])
    await vi.waitFor(() => expect(handed).toContain('next'), patience)
    expect(handed).toEqual(['long', 'next'])
  }, 90_000)

  test('a producer goes on after a send whose answer was lost', async () => {
    const topic = 'kafka.lost'
    let sever = false
    // Ends the connection between a produce request and its answer, as a broker does that dies just then.
    const socketFactory = ({
      host,
      port,
      onConnect,
    }: {
      host: string
      port: number
      onConnect: () => void
    }): Socket => {
      const socket = connect({ host, port }, onConnect)
      const write = socket.write.bind(socket)
      socket.write = ((data: Buffer, ...rest: never[]) => {
        const isProduce = sever && data.readInt16BE(4) === 0
        if (isProduce) {
          socket.pause()
          setTimeout(() => socket.destroy(new Error('reset')), 300)
        }
        return write(data, ...rest)
      }) as Socket['write']
      return socket
    }
    const kafka = new Kafka({
      brokers: [broker.brokers],
      logLevel: logLevel.NOTHING,
      socketFactory,
      requestTimeout: 2_000,
    })
    const admin = kafka.admin()
    await admin.connect()
    await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true })
    const producer = createProducer({ kafka, metadataMaxAgeMs: 5_000, retry: { retries: 1, initialRetryTime: 50 } })
    const send = (...values: string[]) =>
      producer.send({ topic, partition: 0, messages: values.map((value) => message(topic, value)) })
    await send('1')
    sever = true
    await expect(send('2')).rejects.toThrow()
    sever = false
    await send('2', '3')
    await send('4')
    const [offsets] = await admin.fetchTopicOffsets(topic)
    // Written once before the answer was lost and once more after: 1, 2, 2, 3, 4.
    expect(offsets?.high).toBe('5')
    await producer.close()
    await admin.disconnect()
  }, 90_000)
})
