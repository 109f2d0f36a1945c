import type { Clock } from '@asiento/chassis/clock'
import type { OpenedKey } from '../certificates/open-p12.ts'
import type { KeyCache } from './deps.ts'

const keptMs = 5 * 60_000
const keysMax = 200

/** Keeps opened keys of stored certificates for five minutes, the two hundred last ones; never one of a single call. */
export function createOpenedKeys(clock: Clock): KeyCache {
  const kept = new Map<string, { key: OpenedKey; until: number }>()
  return {
    get: (certificateId) => {
      const entry = kept.get(certificateId)
      if (entry === undefined || entry.until <= clock.now().getTime()) {
        kept.delete(certificateId)
        return undefined
      }
      return entry.key
    },
    set: (certificateId, key) => {
      const [oldest] = kept.keys()
      if (kept.size >= keysMax && oldest !== undefined) kept.delete(oldest)
      kept.set(certificateId, { key, until: clock.now().getTime() + keptMs })
    },
    delete: (certificateId) => {
      kept.delete(certificateId)
    },
  }
}
