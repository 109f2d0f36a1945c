import { together } from '@asiento/chassis/together'
import type { Deps } from '../deps.ts'
import type { ClaimedItem } from './claim.ts'
import { finishItems, type ItemOutcome } from './finish.ts'

const gatherMs = 100
const gatheredMax = 16

export interface Ended {
  item: ClaimedItem
  outcome: ItemOutcome
}

/** Resolves when the item has ended for good, together with those that end at about the same time. */
export type EndItem = (ended: Ended) => Promise<void>

/**
 * Gathers the ends of items, so that logs are closed and a job's row is written once for several. An end that is lost with
 * the process is made up for by the next holder, who finds the log as it is.
 */
export const createEndings = (deps: Deps): EndItem =>
  together<Ended, undefined>(
    gatheredMax,
    async (all) => {
      for (const ended of Map.groupBy(all, ({ item }) => item.job_id).values()) await finishItems(deps, ended)
      for (const { item, outcome } of all) {
        const isKept = outcome.status === 'ok' && outcome.documentKey === item.object_key
        if (!isKept) await deps.objects.delete(item.object_key)
      }
      return []
    },
    { gatherMs },
  )
