import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { consumer } from '@asiento/chassis/consume'
import { defineService, type Resources } from '@asiento/chassis/service'
import { scopeOf } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import type { Operation } from '@asiento/proto/operation'
import { operations } from '@asiento/proto/operations'
import type { Handlers } from '@asiento/proto/rpc'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { type GatewayConfig, gatewayEnvironment } from './config.ts'
import { registerGraphQL } from './graphql/endpoint.ts'
import { createServer } from './http/server.ts'
import { forgetAnswersAbout, forgetOldAnswers } from './idempotency.ts'
import { openApiDocument } from './openapi.ts'
import { addressRule, createRateLimiter } from './rate-limit.ts'
import { createRequestLog, keepPartitions, listRequestLogs, type RequestLogQuery } from './request-log.ts'
import { createStatus, limitsAnswer, ownVersion } from './system.ts'
import type { Tables } from './tables.ts'

const documentsPerMinute = 600
const uploadsKeptMs = 24 * 3_600_000

/** The only public door: REST, GraphQL, documents; rate limits, credentials, gates, validation, idempotency, logs. */
export const gateway = defineService<Tables>()({
  name: 'gateway',
  config: gatewayEnvironment,
  migrations: new URL('../migrations/', import.meta.url),
  create: async (resources) => {
    const { db, log, clock, objects } = resources
    await keepPartitions(db, clock.now())
    const requestLog = createRequestLog({ db, log })
    const server = await buildServer(resources, requestLog)
    await listen(server, resources.config)
    return {
      handlers: {},
      consumers: [
        consumer<Tables, 'extraction.erased'>({
          event: 'extraction.erased',
          group: 'gateway.idempotency',
          handle: (tx, event) => forgetAnswersAbout(tx, event.payload.logId),
        }),
      ],
      schedules: [
        { name: 'keep-request-log-partitions', everyMs: 3_600_000, run: () => keepPartitions(db, clock.now()) },
        { name: 'forget-idempotency', everyMs: 600_000, run: () => forgetOldAnswers(db) },
        {
          name: 'sweep-uploads',
          everyMs: 3_600_000,
          run: async () => {
            await objects.sweep('uploads', new Date(clock.now().getTime() - uploadsKeptMs))
          },
        },
      ],
      close: async () => {
        await server.close()
        await requestLog.close()
      },
    }
  },
})

type GatewayResources = Resources<GatewayConfig, Tables>

async function buildServer(
  resources: GatewayResources,
  requestLog: ReturnType<typeof createRequestLog>,
): Promise<FastifyInstance> {
  const { config, db, log, objects, rpc, keyValue, clock } = resources
  const limiter = createRateLimiter({ keyValue, log })
  const base = { config, limiter, rpc, db, objects, log }
  const version = ownVersion()
  const probes = { object_store: () => objects.probe(), key_value: () => keyValue.probe() }
  const status = createStatus({ ...base, own: {} as Handlers<'gateway'>, version, startedAt: clock.now(), probes })
  const own: Handlers<'gateway'> = {
    health: async () => ({ status: 'ok' }),
    ping: async () => 'pong',
    status: () => status(),
    limits: async () => limitsAnswer(config),
    quota: async (_input, { actor, requestId }) => rpc.identity.quotaOf(scopeOf(actor), { actor, requestId }),
    requestLogs: ({ query }, { actor }) => listRequestLogs(db, actor, query satisfies RequestLogQuery),
  }
  const table: readonly Operation[] = Object.values(operations)
  const deps = { ...base, own, requestLog, operations: table }
  const server = await createServer(deps)
  registerGraphQL(server, deps)
  const document = openApiDocument(table, config.PUBLIC_URL ?? `http://localhost:${config.PORT}`)
  // A page loads many files: documents have a limit of their own, beside that of the public endpoints.
  await server.register(async (documents) => {
    documents.addHook('onRequest', async (request, reply) => {
      reply.headers(await limiter.count(addressRule('documents', request.ip, documentsPerMinute)))
    })
    await registerDocuments(documents, document)
  })
  return server
}

/** The few pages that the door has of its own. */
const pages = [
  ['/docs', 'docs.html'],
  ['/docs/start.js', 'docs.js'],
  ['/reset-password', 'reset-password.html'],
  ['/reset-password/page.js', 'reset-password.js'],
] as const

/** /openapi.json, a page that shows it at /docs, and the one that mails with a new password's link lead to. */
async function registerDocuments(server: FastifyInstance, document: object): Promise<void> {
  const text = JSON.stringify(document)
  server.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(text))
  for (const [path, file] of pages) {
    const type = file.endsWith('.js') ? 'text/javascript' : 'text/html'
    const content = readFileSync(new URL(`../pages/${file}`, import.meta.url), 'utf8')
    server.get(path, (_request, reply) => reply.type(`${type}; charset=utf-8`).send(content))
  }
  const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  await server.register(fastifyStatic, { root, prefix: '/docs/ui/', decorateReply: false })
}

async function listen(server: FastifyInstance, config: GatewayConfig): Promise<void> {
  try {
    await server.listen({ host: config.HOST, port: config.PORT })
  } catch (error) {
    await server.close()
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      fail('SERVICE_UNAVAILABLE', { detail: `Port ${config.PORT} is in use; set PORT to another one.`, cause: error })
    }
    throw error
  }
}
