import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '@asiento/chassis/log'

export interface Drain {
  /** Runs until nothing is due; called while it runs, it looks once more. Resolves when all is done. */
  run(): Promise<void>
  /** Starts it without waiting. */
  wake(): void
  close(): Promise<void>
}

/**
 * A queue's worker: `step` claims and does what is due and answers whether there may be more. A failed step is logged
 * and left to the next wake-up.
 */
export function createDrain(name: string, log: Log, step: () => Promise<boolean>): Drain {
  let closed = false
  let again = false
  let running: Promise<void> | undefined
  const loop = async () => {
    do {
      again = false
      while (!closed && (await step())) await pause(0)
    } while (again && !closed)
  }
  const run = (): Promise<void> => {
    again = true
    running ??= loop()
      .catch((error) => log.error({ err: error, queue: name }, 'queue will try again'))
      .finally(() => {
        running = undefined
      })
    return running
  }
  return {
    run,
    wake: () => void run(),
    close: async () => {
      closed = true
      await running
    },
  }
}
