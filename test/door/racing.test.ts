import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sample } from '../e2e/api.ts'
import type { Account } from '../provision/accounts.ts'
import { startStandaloneProcess, temporaryDataFolder } from '../provision/standalone.ts'
import { type Door, database, makeAccount, openDoor, withKey, withToken } from './door.ts'

let door: Door
let owner: Account

beforeAll(async () => {
  door = await openDoor()
  owner = await makeAccount(door, 'carrera@ejemplo-empresa.es')
})
afterAll(() => door?.close())

const invoice = {
  vendor_name: 'Empresa de Pruebas SL',
  vendor_vat: 'B12345674',
  buyer_name: 'Clienta SA',
  buyer_vat: 'A58818501',
  invoice_number: 'F-1',
  invoice_date: '2026-03-02',
  subtotal: 100,
  tax: 21,
  total: 121,
}

test('200 calls race for the last 5 credits: exactly 5 get one', async () => {
  const person = withToken(door, owner)
  const { body: subaccount } = await person.send('POST', '/subaccounts', { name: 'Cliente' })
  const made = await person.send('POST', `/subaccounts/${subaccount.id}/keys`, { name: 'Caja', quota: 5 })
  const program = withKey(door, String(made.body.raw_key))
  const { body: converted } = await person.send('POST', '/convert', invoice)
  const xml = String(converted.xml)
  const before = (await person.get('/quota')).body.used
  const answers = await Promise.all(
    Array.from({ length: 200 }, () =>
      program.raw('POST', '/import/xml', { body: xml, headers: { 'content-type': 'application/xml' } }),
    ),
  )
  const refused = answers.filter((answer) => answer.status !== 200)
  expect(answers.length - refused.length).toBe(5)
  for (const answer of refused) {
    expect([answer.status, answer.body.error_code]).toEqual([429, 'QUOTA_EXCEEDED'])
    expect(answer.headers.get('x-quota-limit')).toBe('5')
  }
  expect((await program.get('/quota')).body).toMatchObject({ quota: 5, used: 5, remaining: 0 })
  expect((await person.get('/quota')).body.used).toBe(Number(before) + 5)
})

test('100 calls at once with one idempotency key: one execution, 99 identical answers', async () => {
  const person = withToken(door, owner)
  const entry = { type: 'expense', date: '2026-03-02', concept: 'Una vez', base: 100, tax_rate: 21 }
  const headers = { 'x-idempotency-key': 'una-vez' }
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => person.send('POST', '/contabilidad/entries', entry, headers)),
  )
  expect(new Set(answers.map((answer) => `${answer.status} ${answer.bytes}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(201)
  expect(answers.filter((answer) => answer.headers.get('x-idempotency-replayed') === 'true')).toHaveLength(99)
  expect(new Set(answers.map((answer) => answer.headers.get('x-request-id'))).size).toBe(100)
  expect((await person.get('/contabilidad/entries?q=Una vez')).body.total).toBe(1)
  const other = await person.send('POST', '/contabilidad/entries', { ...entry, base: 5 }, headers)
  expect([other.status, other.body.error_code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED'])
})

test('after kill -9 in the middle of idempotent work another call takes it over after its lease, charged once', async () => {
  const folder = await temporaryDataFolder()
  const first = await startStandaloneProcess(folder.path)
  const { bytes } = await sample('foto-movil.jpg')
  const program = (base: string) => withKey({ ...door, baseUrl: base }, first.demo.api_key)
  const send = (base: string) =>
    program(base).upload('/extract', [{ name: 'foto.jpg', bytes }], { 'x-idempotency-key': 'interrumpida' })
  const used = async (base: string) => (await program(base).get('/quota')).body.used
  const lost = send(first.demo.base_url).catch(() => undefined)
  await vi.waitFor(async () => expect(await used(first.demo.base_url)).toBe(1), { timeout: 30_000, interval: 20 })
  await first.kill('SIGKILL')
  expect(await lost).toBeUndefined()
  const second = await startStandaloneProcess(folder.path)
  const base = second.demo.base_url
  try {
    const early = await send(base)
    expect([early.status, early.body.error_code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS'])
    // Nobody renews the lease of a dead holder: the rest of its minute is over.
    await database(folder.path, (own) => own.query('update gateway.idempotency set lease_until = now()'))
    const taken = await send(base)
    expect([taken.status, taken.headers.get('x-idempotency-replayed')]).toEqual([200, null])
    expect(await used(base)).toBe(1)
    const again = await send(base)
    expect(again.headers.get('x-idempotency-replayed')).toBe('true')
    expect(again.bytes.equals(taken.bytes)).toBe(true)
  } finally {
    await second.kill('SIGTERM')
    await folder.remove()
  }
}, 300_000)
