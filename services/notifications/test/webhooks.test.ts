import { createHmac } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { publish } from '@asiento/chassis/outbox'
import { startTestService, type TestService, testActor } from '@asiento/chassis/testing/service'
import type { Actor } from '@asiento/proto/actor'
import type { ErrorCode } from '@asiento/proto/errors'
import type { EventPayload } from '@asiento/proto/events'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Tables } from '../src/adapters/tables.ts'
import { notifications } from '../src/service.ts'
import { type Authority, makeAuthority, type Receiver, type Script, startReceiver } from './receiver.ts'
import { until } from './until.ts'

type Service = TestService<'notifications', Tables>

let authority: Authority
beforeAll(async () => {
  authority = await makeAuthority()
  setDefaultCACertificates([...getCACertificates('default'), authority.ca])
})

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** What identity says about account 1; a test may change it. */
let owner: Actor | null = testActor()

async function start(environment: Record<string, string> = {}, closeAfterTest = true): Promise<Service> {
  owner = testActor()
  const service = await startTestService(notifications, {
    environment: {
      MASTER_KEY: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
      WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
      WEBHOOK_RETRY_SECONDS: '0.05,0.05,0.05',
      ...environment,
    },
    rpc: { identity: { actorFor: async () => owner } as never },
  })
  if (closeAfterTest) closers.push(() => service.stop())
  return service
}

async function receive(script?: Script, optionsStatus: number | 'hang' = 204): Promise<Receiver> {
  const receiver = await startReceiver(authority, script, optionsStatus)
  closers.push(() => receiver.stop())
  return receiver
}

const context = (actor = testActor()) => ({ actor, requestId: 'test' })
const nothing = { query: {}, files: [], headers: {} }

const register = (service: Service, url: string, extra: { events?: string[]; secret?: string } = {}) =>
  service.call.createWebhook(
    {
      ...nothing,
      params: {},
      body: { url, events: extra.events ?? ['*'], ...(extra.secret ? { secret: extra.secret } : {}) },
    },
    context(),
  )

const deliveries = async (service: Service, id: number) =>
  (await service.call.listWebhookDeliveries({ ...nothing, params: { id }, body: undefined }, context())).deliveries

const scope = { userId: 1, keyId: null, subaccountId: null, sandbox: false }
const extracted = (logId: number, changes: Partial<EventPayload<'invoice.extracted'>> = {}) => ({
  logId,
  scope,
  source: 'extract' as const,
  externalRef: 'ref-1',
  filename: 'a.pdf',
  vendorName: 'Vendedora SL',
  vendorVat: 'B12345674',
  invoiceNumber: 'F-1',
  totalCents: 12_105,
  confidence: 0.97,
  accountCode: '629',
  duplicate: false,
  ...changes,
})

const emit = (service: Service, payload: EventPayload<'invoice.extracted'>) =>
  service.db.transaction((tx) => publish(tx, 'invoice.extracted', { key: String(payload.logId), payload }))

const posted = (receiver: Receiver, count: number) =>
  until(`${count} requests`, async () => receiver.posts.length >= count)

const failsWith = (code: ErrorCode) => expect.objectContaining({ code })
const hmac = (secret: string | Buffer, text: string | Buffer, encoding: 'hex' | 'base64') =>
  createHmac('sha256', secret).update(text).digest(encoding)

