import { performance } from 'node:perf_hooks'
import { historyExportQuery } from '@asiento/proto/schemas/extraction'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { by, nothing, startWorld, type World } from './kit.ts'

/** A million with TEST_FULL, fewer otherwise. */
const count = process.env.TEST_FULL ? 1_000_000 : 50_000
let world: World
let actor: Awaited<ReturnType<World['account']>>
beforeAll(async () => {
  world = await startWorld()
  actor = await world.account()
  await sql`insert into logs (work_id, user_id, sandbox, source, status, filename, vendor_name, invoice_number,
      due_date, total_cents, currency, confidence, search, created_at)
    select gen_random_uuid(), ${actor.userId}, false, 'extract', case when n % 50 = 0 then 'error' else 'ok' end,
      'f' || n || '.pdf', 'Proveedor ' || n % 5000, 'F-' || n, date '2026-01-01' + n % 365, 12100, 'EUR', 0.95,
      'f' || n || '.pdf' || chr(10) || 'proveedor ' || n % 5000 || chr(10) || 'f-' || n,
      timestamptz '2024-01-01' + n * interval '1 minute'
    from generate_series(1, ${sql.lit(count)}) n`.execute(world.service.db.query)
  await sql`analyze logs`.execute(world.service.db.query)
}, 590_000)
afterAll(() => world.stop())

describe(`an account of ${count} logs`, () => {
  test.each<[string, Record<string, unknown>, number]>([
    ['the first page', {}, 300],
    ['a page deep down', { offset: count - 100 }, 1_000],
    ['a search for one number', { q: `f-${count - 7}` }, 500],
    ['a search for nothing that there is', { q: 'zapatero' }, 300],
    ['one day', { date_from: '2024-01-05', date_to: '2024-01-05' }, 300],
    ['failures', { status: 'error' }, 600],
  ])('shows %s without waiting', async (what, query, withinMs) => {
    await world.history(actor, query)
    const started = performance.now()
    const { total } = await world.history(actor, query)
    const tookMs = performance.now() - started
    console.info(`history, ${count} logs, ${what}: ${tookMs.toFixed(0)} ms, ${total} found`)
    expect(tookMs).toBeLessThan(withinMs)
  })

  test('exports every row with bounded memory', async () => {
    const before = process.memoryUsage().rss
    const query = historyExportQuery.parse({ format: 'csv' })
    const { objectKey } = await world.service.call.historyExport({ ...nothing, query }, by(actor))
    const grownMb = (process.memoryUsage().rss - before) / 2 ** 20
    const file = await world.service.objects.get(objectKey)
    expect(file?.toString('utf8').trim().split('\n')).toHaveLength(count + 1)
    console.info(`export of ${count} logs: ${grownMb.toFixed(0)} MB more`)
    expect(grownMb).toBeLessThan(400)
  })
})
