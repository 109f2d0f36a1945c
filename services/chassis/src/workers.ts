import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Transferable } from 'node:worker_threads'
import { fail } from '@asiento/proto/errors'
import { Piscina } from 'piscina'
import type { TaskAnswer } from './worker-task.ts'

export interface WorkerPoolOptions {
  /** A module whose default export is made by `task(async (input) => output)`. */
  module: URL
  threadsMax?: number
  /** Tasks that may wait; a full queue answers SERVICE_UNAVAILABLE. */
  queueMax?: number
  /** A task that works for longer is ended by ending its thread; waiting for a thread does not count. */
  timeoutMs: number
  /** Heap of one thread; a task that needs more ends its thread, not the process. */
  heapMb?: number
}

/** A task ran out of its time; its thread was ended. */
export class WorkerTimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(`not finished within ${timeoutMs} ms`)
    this.name = 'WorkerTimeoutError'
  }
}

export interface WorkerRunOptions {
  transfer?: Transferable[]
  signal?: AbortSignal
}

export interface WorkerPool<I, O> {
  /**
   * Runs a task on a thread. Fails SERVICE_UNAVAILABLE when the queue is full, {@link WorkerTimeoutError} when time ran
   * out; a thread that died is replaced.
   */
  run(input: I, options?: WorkerRunOptions): Promise<O>
  close(): Promise<void>
}

/** A bounded pool of worker threads for work that would hold up the event loop. */
export function createWorkerPool<I, O>(options: WorkerPoolOptions): WorkerPool<I, O> {
  const threadsMax = options.threadsMax ?? availableParallelism()
  const pool = new Piscina({
    filename: fileURLToPath(options.module),
    minThreads: 1,
    maxThreads: threadsMax,
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: options.heapMb ?? 1_024 },
  })
  // The queue is kept here, because the pool itself does not tell when a waiting task begins.
  const places = createPlaces(threadsMax, options.queueMax ?? 64)
  return {
    run: async (input, runOptions = {}) => {
      await places.take(runOptions.signal)
      try {
        return unwrap(await runTimed(pool, options.timeoutMs, input, runOptions))
      } finally {
        places.giveBack()
      }
    },
    close: async () => {
      places.close()
      await pool.close({ force: true })
    },
  }
}

async function runTimed<O>(
  pool: Piscina,
  timeoutMs: number,
  input: unknown,
  { transfer, signal }: WorkerRunOptions,
): Promise<TaskAnswer<O>> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  const settings = {
    signal: signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, signal]),
    ...(transfer === undefined ? {} : { transferList: transfer as never }),
  }
  try {
    return (await pool.run(input, settings)) as TaskAnswer<O>
  } catch (error) {
    if (timeout.signal.aborted) throw new WorkerTimeoutError(timeoutMs)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

interface Waiter {
  start: () => void
  refuse: (reason: unknown) => void
}

/** So many at work, so many waiting in the order they came, and nobody beyond that. */
function createPlaces(placesMax: number, waitingMax: number) {
  const waiting = new Set<Waiter>()
  let taken = 0

  const take = (signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted()
    if (taken < placesMax) {
      taken += 1
      return Promise.resolve()
    }
    if (waiting.size >= waitingMax) {
      fail('SERVICE_UNAVAILABLE', { headers: { 'retry-after': '5' }, internal: 'worker queue full' })
    }
    return new Promise((resolve, reject) => {
      const leave = () => waiter.refuse(signal?.reason)
      const waiter: Waiter = {
        start: () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
        refuse: (reason) => {
          waiting.delete(waiter)
          signal?.removeEventListener('abort', leave)
          reject(reason)
        },
      }
      waiting.add(waiter)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
  const giveBack = (): void => {
    const [next] = waiting
    if (next === undefined) {
      taken -= 1
      return
    }
    waiting.delete(next)
    next.start()
  }
  const close = (): void => {
    for (const waiter of waiting) waiter.refuse(new Error('worker pool closed'))
  }
  return { take, giveBack, close }
}

function unwrap<O>(answer: TaskAnswer<O>): O {
  if (answer.outcome === 'value') return answer.value
  return fail(answer.code, {
    detail: answer.detail,
    ...(answer.internal === undefined ? {} : { internal: answer.internal }),
  })
}
