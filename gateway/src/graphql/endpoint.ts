import { AppError, errorTable, ValidationFailure } from '@asiento/proto/errors'
import type { Operation } from '@asiento/proto/operation'
import { EnvelopArmorPlugin } from '@escape.tech/graphql-armor'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { admit } from '../admit.ts'
import { textHeaders, visitorOf } from '../http/request-context.ts'
import type { RouteDeps } from '../http/route.ts'
import { invoke } from '../invoke.ts'
import { createGraphQLSchema, type GraphQLContext } from './schema.ts'

/** Named apart from `request`, which is the library's own. */
type ServerContext = { call: FastifyRequest }

/** GraphQL at /graphql: each field is the same operation, under the same rules, as its REST twin. */
export function registerGraphQL(server: FastifyInstance, deps: RouteDeps): void {
  const yoga = createYoga<ServerContext, GraphQLContext>({
    schema: createGraphQLSchema(),
    graphqlEndpoint: '/graphql',
    landingPage: false,
    graphiql: false,
    maskedErrors: { maskError: (error) => toGraphQLError(error, deps) },
    logging: false,
    plugins: [armor()],
    context: ({ call }) => ({ run: (operation, parts) => run(deps, call, operation, parts) }),
  })
  server.route({
    url: '/graphql',
    method: ['GET', 'POST'],
    handler: async (request, reply) => {
      const answer = await yoga.fetch(
        new URL(request.url, 'http://localhost'),
        {
          method: request.method,
          headers: { 'content-type': 'application/json', accept: String(request.headers.accept ?? '*/*') },
          ...(request.method === 'POST' ? { body: JSON.stringify(request.body ?? null) } : {}),
        },
        { call: request },
      )
      reply.headers(Object.fromEntries(answer.headers))
      return reply.status(answer.status).send(await answer.text())
    },
  })
}

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

async function run(
  deps: RouteDeps,
  request: FastifyRequest,
  operation: Operation,
  parts: { params: unknown; query: unknown; body: unknown },
): Promise<unknown> {
  const admission = await admit(deps, operation, visitorOf(request))
  const outcome = await invoke(deps, operation, {
    actor: admission.actor,
    requestId: request.id,
    ...parts,
    files: [],
    headers: { ...textHeaders(request), 'x-client-ip': request.ip },
    path: operation.path,
  })
  return outcome.kind === 'value' ? outcome.value : JSON.parse(outcome.body.toString())
}

/** The code of the table in `extensions.error_code`; nothing else of an unexpected failure leaves the house. */
function toGraphQLError(error: unknown, deps: RouteDeps): GraphQLError {
  const original = error instanceof GraphQLError ? (error.originalError ?? error) : error
  const place = error instanceof GraphQLError ? { nodes: error.nodes ?? null, path: error.path ?? null } : {}
  if (original instanceof AppError) {
    return new GraphQLError(original.detail, { ...place, extensions: { error_code: original.code } })
  }
  if (original instanceof ValidationFailure) {
    return new GraphQLError('The input is not valid.', {
      ...place,
      extensions: { error_code: 'INVALID_INPUT', issues: original.issues },
    })
  }
  if (original instanceof GraphQLError) return original
  deps.log.error({ err: original }, 'GraphQL field failed')
  return new GraphQLError(errorTable.SERVICE_ERROR.text, { ...place, extensions: { error_code: 'SERVICE_ERROR' } })
}
