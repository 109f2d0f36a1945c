import { type ChildProcess, spawn } from 'node:child_process'
import { freePort } from '@asiento/chassis/free-port'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Answer, client } from '../e2e/api.ts'
import { makeAccount } from '../provision/accounts.ts'
import { type Cluster, startCluster } from '../provision/cluster.ts'
import { kafkaIsPossible } from '../provision/kafka.ts'
import { redisIsPossible } from '../provision/redis.ts'
import { makeKey } from './door.ts'

const possible = (await kafkaIsPossible()) && (await redisIsPossible())
if (!possible) console.warn('skipped: two gateways on one Redis (2 tests), because Kafka or redis-server is missing')

const root = new URL('../../', import.meta.url).pathname
const perMinute = 60
const perReplica = 'rate limits are counted per replica'

interface Replica {
  baseUrl: string
  output(): string
  stop(): Promise<void>
}

/** One more gateway of the cluster, on ports of its own. */
async function startReplica(environment: NodeJS.ProcessEnv): Promise<Replica> {
  const [port, probe] = [await freePort(), await freePort()]
  const child: ChildProcess = spawn(process.execPath, ['gateway/src/main.ts'], {
    cwd: root,
    env: { ...environment, PORT: String(port), RPC_PORT: String(port), PROBE_PORT: String(probe) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
    })
  }
  await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${probe}/readyz`)).status).toBe(200), {
    timeout: 60_000,
    interval: 100,
  })
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    output: () => output,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

describe.skipIf(!possible)('two gateways on one Redis', () => {
  let cluster: Cluster
  let replica: Replica
  let keys: string[]

  beforeAll(async () => {
    cluster = await startCluster({ RATE_LIMIT_PER_MINUTE: String(perMinute) })
    replica = await startReplica(cluster.environment)
    const account = await makeAccount(cluster, 'dos-puertas@ejemplo-empresa.es')
    keys = await Promise.all(Array.from({ length: 3 }, () => makeKey(cluster, account)))
  }, 240_000)
  afterAll(async () => {
    await replica?.stop()
    await cluster?.stop()
  }, 120_000)

  const doors = () => [cluster.baseUrl, replica.baseUrl]
  const call = (door: string, key: string) => client(door, { 'x-api-key': key }).get('/quota')
  const callBoth = (key: string, count: number): Promise<Answer[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => call(doors()[index % 2] ?? '', key)))
  const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status)
  const served = (count: number) => Array.from({ length: count }, () => 200)

  function expectRefused(answer: Answer): void {
    expect([answer.status, answer.body.error_code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    const wait = Number(answer.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    expect(answer.headers.get('x-ratelimit-plan')).toBe('business')
  }

  async function expectShared(key: string): Promise<void> {
    expect(statusesOf(await callBoth(key, perMinute))).toEqual(served(perMinute))
    for (const door of doors()) expectRefused(await call(door, key))
  }

  const untilStoreIs = (state: 'operational' | 'down', whole: 'operational' | 'degraded') =>
    vi.waitFor(
      async () => {
        for (const door of doors()) {
          const { body } = await client(door).get('/status')
          expect(body).toMatchObject({ status: whole, services: { key_value: { status: state } } })
        }
      },
      { timeout: 30_000, interval: 200 },
    )

  test('the 61st call in a minute over both is refused at either', () => expectShared(keys[0] ?? ''))

  test('without Redis both serve, each counts for itself and says so; with Redis back they share again', async () => {
    await cluster.redis.stop()
    await untilStoreIs('down', 'degraded')
    const key = keys[1] ?? ''
    expect(statusesOf(await callBoth(key, 2 * perMinute))).toEqual(served(2 * perMinute))
    for (const door of doors()) expectRefused(await call(door, key))
    for (const log of [cluster.logs(), replica.output()]) expect(log).toContain(perReplica)
    await cluster.redis.restart()
    await untilStoreIs('operational', 'operational')
    await expectShared(keys[2] ?? '')
  })
})
