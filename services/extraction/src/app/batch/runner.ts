import type { Deps } from '../deps.ts'
import type { Extract } from '../extract-document.ts'
import { claimItems } from './claim.ts'
import { runItem } from './run-item.ts'

const closeWithinMs = 20_000

export interface BatchRunner {
  /** Looks for open items; returns at once. */
  wake(): void
  /** Takes no more items and lets the running ones finish for a while. */
  close(): Promise<void>
}

/**
 * Works on open items, at most `limit` at a time: fewer than the threads that read documents, so that a call that
 * somebody waits for always finds one.
 */
export function createBatchRunner(deps: Deps, extract: Extract, limit: number): BatchRunner {
  const running = new Set<Promise<void>>()
  let claiming = false
  let again = false
  let closed = false

  const start = (work: Promise<void>) => {
    running.add(work)
    void work.finally(() => {
      running.delete(work)
      wake()
    })
  }
  const fill = async () => {
    do {
      again = false
      const free = limit - running.size
      if (free <= 0 || closed) return
      const items = await claimItems(deps, free)
      for (const item of items) start(runItem(deps, extract, item))
    } while (again)
  }
  const wake = () => {
    again = true
    if (claiming || closed) return
    claiming = true
    fill()
      .catch((error) => deps.log.warn({ err: error }, 'batch items will be looked for again'))
      .finally(() => {
        claiming = false
      })
  }
  return {
    wake,
    close: async () => {
      closed = true
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, closeWithinMs)
      await Promise.race([Promise.all(running), late.promise])
      clearTimeout(timer)
    },
  }
}