describe('a delivery', () => {
  test('carries the payload of section 6 and signatures over its exact bytes', async () => {
    const service = await start()
    const receiver = await receive()
    const { secret } = await register(service, receiver.url)
    await emit(service, extracted(42))
    await posted(receiver, 1)
    const [post] = receiver.posts
    const body = post?.body ?? Buffer.alloc(0)
    const parsed = JSON.parse(body.toString('utf8'))
    expect(Object.keys(parsed)).toEqual(['event', 'timestamp', 'data'])
    expect(Math.abs(parsed.timestamp - Date.now() / 1_000)).toBeLessThan(60)
    expect(parsed.data).toEqual({
      log_id: 42,
      external_ref: 'ref-1',
      filename: 'a.pdf',
      vendor_name: 'Vendedora SL',
      vendor_vat: 'B12345674',
      invoice_number: 'F-1',
      total: 121.05,
      confidence: 0.97,
      accounting: { account_code: '629' },
      fraud_checks: { duplicate: { detected: false } },
    })
    const headers = post?.headers ?? {}
    expect(secret).toMatch(/^whsec_/)
    expect(headers['x-factura-signature']).toBe(`sha256=${hmac(secret, body, 'hex')}`)
    expect(headers['x-factura-event']).toBe('invoice.extracted')
    expect(headers['webhook-id']).toBe(headers['x-factura-delivery'])
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    expect(headers['webhook-signature']).toBe(`v1,${hmac(key, signed, 'base64')}`)
  })

  test('is repeated after two 500s with one constant id and one constant body, then rests', async () => {
    const service = await start()
    const receiver = await receive((count) => (count < 3 ? 500 : 200))
    const { id } = await register(service, receiver.url)
    await emit(service, extracted(1))
    const done = await until('delivered', async () =>
      (await deliveries(service, id)).find((d) => d.status === 'delivered'),
    )
    expect(done).toMatchObject({ attempts: 3, response_status: 200, last_error: null, next_attempt_at: null })
    expect(new Set(receiver.posts.map((post) => post.headers['x-factura-delivery']))).toEqual(new Set([done.id]))
    expect(new Set(receiver.posts.map((post) => post.body.toString())).size).toBe(1)
  })

  test('fails for good when its schedule is used up, and can be sent again with the same id', async () => {
    const service = await start({ WEBHOOK_RETRY_SECONDS: '0.05' })
    const receiver = await receive((count) => (count < 3 ? 302 : 200))
    const { id } = await register(service, receiver.url)
    await emit(service, extracted(1))
    const failed = await until('failed', async () => (await deliveries(service, id)).find((d) => d.status === 'failed'))
    expect(failed).toMatchObject({ attempts: 2, response_status: 302, last_error: expect.stringContaining('redirect') })
    const again = { ...nothing, params: { id, delivery_id: failed.id }, body: undefined }
    expect((await service.call.redeliverWebhook(again, context())).status).toBe('pending')
    const done = await until('delivered', async () =>
      (await deliveries(service, id)).find((d) => d.status === 'delivered'),
    )
    expect(done.id).toBe(failed.id)
    expect(receiver.posts[2]?.headers['x-factura-delivery']).toBe(failed.id)
  })

  test('waits as long as Retry-After says', async () => {
    const service = await start()
    const receiver = await receive((count) => (count === 1 ? { status: 429, headers: { 'retry-after': '1' } } : 200))
    await register(service, receiver.url)
    await emit(service, extracted(1))
    await posted(receiver, 2)
    const [first, second] = receiver.posts
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(950)
  })

  test('to a receiver that hangs delays no other receiver', async () => {
    const service = await start()
    const hanging = await receive(() => 'hang')
    const healthy = await receive()
    await register(service, hanging.url)
    await register(service, healthy.url)
    const started = Date.now()
    for (let log = 1; log <= 20; log += 1) await emit(service, extracted(log))
    await posted(healthy, 20)
    expect(Date.now() - started).toBeLessThan(8_000)
    expect(hanging.posts.length).toBeLessThanOrEqual(4)
  })

  test('of a later event of an invoice does not overtake the first attempt of an earlier one', async () => {
    const service = await start({ WEBHOOK_RETRY_SECONDS: '600' })
    const receiver = await receive((count) => (count === 1 ? 500 : 200))
    await register(service, receiver.url)
    for (let step = 1; step <= 5; step += 1) await emit(service, extracted(7, { invoiceNumber: `F-${step}` }))
    await posted(receiver, 5)
    const numbers = receiver.posts.map((post) => JSON.parse(post.body.toString()).data.invoice_number)
    expect(numbers).toEqual(['F-1', 'F-2', 'F-3', 'F-4', 'F-5'])
  })

  test('is made once however often its event comes', async () => {
    const service = await start()
    const receiver = await receive()
    const { id } = await register(service, receiver.url)
    const eventId = crypto.randomUUID()
    const payload = extracted(1)
    await service.db.transaction((tx) => publish(tx, 'invoice.extracted', { key: '1', payload, id: eventId }))
    await posted(receiver, 1)
    await service.db.query.updateTable('outbox').set({ sent_at: null }).where('event_id', '=', eventId).execute()
    await emit(service, extracted(2))
    await posted(receiver, 2)
    expect(await deliveries(service, id)).toHaveLength(2)
  })

  test('left by a sender that died goes out again under its id', async () => {
    const service = await start()
    const receiver = await receive()
    const { id } = await register(service, receiver.url)
    const died = new Date(Date.now() - 60_000)
    const delivery = crypto.randomUUID()
    const event = { id: delivery, user_id: 1, event: 'invoice.extracted', order_key: 'log:1', body: '{}' }
    await service.db.query
      .insertInto('events')
      .values({ ...event, created_at: died })
      .execute()
    await service.db.query
      .insertInto('deliveries')
      .values({
        id: delivery,
        webhook_id: id,
        event_id: delivery,
        status: 'pending',
        next_attempt_at: died,
        holder: crypto.randomUUID(),
        lease_until: died,
        response_status: null,
        duration_ms: null,
        last_error: null,
      })
      .execute()
    await posted(receiver, 1)
    expect(receiver.posts[0]?.headers['x-factura-delivery']).toBe(delivery)
  })
})

