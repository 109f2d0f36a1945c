import { metrics, withSpan } from '@asiento/chassis/telemetry'
import { fail, ValidationFailure } from '@asiento/proto/errors'
import type { Operation } from '@asiento/proto/operation'
import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Histogram } from 'prom-client'
import type { RequestLog, RequestLogRow } from '../request-log.ts'
import { answerError } from './answer-error.ts'
import { requestIdOf } from './request-context.ts'
import { type RouteDeps, registerRoute, routeUrl } from './route.ts'
import { securityHeaders } from './security-headers.ts'

const exposedHeaders = [
  'X-Quota-Used',
  'X-Quota-Limit',
  'X-Quota-Remaining',
  'X-Request-ID',
  'X-RateLimit-Plan',
  'X-Idempotency-Replayed',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Content-Disposition',
].join(', ')

const headerBytesMax = 96 * 1024

const durations = new Histogram({
  name: 'asiento_http_request_seconds',
  help: 'Time to answer a request',
  labelNames: ['operation', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  registers: [metrics],
})

export interface ServerDeps extends RouteDeps {
  requestLog: RequestLog
  operations: readonly Operation[]
}

/** The public HTTP server: every operation of the table, and what {@link ServerDeps} adds beside it. */
export async function createServer(deps: ServerDeps): Promise<FastifyInstance> {
  const server = Fastify({
    trustProxy: deps.config.TRUST_PROXY,
    requestIdHeader: false,
    genReqId: (request) => requestIdOf(request.headers),
    http: { maxHeaderSize: headerBytesMax },
    requestTimeout: deps.config.REQUEST_TIMEOUT_SECONDS * 1_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: true },
  })
  server.decorateRequest('actor', null)
  server.decorateRequest('operation', null)
  server.decorateRequest('errorCode', null)
  server.decorateRequest('rawBody', null)
  server.server.headersTimeout = 20_000

  // A browser told to insist on HTTPS could not open the pages of a server on plain HTTP.
  const standing = securityHeaders({ overHttps: deps.config.PUBLIC_URL?.startsWith('https:') === true })
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(standing).header('x-request-id', request.id)
    traceUntilAnswered(request, deps, done)
  })
  await server.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders,
    maxAge: 86_400,
  })
  parseBodies(server)
  await server.register(multipart, { throwFileSizeLimit: false })
  observe(server, deps)
  server.setErrorHandler((error, request, reply) => {
    request.errorCode = answerError(error, request, reply, deps.log)
  })
  answerUnknownRoutes(server, deps)
  for (const operation of deps.operations) registerRoute(server, operation, deps)
  return server
}

/** Its span stays open until the answer has been sent; what `proceed` calls runs inside it. */
function traceUntilAnswered(request: FastifyRequest, deps: ServerDeps, proceed: () => void): void {
  const url = request.routeOptions.url ?? 'unknown'
  const { traceparent } = request.headers
  withSpan(
    `${request.method} ${url}`,
    { kind: 'SERVER', ...(typeof traceparent === 'string' ? { parent: { traceparent } } : {}) },
    async (span) => {
      const finished = new Promise<void>((resolve) => request.raw.once('close', resolve))
      proceed()
      await finished
      span.setAttribute('http.route', url)
    },
  ).catch((error) => deps.log.debug({ err: error }, 'span failed'))
}

/** JSON in UTF-8, read once; XML stays a stream, so that it can be metered into the object store. */
function parseBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    request.rawBody = request.operation?.body !== undefined && request.operation.rawBody === true ? String(text) : null
    if (text === '') return done(null, undefined)
    try {
      done(null, JSON.parse(String(text)))
    } catch {
      done(new ValidationFailure([{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }]))
    }
  })
  server.addContentTypeParser(['application/xml', 'text/xml'], (_request, payload, done) => done(null, payload))
}

function observe(server: FastifyInstance, deps: ServerDeps): void {
  server.addHook('onResponse', (request, reply, done) => {
    const operation = request.operation?.id ?? 'other'
    durations.observe({ operation, status: String(reply.statusCode) }, reply.elapsedTime / 1_000)
    // GraphQL counts as one request here, whatever fields it asks for.
    if (request.operation !== null || request.routeOptions.url === '/graphql') {
      deps.requestLog.add(logRow(request, reply))
    }
    done()
  })
}

const logRow = (request: FastifyRequest, reply: FastifyReply): RequestLogRow => ({
  created_at: new Date(),
  request_id: request.id,
  user_id: request.actor?.userId ?? null,
  key_id: request.actor?.keyId ?? null,
  subaccount_id: request.actor?.subaccountId ?? null,
  method: request.method,
  path: (request.url.split('?')[0] ?? '').slice(0, 500),
  status_code: reply.statusCode,
  duration_ms: Math.round(reply.elapsedTime),
  sandbox: request.actor?.sandbox ?? false,
  error_code: request.errorCode,
  ip: request.ip,
})

/** A path of the table: how it is recognized, and the methods that it has. */
interface KnownPath {
  url: string
  pattern: RegExp
  parameters: number
  methods: readonly Operation['method'][]
}

const graphQLMethods = [
  { path: '/graphql', method: 'GET' },
  { path: '/graphql', method: 'POST' },
] as const

function knownPaths(operations: readonly Operation[]): KnownPath[] {
  const byPath = Map.groupBy([...operations, ...graphQLMethods], ({ path }) => path)
  const paths = [...byPath].map(([path, rows]) => ({
    url: routeUrl(path),
    pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`),
    parameters: path.split('{').length - 1,
    methods: rows.map(({ method }) => method),
  }))
  return paths.sort((a, b) => a.parameters - b.parameters)
}

/** 405 with Allow where the path is known under another method, else 404. A path's own words come before parameters. */
function answerUnknownRoutes(server: FastifyInstance, deps: ServerDeps): void {
  const paths = knownPaths(deps.operations)
  const refuse = (request: FastifyRequest) => {
    const path = request.url.split('?')[0] ?? ''
    const known = paths.find(({ pattern }) => pattern.test(path))
    if (known === undefined) fail('NOT_FOUND')
    else refuseMethod(known)
  }
  // Before any body is looked at, whatever method was sent.
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) refuse(request)
    done()
  })
  server.setNotFoundHandler(refuse)
  for (const known of paths) {
    // The router would take PUT /subaccounts/summary for a PUT to the subaccount "summary".
    const wider = paths.filter(({ pattern, parameters }) => parameters > known.parameters && pattern.test(known.url))
    const taken = new Set(wider.flatMap(({ methods }) => methods).filter((method) => !known.methods.includes(method)))
    const onRequest = async () => refuseMethod(known)
    for (const method of taken) server.route({ method, url: known.url, onRequest, handler: onRequest })
  }
}

function refuseMethod({ methods }: KnownPath): never {
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return fail('METHOD_NOT_ALLOWED', { headers: { allow: allowed.join(', ') } })
}
