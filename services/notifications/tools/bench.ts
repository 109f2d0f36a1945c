import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { Worker } from 'node:worker_threads'
import { createKafkaBus } from '@asiento/chassis/bus-kafka'
import { chassisEnvironment, loadConfig } from '@asiento/chassis/config'
import { consumer, subscribeConsumers } from '@asiento/chassis/consume'
import { createLog } from '@asiento/chassis/log'
import { publish } from '@asiento/chassis/outbox'
import { startRelay } from '@asiento/chassis/relay'
import { createTestDatabase } from '@asiento/chassis/testing/database'
import { startTestService, testActor } from '@asiento/chassis/testing/service'
import { Agent, request } from 'undici'
import { notifications } from '../src/service.ts'
import { makeAuthority } from '../test/receiver.ts'

export interface FanOutBench {
  /** Deliveries a second from the first event's commit to the last receipt. */
  deliveriesPerSecond: number
  /** The same number of the same bodies from a bare undici client with as many connections. */
  barePerSecond: number
  ratio: number
}

const connections = 32
const atOnce = 128

/** Webhook fan-out over HTTPS against a bare client and the same receiver. Needs TEST_POSTGRES_URL. */
export async function benchFanOut({ webhooks = 100, events = 50, rounds = 3 } = {}): Promise<FanOutBench> {
  const authority = await makeAuthority()
  setDefaultCACertificates([...getCACertificates('default'), authority.ca])
  const receiver = new Worker(new URL('./receiver.worker.ts', import.meta.url), { workerData: authority })
  const ask = async (question: 'count' | 'reset'): Promise<number> => {
    receiver.postMessage(question)
    return (await once(receiver, 'message'))[0].count
  }
  const [{ port }] = await once(receiver, 'message')
  const url = `https://localhost:${port}/hook`
  const owner = testActor()
  const service = await startTestService(notifications, {
    environment: {
      MASTER_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    },
    rpc: { identity: { actorFor: async () => owner } as never },
  })
  try {
    const input = { params: {}, query: {}, files: [], headers: {}, body: { url, events: ['*'] } }
    for (let index = 0; index < webhooks; index += 1) {
      await service.call.createWebhook(input, { actor: owner, requestId: 'bench' })
    }
    const total = webhooks * events
    const bodies = Array.from({ length: total }, (_, index) => Buffer.from(JSON.stringify(payload(index))))
    const rates: { ours: number; bare: number }[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const bare = await rateOf(total, ask, () => sendBare(url, bodies))
      const ours = await rateOf(total, ask, async () => {
        for (let index = 0; index < events; index += 1) {
          const event = { key: `${round}-${index}`, payload: payload(round * 1_000 + index) }
          await service.db.transaction((tx) => publish(tx, 'invoice.extracted', event))
        }
      })
      // The first round warms both up.
      if (round > 0) rates.push({ ours, bare })
    }
    return {
      deliveriesPerSecond: median(rates.map(({ ours }) => ours)),
      barePerSecond: median(rates.map(({ bare }) => bare)),
      ratio: median(rates.map(({ ours, bare }) => ours / bare)),
    }
  } finally {
    await service.stop()
    await receiver.terminate()
  }
}

const payload = (logId: number) => ({
  logId,
  scope: { userId: 1, keyId: null, subaccountId: null, sandbox: false },
  source: 'extract' as const,
  externalRef: null,
  filename: 'factura.pdf',
  vendorName: 'Vendedora SL',
  vendorVat: 'B12345674',
  invoiceNumber: `F-${logId}`,
  totalCents: 12_100,
  confidence: 0.97,
  accountCode: '629',
  duplicate: false,
})

async function rateOf(total: number, ask: (question: 'count' | 'reset') => Promise<number>, work: () => Promise<void>) {
  await ask('reset')
  const started = performance.now()
  await work()
  while ((await ask('count')) < total) await pause(5)
  return total / ((performance.now() - started) / 1_000)
}

async function sendBare(url: string, bodies: readonly Buffer[]): Promise<void> {
  const dispatcher = new Agent({ connections, pipelining: 1 })
  const queue = bodies.values()
  const lane = async () => {
    for (const body of queue) {
      const response = await request(url, {
        method: 'POST',
        body,
        dispatcher,
        headers: { 'content-type': 'application/json' },
      })
      await response.body.dump()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  await dispatcher.close()
}

export interface LatencyBench {
  /** Milliseconds from the commit of an event's transaction to its consumer, 95th percentile. */
  p95Ms: number
  /** Milliseconds from a bare send to a bare consumer on the same broker, 95th percentile. */
  bareP95Ms: number
  ratio: number
}

/** How long an event takes through outbox, relay, Kafka and inbox, against bare produce and consume. Needs TEST_POSTGRES_URL. */
export async function benchEventLatency(brokers: string, { count = 200, everyMs = 20 } = {}): Promise<LatencyBench> {
  const log = createLog({ name: 'bench', level: 'silent' })
  const config = loadConfig(chassisEnvironment, { KAFKA_BROKERS: brokers, KAFKA_PARTITIONS: '3' })
  const definition = { name: 'bench', migrations: new URL('./no-migrations/', import.meta.url) }
  const { db, drop } = await createTestDatabase(definition)
  const bus = createKafkaBus({ config, clientId: 'bench', log })
  const sent = new Map<string, number>()
  const ids = { bare: [] as string[], ours: [] as string[] }
  const seen = new Map<string, number>()
  const note = (id: string) => {
    if (!seen.has(id)) seen.set(id, performance.now())
  }
  const topic = 'asiento.bench.bare'
  bus.subscribe({ group: 'bench.bare', topic, handle: async ({ value }) => note(value) })
  const consumers = [
    consumer<unknown, 'account.changed'>({
      event: 'account.changed',
      group: 'bench.events',
      handle: async (_tx, event) => note(event.id),
    }),
  ]
  subscribeConsumers({ db, bus, log, consumers })
  await bus.start()
  const relay = await startRelay({ db, bus, log })
  try {
    const sendBoth = async (index: number) => {
      const id = crypto.randomUUID()
      const event = { key: String(index), id, payload: { userId: 1, change: 'plan' as const } }
      await db.transaction((tx) => publish(tx, 'account.changed', event))
      sent.set(id, performance.now())
      ids.ours.push(id)
      await pause(everyMs)
      const plain = `plain-${index}`
      sent.set(plain, performance.now())
      ids.bare.push(plain)
      await bus.send([{ topic, key: String(index), value: plain, headers: {} }])
      await pause(everyMs)
    }
    // The groups are joined in the background: these wait for it and are not counted.
    for (let index = 0; index < 20; index += 1) await sendBoth(index)
    while (seen.size < sent.size) await pause(10)
    ids.ours.length = 0
    ids.bare.length = 0
    for (let index = 20; index < 20 + count; index += 1) await sendBoth(index)
    while (seen.size < sent.size) await pause(10)
    // A consumer may be faster than the return of the commit.
    const took = (list: string[]) => list.map((id) => Math.max(0, (seen.get(id) ?? 0) - (sent.get(id) ?? 0)))
    const [p95Ms, bareP95Ms] = [percentile(took(ids.ours), 0.95), percentile(took(ids.bare), 0.95)]
    return { p95Ms, bareP95Ms, ratio: p95Ms / bareP95Ms }
  } finally {
    await relay.close()
    await bus.close()
    await drop()
  }
}

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0
const median = (values: readonly number[]): number => percentile(values, 0.5)
