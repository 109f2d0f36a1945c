import type { Clock } from '@asiento/chassis/clock'
import type { OpenedKey } from '../certificates/open-p12.ts'
import type { KeyCache } from './deps.ts'

const keptMs = 5 * 60_000
/** Elsewhere a certificate that goes out of use is felt within this time. */
const currentMs = 1_000
const keysMax = 200

interface Entry {
  key: OpenedKey
  userId: number
  openedAt: number
  seenAt: number
}

/** Keeps opened keys of stored certificates for five minutes, the two hundred last ones; never one of a single call. */
export function createOpenedKeys(clock: Clock): KeyCache {
  const kept = new Map<string, Entry>()
  const now = () => clock.now().getTime()
  return {
    current: (userId, certificateId) => {
      const entry = kept.get(certificateId)
      return entry?.userId === userId && now() - entry.seenAt < currentMs ? entry.key : undefined
    },
    get: (certificateId, seenAt) => {
      const entry = kept.get(certificateId)
      if (entry === undefined || now() - entry.openedAt >= keptMs) {
        kept.delete(certificateId)
        return undefined
      }
      entry.seenAt = seenAt.getTime()
      return entry.key
    },
    set: (certificateId, { key, userId, seenAt }) => {
      const [oldest] = kept.keys()
      if (kept.size >= keysMax && oldest !== undefined) kept.delete(oldest)
      kept.set(certificateId, { key, userId, openedAt: now(), seenAt: seenAt.getTime() })
    },
    delete: (certificateId) => {
      kept.delete(certificateId)
    },
  }
}
