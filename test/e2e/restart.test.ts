import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import {
  failingStart,
  type StandaloneProcess,
  startStandaloneProcess,
  temporaryDataFolder,
  testEnvironment,
} from '../provision/standalone.ts'
import { client, sample } from './api.ts'

const close: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of close.splice(0).reverse()) await step()
})

async function fresh(): Promise<{ path: string; start: () => Promise<StandaloneProcess> }> {
  const folder = await temporaryDataFolder()
  close.push(folder.remove)
  const start = async () => {
    const asiento = await startStandaloneProcess(folder.path)
    close.push(() => asiento.kill('SIGKILL'))
    return asiento
  }
  return { path: folder.path, start }
}

const api = (asiento: StandaloneProcess) => client(asiento.demo.base_url, { 'x-api-key': asiento.demo.api_key })

test('a second start keeps accounts, keys, history and documents', async () => {
  const { start } = await fresh()
  const first = await start()
  const { bytes } = await sample('factura-digital.pdf')
  const read = await api(first).upload('/extract', [{ name: 'factura-digital.pdf', bytes }])
  expect(await first.kill('SIGTERM')).toBe(0)
  const second = await start()
  expect(second.demo.api_key).toBe(first.demo.api_key)
  const again = await api(second).get(`/history/${read.body._log_id}`)
  expect(again.body).toMatchObject({ log_id: read.body._log_id, result: { total: read.body.total } })
  expect((await api(second).get(`/history/${read.body._log_id}/document`)).bytes.equals(bytes)).toBe(true)
  expect(await second.kill('SIGTERM')).toBe(0)
})

test('kill -9 in the middle of work leaves nothing half-written, and its events are delivered after the next start', async () => {
  const { path, start } = await fresh()
  const first = await start()
  const { bytes } = await sample('foto-movil.jpg')
  await api(first).send('POST', '/contabilidad/auto-import-preference', { auto_import: true })
  const digital = await sample('factura-digital.pdf')
  await api(first).upload('/extract', [{ name: 'a.pdf', bytes: digital.bytes }])
  const lost = [1, 2, 3].map((index) =>
    api(first)
      .upload('/extract', [{ name: `${index}.jpg`, bytes }])
      .catch(() => undefined),
  )
  await vi.waitFor(async () => expect((await api(first).get('/quota')).body.used).toBe(4), { timeout: 30_000 })
  await first.kill('SIGKILL')
  await Promise.all(lost)

  const second = await start()
  await vi.waitFor(
    async () => {
      const entries = await api(second).get('/contabilidad/entries')
      expect(entries.body.total).toBeGreaterThanOrEqual(1)
      expect(await unsent(path)).toBe(0)
    },
    { timeout: 30_000, interval: 200 },
  )
  const history = await api(second).get('/history')
  for (const item of history.body.items as unknown as { status: string }[])
    expect(['ok', 'error']).toContain(item.status)
  expect((await api(second).get('/health')).status).toBe(200)
})

/** Events of every schema that have not been sent. */
const unsent = (dataDirectory: string): Promise<number> =>
  withDatabase(dataDirectory, async (database) => {
    const found = await database.query(
      "select table_schema as schema from information_schema.tables where table_name = 'outbox'",
    )
    const parts = found.rows.map(({ schema }) => `select count(*) as n from ${schema}.outbox where sent_at is null`)
    const { rows } = await database.query(`select sum(n)::int as n from (${parts.join(' union all ')}) t`)
    return rows[0].n
  })

/** Asks the embedded server itself. */
async function withDatabase<T>(dataDirectory: string, work: (database: pg.Client) => Promise<T>): Promise<T> {
  const password = (await readFile(join(dataDirectory, 'postgres', 'password'), 'utf8')).trim()
  const port = (await readFile(join(dataDirectory, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[3]
  const database = new pg.Client({ connectionString: `postgres://asiento:${password}@127.0.0.1:${port}/asiento` })
  await database.connect()
  try {
    return await work(database)
  } finally {
    await database.end()
  }
}

test('what a person can mend is one clear line', async () => {
  const { path } = await fresh()
  const blocker = createServer().listen(0)
  close.push(async () => blocker.close())
  const address = blocker.address()
  const port = typeof address === 'object' ? address?.port : 0
  const inUse = await failingStart({ ...testEnvironment(path), PORT: String(port) })
  expect(inUse).toEqual({
    status: 1,
    errors: `Port ${port} is in use; stop what uses it or set PORT to another one.\n`,
  })
  const wrong = await failingStart({ ...testEnvironment(path), PORT: 'eighty', RATE_LIMIT_PER_MINUTE: '-1' })
  expect(wrong.status).toBe(1)
  expect(wrong.errors.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(2)
  expect(wrong.errors).toContain('PORT')
  const noFolder = await failingStart(testEnvironment('/dev/null'))
  expect(noFolder.errors).toBe('/dev/null is no folder; set DATA_DIR to another one.\n')
})

test('a data folder that another process uses, or that a newer version wrote, is left alone', async () => {
  const { path, start } = await fresh()
  const first = await start()
  const second = await failingStart(testEnvironment(path))
  expect(second.errors).toMatch(/^The data folder .* is in use by process \d+; .*\n$/)
  await withDatabase(path, (database) =>
    database.query("insert into ledger.migrations (name, timestamp) values ('9999_from_the_future', now()::text)"),
  )
  await first.kill('SIGTERM')
  const older = await failingStart(testEnvironment(path))
  expect(older.errors).toMatch(/^The data was written by a newer version .*\n$/)
})
