import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { client } from '../e2e/api.ts'
import { type Door, openDoor, withKey } from './door.ts'

let door: Door
const program = () => withKey(door, door.demoKey)

beforeAll(async () => {
  door = await openDoor()
})
afterAll(() => door?.close())

test('any origin may call; headers are exposed, credentials never allowed, and a preflight is not counted', async () => {
  const preflight = await fetch(`${door.baseUrl}/extract`, {
    method: 'OPTIONS',
    headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('ratelimit')).toBeNull()
  const answer = await program().get('/quota', { origin: 'https://a.example' })
  const exposed = answer.headers.get('access-control-expose-headers') ?? ''
  for (const name of ['X-Quota-Remaining', 'X-Request-ID', 'X-RateLimit-Plan', 'X-Idempotency-Replayed', 'Retry-After'])
    expect(exposed).toContain(name)
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  expect(answer.headers.get('ratelimit')).toMatch(/^"minute";r=\d+;t=\d+$/)
})

test.each(['/ping', '/status', '/health'])('HEAD %s answers like GET, without a body', async (path) => {
  const answer = await fetch(door.baseUrl + path, { method: 'HEAD' })
  expect([answer.status, await answer.text()]).toEqual([200, ''])
})

test.each([
  ['abc-1._Z', true],
  ['x'.repeat(128), true],
  ['x'.repeat(129), false],
  ['with blank', false],
])('the request id %s is kept: %s', async (id, kept) => {
  const own = (await program().get('/nowhere', { 'x-request-id': id })).headers.get('x-request-id')
  if (kept) expect(own).toBe(id)
  else expect(own).toMatch(/^[0-9a-f-]{36}$/)
})

test('a part that does not fit is 422 with its place, malformed JSON too; the gate comes before', async () => {
  const wrong = await program().get('/history?limit=0&status=perhaps')
  expect(wrong.status).toBe(422)
  expect(Object.keys(wrong.body)).toEqual(['detail'])
  const places = (wrong.body.detail as unknown as { loc: string[] }[]).map(({ loc }) => loc)
  expect(places).toEqual(
    expect.arrayContaining([
      ['query', 'limit'],
      ['query', 'status'],
    ]),
  )
  const headers = { 'content-type': 'application/json' }
  const malformed = await program().raw('POST', '/contabilidad/entries', { body: '{"a":', headers })
  expect([malformed.status, malformed.body.detail]).toEqual([
    422,
    [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }],
  ])
  const nobody = await client(door.baseUrl).raw('POST', '/contabilidad/entries', { body: '{"a":', headers })
  expect(nobody.body.error_code).toBe('AUTH_REQUIRED')
})

test('a vendor in the path is the same vendor however its number is written and encoded', async () => {
  for (const written of ['B12345674', 'es-b%2012.345.674', '%D0%9212345674', 'B12345674%2F']) {
    const taught = await program().send('PUT', `/categorize/${written}`, { account_code: '602' })
    expect([written, taught.status, taught.body.account_code]).toEqual([written, 200, '602'])
    const trusted = await program().send('PUT', `/vendors/${written}/iban`, { iban: 'es91 2100 0418 4502 0005 1332' })
    expect(trusted.body).toMatchObject({ vendor_vat: 'B12345674', trusted_iban: 'ES9121000418450200051332' })
  }
  const broken = await program().send('PUT', '/categorize/%E0%A4%A', { account_code: '602' })
  expect(broken.status).toBeGreaterThanOrEqual(400)
  expect(broken.status).toBeLessThan(500)
})

test('ten thousand lines are put into an account, one more is refused with its place', async () => {
  const lines = (count: number) => ({ line_items: Array.from({ length: count }, () => ({ description: 'Porte' })) })
  expect((await program().send('POST', '/categorize', lines(10_000))).body.account_code).toBe('624')
  const refused = await program().send('POST', '/categorize', lines(10_001))
  expect([refused.status, JSON.stringify(refused.body.detail)]).toEqual([422, expect.stringContaining('line_items')])
})

test('headers together may have 64 KB', async () => {
  expect((await program().get('/quota', { 'x-p12-b64': 'A'.repeat(60_000) })).status).toBe(200)
})

test('request logs tell what happened, newest first, without query strings and secrets', async () => {
  await program().get('/history?q=confidencial', { 'x-request-id': 'buscada-1' })
  await program().get('/history/999999', { 'x-request-id': 'buscada-2' })
  const logs = async () => (await program().get('/request-logs?path=/history&limit=2')).body
  const page = await vi.waitFor(
    async () => {
      const found = await logs()
      expect(found.items).toMatchObject([{ request_id: 'buscada-2' }, { request_id: 'buscada-1' }])
      return found
    },
    { timeout: 10_000, interval: 100 },
  )
  expect(page.items).toMatchObject([
    { request_id: 'buscada-2', method: 'GET', status_code: 404, error_code: 'INVOICE_NOT_FOUND', sandbox: false },
    { request_id: 'buscada-1', path: '/history', status_code: 200, error_code: null },
  ])
  expect(JSON.stringify(page)).not.toContain('confidencial')
  expect((await program().get('/request-logs?path=/history&limit=1')).body.has_more).toBe(true)
  expect((await program().get('/request-logs?status=404')).body.total).toBeGreaterThanOrEqual(1)
})

test('/status names every dependency with its state; /limits tells the plans', async () => {
  const { body } = await client(door.baseUrl).get('/status')
  expect(body.status).toBe('operational')
  const services = [
    'database',
    'object_store',
    'key_value',
    'identity',
    'extraction',
    'facturae',
    'risk',
    'ledger',
    'notifications',
  ]
  expect(Object.keys(Object(body.services))).toEqual(expect.arrayContaining(services))
  const limits = (await client(door.baseUrl).get('/limits')).body
  expect(limits).toMatchObject({ idempotency_ttl_hours: 24, files: { invoice_max_bytes: 20 * 1024 ** 2 } })
})

test('a client that sends its headers too slowly is cut off', { timeout: 90_000 }, async () => {
  const { hostname, port } = new URL(door.baseUrl)
  const started = Date.now()
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write('GET /quota HTTP/1.1\r\nHost: a\r\n'))
    socket.once('close', () => resolve())
    socket.once('error', reject)
    socket.resume()
  })
  expect(Date.now() - started).toBeLessThan(60_000)
})