describe('a webhook', () => {
  test('gets the kinds it asked for; sandbox results go to nobody', async () => {
    const service = await start()
    const [signedOnly, all] = [await receive(), await receive()]
    await register(service, signedOnly.url, { events: ['invoice.signed'] })
    await register(service, all.url)
    await emit(service, extracted(1, { scope: { ...scope, sandbox: true } }))
    await emit(service, extracted(2))
    await service.db.transaction((tx) =>
      publish(tx, 'invoice.signed', {
        key: '2',
        payload: {
          logId: 2,
          scope,
          externalRef: null,
          storageFileId: 'f1',
          invoiceNumber: 'F-1',
          invoiceDate: '2026-01-02',
          expiresAt: '2032-01-02',
        },
      }),
    )
    await posted(all, 2)
    await posted(signedOnly, 1)
    expect(JSON.parse(signedOnly.posts[0]?.body.toString() ?? '{}').data).toEqual({
      log_id: 2,
      external_ref: null,
      storage_file_id: 'f1',
      invoice_number: 'F-1',
      invoice_date: '2026-01-02',
      expires_at: '2032-01-02',
      download_endpoint: '/invoices/2/facturae',
    })
    expect(all.posts.map((post) => JSON.parse(post.body.toString()).data.log_id)).toEqual([2, 2])
  })

  test('whose secret is rotated in mid-flight signs with the new one, and with the old one beside it', async () => {
    const service = await start({ WEBHOOK_RETRY_SECONDS: '1,1,1' })
    const receiver = await receive((count) => (count === 1 ? 500 : 200))
    const { id } = await register(service, receiver.url, { secret: 'mi secreto' })
    await emit(service, extracted(1))
    await posted(receiver, 1)
    const rotated = await service.call.rotateWebhookSecret({ ...nothing, params: { id }, body: undefined }, context())
    await posted(receiver, 2)
    const [before, after] = receiver.posts
    expect(before?.headers['x-factura-signature']).toBe(`sha256=${hmac('mi secreto', before?.body ?? '', 'hex')}`)
    expect(before?.headers['x-factura-signature-previous']).toBeUndefined()
    expect(after?.headers['x-factura-signature']).toBe(`sha256=${hmac(rotated.secret, after?.body ?? '', 'hex')}`)
    expect(after?.headers['x-factura-signature-previous']).toBe(
      `sha256=${hmac('mi secreto', after?.body ?? '', 'hex')}`,
    )
    expect(String(after?.headers['webhook-signature']).split(' ')).toHaveLength(2)
  })

  test('that answers 410 is switched off with a mail, and gets nothing more until it is switched on', async () => {
    const service = await start()
    const receiver = await receive((count) => (count === 1 ? 410 : 200))
    const { id } = await register(service, receiver.url)
    await emit(service, extracted(1))
    const get = () => service.call.getWebhook({ ...nothing, params: { id }, body: undefined }, context())
    await until('switched off', async () => !(await get()).active)
    expect((await get()).disabled_reason).toBe('gone')
    await until('mail', async () =>
      service.db.query
        .selectFrom('mails')
        .selectAll()
        .where('template', '=', 'webhook_switched_off')
        .executeTakeFirst(),
    )
    await emit(service, extracted(2))
    const on = { ...nothing, params: { id }, body: { active: true } }
    await until(
      'event 2 applied',
      async () =>
        (
          await service.db.query
            .selectFrom('inbox')
            .select('event_id')
            .where('group_name', '=', 'notifications.extracted')
            .execute()
        ).length === 2,
    )
    await service.call.updateWebhook(on, context())
    await emit(service, extracted(3))
    await posted(receiver, 2)
    expect(JSON.parse(receiver.posts[1]?.body.toString() ?? '{}').data.log_id).toBe(3)
  })

  test('that has failed for five days is switched off with one mail', async () => {
    const service = await start()
    const receiver = await receive(() => 500)
    const { id } = await register(service, receiver.url)
    await service.db.query
      .updateTable('webhooks')
      .set({ failing_since: new Date(Date.now() - 5 * 86_400_000 - 1_000) })
      .execute()
    await emit(service, extracted(1))
    await until(
      'switched off',
      async () =>
        (await service.call.getWebhook({ ...nothing, params: { id }, body: undefined }, context())).disabled_reason ===
        'failing',
    )
    const mails = await service.db.query.selectFrom('mails').selectAll().execute()
    expect(mails.map((mail) => mail.template)).toEqual(['webhook_switched_off'])
    expect((await deliveries(service, id))[0]?.status).toBe('failed')
  })

  test('pauses while the plan has no webhooks', async () => {
    const service = await start()
    const receiver = await receive()
    await register(service, receiver.url)
    owner = testActor({ plan: 'starter' })
    await emit(service, extracted(1))
    await until(
      'event applied',
      async () =>
        (
          await service.db.query
            .selectFrom('inbox')
            .select('event_id')
            .where('group_name', '=', 'notifications.extracted')
            .execute()
        ).length === 1,
    )
    owner = testActor({ plan: 'pro' })
    await emit(service, extracted(2))
    await posted(receiver, 1)
    expect(JSON.parse(receiver.posts[0]?.body.toString() ?? '{}').data.log_id).toBe(2)
  })

  test('can be tried with a sample, and its log says how it went', async () => {
    const service = await start()
    const receiver = await receive((count) => (count === 1 ? 200 : 503))
    const { id } = await register(service, receiver.url)
    const call = () => service.call.testWebhook({ ...nothing, params: { id }, body: undefined }, context())
    expect(await call()).toMatchObject({ status: 'delivered', attempts: 1, response_status: 200 })
    expect(await call()).toMatchObject({ status: 'failed', attempts: 1, response_status: 503 })
    expect(receiver.posts[0]?.headers['x-factura-test']).toBe('true')
    expect(await deliveries(service, id)).toHaveLength(2)
  })

  test('of another account is not found, whatever is asked of it', async () => {
    const service = await start()
    const receiver = await receive()
    const { id } = await register(service, receiver.url)
    const other = context(testActor({ userId: 2 }))
    const input = { ...nothing, params: { id }, body: undefined }
    await expect(service.call.getWebhook(input, other)).rejects.toEqual(failsWith('WEBHOOK_NOT_FOUND'))
    await expect(service.call.deleteWebhook(input, other)).rejects.toEqual(failsWith('WEBHOOK_NOT_FOUND'))
    await expect(service.call.rotateWebhookSecret(input, other)).rejects.toEqual(failsWith('WEBHOOK_NOT_FOUND'))
    await expect(service.call.testWebhook(input, other)).rejects.toEqual(failsWith('WEBHOOK_NOT_FOUND'))
    await expect(service.call.listWebhookDeliveries(input, other)).rejects.toEqual(failsWith('WEBHOOK_NOT_FOUND'))
    expect(await service.call.deleteWebhook(input, context())).toEqual({ deleted: true })
    await expect(service.call.getWebhook(input, context())).rejects.toEqual(failsWith('WEBHOOK_NOT_FOUND'))
  })

  test('that is deleted takes its log along and gets nothing more', async () => {
    const service = await start()
    const [gone, kept] = [await receive(), await receive()]
    const { id } = await register(service, gone.url)
    await register(service, kept.url)
    await emit(service, extracted(1))
    await posted(gone, 1)
    await posted(kept, 1)
    await service.call.deleteWebhook({ ...nothing, params: { id }, body: undefined }, context())
    await emit(service, extracted(2))
    await posted(kept, 2)
    const rows = await service.db.query.selectFrom('deliveries').select('webhook_id').execute()
    expect(rows.map((row) => row.webhook_id)).not.toContain(id)
    expect(rows).toHaveLength(2)
    expect(gone.posts).toHaveLength(1)
  })

  test('keeps its secret sealed and shows it once', async () => {
    const service = await start()
    const receiver = await receive()
    const { id, secret } = await register(service, receiver.url)
    const row = await service.db.query.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(secret.slice(6))
    expect(
      await service.call.getWebhook({ ...nothing, params: { id }, body: undefined }, context()),
    ).not.toHaveProperty('secret')
  })
})

