import { fail } from '@asiento/proto/errors'
import type { InputOf, OutputOf } from '@asiento/proto/operation'
import type { Operations } from '@asiento/proto/operations'
import type { Selectable } from 'kysely'
import type { Tables } from '../adapters/out/tables.ts'
import { readAddress } from '../domain/email.ts'
import { accountRule, addressRule } from '../domain/slow-down.ts'
import { attemptSubject, claimAttempt, forgiveAttempts } from './attempts.ts'
import type { Deps } from './deps.ts'
import { checkPassword } from './passwords.ts'
import { sessionSeconds, signSession } from './session-tokens.ts'

export type User = Selectable<Tables['users']>
type Session = OutputOf<Operations['login']>

/**
 * Signs in with address and password. A wrong password and an unknown address are the same: AUTH_INVALID_CREDENTIALS.
 * Only who knows the password learns that an account is unverified or suspended (ACCESS_DENIED). Too many attempts fail
 * RATE_LIMIT_EXCEEDED with Retry-After.
 */
export const login =
  (deps: Deps) =>
  async ({ body, headers }: InputOf<Operations['login']>): Promise<Session> => {
    const canonical = readAddress(body.email)?.canonical ?? body.email.slice(0, 254).toLowerCase()
    const account = attemptSubject('login', canonical)
    const ip = headers['x-client-ip']
    const address = ip === undefined ? null : attemptSubject('ip', ip)
    await holdBack(deps, account, address)
    const user = await deps.db.query
      .selectFrom('users')
      .selectAll()
      // A NUL, which PostgreSQL refuses, is in no address.
      .where('email_canonical', '=', canonical.replaceAll('\0', ''))
      .executeTakeFirst()
    const right = await checkPassword(user?.password_hash, body.password)
    if (!right || user === undefined) return fail('AUTH_INVALID_CREDENTIALS')
    await forgiveAttempts(deps.db.query, account, address)
    return openSession(deps, user)
  }

/** A session for an account that is verified and not suspended. Fails ACCESS_DENIED. */
export async function openSession(deps: Deps, user: User): Promise<Session> {
  if (user.suspended_at !== null) fail('ACCESS_DENIED', { detail: 'This account is suspended.' })
  if (user.email_verified_at === null) fail('ACCESS_DENIED', { detail: 'Verify your email address first.' })
  return {
    access_token: await signSession(deps, { userId: user.id, epoch: user.token_epoch }),
    token_type: 'bearer',
    expires_in: sessionSeconds,
    user: { id: user.id, email: user.email, full_name: user.full_name, plan: user.plan },
  }
}

async function holdBack(deps: Deps, account: Buffer, address: Buffer | null): Promise<void> {
  const now = deps.clock.now()
  const waits = [
    address === null ? 0 : await claimAttempt(deps.db.query, address, addressRule, now),
    await claimAttempt(deps.db.query, account, accountRule, now),
  ]
  const waitMs = Math.max(...waits)
  if (waitMs === 0) return
  fail('RATE_LIMIT_EXCEEDED', {
    detail: 'Too many sign-in attempts; wait Retry-After.',
    headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
  })
}
