import { randomUUID } from 'node:crypto'
import type { Actor } from '@asiento/proto/actor'
import { historyExportQuery } from '@asiento/proto/schemas/extraction'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { by, codeOf, invoicePdf, nothing, partOf, startWorld, type World } from './kit.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

interface Row {
  filename?: string
  vendor?: string | null
  number?: string | null
  status?: 'ok' | 'error'
  created?: string
  due?: string | null
  keyId?: number | null
  subaccountId?: number | null
  externalRef?: string | null
}

/** Logs as finished work leaves them, oldest first; answers their ids. */
async function addLogs(actor: Actor, rows: readonly Row[]): Promise<number[]> {
  const added = await world.service.db.query
    .insertInto('logs')
    .values(
      rows.map((row) => ({
        work_id: randomUUID(),
        user_id: actor.userId,
        key_id: row.keyId ?? null,
        subaccount_id: row.subaccountId ?? null,
        sandbox: false,
        source: 'extract' as const,
        status: row.status ?? 'ok',
        filename: row.filename ?? 'f.pdf',
        external_ref: row.externalRef ?? null,
        vendor_name: row.vendor ?? null,
        invoice_number: row.number ?? null,
        due_date: row.due ?? null,
        total_cents: 12_100,
        currency: 'EUR',
        confidence: 0.9,
        search: [row.filename, row.vendor, row.number, row.externalRef].join('\n').toLowerCase(),
        created_at: new Date(row.created ?? '2026-03-20T08:00:00Z'),
      })),
    )
    .returning('id')
    .execute()
  return added.map(({ id }) => id)
}

describe('history', () => {
  test('pages newest first with how many there are, and names only the filters in use', async () => {
    const actor = await world.account()
    const ids = await addLogs(actor, [{}, {}, {}, {}, {}])
    const newest = [...ids].reverse()
    const first = await world.history(actor, { limit: 2 })
    expect(first).toMatchObject({ total: 5, limit: 2, offset: 0, has_more: true, filters: {} })
    expect(first.items.map(({ log_id }) => log_id)).toEqual(newest.slice(0, 2))
    const last = await world.history(actor, { limit: 2, offset: 4, status: 'ok', q: '' })
    expect(last).toMatchObject({ total: 5, has_more: false, filters: { status: 'ok' } })
    expect(last.items.map(({ log_id }) => log_id)).toEqual(newest.slice(4))
    expect(await world.history(actor, { offset: 9 })).toMatchObject({ items: [], total: 5, has_more: false })
  })

  test.each<[string, Record<string, unknown>, number[]]>([
    ['text in the file name, whatever its case', { q: 'SCAN_' }, [0]],
    ['text in the issuer', { q: 'aneto' }, [1]],
    ['text in the invoice number', { q: 'b/7' }, [2]],
    ['text in the reference', { q: 'pedido' }, [3]],
    ['signs that mean something to LIKE, as themselves', { q: '100%' }, [4]],
    ['status', { status: 'error' }, [4]],
    ['the first day', { date_from: '2026-03-03' }, [2, 3, 4]],
    ['the last day, whole', { date_to: '2026-03-02' }, [0, 1]],
    ['everything at once', { q: 'pedido', status: 'ok', date_from: '2026-03-04', date_to: '2026-03-04' }, [3]],
    ['nothing that there is', { q: 'zzz' }, []],
  ])('filters by %s', async (_what, query, expected) => {
    const actor = await world.account()
    const ids = await addLogs(actor, [
      { filename: 'scan_1.pdf', created: '2026-03-01T00:00:00Z' },
      { vendor: 'Talleres Aneto', created: '2026-03-02T23:59:59Z' },
      { number: 'B/7', created: '2026-03-03T00:00:00Z' },
      { externalRef: 'Pedido-9', created: '2026-03-04T12:00:00Z' },
      { filename: '100%.pdf', status: 'error', created: '2026-03-05T12:00:00Z' },
    ])
    const found = await world.history(actor, query)
    expect(found.items.map(({ log_id }) => ids.indexOf(log_id)).sort()).toEqual(expected)
    expect(found.total).toBe(expected.length)
  })

  test('shows a key its own, a subaccount’s key its subaccount’s, and a session everything', async () => {
    const session = await world.account()
    const [own, foreign, sub] = await addLogs(session, [{ keyId: 1 }, { keyId: 2 }, { keyId: 3, subaccountId: 9 }])
    const seenBy = async (changes: Partial<Actor>) =>
      (await world.history({ ...session, ...changes })).items.map(({ log_id }) => log_id)
    expect(await seenBy({})).toEqual([sub, foreign, own])
    expect(await seenBy({ via: 'key', keyId: 1 })).toEqual([own])
    expect(await seenBy({ via: 'key', keyId: 4, subaccountId: 9 })).toEqual([sub])
    expect(await codeOf(world.item({ ...session, via: 'key', keyId: 1 }, foreign ?? 0))).toBe('INVOICE_NOT_FOUND')
    expect((await world.history(session, { subaccount_id: 9 })).items.map(({ log_id }) => log_id)).toEqual([sub])
    expect(await codeOf(world.history({ ...session, plan: 'pro' }, { subaccount_id: 9 }))).toBe('PLAN_REQUIRED')
    expect((await world.history(await world.account())).total).toBe(0)
  })
})

