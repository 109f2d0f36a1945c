import type { Deps } from '../deps.ts'
import type { ClaimedItem } from './claim.ts'
import { finishItems, type ItemOutcome } from './finish.ts'

const gatherMs = 100
const gatheredMax = 16

export interface Ended {
  item: ClaimedItem
  outcome: ItemOutcome
}

export interface Endings {
  /** Resolves when the item has ended for good, together with those that end at about the same time. */
  end(item: ClaimedItem, outcome: ItemOutcome): Promise<void>
}

/**
 * Gathers the ends of items, so that a job's row is written once for several. An end that is lost with the process is
 * made up for by the next holder, who finds the log closed.
 */
export function createEndings(deps: Deps): Endings {
  let gathered: Ended[] = []
  let flushing: Promise<void> | null = null
  let flushNow = () => {}

  const flush = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, gatherMs)
    flushNow = resolve
    await promise
    clearTimeout(timer)
    const all = gathered
    gathered = []
    flushing = null
    for (const ended of Map.groupBy(all, ({ item }) => item.job_id).values()) await finishItems(deps, ended)
    for (const { item } of all) await deps.objects.delete(item.object_key)
  }
  return {
    end: (item, outcome) => {
      gathered.push({ item, outcome })
      flushing ??= flush()
      if (gathered.length >= gatheredMax) flushNow()
      return flushing
    },
  }
}
