import type { InputOf, OutputOf } from '@asiento/proto/operation'
import type { Operations } from '@asiento/proto/operations'
import type { Deps } from './deps.ts'
import { useToken } from './mail-tokens.ts'

/** Verifies an address with the token of a mail. A bad, used or expired token fails INVALID_INPUT. */
export const verifyEmail =
  (deps: Deps) =>
  async ({ query }: InputOf<Operations['verifyEmail']>): Promise<OutputOf<Operations['verifyEmail']>> => {
    const email = await deps.db.transaction(async (tx) => {
      const token = await useToken(deps, tx, 'verify', query.token)
      const user = await tx
        .selectFrom('users')
        .select(['id', 'email', 'email_verified_at'])
        .where('id', '=', token.user_id)
        .forNoKeyUpdate()
        .executeTakeFirstOrThrow()
      // The password of a registration counts only where the address had no owner yet.
      if (user.email_verified_at === null) {
        await tx
          .updateTable('users')
          .set({
            email_verified_at: deps.clock.now(),
            ...(token.password_hash === null ? {} : { password_hash: token.password_hash }),
            ...(token.full_name === null ? {} : { full_name: token.full_name, company: token.company }),
            ...(token.locale === null ? {} : { locale: token.locale }),
          })
          .where('id', '=', user.id)
          .execute()
      }
      return user.email
    })
    return { message: 'The address is verified.', email, verified: true }
  }
