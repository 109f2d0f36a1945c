import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../e2e/api.ts'
import type { Account } from '../provision/accounts.ts'
import { type Door, makeAccount, makeKey, openDoor, pdf, withKey, withToken } from './door.ts'

const secret = randomBytes(32)
const anonymousPerMinute = 10

let door: Door
let owner: Account
let free: Account
let key: string

beforeAll(async () => {
  door = await openDoor({
    JWT_SECRET: `k1:${secret.toString('base64')}`,
    RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: String(anonymousPerMinute),
    TRUST_PROXY: 'true',
  })
  owner = await makeAccount(door, 'llamante@ejemplo-empresa.es')
  free = await makeAccount(door, 'sin-plan@ejemplo-empresa.es', 'free')
  key = await makeKey(door, owner)
})
afterAll(() => door?.close())

const readPart = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString())
const writePart = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** The owner's session with other claims, signed by `by`. */
function session(claims: object, by = secret): string {
  const [head = '', payload] = owner.token.split('.')
  const text = `${head}.${writePart({ ...readPart(payload), ...claims })}`
  return `${text}.${createHmac('sha256', by).update(text).digest('base64url')}`
}

/** Refused credentials count against the address: each test has one of its own. */
const from = (address: string) => ({ 'x-forwarded-for': address })

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds

test('a session is refused once it has expired, and when it was signed by anyone else or not at all', async () => {
  const ask = async (token: string) => {
    const { status, body } = await withToken(door, { ...owner, token }).get('/auth/me', from('203.0.113.1'))
    return [status, body.error_code]
  }
  const refused = [401, 'AUTH_INVALID_TOKEN']
  expect(await ask(session({ exp: inSeconds(60) }))).toEqual([200, undefined])
  expect(await ask(session({ exp: inSeconds(-1) }))).toEqual(refused)
  expect(await ask(session({ exp: undefined }))).toEqual(refused)
  expect(await ask(session({ exp: inSeconds(60) }, randomBytes(32)))).toEqual(refused)
  const [head, payload, signature] = owner.token.split('.')
  const other = writePart({ ...readPart(payload), sub: '1' })
  expect(await ask(`${head}.${other}.${signature}`)).toEqual(refused)
  const unsigned = writePart({ ...readPart(head), alg: 'none' })
  expect(await ask(`${unsigned}.${payload}.`)).toEqual(refused)
})

test.each(['', ' ', 'not-a-key'])('a key that is sent counts, whatever session comes with it: "%s"', async (sent) => {
  const { status, body } = await withToken(door, owner).get('/quota', { 'x-api-key': sent, ...from('203.0.113.2') })
  expect([status, body.error_code]).toEqual([401, 'AUTH_INVALID_KEY'])
})

test('header values are read as UTF-8', async () => {
  const reference = 'Año 2026 – Muñoz & Çelik, 1 €'
  // What fetch sends as Latin-1 are then the bytes of UTF-8.
  const onTheWire = Buffer.from(reference).toString('latin1')
  const file = { name: 'a.pdf', bytes: await pdf() }
  const made = await withKey(door, key).upload('/extract', [file], { 'x-external-ref': onTheWire })
  expect(made.status).toBe(200)
  const { body } = await withKey(door, key).get(`/history/${made.body._log_id}`)
  expect(body.external_ref).toBe(reference)
})

test('the 11th call of a minute without credentials is refused for the plan "anonymous"', async () => {
  const call = () => client(door.baseUrl).get('/limits', from('203.0.113.3'))
  for (let count = 1; count <= anonymousPerMinute; count += 1) expect((await call()).status).toBe(200)
  const refused = await call()
  expect([refused.status, refused.body.error_code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
  expect(refused.headers.get('x-ratelimit-plan')).toBe('anonymous')
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
})

test('an answer is given again when the quota is used up, a new call is not served', async () => {
  const person = withToken(door, owner)
  const { body: subaccount } = await person.send('POST', '/subaccounts', { name: 'Cliente' })
  const made = await person.send('POST', `/subaccounts/${subaccount.id}/keys`, { name: 'Caja', quota: 1 })
  const program = withKey(door, String(made.body.raw_key))
  const file = { name: 'a.pdf', bytes: await pdf() }
  const send = (name: string) => program.upload('/extract', [file], { 'x-idempotency-key': name })
  const first = await send('una')
  expect([first.status, first.headers.get('x-quota-remaining')]).toEqual([200, '0'])
  const again = await send('una')
  expect([again.status, again.headers.get('x-idempotency-replayed')]).toEqual([200, 'true'])
  expect(again.bytes.equals(first.bytes)).toBe(true)
  const other = await send('otra')
  expect([other.status, other.body.error_code]).toEqual([429, 'QUOTA_EXCEEDED'])
})

test('a plan that is too small is refused before the body has come', async () => {
  const upload = request(`${door.baseUrl}/batch/job`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${free.token}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': 15 * 1024 ** 2,
    },
  })
  upload.on('error', () => {})
  upload.write('--x\r\nContent-Disposition: form-data; name="files"; filename="a.pdf"\r\n\r\n%PDF-')
  // The other 15 MB are never sent: whoever waited for them would not answer.
  const [answer] = (await once(upload, 'response')) as [IncomingMessage]
  const body = JSON.parse(Buffer.concat(await answer.toArray()).toString())
  upload.destroy()
  expect([answer.statusCode, body.error_code]).toEqual([403, 'BATCH_NOT_AVAILABLE'])
})

test('each root field of a GraphQL document counts as one request', async () => {
  const own = await makeKey(door, owner)
  const remaining = async () => {
    const answer = await withKey(door, own).get('/quota')
    return Number(/;r=(\d+);/.exec(answer.headers.get('ratelimit') ?? '')?.[1])
  }
  const before = await remaining()
  const query = '{ a: quota { remaining } b: quota { remaining } c: quota { remaining } }'
  const { body } = await withKey(door, own).send('POST', '/graphql', { query })
  expect(body.errors).toBeUndefined()
  expect(before - (await remaining())).toBe(4)
})

test.each([
  ['PUT', '/subaccounts/summary', 'GET, HEAD'],
  ['DELETE', '/subaccounts/summary', 'GET, HEAD'],
])('%s %s is not taken for a call about the thing of that name', async (method, path, allow) => {
  const answer = await withToken(door, owner).raw(method, path)
  expect([answer.status, answer.body.error_code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
  expect(answer.headers.get('allow')).toBe(allow)
})