describe('the export', () => {
  const exported = async (actor: Actor, format: 'csv' | 'xlsx', query = {}) => {
    const file = await world.service.call.historyExport(
      { ...nothing, query: historyExportQuery.parse({ ...query, format }) },
      by(actor),
    )
    return { ...file, bytes: (await world.service.objects.get(file.objectKey)) ?? Buffer.alloc(0) }
  }

  test('writes every row that passes the filters as CSV, and lets no text become a formula', async () => {
    const actor = await world.account()
    await addLogs(actor, [
      { filename: '=1+1.pdf', vendor: '@SUM(A1)' },
      { filename: 'dos, "2".pdf', number: '-7' },
      { filename: 'mal.pdf', status: 'error' },
    ])
    const { bytes, filename, contentType, temporary } = await exported(actor, 'csv', { status: 'ok' })
    expect({ filename, contentType, temporary }).toEqual({
      filename: 'asiento-history.csv',
      contentType: 'text/csv',
      temporary: true,
    })
    const lines = bytes.toString('utf8').trim().split('\n')
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(lines[0]).toMatch(/^\uFEFF?log_id,created_at,status,filename/)
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain('"dos, ""2"".pdf"')
    expect(lines[1]).toContain(",'-7,")
    expect(lines[2]).toContain("'=1+1.pdf")
    expect(lines[2]).toContain("'@SUM(A1)")
  })

  test('writes the same as a workbook whose texts are texts', async () => {
    const actor = await world.account()
    await addLogs(actor, [{ filename: '=1+1.pdf' }])
    const { bytes, filename } = await exported(actor, 'xlsx')
    expect(filename).toBe('asiento-history.xlsx')
    const sheet = partOf(bytes, 'xl/worksheets/sheet1.xml').toString('utf8')
    expect(sheet).toContain('<c r="A1" t="inlineStr" s="1"><is><t xml:space="preserve">log_id</t></is></c>')
    expect(sheet).toContain('<is><t xml:space="preserve">=1+1.pdf</t></is>')
    expect(sheet).not.toContain('<f>')
  })
})

