import type { Actor } from '@asiento/proto/actor'
import { AppError, fail } from '@asiento/proto/errors'
import type { Operation } from '@asiento/proto/operation'
import { ledgerPlans, planOpens } from '@asiento/proto/plans'
import type { RpcClients } from '@asiento/proto/rpc'
import type { GatewayConfig } from './config.ts'
import { addressRule, type RateLimiter } from './rate-limit.ts'

export interface Credentials {
  apiKey?: string
  bearer?: string
}

export interface Visitor {
  credentials: Credentials
  ip: string
  requestId: string
}

export interface AdmitDeps {
  config: GatewayConfig
  limiter: RateLimiter
  rpc: RpcClients
}

export interface Admission {
  /** Null for operations that need no credentials and got none. */
  actor: Actor | null
  /** Rate headers for the answer. */
  headers: Record<string, string>
}

/** The credentials that an operation takes, out of those that were sent. */
export function credentialsFor(operation: Pick<Operation, 'auth'>, sent: Credentials): Credentials {
  if (operation.auth === 'jwt') return sent.bearer === undefined ? {} : { bearer: sent.bearer }
  if (operation.auth === 'key') return sent.apiKey === undefined ? {} : { apiKey: sent.apiKey }
  // A key is the more specific statement where both are sent.
  if (sent.apiKey !== undefined) return { apiKey: sent.apiKey }
  return sent.bearer === undefined ? {} : { bearer: sent.bearer }
}

/**
 * Lets a caller in, before any body is read: rate limit → credentials → account state → gates. The rule of the operation
 * is read from its row; REST and GraphQL come through here alike.
 */
export async function admit(deps: AdmitDeps, operation: Operation, visitor: Visitor): Promise<Admission> {
  if (operation.rateExempt === true) return { actor: null, headers: {} }
  const actor = await identify(deps, operation, visitor)
  const headers = await deps.limiter.count(rateRule(deps.config, visitor, actor))
  if (operation.auth !== 'none') {
    if (actor === null) return fail('AUTH_REQUIRED', { headers })
    checkGates(operation, actor, headers)
  }
  return { actor, headers }
}

/** Who calls; wrong credentials count against the address, so that keys cannot be guessed at leisure. */
async function identify(deps: AdmitDeps, operation: Operation, visitor: Visitor): Promise<Actor | null> {
  if (operation.auth === 'none') return null
  const credentials = credentialsFor(operation, visitor.credentials)
  if (credentials.apiKey === undefined && credentials.bearer === undefined) return null
  try {
    return await deps.rpc.identity.authenticate(credentials, { actor: null, requestId: visitor.requestId })
  } catch (error) {
    if (error instanceof AppError && error.http < 500) await deps.limiter.count(rateRule(deps.config, visitor, null))
    throw error
  }
}

function rateRule(config: GatewayConfig, visitor: Visitor, actor: Actor | null) {
  if (actor === null) return addressRule('ip', visitor.ip, config.RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE)
  const subject = actor.keyId === null ? `user:${actor.userId}` : `key:${actor.keyId}`
  return { subject, perMinute: actor.ratePerMinute, plan: actor.plan }
}

function checkGates(operation: Operation, actor: Actor, headers: Record<string, string>): void {
  const subaccountsMay = operation.subaccountKeys ?? operation.ledger === undefined
  if (actor.subaccountId !== null && !subaccountsMay) fail('ACCESS_DENIED', { headers })
  if (operation.gate !== undefined && !planOpens(actor.plan, operation.gate)) {
    fail(operation.gateError ?? 'PLAN_REQUIRED', { headers })
  }
  if (operation.ledger !== undefined && !ledgerOpens(actor, operation.ledger)) fail('PLAN_REQUIRED', { headers })
}

/** A trial opens every ledger feature until its end, whatever was bought meanwhile. */
function ledgerOpens(actor: Actor, feature: NonNullable<Operation['ledger']>): boolean {
  const { access, reason, plan, trialEndsAt } = actor.ledger
  if (!access) return false
  if (reason === 'trial' || Date.parse(`${trialEndsAt.replace(' ', 'T')}Z`) > Date.now()) return true
  return plan !== null && ledgerPlans[plan][feature]
}
