import type { Deps } from '../deps.ts'
import type { Extractor } from '../extract-document.ts'
import { dropLogs } from '../work-log.ts'
import { askOnce } from './ask-once.ts'
import { type ClaimedItem, claimItems, heartbeatMs, keepItems, postponeItem } from './claim.ts'
import { createEndings } from './endings.ts'
import { type Held, openLogsOf, outcomeOf, settleItem } from './run-item.ts'

const closeWithinMs = 20_000
/** So much work is claimed ahead, so that others seldom wait for what this replica holds. */
const aheadMs = 400
const aheadMax = 8

export interface BatchRunner {
  /** Looks for open items; returns at once. */
  wake(): void
  /** Takes no more items and lets the running ones finish for a while. */
  close(): Promise<void>
}

/**
 * Works on open items, at most `limit` at a time: fewer than the threads that read documents, so that a call that
 * somebody waits for always finds one. While items are quick, the next few are claimed with them in one statement.
 */
export function createBatchRunner(deps: Deps, prepare: Extractor['prepare'], limit: number): BatchRunner {
  const end = createEndings(deps)
  const working = new Set<ClaimedItem>()
  const leases = new Set<ClaimedItem>()
  const running = new Set<Promise<void>>()
  let ahead: Held[] = []
  let itemMs = aheadMs
  let claiming = false
  let again = false
  /** The last claim left nothing that is due: until somebody says otherwise there is nothing more. */
  let exhausted = false
  let closed = false

  const work = async (held: Held): Promise<void> => {
    const { item } = held
    const started = performance.now()
    working.add(item)
    try {
      const outcome = await outcomeOf(deps, prepare, held).finally(() => working.delete(item))
      itemMs += (performance.now() - started - itemMs) / 4
      goOn()
      await settleItem(deps, end, item, outcome)
    } catch (error) {
      // The lease runs out and somebody takes the item over.
      deps.log.error({ err: error, job: item.job_id, position: item.position }, 'item not finished')
      goOn()
    } finally {
      leases.delete(item)
    }
  }
  const startNext = () => {
    while (working.size < limit && !closed) {
      const next = ahead.shift()
      if (next === undefined) return
      const run = work(next).finally(() => running.delete(run))
      running.add(run)
    }
  }
  const fill = async () => {
    do {
      again = false
      startNext()
      const free = limit - working.size
      const spare = Math.min(aheadMax, Math.floor((limit * aheadMs) / itemMs) - limit)
      if (closed || (free <= 0 && ahead.length > spare / 4)) return
      const wanted = free + Math.max(0, spare) - ahead.length
      if (wanted <= 0) return
      const items = await claimItems(deps, wanted)
      exhausted = items.length < wanted
      const logs = await openLogsOf(deps, items)
      const about = askOnce(deps)
      const claimedAt = performance.now()
      for (const item of items) {
        leases.add(item)
        ahead.push({ item, opened: logs.get(item.work_id), about, claimedAt })
      }
      startNext()
    } while (again)
  }
  const goOn = () => {
    startNext()
    again = true
    if (claiming || closed || exhausted) return
    claiming = true
    fill()
      .catch((error) => deps.log.warn({ err: error }, 'batch items will be looked for again'))
      .finally(() => {
        claiming = false
      })
  }
  const wake = () => {
    exhausted = false
    goOn()
  }
  const handBack = async (idleMs: number) => {
    const before = performance.now() - idleMs
    const idle = ahead.filter(({ claimedAt }) => claimedAt <= before)
    ahead = ahead.filter(({ claimedAt }) => claimedAt > before)
    for (const { item } of idle) {
      leases.delete(item)
      await dropLogs(deps, [item.work_id])
      await postponeItem(deps, item, { delayMs: 0, failed: false })
    }
  }
  const beat = setInterval(() => {
    if (leases.size === 0) return
    // What stands behind something slow is for others to take.
    Promise.all([handBack(4 * aheadMs), keepItems(deps, leases)]).catch((error) =>
      deps.log.warn({ err: error }, 'leases of batch items not extended'),
    )
  }, heartbeatMs)
  return {
    wake,
    close: async () => {
      closed = true
      await handBack(0).catch((error) => deps.log.warn({ err: error }, 'batch items not handed back'))
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, closeWithinMs)
      await Promise.race([Promise.all(running), late.promise])
      clearTimeout(timer)
      clearInterval(beat)
    },
  }
}