describe('registration', () => {
  /** One for all refused addresses: none of them leaves a trace. */
  let guarded: Service | undefined
  afterAll(() => guarded?.stop())

  test('refuses a kind of event that does not exist', async () => {
    const service = await start()
    const receiver = await receive()
    await expect(register(service, receiver.url, { events: ['invoice.deleted'] })).rejects.toEqual(
      failsWith('WEBHOOK_INVALID_EVENT'),
    )
    await expect(register(service, receiver.url, { events: [] })).rejects.toEqual(failsWith('WEBHOOK_INVALID_EVENT'))
  })

  test.each([
    { name: 'accepts a receiver that answers 405', status: 405, accepted: true },
    { name: 'refuses a receiver that answers 500', status: 500, accepted: false },
    { name: 'refuses a receiver that does not answer within five seconds', status: 'hang' as const, accepted: false },
  ])('$name to OPTIONS', async ({ status, accepted }) => {
    const service = await start()
    const receiver = await receive(undefined, status)
    const outcome = register(service, receiver.url)
    if (accepted) await expect(outcome).resolves.toMatchObject({ active: true })
    else await expect(outcome).rejects.toEqual(failsWith('WEBHOOK_INVALID_URL'))
  })

  test.each([
    ['http', 'http://example.com/'],
    ['no URL', 'hola'],
    ['credentials', 'https://user:pass@example.com/'],
    ['loopback', 'https://127.0.0.1/'],
    ['loopback by name', 'https://localhost/'],
    ['decimal loopback', 'https://2130706433/'],
    ['octal loopback', 'https://0177.0.0.1/'],
    ['hexadecimal loopback', 'https://0x7f.1/'],
    ['short loopback', 'https://127.1/'],
    ['unspecified', 'https://0.0.0.0/'],
    ['private 10/8', 'https://10.1.2.3/'],
    ['private 172.16/12', 'https://172.31.0.1/'],
    ['private 192.168/16', 'https://192.168.0.1/'],
    ['metadata', 'https://169.254.169.254/latest'],
    ['carrier grade NAT', 'https://100.64.0.1/'],
    ['benchmark', 'https://198.18.0.1/'],
    ['broadcast', 'https://255.255.255.255/'],
    ['IPv6 loopback', 'https://[::1]/'],
    ['IPv4-mapped', 'https://[::ffff:127.0.0.1]/'],
    ['IPv4-compatible', 'https://[::127.0.0.1]/'],
    ['6to4', 'https://[2002:7f00:1::]/'],
    ['NAT64', 'https://[64:ff9b::7f00:1]/'],
    ['local NAT64', 'https://[64:ff9b:1::a00:1]/'],
    ['Teredo', 'https://[2001::1]/'],
    ['unique local', 'https://[fd00::1]/'],
    ['link-local', 'https://[fe80::1]/'],
    ['site-local', 'https://[fec0::1]/'],
    ['multicast', 'https://[ff02::1]/'],
    ['documentation', 'https://[2001:db8::1]/'],
  ])('refuses %s: %s', async (_name, url) => {
    guarded ??= await start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'false' }, false)
    const service = guarded
    await expect(register(service, url)).rejects.toEqual(failsWith('WEBHOOK_INVALID_URL'))
  })

  test('an address that turns private after registration is refused at connect time', async () => {
    const open = await receive()
    const service = await start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'false', WEBHOOK_RETRY_SECONDS: '0.05' })
    const [row] = await service.db.query
      .insertInto('webhooks')
      .values({
        user_id: 1,
        url: open.url,
        events: ['*'],
        disabled_reason: null,
        failing_since: null,
        secret: '{}' as never,
        previous_secret: null,
        previous_until: null,
        created_at: new Date(),
      })
      .returning('id')
      .execute()
    const other = await start()
    const { id } = await register(other, open.url)
    const sealed = await other.db.query
      .selectFrom('webhooks')
      .select('secret')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await service.db.query
      .updateTable('webhooks')
      .set({ secret: JSON.stringify(sealed.secret) as never })
      .execute()
    await emit(service, extracted(1))
    const failed = await until('failed', async () =>
      (await deliveries(service, row?.id ?? 0)).find((d) => d.status === 'failed'),
    )
    expect(failed.last_error).toContain('not a public address')
    expect(open.posts).toHaveLength(0)
  })
})
