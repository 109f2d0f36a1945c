import { retryDelayMs } from './retry-delay.ts'

/** How one attempt ended. */
export interface Attempt {
  /** Null where there was no answer. */
  responseStatus: number | null
  error: string | null
  durationMs: number
  /** Of a 429 or 503, as the receiver sent it. */
  retryAfter: string | null
}

export type Verdict =
  | { status: 'delivered' }
  | { status: 'pending'; delayMs: number }
  | { status: 'failed'; gone: boolean }

const longestWaitMs = 24 * 3_600_000
/** After this long without a success a webhook is switched off. */
export const switchOffAfterMs = 5 * 24 * 3_600_000

/**
 * What follows from an attempt: any 2xx delivers, 410 says that the receiver is gone, everything else (redirects too,
 * which are not followed) is tried again by the schedule, and not before the receiver's Retry-After.
 */
export function afterAttempt(
  attempt: Attempt,
  options: { retrySeconds: readonly number[]; tries: number; random: number; now: Date },
): Verdict {
  const { responseStatus } = attempt
  if (responseStatus !== null && responseStatus >= 200 && responseStatus < 300) return { status: 'delivered' }
  if (responseStatus === 410) return { status: 'failed', gone: true }
  const delayMs = retryDelayMs(options.retrySeconds, options.tries, options.random)
  if (delayMs === null) return { status: 'failed', gone: false }
  const asked = responseStatus === 429 || responseStatus === 503 ? retryAfterMs(attempt.retryAfter, options.now) : 0
  return { status: 'pending', delayMs: Math.max(delayMs, asked) }
}

/** Seconds or an HTTP date (RFC 9110, 10.2.3), as milliseconds from now, at most a day; 0 when it says nothing. */
export function retryAfterMs(value: string | null, now: Date): number {
  if (value === null) return 0
  const wait = /^\s*\d+\s*$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now.getTime()
  return Number.isFinite(wait) ? Math.min(Math.max(0, wait), longestWaitMs) : 0
}
