import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { fail } from '@asiento/proto/errors'
import { Piscina } from 'piscina'
import type { TaskAnswer } from './worker-task.ts'

export interface WorkerPoolOptions {
  /** A module whose default export is made by `task(async (input) => output)`. */
  module: URL
  threadsMax?: number
  /** Tasks that may wait; a full queue answers SERVICE_UNAVAILABLE. */
  queueMax?: number
  /** A task that takes longer is ended by ending its thread. */
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

export interface WorkerPool<I, O> {
  /**
   * Runs a task on a thread. Fails SERVICE_UNAVAILABLE when the queue is full, {@link WorkerTimeoutError} when time ran
   * out; a thread that died is replaced.
   */
  run(input: I, options?: { transfer?: ArrayBuffer[]; signal?: AbortSignal }): Promise<O>
  close(): Promise<void>
}

/** A bounded pool of worker threads for work that would hold up the event loop. */
export function createWorkerPool<I, O>(options: WorkerPoolOptions): WorkerPool<I, O> {
  const pool = new Piscina({
    filename: fileURLToPath(options.module),
    minThreads: 1,
    maxThreads: options.threadsMax ?? availableParallelism(),
    maxQueue: options.queueMax ?? 64,
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: options.heapMb ?? 1_024 },
  })
  return {
    run: async (input, runOptions = {}) => {
      const timeout = new AbortController()
      let late = false
      const timer = setTimeout(() => {
        late = true
        timeout.abort()
      }, options.timeoutMs)
      const signal = runOptions.signal ? AbortSignal.any([timeout.signal, runOptions.signal]) : timeout.signal
      try {
        const settings = { signal, ...(runOptions.transfer ? { transferList: runOptions.transfer } : {}) }
        return unwrap((await pool.run(input, settings)) as TaskAnswer<O>)
      } catch (error) {
        if (late) throw new WorkerTimeoutError(options.timeoutMs)
        if (error instanceof Error && error.message.includes('queue is at limit')) {
          fail('SERVICE_UNAVAILABLE', { headers: { 'retry-after': '5' }, internal: 'worker queue full' })
        }
        throw error
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => pool.close({ force: true }),
  }
}

function unwrap<O>(answer: TaskAnswer<O>): O {
  if (answer.outcome === 'value') return answer.value
  return fail(answer.code, {
    detail: answer.detail,
    ...(answer.internal === undefined ? {} : { internal: answer.internal }),
  })
}
