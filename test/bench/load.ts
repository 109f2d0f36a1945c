import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'

const run = promisify(execFile)
const loadProcess = new URL('./load-process.ts', import.meta.url).pathname

const measured = z.object({ perSecond: z.number(), p50Ms: z.number(), p99Ms: z.number() })

/** Whole answers a second, and how long they took, to the microsecond. */
export type Load = z.infer<typeof measured>

/**
 * Sends requests over so many kept connections, one at a time on each, from a process of its own; fails where any answer is
 * not a 2xx. It reads no more of an answer than its status and length, so that a machine with few cores measures the
 * server and not the reader of its headers.
 */
export async function load(options: {
  url: string
  seconds: number
  connections: number
  headers?: Record<string, string>
  /** Sent as a POST of JSON. */
  json?: unknown
}): Promise<Load> {
  const { url, seconds, connections, headers = {}, json } = options
  const order = { url, seconds, connections, headers, body: json === undefined ? null : JSON.stringify(json) }
  const { stdout } = await run(process.execPath, [loadProcess, JSON.stringify(order)])
  return measured.parse(JSON.parse(stdout))
}
