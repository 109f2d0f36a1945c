import type { Operation } from '@asiento/proto/operation'
import type { FastifyRequest } from 'fastify'
import type { GatewayConfig } from '../config.ts'

const cookieName = 'asiento_session'
/** A page of another origin can set no header of its own without a preflight, which never allows credentials. */
const guardHeader = { name: 'x-requested-with', value: 'asiento' } as const

/**
 * The Set-Cookie header of an answer, if any: signing in with `?cookie=1` from PUBLIC_URL's own origin opens the
 * dashboard's session, signing out closes it. The cookie goes to /graphql only.
 */
export function sessionHeaders(
  config: GatewayConfig,
  operation: Operation,
  request: FastifyRequest,
  answer: unknown,
): Record<string, string> {
  if (operation.id === 'logout') return { 'set-cookie': cookie(config, '', 0) }
  const wanted = operation.id === 'login' && Object(request.query).cookie === '1'
  if (!wanted || request.headers.origin !== ownOrigin(config)) return {}
  const { access_token: token, expires_in: seconds } = Object(answer)
  return { 'set-cookie': cookie(config, String(token), Number(seconds)) }
}

/** The token of the cookie session; only together with the header that another site cannot send. */
export function sessionToken(request: FastifyRequest): string | undefined {
  if (request.headers[guardHeader.name] !== guardHeader.value) return undefined
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='))
  const value = pairs.find(([name]) => name === cookieName)?.[1]
  return value === '' ? undefined : value
}

function cookie(config: GatewayConfig, value: string, seconds: number): string {
  const secure = ownOrigin(config).startsWith('https:') ? '; Secure' : ''
  return `${cookieName}=${value}; Path=/graphql; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

const ownOrigin = (config: GatewayConfig): string =>
  new URL(config.PUBLIC_URL ?? `http://localhost:${config.PORT}`).origin
