import { sql } from 'kysely'
import type { Deps } from './deps.ts'
import { requestMail } from './mail-tokens.ts'

const dayMs = 86_400_000
const remindDaysBefore = 3

/** Longer than any repetition of a piece of work could take, and than any figure looks back. */
const reservationDaysKept = 90

/** Drops what nobody asks for any more: old attempts, tokens that ended a week ago, settled reservations. */
export const dropLeftovers = (deps: Deps) => async (): Promise<void> => {
  const now = deps.clock.now().getTime()
  await deps.db.query
    .deleteFrom('attempts')
    .where('last_failed_at', '<', new Date(now - dayMs))
    .execute()
  await deps.db.query
    .deleteFrom('mail_tokens')
    .where('expires_at', '<', new Date(now - 7 * dayMs))
    .execute()
  await deps.db.query
    .deleteFrom('reservations')
    .where('settled_at', '<', new Date(now - reservationDaysKept * dayMs))
    .execute()
}

/** Tells owners three days before that their ledger trial ends, once; not those who have a ledger plan. */
export const remindOfTrialEnd = (deps: Deps) => async (): Promise<void> => {
  const now = deps.clock.now()
  await deps.db.transaction(async (tx) => {
    const users = await tx
      .updateTable('users')
      .set({ trial_reminded_at: now })
      .where('trial_reminded_at', 'is', null)
      .where('trial_ends_at', '>', now)
      .where('trial_ends_at', '<=', new Date(now.getTime() + remindDaysBefore * dayMs))
      // A trial that is no longer than the notice needs none.
      .where(sql<boolean>`trial_ends_at > created_at + ${remindDaysBefore} * interval '1 day'`)
      .where('ledger_plan', 'is', null)
      .where('email_verified_at', 'is not', null)
      .where('suspended_at', 'is', null)
      .returning(['id', 'email', 'locale', 'full_name', 'trial_ends_at'])
      .execute()
    for (const user of users) {
      await requestMail(deps, tx, {
        to: user.email,
        locale: user.locale,
        template: 'trial_ending',
        data: { full_name: user.full_name, trial_ends_at: user.trial_ends_at.toISOString().slice(0, 10) },
        mailId: `trial-ending:${user.id}`,
      })
    }
  })
}
