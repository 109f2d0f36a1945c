import { setTimeout as pause } from 'node:timers/promises'
import type { Operation } from '@asiento/proto/operation'
import type { FastifyReply } from 'fastify'
import { type Invocation, type InvokeDeps, invoke } from '../invoke.ts'

const everyMs = 1_000
const heartbeatEveryMs = 15_000
const longestMs = 3_600_000

/**
 * Streams the state of something as Server-Sent Events: once at the start, at every change, and a last time when it has
 * ended. A comment every 15 s keeps proxies from closing the stream.
 */
export async function streamEvents(
  deps: InvokeDeps,
  operation: Operation,
  invocation: Invocation,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (operation.response.kind !== 'events') throw new Error(`${operation.id} has no event stream`)
  const { ends } = operation.response
  const read = async () => {
    const outcome = await invoke(deps, operation, invocation)
    return outcome.kind === 'value' ? outcome.value : null
  }
  // The first read decides between an error answer and a stream.
  let state = await read()
  reply.hijack()
  const { raw } = reply
  const headers = Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]))
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  const started = Date.now()
  let sent = ''
  let sentAt = Date.now()
  try {
    while (!raw.destroyed && Date.now() - started < longestMs) {
      const text = JSON.stringify(state)
      const changed = text !== sent
      if (changed || Date.now() - sentAt > heartbeatEveryMs) {
        raw.write(changed ? `event: progress\ndata: ${text}\n\n` : ': still here\n\n')
        sent = text
        sentAt = Date.now()
      }
      if (ends(state)) break
      await pause(everyMs)
      state = await read()
    }
  } catch (error) {
    deps.log.warn({ err: error, operation: operation.id }, 'event stream ended early')
  } finally {
    raw.end()
  }
  return reply
}

/**
 * The states of something as they change: the first at once, the last when it has ended or nobody listens any more. A
 * failure ends the sequence with its code.
 */
export async function* states(
  deps: InvokeDeps,
  operation: Operation,
  invocation: Invocation,
  isGone: () => boolean,
): AsyncGenerator<unknown, void> {
  if (operation.response.kind !== 'events') throw new Error(`${operation.id} has no event stream`)
  const { ends } = operation.response
  const deadline = Date.now() + longestMs
  for (let sent = ''; !isGone() && Date.now() < deadline; await pause(everyMs)) {
    const outcome = await invoke(deps, operation, invocation)
    const state = outcome.kind === 'value' ? outcome.value : null
    const text = JSON.stringify(state)
    if (text !== sent) yield state
    sent = text
    if (ends(state)) return
  }
}
