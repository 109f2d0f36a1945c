import type { InputOf, OutputOf } from '@asiento/proto/operation'
import type { Operations } from '@asiento/proto/operations'
import { sql } from 'kysely'
import { readAddress } from '../domain/email.ts'
import { mailRule } from '../domain/slow-down.ts'
import { attemptSubject, claimAttempt, forgiveAttempts } from './attempts.ts'
import type { Deps } from './deps.ts'
import { issueToken, requestMail, useToken } from './mail-tokens.ts'
import { hashPassword } from './passwords.ts'
import { steady } from './steady.ts'

/** Sends a link that resets the password, if the address has an account; the answer never tells. */
export const forgotPassword =
  (deps: Deps) =>
  ({ body }: InputOf<Operations['forgotPassword']>): Promise<OutputOf<Operations['forgotPassword']>> =>
    steady(async () => {
      const canonical = readAddress(body.email)?.canonical ?? 'nobody'
      await deps.db.transaction(async (tx) => {
        const wait = await claimAttempt(tx, attemptSubject('mail', canonical), mailRule, deps.clock.now())
        const user = await tx
          .selectFrom('users')
          .select(['id', 'email', 'full_name', 'locale'])
          .where('email_canonical', '=', canonical)
          .where('suspended_at', 'is', null)
          .executeTakeFirst()
        const { link, validHours } = await issueToken(deps, tx, { purpose: 'reset', userId: user?.id ?? null })
        if (user === undefined || wait > 0) return
        await requestMail(deps, tx, {
          to: user.email,
          locale: user.locale,
          template: 'reset',
          data: { full_name: user.full_name, link, valid_hours: validHours },
        })
      })
      return { message: 'If the address has an account, a mail with a link is on its way.' }
    })

/**
 * Sets a new password with the token of a mail; every older session ends. Who holds the token reads the mail, so the
 * address counts as verified from then on. A bad token fails INVALID_INPUT.
 */
export const resetPassword =
  (deps: Deps, changed: () => void) =>
  async ({ body }: InputOf<Operations['resetPassword']>): Promise<OutputOf<Operations['resetPassword']>> => {
    const passwordHash = await hashPassword(body.new_password)
    await deps.db.transaction(async (tx) => {
      const token = await useToken(deps, tx, 'reset', body.token)
      const user = await tx
        .updateTable('users')
        .set({
          password_hash: passwordHash,
          token_epoch: sql`token_epoch + 1`,
          email_verified_at: sql`coalesce(email_verified_at, ${deps.clock.now()})`,
        })
        .where('id', '=', token.user_id)
        .returning('email_canonical')
        .executeTakeFirstOrThrow()
      await forgiveAttempts(tx, attemptSubject('login', user.email_canonical), null)
    })
    changed()
    return { message: 'The password is changed.' }
  }
