import { AppError } from '@asiento/proto/errors'
import { afterEach, describe, expect, it } from 'vitest'
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions, WorkerTimeoutError } from '../src/workers.ts'
import type { Behave } from './tasks/behave.ts'

let pool: WorkerPool<Behave, number>
afterEach(() => pool.close())

const open = (options: Partial<WorkerPoolOptions>) => {
  pool = createWorkerPool({
    module: new URL('./tasks/behave.ts', import.meta.url),
    threadsMax: 1,
    timeoutMs: 20_000,
    ...options,
  })
}

describe('a pool of worker threads', () => {
  it('ends a task that spins, and goes on with the next on a new thread', async () => {
    open({ timeoutMs: 2_000 })
    const first = await pool.run({ how: 'answer' })
    const spinning = pool.run({ how: 'spin' })
    const next = pool.run({ how: 'answer' })
    await expect(spinning).rejects.toBeInstanceOf(WorkerTimeoutError)
    expect(await next).not.toBe(first)
  })

  it('counts the time from the start of a task, not from when it began to wait', async () => {
    open({ timeoutMs: 3_000 })
    const tasks = Array.from({ length: 4 }, () => pool.run({ how: 'answer', forMs: 1_200 }))
    expect(await Promise.all(tasks)).toHaveLength(4)
  })

  it('replaces a thread that died for want of memory; others are unharmed', async () => {
    open({ heapMb: 64 })
    const dying = pool.run({ how: 'eat' })
    const next = pool.run({ how: 'answer' })
    await expect(dying).rejects.toThrow(/memory/i)
    expect(await next).toBeGreaterThan(0)
  })

  it('answers SERVICE_UNAVAILABLE with Retry-After when the queue is full', async () => {
    open({ queueMax: 1 })
    const running = [pool.run({ how: 'answer', forMs: 300 }), pool.run({ how: 'answer' })]
    const refused = await pool.run({ how: 'answer' }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(AppError)
    expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'retry-after': '5' } })
    await Promise.all(running)
    expect(await pool.run({ how: 'answer' })).toBeGreaterThan(0)
  })

  it('lets a waiting task be called off without starting it', async () => {
    open({ queueMax: 1 })
    const running = pool.run({ how: 'answer', forMs: 300 })
    const off = new AbortController()
    const waiting = pool.run({ how: 'spin' }, { signal: off.signal })
    off.abort(new Error('called off'))
    await expect(waiting).rejects.toThrow('called off')
    await running
    expect(await pool.run({ how: 'answer' })).toBeGreaterThan(0)
  })
})
