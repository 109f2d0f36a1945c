import { createHash } from 'node:crypto'
import type { KeyValue, WindowVerdict } from '@asiento/chassis/keyvalue'
import { createInProcessKeyValue } from '@asiento/chassis/keyvalue-in-process'
import type { Log } from '@asiento/chassis/log'
import { fail } from '@asiento/proto/errors'

const windowMs = 60_000

export interface RateRule {
  /** Who is counted: a key, a user or an address. */
  subject: string
  perMinute: number
  /** The plan that limits, or 'anonymous'. */
  plan: string
}

/** The rule of a caller who is known by address only; addresses are kept as hashes. */
export const addressRule = (kind: string, ip: string, perMinute: number): RateRule => ({
  subject: `${kind}:${createHash('sha256').update(ip).digest('base64url')}`,
  perMinute,
  plan: 'anonymous',
})

export interface RateLimiter {
  /**
   * Counts one request. Answers the headers for the response; fails RATE_LIMIT_EXCEEDED with Retry-After and
   * X-RateLimit-Plan.
   */
  count(rule: RateRule): Promise<Record<string, string>>
}

/** Sliding minutes across all replicas; while the shared store is away each replica counts for itself. */
export function createRateLimiter(options: { keyValue: KeyValue; log: Log }): RateLimiter {
  const local = createInProcessKeyValue()
  let complainedAt = 0

  const measure = async (rule: RateRule): Promise<WindowVerdict> => {
    const key = `rate:${rule.subject}`
    try {
      return await options.keyValue.countInWindow(key, rule.perMinute, windowMs)
    } catch (error) {
      if (Date.now() - complainedAt > windowMs) {
        complainedAt = Date.now()
        options.log.error({ err: error }, 'rate limits are counted per replica: the shared store is not reachable')
      }
      return local.countInWindow(key, rule.perMinute, windowMs)
    }
  }

  return {
    count: async (rule) => {
      const verdict = await measure(rule)
      const resetSeconds = Math.max(1, Math.ceil(verdict.resetMs / 1_000))
      const headers = {
        ratelimit: `"minute";r=${verdict.remaining};t=${resetSeconds}`,
        'ratelimit-policy': `"minute";q=${rule.perMinute};w=60`,
      }
      if (verdict.allowed) return headers
      return fail('RATE_LIMIT_EXCEEDED', {
        headers: { ...headers, 'retry-after': String(resetSeconds), 'x-ratelimit-plan': rule.plan },
      })
    },
  }
}
