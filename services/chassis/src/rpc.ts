import type { Actor } from '@asiento/proto/actor'
import {
  AppError,
  type ErrorCode,
  errorCodes,
  fail,
  ValidationFailure,
  type ValidationIssue,
} from '@asiento/proto/errors'
import type { ServiceName } from '@asiento/proto/operation'
import { type CallContext, operationsOf, procedures, type RpcClient } from '@asiento/proto/rpc'
import { type AnyTRPCRouter, initTRPC, TRPCError } from '@trpc/server'
import { z } from 'zod'
import { createTokenSigner } from './actor-token.ts'
import { isAway } from './away.ts'
import type { NamedKeys } from './config.ts'
import { createJsonPoster } from './json-poster.ts'
import { traceHeaders, withSpan } from './telemetry.ts'

/** A handler without its types: the table has checked them where the service was written. */
export type AnyHandler = (input: unknown, context: CallContext) => Promise<unknown>

/** Every function of a service by name, with the parsing that its procedures ask for. */
export function callables(service: ServiceName, handlers: Record<string, unknown>): Record<string, AnyHandler> {
  const internal = Object.entries(procedures[service]).map(([name, procedure]): [string, AnyHandler] => {
    const handler = handlerOf(service, handlers, name)
    return [name, async (input, context) => handler(parseInput(procedure.input, input), context)]
  })
  // The gateway has parsed an operation's input already; parsing twice would apply its transforms twice.
  const operations = operationsOf(service).map((operation): [string, AnyHandler] => [
    operation.id,
    handlerOf(service, handlers, operation.id),
  ])
  return Object.fromEntries([...internal, ...operations])
}

function handlerOf(service: ServiceName, handlers: Record<string, unknown>, name: string): AnyHandler {
  const handler = handlers[name]
  if (typeof handler !== 'function') throw new Error(`${service} has no handler for ${name}`)
  return handler as AnyHandler
}

function parseInput(schema: z.ZodType, input: unknown): unknown {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  return fail('SERVICE_ERROR', { internal: `internal call does not fit: ${z.prettifyError(parsed.error)}` })
}

/** Calls a service in the same process. */
export function localClient<S extends ServiceName>(functions: Record<string, AnyHandler>): RpcClient<S> {
  const spanned = Object.entries(functions).map(([name, call]) => [
    name,
    (input: unknown, context: CallContext) => withSpan(`rpc ${name}`, {}, () => call(input, context)),
  ])
  return Object.fromEntries(spanned) as RpcClient<S>
}

const trpc = initTRPC.context<RpcContext>().create()

export type RpcContext = CallContext & { parent: Record<string, string> }

const internalErrorCode = -32_603

/** A failure as it goes on the wire: tRPC's own envelope. */
export const failedCall = (error: unknown) => ({
  error: { code: internalErrorCode, message: 'failed', data: wireError(error) },
})

/**
 * Calls a function of a service through its tRPC router and answers in tRPC's envelope; undefined where there is none of
 * that name. A failure of the function is thrown as it was.
 */
export function createCaller(
  functions: Record<string, AnyHandler>,
): (name: string, input: unknown, context: RpcContext) => Promise<{ result: { data: unknown } } | undefined> {
  const create = trpc.createCallerFactory(createRouter(functions))
  return async (name, input, context) => {
    if (functions[name] === undefined) return undefined
    const caller = create(context) as unknown as Record<string, (input: unknown) => Promise<unknown>>
    try {
      return { result: { data: await caller[name]?.(input) } }
    } catch (error) {
      throw error instanceof TRPCError ? (error.cause ?? error) : error
    }
  }
}

/** One mutation a function. */
function createRouter(functions: Record<string, AnyHandler>): AnyTRPCRouter {
  const routes = Object.entries(functions).map(([name, call]) => [
    name,
    trpc.procedure.input(z.unknown()).mutation(({ input, ctx }) =>
      withSpan(`rpc ${name}`, { kind: 'SERVER', parent: ctx.parent }, async () => {
        try {
          return { value: await call(input, callContext(ctx)) }
        } catch (error) {
          throw new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: 'failed', cause: error })
        }
      }),
    ),
  ])
  return trpc.router(Object.fromEntries(routes))
}

const callContext = ({ actor, requestId, workId }: WireContext): CallContext =>
  workId === undefined ? { actor, requestId } : { actor, requestId, workId }

/** What arrives with a call: tRPC hands on optional parts as undefined. */
interface WireContext {
  actor: Actor | null
  requestId: string
  workId?: string | undefined
}

interface WireError {
  code?: ErrorCode
  detail?: string
  headers?: Record<string, string>
  issues?: ValidationIssue[]
}

function wireError(error: unknown): WireError {
  if (error instanceof ValidationFailure) return { issues: error.issues }
  if (error instanceof AppError) return { code: error.code, detail: error.detail, headers: error.headers }
  return isAway(error) ? { code: 'SERVICE_UNAVAILABLE', headers: { 'retry-after': '2' } } : { code: 'SERVICE_ERROR' }
}

export interface RemoteClientOptions {
  service: ServiceName
  /** `http://host:port` of the service. */
  url: string
  keys: NamedKeys
}

/**
 * Calls a service over tRPC's HTTP form, with the actor in a signed token and the trace in its headers. The form is written
 * out here: the library's own client makes observables and an aborted signal at each call, a quarter of its whole cost.
 */
export function remoteClient<S extends ServiceName>(options: RemoteClientOptions): RpcClient<S> {
  const names = [
    ...Object.keys(procedures[options.service]),
    ...operationsOf(options.service).map((operation) => operation.id),
  ]
  const tokenFor = createTokenSigner(options.keys)
  const post = createJsonPoster(options.url)
  const call = async (name: string, input: unknown, context: CallContext) =>
    withSpan(`rpc ${name}`, { kind: 'CLIENT', attributes: { 'rpc.service': options.service } }, async () => {
      const headers = {
        ...traceHeaders(),
        authorization: `Bearer ${await tokenFor(context.actor)}`,
        'x-request-id': context.requestId,
        ...(context.workId === undefined ? {} : { 'x-work-id': context.workId }),
      }
      const answer = await post(`/rpc/${name}`, headers, input).catch((error) => unreachable(options.service, error))
      return resultOf(answer, options.service)
    })
  return Object.fromEntries(
    names.map((name) => [name, (input: unknown, context: CallContext) => call(name, input, context)]),
  ) as RpcClient<S>
}

const wireSchema = z.object({
  code: z.enum(errorCodes).optional(),
  detail: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  issues: z
    .array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string(), type: z.string() }))
    .optional(),
})

/** What an envelope holds; a failure of the other side becomes the same failure here. */
function resultOf(answer: unknown, service: ServiceName): unknown {
  const { result, error } = Object(answer) as { result?: { data: { value?: unknown } }; error?: { data?: unknown } }
  if (result !== undefined) return result.data.value
  const data = wireSchema.safeParse(error?.data)
  if (data.success && data.data.issues !== undefined) throw new ValidationFailure(data.data.issues)
  if (data.success && data.data.code !== undefined) {
    fail(data.data.code, {
      ...(data.data.detail === undefined ? {} : { detail: data.data.detail }),
      headers: data.data.headers ?? {},
      internal: `${service} failed`,
    })
  }
  return unreachable(service, new Error('not an answer of tRPC'))
}

const unreachable = (service: ServiceName, cause: unknown): never =>
  fail('SERVICE_UNAVAILABLE', {
    internal: `${service} is not reachable`,
    headers: { 'retry-after': '2' },
    cause,
  })