describe('metrics', () => {
  const metrics = (actor: Actor) => world.service.call.metrics(nothing, by(actor))

  test('sum up what was read, with the last thirty days one by one, and leave the sandbox out', async () => {
    const actor = await world.account()
    const bytes = await invoicePdf({ number: 'M-1' })
    const { confidence_score: score } = await world.extract(actor, bytes)
    await codeOf(world.extract(actor, bytes.slice(0, bytes.length >> 1)))
    await world.extract({ ...actor, sandbox: true }, bytes)
    const shown = await metrics(actor)
    expect(shown).toMatchObject({ total: 2, total_errors: 1, quota: 5_000, plan: 'business' })
    expect(shown.avg_confidence).toBeCloseTo(score, 4)
    expect(shown.daily_usage).toHaveLength(30)
    expect(shown.daily_usage.at(0)).toEqual({ day: '2026-02-19', count: 0 })
    expect(shown.daily_usage.at(-1)).toEqual({ day: '2026-03-20', count: 2 })
    expect(shown.daily_usage.reduce((sum, { count }) => sum + count, 0)).toBe(2)
  })

  test('of an account that has read nothing are zeros', async () => {
    expect(await metrics(await world.account())).toMatchObject({ total: 0, avg_confidence: 0, total_errors: 0 })
  })

  test('of a subaccount show its own use, keys and issuers, to its owner only', async () => {
    const [actor, other] = [await world.account(), await world.account()]
    const { id } = await world.identity.call.createSubaccount({ ...nothing, body: { name: 'Cliente' } }, by(actor))
    const sub: Actor = { ...actor, via: 'key', subaccountId: id }
    await addLogs(sub, [{ subaccountId: id, vendor: 'Aneto' }])
    await world.extract(sub, await invoicePdf({ number: 'S-1' })).catch(() => {})
    const params = { subaccount_id: id }
    const query = { limit: 20, offset: 0, q: '', status: '' as const, date_from: '', date_to: '' }
    const list = await world.service.call.subaccountHistory({ ...nothing, params, query }, by(actor))
    expect(list.items.every(({ subaccount_id }) => subaccount_id === id)).toBe(true)
    const shown = await world.service.call.subaccountMetrics({ ...nothing, params }, by(actor))
    expect(shown.top_vendors).toContainEqual({ vendor: 'Aneto', count: 1 })
    expect(shown.daily_usage).toHaveLength(30)
    expect(await codeOf(world.service.call.subaccountMetrics({ ...nothing, params }, by(other)))).toBe('ACCESS_DENIED')
    const missing = { subaccount_id: 999_999 }
    expect(await codeOf(world.service.call.subaccountMetrics({ ...nothing, params: missing }, by(actor)))).toBe(
      'NOT_FOUND',
    )
  })
})

describe('due dates', () => {
  const dueDates = (actor: Actor) => world.service.call.dueDates(nothing, by(actor))

  test('come soonest first with the days left in Madrid, failed and undated ones left out', async () => {
    const actor = await world.account()
    const [later, overdue, today] = await addLogs(actor, [
      { due: '2026-04-01' },
      { due: '2026-03-18' },
      { due: '2026-03-20' },
      { due: null },
      { due: '2026-03-19', status: 'error' },
    ])
    expect((await dueDates(actor)).items).toMatchObject([
      { log_id: overdue, days_left: -2, overdue: true, total: 121 },
      { log_id: today, days_left: 0, overdue: false },
      { log_id: later, days_left: 12, overdue: false },
    ])
  })

  test('leave out what the ledger has settled, and show it again when it is open again', async () => {
    const actor = await world.account()
    const [log = 0] = await addLogs(actor, [{ due: '2026-04-01' }])
    const settle = async (settled: boolean) => {
      const { publish } = await import('@asiento/chassis/outbox')
      await world.ledger.db.query.transaction().execute((tx) =>
        publish(tx as never, 'ledger.log.settled', {
          key: String(log),
          payload: { logId: log, userId: actor.userId, settled },
        }),
      )
    }
    await settle(true)
    await expect.poll(async () => (await dueDates(actor)).total).toBe(0)
    await settle(false)
    await expect.poll(async () => (await dueDates(actor)).total).toBe(1)
  })
})
