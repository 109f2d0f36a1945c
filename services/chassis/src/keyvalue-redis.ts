import { createHash } from 'node:crypto'
import { createClient } from 'redis'
import type { KeyValue } from './keyvalue.ts'
import type { Log } from './log.ts'

/**
 * A sliding window as a sorted set of instants, in one round trip. The server's own clock counts, so that replicas with
 * different clocks agree.
 */
const windowScript = `
local now = redis.call('TIME')
local nowMs = now[1] * 1000 + math.floor(now[2] / 1000)
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', nowMs - window)
local count = redis.call('ZCARD', KEYS[1])
local allowed = 0
if count < limit then
  redis.call('ZADD', KEYS[1], nowMs, nowMs .. '-' .. now[2] .. '-' .. ARGV[3])
  redis.call('PEXPIRE', KEYS[1], window)
  count = count + 1
  allowed = 1
end
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local reset = window
if first[2] then reset = math.max(0, tonumber(first[2]) + window - nowMs) end
return { allowed, math.max(0, limit - count), reset }`

const incrementScript = `
local value = redis.call('INCR', KEYS[1])
if value == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return value`

const prefix = 'asiento:'

/** The key-value store on Redis ≥ 7. Calls fail fast while Redis is away; the client reconnects by itself. */
export async function createRedisKeyValue(options: { url: string; log: Log }): Promise<KeyValue> {
  const client = createClient({
    url: options.url,
    disableOfflineQueue: true,
    // The library's own limit ends only the wait to be written, which the line above rules out, and makes a timer a command.
    commandOptions: { timeout: 0 },
    socket: { connectTimeout: 2_000, reconnectStrategy: (attempt) => Math.min(2_000, 100 * attempt) },
  })
  client.on('error', (error) => options.log.warn({ err: error }, 'redis is not reachable'))
  await client.connect().catch((error) => options.log.warn({ err: error }, 'redis is not reachable yet'))
  const subscriber = client.duplicate()
  subscriber.on('error', () => {})
  const subscriberReady = subscriber.connect().catch(() => {})
  const window = script(windowScript)
  const increment = script(incrementScript)
  let sequence = 0

  const run = async (program: Script, key: string, args: string[]): Promise<unknown> => {
    const parameters = { keys: [prefix + key], arguments: args }
    try {
      return await client.evalSha(program.sha, parameters)
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('NOSCRIPT')) throw error
      return client.eval(program.text, parameters)
    }
  }

  return {
    countInWindow: async (key, limit, windowMs) => {
      sequence = (sequence + 1) % 1_000_000
      const reply = await run(window, key, [String(limit), String(windowMs), `${process.pid}.${sequence}`])
      const [allowed, remaining, resetMs] = reply as number[]
      return { allowed: allowed === 1, remaining: remaining ?? 0, resetMs: resetMs ?? windowMs }
    },
    get: (key) => client.get(prefix + key),
    set: async (key, value, ttlMs) => {
      await client.set(prefix + key, value, { expiration: { type: 'PX', value: ttlMs } })
    },
    delete: async (key) => {
      await client.del(prefix + key)
    },
    increment: async (key, ttlMs) => Number(await run(increment, key, [String(ttlMs)])),
    publish: async (channel, message) => {
      await client.publish(prefix + channel, message)
    },
    subscribe: async (channel, heard) => {
      await subscriberReady
      await subscriber.subscribe(prefix + channel, heard)
      return async () => {
        await subscriber.unsubscribe(prefix + channel, heard)
      }
    },
    probe: async () => {
      await client.ping()
    },
    close: async () => {
      client.destroy()
      subscriber.destroy()
    },
  }
}

interface Script {
  text: string
  sha: string
}

const script = (text: string): Script => ({ text, sha: createHash('sha1').update(text).digest('hex') })
