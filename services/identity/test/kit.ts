import { randomBytes } from 'node:crypto'
import type { Clock } from '@asiento/chassis/clock'
import { startTestService, type TestService, testActor } from '@asiento/chassis/testing/service'
import type { Actor } from '@asiento/proto/actor'
import { AppError, type ErrorCode } from '@asiento/proto/errors'
import type { PlanName } from '@asiento/proto/plans'
import type { CallContext, RpcClients } from '@asiento/proto/rpc'
import type { Tables } from '../src/adapters/out/tables.ts'
import { identity } from '../src/service.ts'

export type Identity = TestService<'identity', Tables>
export const password = 'correct horse battery'

/** A clock that a test moves. */
export const movableClock = (start: string): Clock & { set(instant: string): void; add(ms: number): void } => {
  let now = new Date(start)
  return {
    now: () => now,
    set: (instant) => {
      now = new Date(instant)
    },
    add: (ms) => {
      now = new Date(now.getTime() + ms)
    },
  }
}

export const secret = (kid: string): string => `${kid}:${randomBytes(32).toString('base64')}`

export const startIdentity = (
  options: { environment?: Record<string, string>; clock?: Clock; rpc?: Partial<RpcClients> } = {},
): Promise<Identity> =>
  startTestService(identity, { ...options, environment: { JWT_SECRET: secret('k1'), ...options.environment } })

export const nobody: CallContext = { actor: null, requestId: 'test' }
export const as = (actor: Actor): CallContext => ({ actor, requestId: 'test' })

/** The parts of an operation's input that a test does not care about. */
export const input = <P, Q, B = undefined>(parts: {
  params?: P
  query?: Q
  body?: B
  headers?: Record<string, string>
}) => ({
  params: (parts.params ?? {}) as P,
  query: (parts.query ?? {}) as Q,
  body: parts.body as B,
  files: [],
  headers: parts.headers ?? {},
})

/** The code that a call fails with; `none` when it succeeds. */
export async function codeOf(call: Promise<unknown>): Promise<ErrorCode | 'none'> {
  try {
    await call
    return 'none'
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

/** Mails asked for so far, oldest first, out of the outbox. */
export async function mailsTo(service: Identity, to: string): Promise<{ template: string; link: string }[]> {
  const rows = await service.db.query
    .selectFrom('outbox')
    .select('payload')
    .where('name', '=', 'mail.requested')
    .orderBy('id')
    .execute()
  return rows
    .map((row) => row.payload as unknown as { to: string; template: string; data: { link?: string } })
    .filter((mail) => mail.to === to)
    .map((mail) => ({ template: mail.template, link: mail.data.link ?? '' }))
}

export const tokenIn = (link: string | undefined): string => new URL(link ?? '').searchParams.get('token') ?? ''

let users = 0

/** A verified account, straight in the database, with its actor. */
export async function addAccount(
  service: Identity,
  options: { plan?: PlanName; email?: string; createdAt?: Date } = {},
): Promise<Actor> {
  users += 1
  const email = options.email ?? `user${users}@example.com`
  const now = options.createdAt ?? new Date()
  const row = await service.db.query
    .insertInto('users')
    .values({
      email,
      email_canonical: email,
      full_name: 'Ana Ruiz',
      plan: options.plan ?? 'business',
      email_verified_at: now,
      trial_ends_at: new Date(now.getTime() + 14 * 86_400_000),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return testActor({ userId: row.id, email, plan: options.plan ?? 'business' })
}

/** An account opened through the front door: registered and verified; its session. */
export async function openAccount(service: Identity, email: string) {
  await service.call.register(
    input({ body: { email, password, full_name: 'Ana Ruiz', locale: 'es' as const } }),
    nobody,
  )
  const mails = await mailsTo(service, email)
  await service.call.verifyEmail(input({ query: { token: tokenIn(mails.at(-1)?.link) } }), nobody)
  return service.call.login(input({ body: { email, password } }), nobody)
}
