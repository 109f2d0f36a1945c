export interface SlowDownRule {
  /** Failures that cost nothing. */
  free: number
  /** The wait after the first failure beyond them; it doubles with every further one. */
  firstMs: number
  waitMsMax: number
  /** Without a failure for so long, counting starts anew. */
  forgetMs: number
}

/** Wrong logins on one address: five for nothing, then 1 s, 2 s, 4 s … up to a minute: slow, but never locked out. */
export const accountRule: SlowDownRule = { free: 5, firstMs: 1_000, waitMsMax: 60_000, forgetMs: 3_600_000 }

/** Wrong logins from one IP, whatever the address: an office behind one IP gets more room. */
export const addressRule: SlowDownRule = { free: 20, firstMs: 1_000, waitMsMax: 300_000, forgetMs: 3_600_000 }

/** Mails asked for at one address, so that nobody's box is flooded. */
export const mailRule: SlowDownRule = { free: 5, firstMs: 60_000, waitMsMax: 3_600_000, forgetMs: 3_600_000 }

/** Milliseconds until the next attempt may be made, after so many failures. */
export function waitAfter(rule: SlowDownRule, failures: number): number {
  if (failures < rule.free) return 0
  return Math.min(rule.waitMsMax, rule.firstMs * 2 ** Math.min(30, failures - rule.free))
}
