import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileObjects } from '@asiento/chassis/objects-files'
import { testActor } from '@asiento/chassis/testing/service'
import type { Upload } from '@asiento/proto/operation'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawInvoice } from '../../services/extraction/tools/generator/draw.ts'
import { families } from '../../services/extraction/tools/generator/families.ts'
import { makeInvoice } from '../../services/extraction/tools/generator/make-invoice.ts'
import { random } from '../../services/extraction/tools/generator/random.ts'
import { makeAuthority, type Receiver, startReceiver } from '../../services/notifications/test/receiver.ts'
import { type Cluster, startCluster } from '../provision/cluster.ts'
import { kafkaIsPossible } from '../provision/kafka.ts'
import { type MailCounter, startMailCounter } from '../provision/mail-counter.ts'
import { redisIsPossible } from '../provision/redis.ts'
import { holds, kills, until, type World } from './kills.ts'

const files = 60
/** Each kill finds so many files that nobody has begun. */
const filesPerKill = 7
const seeds = Array.from({ length: process.env.TEST_FULL ? 20 : 1 }, (_, index) => index + 1)

const possible = (await kafkaIsPossible()) && (await redisIsPossible())
if (!possible) console.warn(`skipped ${seeds.length}: no Java, Maven or redis-server for the chaos run`)

const services = ['identity', 'risk', 'extraction', 'notifications'] as const
const nothing = { params: {}, query: {}, body: undefined, files: [], headers: {} }

async function upload(cluster: Cluster, seed: number, index: number): Promise<Upload> {
  const key = `chaos/${seed}/${index}`
  const source = random(`${key}/layout`)
  const { bytes } = await drawInvoice(source, makeInvoice(random(key)), source.pick(families.dev))
  const objectKey = `uploads/2026-01-01/${randomUUID()}`
  const objects = createFileObjects(join(cluster.dataDirectory, 'objects'))
  const { sha256, sizeBytes } = await objects.put(objectKey, bytes)
  return { field: 'files', objectKey, sha256, sizeBytes, filename: `${index}.pdf`, contentType: 'application/pdf' }
}

async function createAccount({ sql }: Pick<World, 'sql'>, email: string): Promise<number> {
  const { rows } = await sql.query(
    `insert into identity.users (email, email_canonical, full_name, plan, email_verified_at, trial_ends_at, created_at)
     values ($1, $1, 'Chaos', 'business', now(), now(), now()) returning id::int`,
    [email],
  )
  return rows[0].id
}

/** Keeps the files of a job from `position` on for later. */
const keepFilesBack = ({ sql }: Pick<World, 'sql'>, jobId: string, position: number) =>
  sql.query(
    `update extraction.batch_items set next_attempt_at = now() + case when position < $2 then interval '0' else '1 day' end
     where job_id = $1 and status = 'waiting'`,
    [jobId, position],
  )

const nothingLeft = `
  select 1 from extraction.outbox where sent_at is null
  union all select 1 from notifications.mails where status in ('queued', 'handing_over')
  union all select 1 from notifications.deliveries where status = 'pending'`
const deadLetters = ['identity', 'risk', 'extraction', 'notifications']
  .map((schema) => `select group_name, error from ${schema}.dead_letters`)
  .join(' union all ')

describe.skipIf(!possible)('chaos', () => {
  const closers: (() => Promise<unknown>)[] = []
  let world: Pick<World, 'cluster' | 'sql'>
  let receiver: Receiver
  let mails: MailCounter
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'asiento-chaos-'))
    closers.push(() => rm(directory, { recursive: true, force: true }))
    const authority = await makeAuthority()
    const caPath = join(directory, 'ca.pem')
    await writeFile(caPath, authority.ca)
    receiver = await startReceiver(authority)
    mails = await startMailCounter()
    closers.push(receiver.stop, mails.stop)
    const environment = {
      DATABASE_POOL_MAX: '5',
      KAFKA_PARTITIONS: '3',
      SMTP_URL: mails.url,
      WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
      WEBHOOK_RETRY_SECONDS: '1,1,2,2,5,5,5',
      NODE_EXTRA_CA_CERTS: caPath,
      OCR_WORKERS: '2',
    }
    const cluster = await startCluster(environment, services)
    closers.push(cluster.stop)
    const sql = new pg.Pool({ connectionString: cluster.databaseUrl, max: 6 })
    sql.on('error', () => {})
    closers.push(() => sql.end())
    world = { cluster, sql }
  }, 300_000)
  afterAll(async () => {
    for (const close of closers.reverse()) await close()
  }, 120_000)

  test.each(seeds)(
    'seed %i: services and the broker die, and 60 files end in 60 results, 60 credits, 60 events and one mail',
    { timeout: 600_000 },
    async (seed) => {
      const { cluster, sql } = world
      const userId = await createAccount(world, `chaos${seed}@example.com`)
      const context = { actor: testActor({ userId }), requestId: `chaos-${seed}` }
      receiver.posts.length = 0
      mails.templates.length = 0
      const webhook = { url: receiver.url, events: ['invoice.extracted' as const] }
      await cluster.client('notifications').createWebhook({ ...nothing, body: webhook }, context)
      const uploads: Upload[] = []
      for (let index = 0; index < files; index += 1) uploads.push(await upload(cluster, seed, index))
      const job = await cluster.client('extraction').createJob({ ...nothing, files: uploads }, context)

      const order = random(`order/${seed}`).shuffle(Object.entries(kills))
      await keepFilesBack(world, job.job_id, 0)
      for (const [index, [name, kill]] of order.entries()) {
        const started = Date.now()
        await kill({ ...world, freeFiles: () => keepFilesBack(world, job.job_id, (index + 1) * filesPerKill) })
        if (process.env.TEST_LOG_LEVEL) console.info(`killed: ${name}, ${Date.now() - started} ms`)
      }
      await keepFilesBack(world, job.job_id, files)

      await until('the job ends', async () => !(await holds(world, unfinished, [job.job_id])))
      const state = await cluster.client('extraction').getJob({ ...nothing, params: { job_id: job.job_id } }, context)
      expect({ ...state, items: state.items.map((item) => item.status) }).toMatchObject({
        status: 'done',
        processed: files,
        failed: 0,
        items: Array.from({ length: files }, () => 'ok'),
      })
      const logs = await sql.query(
        `select status, count(*)::int as n from extraction.logs where user_id = $1 group by 1`,
        [userId],
      )
      expect(logs.rows).toEqual([{ status: 'ok', n: files }])

      const credits = `select used::int, committed::int from identity.account_usage where user_id = $1`
      await until('60 credits are committed', () => holds(world, `${credits} and committed = $2`, [userId, files]))
      const told = () => Map.groupBy(receiver.posts, (post) => JSON.parse(post.body.toString()).data.log_id)
      await until('every event is delivered', async () => told().size === files)
      await until('the mail is sent', async () => mails.templates.length > 0)
      await until('nothing is left to relay or to send', async () => !(await holds(world, nothingLeft)))
      expect(mails.templates).toEqual(['batch_finished'])
      for (const posts of told().values()) {
        expect(new Set(posts.map((post) => post.headers['x-factura-delivery'])).size).toBe(1)
      }
      expect((await sql.query(credits, [userId])).rows).toEqual([{ used: files, committed: files }])
      expect((await sql.query(deadLetters)).rows).toEqual([])
    },
  )
})

const unfinished = `select 1 from extraction.batch_jobs where status = 'running' and job_id = $1`
