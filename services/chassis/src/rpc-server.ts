import type { ServiceName } from '@asiento/proto/operation'
import { type FastifyTRPCPluginOptions, fastifyTRPCPlugin } from '@trpc/server/adapters/fastify'
import Fastify from 'fastify'
import { createTokenReader } from './actor-token.ts'
import type { NamedKeys } from './config.ts'
import type { Log } from './log.ts'
import { type AnyHandler, createRouter } from './rpc.ts'

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
  const router = createRouter(options.functions)
  const readToken = createTokenReader(options.keys)
  await server.register(fastifyTRPCPlugin, {
    prefix: '/rpc',
    trpcOptions: {
      router,
      createContext: async ({ req }) => {
        const token = req.headers.authorization?.replace(/^Bearer /, '') ?? ''
        return {
          actor: await readToken(token),
          requestId: String(req.headers['x-request-id'] ?? ''),
          ...(req.headers['x-work-id'] === undefined ? {} : { workId: String(req.headers['x-work-id']) }),
          parent: { traceparent: String(req.headers.traceparent ?? '') },
        }
      },
      onError: ({ error, path }) => {
        const cause = error.cause
        const level = cause !== undefined && 'code' in cause ? 'debug' : 'error'
        options.log[level]({ err: cause ?? error, procedure: path }, 'call failed')
      },
    } satisfies FastifyTRPCPluginOptions<typeof router>['trpcOptions'],
  })
  const address = await server.listen({ host: options.host, port: options.port })
  return { port: Number(new URL(address).port), close: () => server.close() }
}
