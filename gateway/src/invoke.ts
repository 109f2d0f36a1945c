import type { Database } from '@asiento/chassis/db'
import type { Log } from '@asiento/chassis/log'
import type { Objects } from '@asiento/chassis/objects'
import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import type { Operation, Upload } from '@asiento/proto/operation'
import type { CallContext, Handlers, RpcClients } from '@asiento/proto/rpc'
import { z } from 'zod'
import type { ReadHeader } from './http/request-context.ts'
import { type Claim, claim, fingerprint } from './idempotency.ts'
import type { Tables } from './tables.ts'
import { parsePart } from './validate.ts'

export interface InvokeDeps {
  db: Database<Tables>
  rpc: RpcClients
  objects: Objects
  log: Log
  /** What the gateway itself answers. */
  own: Handlers<'gateway'>
}

/** The parts of a request as they came, for REST and GraphQL alike. */
export interface Invocation {
  actor: Actor | null
  requestId: string
  params: unknown
  query: unknown
  /** Undefined where the request came as files. */
  body: unknown
  files: Upload[]
  header: ReadHeader
  idempotencyKey?: string
  /** The path as called, with its parameters filled in: part of the idempotency scope. */
  path: string
}

export type Outcome =
  | { kind: 'value'; value: unknown }
  /** JSON text, exactly as it is sent and, for an idempotent request, kept. */
  | { kind: 'text'; status: number; contentType: string; body: Buffer; replayed: boolean }

/**
 * Carries out one operation for a caller who has been admitted: validation → idempotency → the service's handler (which
 * reserves the quota). The only way to a service, for REST and GraphQL.
 */
export async function invoke(deps: InvokeDeps, operation: Operation, invocation: Invocation): Promise<Outcome> {
  const input = parseInput(operation, invocation)
  const context: CallContext = { actor: invocation.actor, requestId: invocation.requestId }
  const { idempotencyKey, actor } = invocation
  if (operation.idempotent !== true || idempotencyKey === undefined || actor === null) {
    return { kind: 'value', value: await call(deps, operation, input, context) }
  }
  const claimed = await claim(deps.db, {
    actor,
    method: operation.method,
    path: invocation.path,
    key: checkedKey(idempotencyKey),
    fingerprint: fingerprint([input.params, input.query, input.body, input.headers], invocation.files),
  })
  if (claimed.kind === 'replay') return { kind: 'text', ...claimed.answer, replayed: true }
  return workOnce(deps, operation, input, { ...context, workId: claimed.workId }, claimed)
}

async function workOnce(
  deps: InvokeDeps,
  operation: Operation,
  input: unknown,
  context: CallContext,
  claimed: Extract<Claim, { kind: 'work' }>,
): Promise<Outcome> {
  try {
    const value = await call(deps, operation, input, context)
    const answer = {
      status: operation.response.status,
      contentType: 'application/json; charset=utf-8',
      body: Buffer.from(encode(value)),
    }
    await claimed.keep(answer, logIdsIn(value))
    return { kind: 'text', ...answer, replayed: false }
  } catch (error) {
    await claimed.release()
    throw error
  }
}

/** The JSON of an answer; sent as text it leaves in one piece with its headers. */
export const encode = (value: unknown): string => JSON.stringify(value ?? null)

type AnyCall = (input: unknown, context: CallContext) => Promise<unknown>

async function call(deps: InvokeDeps, operation: Operation, input: unknown, context: CallContext): Promise<unknown> {
  // The table says which service has this id; the types of each handler were checked where it was written.
  const service: unknown = operation.service === 'gateway' ? deps.own : deps.rpc[operation.service]
  const handler = (service as Record<string, AnyCall>)[operation.id]
  if (handler === undefined) return fail('NOT_FOUND')
  return handler(input, context)
}

function parseInput(operation: Operation, { params, query, body, files, header }: Invocation) {
  return {
    params: operation.params === undefined ? {} : parsePart(operation.params, params, 'path'),
    query: operation.query === undefined ? {} : parsePart(operation.query, query, 'query'),
    body: parseBody(operation, body, files),
    files,
    headers: pickHeaders(operation, header),
  }
}

function parseBody(operation: Operation, body: unknown, files: readonly Upload[]): unknown {
  const rule = operation.body
  if (rule === undefined) return undefined
  if (rule.kind === 'json') {
    return parsePart(rule.optional === true ? rule.schema.optional() : rule.schema, body, 'body')
  }
  if (rule.kind === 'json_or_files') return files.length > 0 ? undefined : parsePart(rule.schema, body, 'body')
  if (rule.kind === 'files' && rule.fields !== undefined) return parsePart(rule.fields, body ?? {}, 'body')
  return undefined
}

const externalRefSchema = z.object({ 'x-external-ref': z.string().max(255) })

function pickHeaders(operation: Operation, header: ReadHeader): Record<string, string> {
  const externalRef = header('x-external-ref')
  if (externalRef !== undefined) parsePart(externalRefSchema, { 'x-external-ref': externalRef }, 'header')
  const named = (operation.headers ?? []).flatMap((name): [string, string][] => {
    const value = header(name)
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(named)
}

function checkedKey(key: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key
  return fail('INVALID_INPUT', { detail: 'X-Idempotency-Key must be 1 to 255 printable ASCII characters.' })
}

/** The logs that an answer speaks of, so that erasing one also frees the answer. */
function logIdsIn(value: unknown): number[] {
  const items = Array.isArray(value) ? value : [value]
  return items.flatMap((item) => {
    if (item === null || typeof item !== 'object') return []
    const ids = [Object(item)._log_id, Object(item).log_id]
    return ids.filter((id): id is number => typeof id === 'number')
  })
}
