import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort, startEmbeddedPostgres } from '@asiento/chassis/embedded-postgres'
import { makeKey } from '@asiento/identity/domain/api-key'
import pg from 'pg'
import { startKafka } from '../provision/kafka.ts'
import { startOtlpCollector } from '../provision/otlp-collector.ts'
import { startRedis } from '../provision/redis.ts'
import { type Figure, median, short } from './figure.ts'
import { type Load, load } from './load.ts'

const root = new URL('../../', import.meta.url).pathname
const connections = 8

export interface Door {
  url: string
  bareUrl: string
  headers: Record<string, string>
  /** Seconds of processor time so far, of the processes behind each. */
  cpu: { ours(): Promise<number>; bare(): Promise<number> }
}

/**
 * An authenticated GET /quota at a gateway and an identity service as processes of their own, with real PostgreSQL, Redis
 * and Kafka, request log on and one trace in a hundred exported, against a bare Fastify route in a process of its own.
 */
export async function benchDoor({ rounds = 7, seconds = 3 } = {}): Promise<Figure[]> {
  return withDoor(async ({ url, bareUrl, headers, cpu }) => {
    const cost = async (used: () => Promise<number>, work: Promise<Load>, seconds: number) => {
      const before = await used()
      const loaded = await work
      return { ...loaded, cpuMs: (1_000 * ((await used()) - before)) / (loaded.perSecond * seconds) }
    }
    const once = async () => ({
      bare: await cost(cpu.bare, load({ url: bareUrl, seconds, connections }), seconds),
      ours: await cost(cpu.ours, load({ url, seconds, connections, headers }), seconds),
    })
    await once()
    const pairs: Awaited<ReturnType<typeof once>>[] = []
    for (let round = 0; round < rounds; round += 1) pairs.push(await once())
    const rate = (of: 'bare' | 'ours') => `${short(median(pairs.map((pair) => pair[of].perSecond)))}/s`
    const spread = (of: 'bare' | 'ours') =>
      `${median(pairs.map((pair) => pair[of].p99))}/${median(pairs.map((pair) => pair[of].p50))} ms`
    return [
      {
        name: 'GET /quota, gateway and identity as processes, of a bare route',
        ours: rate('ours'),
        baseline: rate('bare'),
        ratio: median(pairs.map(({ ours, bare }) => ours.perSecond / bare.perSecond)),
        target: { atLeast: 0.6 },
      },
      {
        name: `GET /quota, p99 over p50 under ${connections} connections`,
        ours: spread('ours'),
        baseline: spread('bare'),
        ratio: median(pairs.map(({ ours }) => ours.p99 / Math.max(1, ours.p50))),
        target: { atMost: 5 },
      },
      {
        name: 'GET /quota, processor time of a request in the Node processes',
        ours: `${short(median(pairs.map(({ ours }) => ours.cpuMs)))} ms`,
        baseline: `${short(median(pairs.map(({ bare }) => bare.cpuMs)))} ms`,
        ratio: median(pairs.map(({ ours, bare }) => ours.cpuMs / bare.cpuMs)),
        target: null,
      },
    ]
  })
}

async function withDoor<R>(work: (door: Door) => Promise<R>): Promise<R> {
  const closing: (() => Promise<unknown>)[] = []
  const directory = await mkdtemp(join(tmpdir(), 'asiento-bench-'))
  closing.push(() => rm(directory, { recursive: true, force: true }))
  try {
    const postgres = await startEmbeddedPostgres({ directory: join(directory, 'pg'), disposable: true })
    closing.push(() => postgres.stop())
    const [kafka, redis, collector] = await Promise.all([startKafka(), startRedis(), startOtlpCollector()])
    closing.push(
      () => kafka.stop(),
      () => redis.stop(),
      () => collector.close(),
    )
    const [rpcPort, port, barePort] = [await freePort(), await freePort(), await freePort()]
    const environment = {
      ...common(directory),
      DATABASE_URL: postgres.url,
      KAFKA_BROKERS: kafka.brokers,
      REDIS_URL: redis.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      IDENTITY_URL: `http://127.0.0.1:${rpcPort}`,
    }
    const start = async (entry: string, own: NodeJS.ProcessEnv) => {
      const probe = await freePort()
      const child = launch(entry, { ...environment, PROBE_PORT: String(probe), ...own })
      closing.push(() => end(child))
      await answering(`http://127.0.0.1:${probe}/readyz`, child)
      return child
    }
    const identity = await start('services/identity/src/main.ts', { RPC_PORT: String(rpcPort) })
    const gateway = await start('gateway/src/main.ts', { PORT: String(port) })
    const key = makeKey(randomBytes(24))
    await insertAccount(postgres.url, key)
    const bare = launch('test/bench/bare-door.ts', {
      ...environment,
      PORT: String(barePort),
      KEY_HASH: key.hash.toString('hex'),
    })
    closing.push(() => end(bare))
    const url = `http://127.0.0.1:${port}/quota`
    const bareUrl = `http://127.0.0.1:${barePort}/quota`
    await answering(bareUrl, bare)
    const cpu = {
      ours: async () => (await cpuSeconds(identity)) + (await cpuSeconds(gateway)),
      bare: () => cpuSeconds(bare),
    }
    return await work({ url, bareUrl, headers: { 'x-api-key': key.raw }, cpu })
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

const namedKey = (): string => `k1:${randomBytes(32).toString('base64')}`

const common = (directory: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_ENV: 'production',
  LOG_LEVEL: 'warn',
  HOST: '127.0.0.1',
  DATA_DIR: directory,
  DATABASE_POOL_MAX: '6',
  INTERNAL_TOKEN_SECRET: namedKey(),
  MASTER_KEY: namedKey(),
  JWT_SECRET: namedKey(),
  RATE_LIMIT_PER_MINUTE: '1000000',
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: '0.01',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
})

async function insertAccount(url: string, key: ReturnType<typeof makeKey>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `with account as (
       insert into identity.users (email, email_canonical, full_name, plan, email_verified_at, trial_ends_at, created_at)
       values ('bench@example.com', 'bench@example.com', 'Bench', 'business', now(), now(), now()) returning id)
     insert into identity.api_keys (user_id, name, plan, key_hash, prefix, created_at)
     select id, 'bench', 'pro', $1, $2, now() from account`,
    [key.hash, key.prefix],
  )
  await client.end()
}

/** `BENCH_PROFILE` names a folder for CPU profiles of every process. */
function launch(entry: string, env: NodeJS.ProcessEnv): ChildProcess {
  const folder = process.env.BENCH_PROFILE
  const profile = folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
  return spawn(process.execPath, [...profile, entry], { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  for (let left = 600; left > 0; left -= 1) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before it was ready`)
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok === true) return
    await pause(100)
  }
  throw new Error(`${url} does not answer`)
}

/** User and system time; 0 where the system does not say. */
async function cpuSeconds({ pid }: ChildProcess): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [user = 0, system = 0] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) / 100
}

const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })

if (import.meta.main) console.table(await benchDoor({ rounds: Number(process.argv[2] ?? 3) }))
