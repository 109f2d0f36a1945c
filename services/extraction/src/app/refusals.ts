import type { Scope } from '@asiento/proto/actor'
import { AppError } from '@asiento/proto/errors'

const rememberedMs = 60_000
const callersMax = 10_000

export interface Refusals {
  /** Whether this caller was refused for want of credits within the last minute. */
  has(scope: Scope): boolean
  /** Passes a reservation on, and remembers how it went. */
  watch<R>(scope: Scope, reservation: Promise<R>): Promise<R>
}

/** Who had no credits a moment ago: their documents are not read before the next one is reserved. */
export function createRefusals(now: () => number = () => performance.now()): Refusals {
  const until = new Map<string, number>()
  const callerOf = ({ userId, keyId }: Scope): string => `${userId}:${keyId}`
  return {
    has: (scope) => (until.get(callerOf(scope)) ?? 0) > now(),
    watch: async (scope, reservation) => {
      const caller = callerOf(scope)
      try {
        const reserved = await reservation
        until.delete(caller)
        return reserved
      } catch (error) {
        if (error instanceof AppError && error.code === 'QUOTA_EXCEEDED') {
          if (until.size >= callersMax) until.clear()
          until.set(caller, now() + rememberedMs)
        }
        throw error
      }
    },
  }
}
