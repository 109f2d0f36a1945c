import { readdir, readFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { publish } from '@asiento/chassis/outbox'
import { startTestService, type TestService, testActor } from '@asiento/chassis/testing/service'
import type { EventPayload } from '@asiento/proto/events'
import type { RpcClients } from '@asiento/proto/rpc'
import { afterEach, describe, expect, test } from 'vitest'
import type { Tables } from '../src/adapters/tables.ts'
import { notifications } from '../src/service.ts'
import { mailServerIsPossible, startMailServer } from './greenmail.ts'
import { until } from './until.ts'

type Service = TestService<'notifications', Tables>
type Mail = EventPayload<'mail.requested'>

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function start(environment: Record<string, string> = {}, rpc: Partial<RpcClients> = {}): Promise<Service> {
  const masterKey = `k1:${Buffer.alloc(32, 7).toString('base64')}`
  const service = await startTestService(notifications, { environment: { MASTER_KEY: masterKey, ...environment }, rpc })
  closers.push(() => service.stop())
  return service
}

const mail = (changes: Partial<Mail> = {}): Mail => ({
  mailId: crypto.randomUUID(),
  to: 'ana@example.com',
  locale: 'es',
  template: 'verify',
  data: { full_name: 'Ana', link: 'https://asiento.example/auth/verify?token=abc', valid_hours: 24 },
  ...changes,
})

const request = (service: Service, payload: Mail) =>
  service.db.transaction((tx) => publish(tx, 'mail.requested', { key: payload.to, payload }))

const row = (service: Service, mailId: string) =>
  service.db.query.selectFrom('mails').selectAll().where('mail_id', '=', mailId).executeTakeFirst()

const untilStatus = (service: Service, mailId: string, status: string) =>
  until(`mail ${status}`, async () => {
    const found = await row(service, mailId)
    return found?.status === status ? found : null
  })

const mailFiles = async (service: Service): Promise<string[]> => {
  const directory = join(service.shared.config.DATA_DIR, 'mail')
  const names = await readdir(directory).catch(() => [])
  return Promise.all(
    names.filter((name) => name.endsWith('.eml')).map((name) => readFile(join(directory, name), 'utf8')),
  )
}

describe('without a mail server', () => {
  test('each mail becomes one .eml file with text and HTML, and its data is forgotten', async () => {
    const service = await start()
    const wanted = mail()
    await request(service, wanted)
    await untilStatus(service, wanted.mailId, 'sent')
    const [text] = await mailFiles(service)
    expect(text).toContain('To: ana@example.com')
    expect(text).toContain('text/plain')
    expect(text).toContain('text/html')
    expect(text?.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain('token=abc')
    expect((await row(service, wanted.mailId))?.data).toEqual({})
  })

  test('a mail id that is asked for twice is sent once', async () => {
    const service = await start()
    const wanted = mail()
    await request(service, wanted)
    await request(service, { ...wanted, locale: 'en' })
    const last = mail()
    await request(service, last)
    await untilStatus(service, last.mailId, 'sent')
    expect(await mailFiles(service)).toHaveLength(2)
  })

  test('the end of a job is mailed once to the owner, and not when it was cancelled', async () => {
    const rpc = { identity: { actorFor: async () => testActor({ email: 'owner@example.com', locale: 'en' }) } as never }
    const service = await start({}, rpc)
    const scope = { userId: 1, keyId: null, subaccountId: null, sandbox: false }
    const finish = (jobId: string, status: string) =>
      service.db.transaction((tx) =>
        publish(tx, 'batch.finished', {
          key: '1',
          payload: { jobId, scope, total: 5, processed: 5, failed: 1, status },
        }),
      )
    await finish('cancelled', 'cancelled')
    await finish('one', 'done')
    await finish('one', 'done')
    await untilStatus(service, 'batch-finished:one', 'sent')
    const files = await mailFiles(service)
    expect(files).toHaveLength(1)
    expect(files[0]).toContain('To: owner@example.com')
    expect(files[0]).toContain('Your batch of 5 invoices is done')
  })
})

/** A mail server that speaks just enough SMTP and answers the end of a message with what the test says. */
async function scriptedServer(answerToData: (attempt: number, socket: Socket) => string | null): Promise<{
  url: string
  accepted: string[]
}> {
  const accepted: string[] = []
  let attempt = 0
  const server: Server = createServer((socket) => {
    let data = false
    let message = ''
    socket.on('error', () => {})
    socket.write('220 test\r\n')
    socket.on('data', (chunk) => {
      const text = chunk.toString()
      if (data) {
        message += text
        if (!message.endsWith('\r\n.\r\n')) return
        data = false
        attempt += 1
        const answer = answerToData(attempt, socket)
        if (answer?.startsWith('250')) accepted.push(message)
        message = ''
        if (answer === null) socket.destroy()
        else socket.write(`${answer}\r\n`)
        return
      }
      for (const line of text.split('\r\n').filter(Boolean)) {
        if (/^DATA/i.test(line)) data = true
        socket.write(/^DATA/i.test(line) ? '354 go on\r\n' : /^QUIT/i.test(line) ? '221 bye\r\n' : '250 ok\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise((resolve) => server.close(() => resolve())))
  const address = server.address()
  return { url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, accepted }
}

describe('with a mail server that has its moods', () => {
  test('a temporary refusal is tried again and sent once', async () => {
    const server = await scriptedServer((attempt) => (attempt < 3 ? '451 later' : '250 taken'))
    const service = await start({ SMTP_URL: server.url, MAIL_RETRY_SECONDS: '0.05,0.05,0.05' })
    const wanted = mail()
    await request(service, wanted)
    const sent = await untilStatus(service, wanted.mailId, 'sent')
    expect(sent.attempts).toBe(3)
    expect(server.accepted).toHaveLength(1)
  })

  test('a final refusal is not tried again', async () => {
    const server = await scriptedServer(() => '550 no such user')
    const service = await start({ SMTP_URL: server.url, MAIL_RETRY_SECONDS: '0.05' })
    const wanted = mail()
    await request(service, wanted)
    expect((await untilStatus(service, wanted.mailId, 'failed')).attempts).toBe(1)
  })

  test('a mail whose answer was lost after its last byte is never sent again', async () => {
    const server = await scriptedServer(() => null)
    const service = await start({ SMTP_URL: server.url, MAIL_RETRY_SECONDS: '0.05,0.05' })
    const wanted = mail()
    await request(service, wanted)
    expect((await untilStatus(service, wanted.mailId, 'in_doubt')).attempts).toBe(1)
  })

  test('a sender that died before the last byte is replaced; one that died after it is not', async () => {
    const service = await start()
    const died = new Date(Date.now() - 1_000)
    const values = (mail_id: string, status: 'queued' | 'handing_over') => ({
      mail_id,
      recipient: 'ana@example.com',
      locale: 'es' as const,
      template: 'verify' as const,
      data: '{}' as never,
      status,
      attempts: 1,
      next_attempt_at: died,
      lease_until: died,
      last_error: null,
      created_at: died,
      sent_at: null,
    })
    await service.db.query
      .insertInto('mails')
      .values([values('before', 'queued'), values('after', 'handing_over')])
      .execute()
    await untilStatus(service, 'before', 'sent')
    await untilStatus(service, 'after', 'in_doubt')
    expect(await mailFiles(service)).toHaveLength(1)
  })
})

const possible = await mailServerIsPossible()
if (!possible) console.warn('skipped 1: no Java or Maven for a real mail server')

test.skipIf(!possible)(
  'arrives in a real mailbox once, with its subject and link readable',
  { timeout: 120_000 },
  async () => {
    const server = await startMailServer()
    closers.push(() => server.stop())
    const service = await start({ SMTP_URL: server.url, MAIL_FROM: 'Asiento <hola@asiento.example>' })
    const wanted = mail({
      to: 'jose@example.com',
      data: { full_name: 'José Núñez', link: 'https://x.example/?token=t1', valid_hours: 24 },
    })
    await request(service, wanted)
    await untilStatus(service, wanted.mailId, 'sent')
    const received = await until('mail received', async () => {
      const mails = await server.received('jose@example.com')
      return mails.length > 0 ? mails : null
    })
    expect(received).toHaveLength(1)
    expect(received[0]?.subject).toBe('Confirma tu dirección de correo')
    expect(received[0]?.mimeMessage).toContain('hola@asiento.example')
  },
)
