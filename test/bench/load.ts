import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { z } from 'zod'

const run = promisify(execFile)
const generator = createRequire(import.meta.url).resolve('autocannon')

const report = z.object({
  '2xx': z.number(),
  non2xx: z.number(),
  errors: z.number(),
  duration: z.number(),
  latency: z.object({ p50: z.number(), p99: z.number() }),
})

export interface Load {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
}

/** Sends requests over so many connections from a process of its own; fails where any answer is not a 2xx. */
export async function load(options: {
  url: string
  seconds: number
  connections: number
  headers?: Record<string, string>
  /** Sent as a POST of JSON. */
  json?: unknown
}): Promise<Load> {
  const headers = Object.entries(options.headers ?? {}).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  const post =
    options.json === undefined
      ? []
      : ['-m', 'POST', '-H', 'content-type=application/json', '-b', JSON.stringify(options.json)]
  const { stdout } = await run(
    process.execPath,
    [
      generator,
      '-j',
      '-n',
      '-c',
      `${options.connections}`,
      '-d',
      `${options.seconds}`,
      ...headers,
      ...post,
      options.url,
    ],
    { maxBuffer: 16 * 1024 ** 2 },
  )
  const result = report.parse(JSON.parse(stdout))
  if (result.non2xx + result.errors > 0) {
    throw new Error(`${options.url}: ${result.non2xx} answers that are not 2xx, ${result.errors} errors`)
  }
  return { perSecond: result['2xx'] / result.duration, p50: result.latency.p50, p99: result.latency.p99 }
}
