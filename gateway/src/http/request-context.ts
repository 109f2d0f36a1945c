import { randomUUID } from 'node:crypto'
import type { Actor } from '@asiento/proto/actor'
import type { ErrorCode } from '@asiento/proto/errors'
import type { Operation } from '@asiento/proto/operation'
import type { FastifyRequest } from 'fastify'
import type { Credentials, Visitor } from '../admit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by admission, before the body is read. */
    actor: Actor | null
    operation: Operation | null
    errorCode: ErrorCode | null
    /** The exact text of a JSON body. */
    rawBody: string | null
  }
}

/** The caller's own request id where it is usable, else a new one. */
export function requestIdOf(headers: Record<string, string | string[] | undefined>): string {
  const own = headers['x-request-id']
  return typeof own === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(own) ? own : randomUUID()
}

/** Who is at the door: credentials, address, request id. */
export const visitorOf = (request: FastifyRequest): Visitor => ({
  credentials: credentialsOf(request),
  ip: request.ip,
  requestId: request.id,
})

/** A key header that is present is a claim to be its owner, a blank one too: it is never passed over for a session. */
function credentialsOf(request: FastifyRequest): Credentials {
  const apiKey = request.headers['x-api-key']
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return {
    ...(typeof apiKey === 'string' ? { apiKey } : {}),
    ...(bearer === undefined ? {} : { bearer }),
  }
}

/** Reads one header of a request by its lower-case name. */
export type ReadHeader = (name: string) => string | undefined

/**
 * The headers of a request as text: Node reads them as Latin-1, clients send UTF-8. `x-client-ip` and `x-raw-body` are the
 * door's own words, whatever the client sent under these names.
 */
export const headersOf =
  (request: FastifyRequest): ReadHeader =>
  (name) => {
    if (name === 'x-client-ip') return request.ip
    if (name === 'x-raw-body') return request.rawBody ?? undefined
    const value = request.headers[name]
    const text = Array.isArray(value) ? value.join(', ') : value
    return text === undefined ? undefined : asUtf8(text)
  }

const utf8 = new TextDecoder('utf-8', { fatal: true })

function asUtf8(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text)) return text
  try {
    return utf8.decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}
