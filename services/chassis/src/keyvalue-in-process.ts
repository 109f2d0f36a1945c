import { EventEmitter } from 'node:events'
import type { KeyValue, WindowVerdict } from './keyvalue.ts'

const sweepEveryMs = 60_000

/** The key-value store of a single process; time is injected for tests. */
export function createInProcessKeyValue(now: () => number = Date.now): KeyValue {
  const windows = new Map<string, number[]>()
  const values = new Map<string, { value: string; until: number }>()
  const channels = new EventEmitter().setMaxListeners(0)
  const sweeper = setInterval(() => sweep(windows, values, now()), sweepEveryMs)
  sweeper.unref()

  const live = (key: string) => {
    const entry = values.get(key)
    if (entry === undefined || entry.until > now()) return entry
    values.delete(key)
    return undefined
  }

  return {
    countInWindow: async (key, limit, windowMs) => countInWindow(windows, key, limit, windowMs, now()),
    get: async (key) => live(key)?.value ?? null,
    set: async (key, value, ttlMs) => {
      values.set(key, { value, until: now() + ttlMs })
    },
    delete: async (key) => {
      values.delete(key)
    },
    increment: async (key, ttlMs) => {
      const entry = live(key)
      const next = Number(entry?.value ?? 0) + 1
      values.set(key, { value: String(next), until: entry?.until ?? now() + ttlMs })
      return next
    },
    publish: async (channel, message) => {
      channels.emit(channel, message)
    },
    subscribe: async (channel, heard) => {
      channels.on(channel, heard)
      return async () => {
        channels.off(channel, heard)
      }
    },
    probe: async () => {},
    close: async () => clearInterval(sweeper),
  }
}

function countInWindow(
  windows: Map<string, number[]>,
  key: string,
  limit: number,
  windowMs: number,
  now: number,
): WindowVerdict {
  const recent = (windows.get(key) ?? []).filter((instant) => instant > now - windowMs)
  const allowed = recent.length < limit
  if (allowed) recent.push(now)
  windows.set(key, recent)
  return {
    allowed,
    remaining: Math.max(0, limit - recent.length),
    resetMs: Math.max(0, (recent[0] ?? now) + windowMs - now),
  }
}

function sweep(windows: Map<string, number[]>, values: Map<string, { until: number }>, now: number): void {
  for (const [key, instants] of windows) {
    if ((instants.at(-1) ?? 0) < now - 15 * sweepEveryMs) windows.delete(key)
  }
  for (const [key, entry] of values) {
    if (entry.until <= now) values.delete(key)
  }
}
