import type { InputOf, OutputOf } from '@asiento/proto/operation'
import type { Operations } from '@asiento/proto/operations'
import { acceptAddress } from '../domain/email.ts'
import { trialEnd } from '../domain/ledger-access.ts'
import { mailRule } from '../domain/slow-down.ts'
import { attemptSubject, claimAttempt } from './attempts.ts'
import type { Deps, IdentityTx } from './deps.ts'
import { issueToken, requestMail, type TokenRequest } from './mail-tokens.ts'
import { hashPassword } from './passwords.ts'
import { steady } from './steady.ts'

type Registration = NonNullable<TokenRequest['registration']>

/**
 * Opens an account, or tells the owner of an address by mail that it has one. Answer, time and work are the same.
 *
 * Until an address is verified nobody has proved to own it: a later registration does not change the account, it sends a
 * token that carries its own password, and the token that comes back decides.
 */
export const register =
  (deps: Deps) =>
  async ({ body }: InputOf<Operations['register']>): Promise<OutputOf<Operations['register']>> => {
    const address = acceptAddress(body.email)
    return steady(async () => {
      const registration: Registration = {
        passwordHash: await hashPassword(body.password),
        fullName: body.full_name,
        company: body.company?.trim() || null,
        locale: body.locale,
      }
      await deps.db.transaction(async (tx) => {
        const created = await createUser(deps, tx, address, registration)
        const now = deps.clock.now()
        const wait = await claimAttempt(tx, attemptSubject('mail', address.canonical), mailRule, now)
        const known = await tx
          .selectFrom('users')
          .select(['id', 'email', 'locale', 'full_name', 'email_verified_at'])
          .where('email_canonical', '=', address.canonical)
          .executeTakeFirstOrThrow()
        const unverified = known.email_verified_at === null
        const { link, validHours } = await issueToken(deps, tx, {
          purpose: 'verify',
          userId: unverified ? known.id : null,
          registration,
        })
        if (!created && wait > 0) return
        await requestMail(deps, tx, {
          to: known.email,
          locale: created ? registration.locale : known.locale,
          template: created ? 'verify' : 'already_registered',
          data: unverified
            ? { full_name: known.full_name, link, valid_hours: validHours }
            : { full_name: known.full_name, link: deps.config.PUBLIC_URL, valid_hours: null },
        })
      })
      return { message: 'Check your mail to verify the address.', email: address.typed }
    })
  }

/** True when the address was new. */
async function createUser(
  { config, clock }: Deps,
  tx: IdentityTx,
  address: { typed: string; canonical: string },
  registration: Registration,
): Promise<boolean> {
  const now = clock.now()
  const row = await tx
    .insertInto('users')
    .values({
      email: address.typed,
      email_canonical: address.canonical,
      password_hash: registration.passwordHash,
      full_name: registration.fullName,
      company: registration.company,
      locale: registration.locale,
      trial_ends_at: trialEnd(now, config.LEDGER_TRIAL_DAYS),
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('email_canonical').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
