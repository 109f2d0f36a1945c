import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { testActor } from '@asiento/chassis/testing/service'
import type { Upload } from '@asiento/proto/operation'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawInvoice } from '../../services/extraction/tools/generator/draw.ts'
import { families } from '../../services/extraction/tools/generator/families.ts'
import { makeInvoice } from '../../services/extraction/tools/generator/make-invoice.ts'
import { random } from '../../services/extraction/tools/generator/random.ts'
import { kafkaIsPossible } from '../provision/kafka.ts'
import { redisIsPossible } from '../provision/redis.ts'
import { type Cluster, startCluster } from './chaos-cluster.ts'

const files = 60
const seeds = Array.from({ length: 20 }, (_, index) => index + 1)
/** Takes four minutes a seed on a quiet machine, so it belongs to the full run. */
const full = Boolean(process.env.TEST_FULL)

const possible = (await kafkaIsPossible()) && (await redisIsPossible())
if (!possible) console.warn(`skipped ${seeds.length}: no Java, Maven or redis-server for the chaos run`)

async function until(what: string, probe: () => Promise<boolean>, withinMs = 180_000): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await probe())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`)
    await pause(5)
  }
}

const holds = async ({ sql }: Cluster, query: string, values: unknown[] = []): Promise<boolean> =>
  ((await sql.query(query, values)).rowCount ?? 0) > 0

/** Waits for another session's statement to wait for a lock that the test holds. */
const somebodyWaits = (cluster: Cluster, statement: string) =>
  until(`somebody waits: ${statement}`, () =>
    holds(cluster, `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ilike $1`, [
      `%${statement}%`,
    ]),
  )

/** Runs `work` while a session of its own holds a lock; the lock is gone afterwards. */
async function whileLocked(cluster: Cluster, lock: string, work: () => Promise<void>): Promise<void> {
  const holder = await cluster.sql.connect()
  try {
    await holder.query('begin')
    await holder.query(lock)
    await work()
  } finally {
    await holder.query('rollback')
    holder.release()
  }
}

/** Holds the relay of extraction back until an event waits for it, then runs `work`. */
const whileRelayWaits = (cluster: Cluster, work: () => Promise<void>): Promise<void> =>
  whileLocked(cluster, `select pg_advisory_xact_lock(hashtext('outbox.extraction'))`, async () => {
    const waiting = `select 1 from extraction.outbox where name = 'invoice.extracted' and sent_at is null`
    await until('an event waits for the relay', () => holds(cluster, waiting))
    await work()
  })

const revive = async (cluster: Cluster, name: 'extraction' | 'notifications' | 'identity') => {
  await cluster.kill(name)
  await cluster.start(name)
}

const unfinished = `select 1 from extraction.batch_jobs where status = 'running'`

type Kills = Record<string, (cluster: Cluster) => Promise<void>>

/** Where a kill falls, each one brought about by a state that is waited for or held with a lock. */
const killsAtWork: Kills = {
  'after reserve': async (cluster) => {
    await until('a credit is reserved', () =>
      holds(cluster, `select 1 from identity.reservations where state = 'reserved'`),
    )
    await revive(cluster, 'extraction')
  },
  'after extraction, before its commit': async (cluster) => {
    await whileLocked(cluster, 'lock table extraction.outbox in share row exclusive mode', async () => {
      await somebodyWaits(cluster, 'with written as')
      await cluster.kill('extraction')
    })
    await cluster.start('extraction')
  },
  "after the log's commit, before the relay": async (cluster) => {
    await whileRelayWaits(cluster, () => cluster.kill('extraction'))
    await cluster.start('extraction')
  },
  'after the relay sent, before it said so': async (cluster) => {
    // First an event is made to wait, then the relay may send it but not write that down.
    const table = await cluster.sql.connect()
    try {
      await whileRelayWaits(cluster, async () => {
        await table.query('begin')
        await table.query('lock table extraction.outbox in share row exclusive mode')
      })
      await somebodyWaits(cluster, 'update "outbox"')
      await cluster.kill('extraction')
    } finally {
      await table.query('rollback')
      table.release()
    }
    await cluster.start('extraction')
  },
}

const killsAnytime: Kills = {
  "after a consumer's commit, before its offset": async (cluster) => {
    const applied = `select count(*)::int as n from notifications.inbox where group_name = 'notifications.extracted'`
    const count = async () => (await cluster.sql.query(applied)).rows[0].n as number
    const before = await count()
    await until('an event is applied', async () => (await count()) > before)
    await revive(cluster, 'notifications')
  },
  'the broker': async (cluster) => {
    await cluster.kafka.kill()
    await cluster.kafka.restart()
  },
  identity: (cluster) => revive(cluster, 'identity'),
}

async function upload(cluster: Cluster, seed: number, index: number): Promise<Upload> {
  const key = `chaos/${seed}/${index}`
  const source = random(`${key}/layout`)
  const { bytes } = await drawInvoice(source, makeInvoice(random(key)), source.pick(families.dev))
  const objectKey = `uploads/2026-01-01/${randomUUID()}`
  const { sha256, sizeBytes } = await cluster.objects.put(objectKey, bytes)
  return { field: 'files', objectKey, sha256, sizeBytes, filename: `${index}.pdf`, contentType: 'application/pdf' }
}

async function createAccount({ sql }: Cluster, email: string): Promise<number> {
  const { rows } = await sql.query(
    `insert into identity.users (email, email_canonical, full_name, plan, email_verified_at, trial_ends_at, created_at)
     values ($1, $1, 'Chaos', 'business', now(), now(), now()) returning id::int`,
    [email],
  )
  return rows[0].id
}

describe.skipIf(!possible || !full)('chaos', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster()
  }, 300_000)
  afterAll(() => cluster?.stop())

  test.each(seeds)(
    'seed %i: services and the broker die, and 60 files end in 60 results, 60 credits, 60 events and one mail',
    { timeout: 600_000 },
    async (seed) => {
      const userId = await createAccount(cluster, `chaos${seed}@example.com`)
      const context = { actor: testActor({ userId }), requestId: `chaos-${seed}` }
      const nothing = { params: {}, query: {}, body: undefined, files: [], headers: {} }
      cluster.receiver.posts.length = 0
      cluster.mails.templates.length = 0
      await cluster
        .client('notifications')
        .createWebhook({ ...nothing, body: { url: cluster.receiver.url, events: ['invoice.extracted'] } }, context)
      const uploads: Upload[] = []
      for (let index = 0; index < files; index += 1) uploads.push(await upload(cluster, seed, index))
      const job = await cluster.client('extraction').createJob({ ...nothing, files: uploads }, context)

      // Those that need files to be worked on come first: each of them also stops the work for a while.
      const [working, anytime] = [Object.entries(killsAtWork), Object.entries(killsAnytime)]
      const source = random(`order/${seed}`)
      for (const [name, kill] of [...source.shuffle(working), ...source.shuffle(anytime)]) {
        await kill(cluster)
        if (process.env.TEST_LOG_LEVEL) console.info(`killed: ${name}`)
      }

      await until('the job ends', async () => !(await holds(cluster, unfinished)), 300_000)
      const state = await cluster.client('extraction').getJob({ ...nothing, params: { job_id: job.job_id } }, context)
      expect({ ...state, items: state.items.map((item) => item.status) }).toMatchObject({
        status: 'done',
        processed: files,
        failed: 0,
        items: Array.from({ length: files }, () => 'ok'),
      })
      const logs = await cluster.sql.query(
        `select status, count(*)::int as n from extraction.logs where user_id = $1 group by 1`,
        [userId],
      )
      expect(logs.rows).toEqual([{ status: 'ok', n: files }])

      const credits = `select used, committed from identity.account_usage where user_id = $1 and used = $2 and committed = $2`
      await until('60 credits are committed', () => holds(cluster, credits, [userId, files]))
      const told = () => new Set(cluster.receiver.posts.map((post) => JSON.parse(post.body.toString()).data.log_id))
      await until('every event is delivered', async () => told().size === files)
      await until('the mail is sent', async () => cluster.mails.templates.length > 0)
      await until('nothing is left to relay or to apply', async () => {
        const left = await holds(
          cluster,
          `select 1 from extraction.outbox where sent_at is null
           union all select 1 from notifications.mails where status = 'queued'
           union all select 1 from notifications.deliveries where status = 'pending'`,
        )
        return !left
      })
      expect(cluster.mails.templates).toEqual(['batch_finished'])
      const ids = Map.groupBy(cluster.receiver.posts, (post) => JSON.parse(post.body.toString()).data.log_id)
      expect(ids.size).toBe(files)
      for (const posts of ids.values()) {
        expect(new Set(posts.map((post) => post.headers['x-factura-delivery'])).size).toBe(1)
      }
      const used = await cluster.sql.query(
        `select used::int, committed::int from identity.account_usage where user_id = $1`,
        [userId],
      )
      expect(used.rows).toEqual([{ used: files, committed: files }])
    },
  )
})
