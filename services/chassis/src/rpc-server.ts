import { AppError } from '@asiento/proto/errors'
import type { ServiceName } from '@asiento/proto/operation'
import Fastify, { type FastifyRequest } from 'fastify'
import { createTokenReader } from './actor-token.ts'
import type { NamedKeys } from './config.ts'
import type { Log } from './log.ts'
import { type AnyHandler, createCaller, failedCall, type RpcContext } from './rpc.ts'

export interface RpcServerOptions {
  service: ServiceName
  functions: Record<string, AnyHandler>
  keys: NamedKeys
  host: string
  port: number
  log: Log
}

const bodyBytesMax = 128 * 1024 ** 2

/** Serves a service's functions to the other services; refuses calls without a valid internal token. */
export async function serveRpc(options: RpcServerOptions): Promise<{ port: number; close(): Promise<void> }> {
  const server = Fastify({ bodyLimit: bodyBytesMax, forceCloseConnections: true })
  const readToken = createTokenReader(options.keys)
  const call = createCaller(options.functions)
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) => (text === '' ? undefined : JSON.parse(text)),
  )
  server.post<{ Params: { name: string } }>('/rpc/:name', async (request, reply) => {
    const { name } = request.params
    try {
      const answer = await call(name, request.body, await contextOf(request, readToken))
      return answer === undefined ? await reply.status(404).send() : answer
    } catch (error) {
      const level = error instanceof AppError ? 'debug' : 'error'
      options.log[level]({ err: error, procedure: name }, 'call failed')
      return reply.status(500).send(failedCall(error))
    }
  })
  const address = await server.listen({ host: options.host, port: options.port })
  return { port: Number(new URL(address).port), close: () => server.close() }
}

async function contextOf(
  { headers }: FastifyRequest,
  readToken: ReturnType<typeof createTokenReader>,
): Promise<RpcContext> {
  return {
    actor: await readToken(headers.authorization?.replace(/^Bearer /, '') ?? ''),
    requestId: String(headers['x-request-id'] ?? ''),
    ...(headers['x-work-id'] === undefined ? {} : { workId: String(headers['x-work-id']) }),
    parent: { traceparent: String(headers.traceparent ?? '') },
  }
}
