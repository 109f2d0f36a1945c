import { randomUUID } from 'node:crypto'
import type { Actor } from '@asiento/proto/actor'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Deps } from '../../src/app/deps.ts'
import { extractDocument } from '../../src/app/extract-document.ts'
import { by, codeOf, depsOf, invoicePdf, startWorld, type World } from './kit.ts'

const module = new URL('./tasks.ts', import.meta.url)
let world: World
let deps: Deps
let small: Deps
beforeAll(async () => {
  world = await startWorld()
  deps = depsOf(world, { module, timeoutMs: 12_000, queueMax: 1 })
  small = depsOf(world, { module, timeoutMs: 50_000, heapMb: 128 })
})
afterAll(async () => {
  for (const { pipeline, reader, pictures } of [deps, small])
    await Promise.all([pipeline.close(), reader.close(), pictures.close()])
  await world.stop()
})

const extract = async (actor: Actor, filename: string, parts = deps) =>
  extractDocument(parts).extract({
    workId: randomUUID(),
    actor,
    context: by(actor),
    scope: { userId: actor.userId, keyId: null, subaccountId: null, sandbox: false },
    source: 'extract',
    upload: await world.upload(await invoicePdf({ number: randomUUID().slice(0, 6) }), filename),
    externalRef: null,
  })

const partsFor = (filename: string): Deps => (filename === 'eat.pdf' ? small : deps)

describe('a document that', () => {
  test.each<[string, string, string]>([
    ['makes the reader spin is ended in time', 'spin.pdf', 'FILE_TYPE_INVALID'],
    ['needs more memory than a thread has ends alone', 'eat.pdf', 'EXTRACTION_FAILED'],
  ])('%s: its own error, the credit back, the call behind it unharmed', async (_what, filename, code) => {
    const [actor, other] = [await world.account(), await world.account()]
    const bad = codeOf(extract(actor, filename, partsFor(filename)))
    const good = extract(other, 'factura.pdf', partsFor(filename))
    expect(await bad).toBe(code)
    expect(await good).toMatchObject({ total: 242 })
    expect((await world.history(actor)).items).toMatchObject([{ status: 'error', error_code: code }])
    await expect.poll(() => world.quota(actor), { timeout: 20_000 }).toBe(0)
  })

  test('finds every thread taken and the queue full may come again: nothing stored, nothing charged', async () => {
    const [busy, actor] = [await world.account(), await world.account()]
    const spinning = codeOf(extract(busy, 'spin.pdf'))
    await expect.poll(async () => world.quota(busy), { timeout: 10_000 }).toBe(1)
    // One waits behind it; that the others are refused shows that thread and queue are taken now.
    let fullTimes = 0
    const others = Array.from({ length: 3 }, async () => {
      const code = await codeOf(extract(busy, 'factura.pdf'))
      if (code === 'SERVICE_UNAVAILABLE') fullTimes += 1
      return code
    })
    await expect.poll(() => fullTimes, { timeout: 10_000 }).toBe(2)
    const refused = await extract(actor, 'factura.pdf').catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'retry-after': '5' } })
    expect(await world.history(actor)).toMatchObject({ total: 0 })
    expect(await world.quota(actor)).toBe(0)
    expect(await spinning).toBe('FILE_TYPE_INVALID')
    expect((await Promise.all(others)).sort()).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'none'])
  })
})
