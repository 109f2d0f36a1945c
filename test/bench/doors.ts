import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@asiento/chassis/embedded-postgres'
import { freePort } from '@asiento/chassis/free-port'
import { makeKey } from '@asiento/identity/domain/api-key'
import pg from 'pg'
import { startKafka } from '../provision/kafka.ts'
import { startOtlpCollector } from '../provision/otlp-collector.ts'
import { startRedis } from '../provision/redis.ts'

const root = new URL('../../', import.meta.url).pathname

/** Something that answers GET /quota for the holder of a key. */
export interface Door {
  url: string
  headers: Record<string, string>
  /** Seconds of processor time so far, of the Node processes behind it. */
  cpuSeconds(): Promise<number>
}

export interface Doors {
  /** {@link file://./bare-door.ts}. */
  bare: Door
  /** A gateway and an identity service as processes of their own. */
  cluster: Door
  /** All services in one process, on the same PostgreSQL server, Redis and collector. */
  oneProcess: Door
}

/** Opens the doors with real PostgreSQL, Redis and Kafka, request log on and one trace in a hundred exported. */
export async function withDoors<R>(work: (doors: Doors) => Promise<R>): Promise<R> {
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
    const house = {
      directory,
      databaseUrl: postgres.url,
      environment: { ...common, REDIS_URL: redis.url, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
      launch: (entry: string, env: NodeJS.ProcessEnv) => {
        const child = launch(entry, env)
        closing.push(() => end(child))
        return child
      },
    }
    const cluster = await openCluster(house, kafka.brokers)
    const bare = await openBare(house, cluster.key)
    return await work({ bare, cluster, oneProcess: await openOneProcess(house) })
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

interface House {
  directory: string
  databaseUrl: string
  environment: NodeJS.ProcessEnv
  launch(entry: string, env: NodeJS.ProcessEnv): ChildProcess
}

const namedKey = (): string => `k1:${randomBytes(32).toString('base64')}`

const common: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_ENV: 'production',
  LOG_LEVEL: 'warn',
  HOST: '127.0.0.1',
  DATABASE_POOL_MAX: '6',
  RATE_LIMIT_PER_MINUTE: '1000000',
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: '0.01',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
}

async function openCluster(house: House, brokers: string): Promise<Door & { key: ReturnType<typeof makeKey> }> {
  const [rpcPort, port] = [await freePort(), await freePort()]
  const environment = {
    ...house.environment,
    DATA_DIR: house.directory,
    DATABASE_URL: house.databaseUrl,
    KAFKA_BROKERS: brokers,
    INTERNAL_TOKEN_SECRET: namedKey(),
    MASTER_KEY: namedKey(),
    JWT_SECRET: namedKey(),
    IDENTITY_URL: `http://127.0.0.1:${rpcPort}`,
  }
  const start = async (entry: string, own: NodeJS.ProcessEnv) => {
    const probe = await freePort()
    const child = house.launch(entry, { ...environment, PROBE_PORT: String(probe), ...own })
    await answering(`http://127.0.0.1:${probe}/readyz`, child)
    return child
  }
  const identity = await start('services/identity/src/main.ts', { RPC_PORT: String(rpcPort) })
  const gateway = await start('gateway/src/main.ts', { PORT: String(port) })
  const key = makeKey(randomBytes(24))
  await insertAccount(house.databaseUrl, key)
  return {
    url: `http://127.0.0.1:${port}/quota`,
    headers: { 'x-api-key': key.raw },
    cpuSeconds: async () => (await cpuSeconds(identity)) + (await cpuSeconds(gateway)),
    key,
  }
}

async function openOneProcess(house: House): Promise<Door> {
  const port = await freePort()
  const dataDirectory = join(house.directory, 'one-process')
  // A database of its own, so that neither relay takes the other's events.
  await sql(house.databaseUrl, 'create database one_process')
  const child = house.launch('services/standalone/src/main.ts', {
    ...house.environment,
    DATA_DIR: dataDirectory,
    DATABASE_URL: Object.assign(new URL(house.databaseUrl), { pathname: '/one_process' }).href,
    PORT: String(port),
  })
  await answering(`http://127.0.0.1:${port}/health`, child)
  const demo = await appearing(join(dataDirectory, 'demo.json'))
  return {
    url: `http://127.0.0.1:${port}/quota`,
    headers: { 'x-api-key': JSON.parse(demo).api_key },
    cpuSeconds: () => cpuSeconds(child),
  }
}

async function openBare(house: House, key: ReturnType<typeof makeKey>): Promise<Door> {
  const port = await freePort()
  const child = house.launch('test/bench/bare-door.ts', {
    ...house.environment,
    DATABASE_URL: house.databaseUrl,
    PORT: String(port),
    KEY_HASH: key.hash.toString('hex'),
  })
  const url = `http://127.0.0.1:${port}/quota`
  await answering(url, child)
  return { url, headers: {}, cpuSeconds: () => cpuSeconds(child) }
}

async function insertAccount(url: string, key: ReturnType<typeof makeKey>): Promise<void> {
  await sql(
    url,
    `with account as (
       insert into identity.users (email, email_canonical, full_name, plan, email_verified_at, trial_ends_at, created_at)
       values ('bench@example.com', 'bench@example.com', 'Bench', 'business', now(), now(), now()) returning id)
     insert into identity.api_keys (user_id, name, plan, key_hash, prefix, created_at)
     select id, 'bench', 'pro', $1, $2, now() from account`,
    [key.hash, key.prefix],
  )
}

async function sql(url: string, text: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text, values)
  await client.end()
}

/** `BENCH_PROFILE` names a folder for CPU profiles of every process. */
function launch(entry: string, env: NodeJS.ProcessEnv): ChildProcess {
  const folder = process.env.BENCH_PROFILE
  const profile = folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
  return spawn(process.execPath, [...profile, entry], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
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

async function appearing(path: string): Promise<string> {
  for (let left = 600; left > 0; left -= 1) {
    const text = await readFile(path, 'utf8').catch(() => '')
    if (text.endsWith('}\n')) return text
    await pause(100)
  }
  throw new Error(`${path} is not written`)
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
