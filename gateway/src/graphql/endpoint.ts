import { AppError, errorTable, ValidationFailure } from '@asiento/proto/errors'
import type { Operation } from '@asiento/proto/operation'
import { limits } from '@asiento/proto/plans'
import { EnvelopArmorPlugin } from '@escape.tech/graphql-armor'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { admit, type Visitor } from '../admit.ts'
import { states } from '../http/events.ts'
import { headersOf, visitorOf } from '../http/request-context.ts'
import type { RouteDeps } from '../http/route.ts'
import { sessionToken } from '../http/session-cookie.ts'
import { type Invocation, invoke } from '../invoke.ts'
import { parsePart } from '../validate.ts'
import { graphQLQuery, graphQLRequest } from './messages.ts'
import { createGraphQLSchema, type GraphQLContext } from './schema.ts'

/** Named apart from `request`, which is the library's own. */
type ServerContext = { call: FastifyRequest }
type Parts = { params: unknown; query: unknown; body: unknown }

/** GraphQL at /graphql: each field is the same operation, under the same rules, as its REST twin. */
export function registerGraphQL(server: FastifyInstance, deps: RouteDeps): void {
  const yoga = createYoga<ServerContext, GraphQLContext>({
    schema: createGraphQLSchema(),
    graphqlEndpoint: '/graphql',
    landingPage: false,
    graphiql: false,
    maskedErrors: { maskError: (error) => toGraphQLError(error, deps) },
    logging: false,
    plugins: [armor(), codeEveryError],
    context: ({ call }) => ({
      run: (operation, parts) => run(deps, call, operation, parts),
      watch: (operation, parts) => watch(deps, call, operation, parts),
    }),
  })
  server.route({
    url: '/graphql',
    method: ['GET', 'POST'],
    bodyLimit: limits.jsonBodyBytesMax,
    handler: async (request, reply) => {
      if (request.method === 'POST') parsePart(graphQLRequest, request.body, 'body')
      else parsePart(graphQLQuery, request.query, 'query')
      const answer = await yoga.fetch(
        new URL(request.url, 'http://localhost'),
        {
          method: request.method,
          headers: { 'content-type': 'application/json', accept: String(request.headers.accept ?? '*/*') },
          ...(request.method === 'POST' ? { body: JSON.stringify(request.body) } : {}),
        },
        { call: request },
      )
      reply.headers(Object.fromEntries(answer.headers)).status(answer.status)
      const streams = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
      return reply.send(streams ? answer.body : await answer.text())
    },
  })
}

/** What the GraphQL library refuses by itself (no such field, too deep, no query) gets a code of the table too. */
const codeEveryError: Plugin = {
  onResultProcess: ({ result, setResult }) => {
    if (Array.isArray(result) || !('errors' in result) || result.errors === undefined) return
    const errors = result.errors.map((error) =>
      error.extensions?.error_code === undefined
        ? new GraphQLError(error.message, { ...place(error), extensions: { error_code: 'INVALID_INPUT' } })
        : error,
    )
    setResult({ ...result, errors })
  },
}

const place = ({ nodes, path }: GraphQLError) => ({ nodes: nodes ?? null, path: path ?? null })

/** Depth, cost and alias limits: one request must not do the work of hundreds. */
function armor(): Plugin {
  return EnvelopArmorPlugin({
    maxDepth: { n: 12 },
    costLimit: { maxCost: 5_000 },
    maxAliases: { n: 20 },
    maxTokens: { n: 2_000 },
    blockFieldSuggestion: { enabled: true },
  }) as unknown as Plugin
}

async function run(deps: RouteDeps, request: FastifyRequest, operation: Operation, parts: Parts): Promise<unknown> {
  const { invocation } = await enter(deps, request, operation, parts)
  const outcome = await invoke(deps, operation, invocation)
  return outcome.kind === 'value' ? outcome.value : JSON.parse(outcome.body.toString())
}

/** Lets the caller in once; what follows is read under that admission. */
async function* watch(deps: RouteDeps, request: FastifyRequest, operation: Operation, parts: Parts) {
  const { invocation } = await enter(deps, request, operation, parts)
  yield* states(deps, operation, invocation, () => request.socket.destroyed)
}

async function enter(deps: RouteDeps, request: FastifyRequest, operation: Operation, parts: Parts) {
  const admission = await admit(deps, operation, visitor(request))
  request.actor = admission.actor
  const common = { actor: admission.actor, requestId: request.id, files: [], path: operation.path }
  return { invocation: { ...common, ...parts, header: headersOf(request) } satisfies Invocation }
}

/** Credentials as in REST, or else the dashboard's cookie. */
function visitor(request: FastifyRequest): Visitor {
  const sent = visitorOf(request)
  const bearer = sessionToken(request)
  const hasOwn = sent.credentials.apiKey !== undefined || sent.credentials.bearer !== undefined
  return hasOwn || bearer === undefined ? sent : { ...sent, credentials: { bearer } }
}

/** The code of the table in `extensions.error_code`; nothing else of an unexpected failure leaves the house. */
function toGraphQLError(error: unknown, deps: RouteDeps): GraphQLError {
  const original = error instanceof GraphQLError ? (error.originalError ?? error) : error
  const at = error instanceof GraphQLError ? place(error) : {}
  if (original instanceof AppError) {
    return new GraphQLError(original.detail, { ...at, extensions: { error_code: original.code } })
  }
  if (original instanceof ValidationFailure) {
    return new GraphQLError('The input is not valid.', {
      ...at,
      extensions: { error_code: 'INVALID_INPUT', issues: original.issues },
    })
  }
  if (original instanceof GraphQLError) return original
  deps.log.error({ err: original }, 'GraphQL field failed')
  return new GraphQLError(errorTable.SERVICE_ERROR.text, { ...at, extensions: { error_code: 'SERVICE_ERROR' } })
}
