/** What a sliding window says about one more request. */
export interface WindowVerdict {
  allowed: boolean
  /** Requests that still fit now. */
  remaining: number
  /** Milliseconds until the oldest counted request leaves the window (when refused: until the next one fits). */
  resetMs: number
}

/**
 * Shared state that may be lost: rate windows, short caches, progress fan-out. Redis in a cluster, memory in one process,
 * with the same behaviour.
 */
export interface KeyValue {
  /**
   * Counts a request in a sliding window, exactly: at most `limit` in any `windowMs`. A refused one is not counted.
   * One round trip.
   */
  countInWindow(key: string, limit: number, windowMs: number): Promise<WindowVerdict>
  get(key: string): Promise<string | null>
  set(key: string, value: string, ttlMs: number): Promise<void>
  delete(key: string): Promise<void>
  /** Adds and answers the new value; the key lives for `ttlMs` after its first increment. */
  increment(key: string, ttlMs: number): Promise<number>
  publish(channel: string, message: string): Promise<void>
  /** Returns how to stop. */
  subscribe(channel: string, heard: (message: string) => void): Promise<() => Promise<void>>
  /** Rejects when the store cannot be reached. */
  probe(): Promise<void>
  close(): Promise<void>
}
