export interface SlowDownRule {
  /** The attempt that is the first to be followed by a wait. */
  free: number
  /** That wait; it doubles with every further attempt. */
  firstMs: number
  waitMsMax: number
  /** Without a failure for so long, counting starts anew. */
  forgetMs: number
}

/** Sign-ins on one address until one succeeds: nine for nothing, then 1 s, 2 s, 4 s … up to a minute: slow, but never locked out. */
export const accountRule: SlowDownRule = { free: 10, firstMs: 1_000, waitMsMax: 60_000, forgetMs: 3_600_000 }

/** Sign-ins from one IP that did not succeed, whatever the address: an office behind one IP gets more room. */
export const addressRule: SlowDownRule = { free: 50, firstMs: 1_000, waitMsMax: 300_000, forgetMs: 3_600_000 }

/** Mails asked for at one address, so that nobody's box is flooded. */
export const mailRule: SlowDownRule = { free: 5, firstMs: 60_000, waitMsMax: 3_600_000, forgetMs: 3_600_000 }

/** Milliseconds until the next attempt may be made, after so many that did not succeed. */
export function waitAfter(rule: SlowDownRule, failures: number): number {
  if (failures < rule.free) return 0
  return Math.min(rule.waitMsMax, rule.firstMs * 2 ** Math.min(30, failures - rule.free))
}
