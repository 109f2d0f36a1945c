import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { keyList } from '@asiento/chassis/config'
import { freePort } from '@asiento/chassis/free-port'
import { remoteClient } from '@asiento/chassis/rpc'
import { cloneDatabase, dropDatabase } from '@asiento/chassis/testing/database'
import { type ServiceName, serviceNames } from '@asiento/proto/operation'
import type { RpcClient } from '@asiento/proto/rpc'
import { type KafkaBroker, startKafka } from './kafka.ts'
import { type RedisServer, startRedis } from './redis.ts'

const root = new URL('../../', import.meta.url).pathname
/** Eight processes that start at once on a machine with other work take over a minute. */
const readyWithinMs = 120_000

export type ProcessName = ServiceName | 'gateway'

export interface Cluster {
  baseUrl: string
  databaseUrl: string
  dataDirectory: string
  kafka: KafkaBroker
  redis: RedisServer
  /** What a process of this cluster is configured with; also for the operator's commands. */
  environment: NodeJS.ProcessEnv
  /** What the processes, or one of them, have written to their logs. */
  logs(name?: ProcessName): string
  /** Calls a service as the others do. */
  client<S extends ServiceName>(service: S): RpcClient<S>
  kill(name: ProcessName, signal?: NodeJS.Signals): Promise<void>
  /** Starts a process again on its old ports; resolves when it is ready. */
  start(name: ProcessName): Promise<void>
  stop(): Promise<void>
}

const namedKey = (): string => `k1:${randomBytes(32).toString('base64')}`

/**
 * The house as a cluster: one process a service and one gateway, on real Kafka, real Redis and a database of their own in
 * the run's PostgreSQL. Objects are files in a shared folder unless an S3 server is named. TEST_LOG_LEVEL shows the logs.
 */
export async function startCluster(
  extra: NodeJS.ProcessEnv = {},
  processes: readonly ProcessName[] = [...serviceNames, 'gateway'],
): Promise<Cluster> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'asiento-cluster-'))
  const [kafka, redis] = await Promise.all([startKafka(), startRedis()])
  const databaseUrl = await cloneDatabase('template_empty', async () => {})
  const ports = await assignPorts()
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: 'production',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'info',
    HOST: '127.0.0.1',
    DATA_DIR: dataDirectory,
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_MAX: '6',
    KAFKA_BROKERS: kafka.brokers,
    REDIS_URL: redis.url,
    INTERNAL_TOKEN_SECRET: namedKey(),
    MASTER_KEY: namedKey(),
    JWT_SECRET: namedKey(),
    PUBLIC_URL: `http://127.0.0.1:${ports.gateway.main}`,
    RATE_LIMIT_PER_MINUTE: '100000',
    RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '100000',
    ...Object.fromEntries(
      serviceNames.map((name) => [`${name.toUpperCase()}_URL`, `http://127.0.0.1:${ports[name].main}`]),
    ),
    ...extra,
  }
  const running = new Map<ProcessName, ChildProcess>()
  const logs = new Map<ProcessName, string>()

  const start = async (name: ProcessName): Promise<void> => {
    const { main, probe } = ports[name]
    const entry = name === 'gateway' ? 'gateway/src/main.ts' : `services/${name}/src/main.ts`
    const own = { PORT: String(main), RPC_PORT: String(main), PROBE_PORT: String(probe) }
    const child = spawn(process.execPath, [entry], {
      cwd: root,
      env: { ...environment, ...own },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        logs.set(name, (logs.get(name) ?? '') + chunk)
        if (process.env.TEST_LOG_LEVEL) process.stderr.write(chunk)
      })
    }
    running.set(name, child)
    await untilReady(name, child, probe, () => logs.get(name) ?? '')
  }
  const kill = async (name: ProcessName, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    const child = running.get(name)
    running.delete(name)
    if (child !== undefined) await end(child, signal)
  }
  const stop = async (): Promise<void> => {
    await Promise.all([...running.keys()].map((name) => kill(name, 'SIGTERM')))
    await Promise.all([kafka.stop(), redis.stop()])
    await dropDatabase(databaseUrl)
    await rm(dataDirectory, { recursive: true, force: true })
  }
  try {
    await Promise.all(processes.map(start))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    baseUrl: `http://127.0.0.1:${ports.gateway.main}`,
    databaseUrl,
    dataDirectory,
    kafka,
    redis,
    environment,
    logs: (name) => (name === undefined ? [...logs.values()].join('') : (logs.get(name) ?? '')),
    client: (service) => {
      const keys = keyList.parse(environment.INTERNAL_TOKEN_SECRET)
      return remoteClient({ service, url: `http://127.0.0.1:${ports[service].main}`, keys })
    },
    kill,
    start,
    stop,
  }
}

type Ports = Record<ProcessName, { main: number; probe: number }>

async function assignPorts(): Promise<Ports> {
  const entries: [ProcessName, { main: number; probe: number }][] = []
  for (const name of [...serviceNames, 'gateway' as const]) {
    entries.push([name, { main: await freePort(), probe: await freePort() }])
  }
  return Object.fromEntries(entries) as Ports
}

async function untilReady(name: ProcessName, child: ChildProcess, probe: number, logs: () => string): Promise<void> {
  const deadline = Date.now() + readyWithinMs
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}: ${logs().slice(-4_000)}`)
    const answer = await fetch(`http://127.0.0.1:${probe}/readyz`).catch(() => undefined)
    if (answer?.status === 200) return
    await pause(100)
  }
  throw new Error(`${name} is not ready: ${logs().slice(-4_000)}`)
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}
