import { lookup as resolve } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher } from 'undici'
import type { Attempt } from '../domain/after-attempt.ts'
import { isPublicAddress, literalAddress } from '../domain/public-address.ts'

const answerBytesMax = 64 * 1024
const targetsMax = 2_000

interface Target {
  origin: string
  path: string
}

/** A host that webhooks may not reach: private, loopback, link-local or otherwise special. */
export class ForbiddenAddressError extends Error {
  constructor(host: string) {
    super(`${host} is not a public address`)
    this.name = 'ForbiddenAddressError'
  }
}

export interface WebhookClient {
  /** Sends one request; never fails. A redirect is an answer like any other, and of a body at most 64 KB is read. */
  send(request: OutgoingRequest): Promise<Attempt>
  close(): Promise<void>
}

export interface OutgoingRequest {
  method: 'POST' | 'OPTIONS'
  url: string
  headers?: Record<string, string>
  body?: Buffer
  timeoutMs: number
}

/**
 * The way out to customers' addresses. A name is resolved once, at connect time, every address it has is checked, and the
 * connection goes to exactly those: what was checked is what is reached, so that no second answer of the DNS can lead it
 * elsewhere.
 */
export function createWebhookClient(options: { allowPrivate: boolean; connectionsPerOrigin: number }): WebhookClient {
  const agent = new Agent({
    connections: options.connectionsPerOrigin,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    maxHeaderSize: 16 * 1024,
    connect: { timeout: 5_000, ...(options.allowPrivate ? {} : { lookup: publicLookup }) },
  })
  const check = (url: URL) => {
    const literal = options.allowPrivate ? null : literalAddress(url.hostname)
    if (literal !== null && !isPublicAddress(literal)) throw new ForbiddenAddressError(literal)
    return { origin: url.origin, path: `${url.pathname}${url.search}` }
  }
  const targets = new Map<string, Target>()
  /** What a URL means and may be does not change; where its name leads is looked at again at every connect. */
  const targetOf = (url: string): Target => {
    const known = targets.get(url)
    if (known !== undefined) return known
    const target = check(new URL(url))
    if (targets.size >= targetsMax) targets.clear()
    targets.set(url, target)
    return target
  }
  return {
    send: async (request) => {
      const started = performance.now()
      const since = () => Math.round(performance.now() - started)
      try {
        const answer = await exchange(agent, targetOf(request.url), request)
        return { ...answer, error: null, durationMs: since() }
      } catch (error) {
        return { responseStatus: null, error: reasonOf(error), durationMs: since(), retryAfter: null }
      }
    },
    close: () => agent.destroy(),
  }
}

/** Resolves a name and answers its addresses only if all of them are public. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '', 0)
    const [first] = addresses
    const forbidden = addresses.find(({ address }) => !isPublicAddress(address))
    if (first === undefined || forbidden !== undefined) return callback(new ForbiddenAddressError(hostname), '', 0)
    // Node asks for all addresses or for one, and wants the answer in that shape.
    if (options.all === true) (callback as unknown as (error: null, all: typeof addresses) => void)(null, addresses)
    else callback(null, first.address, first.family)
  })
}

type Answer = Pick<Attempt, 'responseStatus' | 'retryAfter'>

/** One request; the body of the answer is read only so far that the connection can be used again. */
function exchange(agent: Agent, target: Target, request: OutgoingRequest): Promise<Answer> {
  return new Promise((done, reject) => {
    let answer: Answer | undefined
    let bytes = 0
    let control: Dispatcher.DispatchController | undefined
    const timer = setTimeout(() => {
      const late = new Error(`no answer within ${request.timeoutMs} ms`)
      if (answer === undefined) reject(late)
      else done(answer)
      control?.abort(late)
    }, request.timeoutMs)
    const settle = (finish: () => void) => {
      clearTimeout(timer)
      finish()
    }
    agent.dispatch(
      {
        ...target,
        method: request.method,
        headers: { 'user-agent': 'Asiento-Webhooks/1.0', ...request.headers },
        body: request.body ?? null,
        headersTimeout: request.timeoutMs,
        bodyTimeout: request.timeoutMs,
      },
      {
        onRequestStart: (controller) => {
          control = controller
        },
        onResponseStart: (_controller, statusCode, headers) => {
          const after = headers['retry-after']
          answer = {
            responseStatus: statusCode,
            retryAfter: Array.isArray(after) ? (after[0] ?? null) : (after ?? null),
          }
        },
        onResponseData: (controller, chunk) => {
          bytes += chunk.length
          if (bytes > answerBytesMax) controller.abort(new Error('answer too long'))
        },
        onResponseEnd: () => settle(() => (answer ? done(answer) : reject(new Error('no answer')))),
        // The verdict is the status; a body that is cut off or too long changes nothing about it.
        onResponseError: (_controller, error) => settle(() => (answer ? done(answer) : reject(error))),
      },
    )
  })
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : ''
  return `${code}${error.message}`.slice(0, 500)
}
