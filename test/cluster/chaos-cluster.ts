import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { keyList } from '@asiento/chassis/config'
import { freePort } from '@asiento/chassis/embedded-postgres'
import { createFileObjects } from '@asiento/chassis/objects-files'
import { remoteClient } from '@asiento/chassis/rpc'
import { cloneDatabase, dropDatabase } from '@asiento/chassis/testing/database'
import type { ServiceName } from '@asiento/proto/operation'
import pg from 'pg'
import { makeAuthority, type Receiver, startReceiver } from '../../services/notifications/test/receiver.ts'
import { startKafka } from '../provision/kafka.ts'
import { startRedis } from '../provision/redis.ts'

export const clusterServices = ['identity', 'risk', 'extraction', 'notifications'] as const
export type ClusterService = (typeof clusterServices)[number]

const namedKey = `k1:${Buffer.alloc(32, 5).toString('base64')}`

/** Counts every message that a mail server is handed, by its X-Asiento-Template header. */
async function startMailCounter() {
  const templates: string[] = []
  const server = createServer((socket) => {
    let message: string | undefined
    socket.on('error', () => {})
    socket.write('220 counter\r\n')
    socket.on('data', (chunk) => {
      if (message !== undefined) {
        message += chunk.toString()
        if (!message.endsWith('\r\n.\r\n')) return
        templates.push(/^x-asiento-template: (\S+)/im.exec(message)?.[1] ?? 'unknown')
        message = undefined
        socket.write('250 taken\r\n')
        return
      }
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        if (/^DATA/i.test(line)) message = ''
        socket.write(/^DATA/i.test(line) ? '354 go on\r\n' : /^QUIT/i.test(line) ? '221 bye\r\n' : '250 ok\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    templates,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Real Kafka, Redis and PostgreSQL, one process a service, a receiver of webhooks and a counter of mails. */
export async function startCluster() {
  const closers: (() => Promise<unknown>)[] = []
  const directory = await mkdtemp(join(tmpdir(), 'asiento-chaos-'))
  closers.push(() => rm(directory, { recursive: true, force: true }))
  const [kafka, redis, mails, authority] = await Promise.all([
    startKafka(),
    startRedis(),
    startMailCounter(),
    makeAuthority(),
  ])
  const receiver: Receiver = await startReceiver(authority)
  closers.push(
    () => kafka.stop(),
    () => redis.stop(),
    () => mails.stop(),
    () => receiver.stop(),
  )
  const url = await cloneDatabase('template_empty', async () => {})
  closers.push(() => dropDatabase(url))
  const caPath = join(directory, 'ca.pem')
  await writeFile(caPath, authority.ca)

  const ports = Object.fromEntries(
    await Promise.all(clusterServices.map(async (name) => [name, { rpc: await freePort(), probe: await freePort() }])),
  ) as Record<ClusterService, { rpc: number; probe: number }>
  const urls = Object.fromEntries(
    clusterServices.map((name) => [`${name.toUpperCase()}_URL`, `http://127.0.0.1:${ports[name].rpc}`]),
  )
  const environmentOf = (name: ClusterService) => ({
    ...process.env,
    ...urls,
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    HOST: '127.0.0.1',
    DATA_DIR: directory,
    DATABASE_URL: url,
    DATABASE_POOL_MAX: '5',
    KAFKA_BROKERS: kafka.brokers,
    KAFKA_PARTITIONS: '3',
    REDIS_URL: redis.url,
    INTERNAL_TOKEN_SECRET: namedKey,
    MASTER_KEY: namedKey,
    JWT_SECRET: namedKey,
    RPC_PORT: String(ports[name].rpc),
    PROBE_PORT: String(ports[name].probe),
    SMTP_URL: mails.url,
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    WEBHOOK_RETRY_SECONDS: '1,1,2,2,5,5,5',
    NODE_EXTRA_CA_CERTS: caPath,
    OCR_WORKERS: '2',
  })

  const running = new Map<ClusterService, ChildProcess>()
  const start = async (name: ClusterService) => {
    const main = new URL(`../../services/${name}/src/main.ts`, import.meta.url).pathname
    const child = spawn(process.execPath, [main], { env: environmentOf(name), stdio: ['ignore', 'ignore', 'inherit'] })
    running.set(name, child)
    await ready(`http://127.0.0.1:${ports[name].probe}/readyz`, name, child)
  }
  const kill = (name: ClusterService) => end(running.get(name))
  closers.push(() => Promise.all([...running.values()].map(end)))

  const sql = new pg.Pool({ connectionString: url, max: 6 })
  sql.on('error', () => {})
  closers.push(() => sql.end())
  // Migrations make roles, which all databases share: one service after the other.
  for (const name of clusterServices) await start(name)
  return {
    sql,
    receiver,
    mails,
    kafka,
    objects: createFileObjects(join(directory, 'objects')),
    client: <S extends ServiceName & ClusterService>(service: S) =>
      remoteClient({ service, url: `http://127.0.0.1:${ports[service].rpc}`, keys: keyList.parse(namedKey) }),
    start,
    kill,
    stop: async () => {
      for (const close of closers.reverse()) await close()
    },
  }
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>

async function ready(url: string, name: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 90_000
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
    const answered = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (answered) return
    await pause(50)
  }
  throw new Error(`${name} is not ready`)
}

function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}
