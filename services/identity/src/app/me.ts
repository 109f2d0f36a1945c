import type { Actor } from '@asiento/proto/actor'
import type { OutputOf } from '@asiento/proto/operation'
import type { Operations } from '@asiento/proto/operations'
import { timestamp } from '@asiento/proto/time'
import { sql } from 'kysely'
import { quotaOf } from './credits.ts'
import type { Deps } from './deps.ts'

/** The account of the session. */
export const me =
  (deps: Deps) =>
  async (actor: Actor): Promise<OutputOf<Operations['me']>> => {
    const user = await deps.db.query
      .selectFrom('users')
      .selectAll()
      .where('id', '=', actor.userId)
      .executeTakeFirstOrThrow()
    return {
      id: user.id,
      email: user.email,
      full_name: user.full_name,
      company: user.company,
      plan: user.plan,
      ledger_plan: user.ledger_plan,
      email_verified: user.email_verified_at !== null,
      created_at: timestamp(user.created_at),
      quota: await quotaOf(deps)({ userId: user.id, keyId: null, subaccountId: null, sandbox: false }),
    }
  }

/** Ends every session of the account by raising its token epoch. */
export const logout =
  (deps: Deps, changed: () => void) =>
  async (actor: Actor): Promise<OutputOf<Operations['logout']>> => {
    await deps.db.query
      .updateTable('users')
      .set({ token_epoch: sql`token_epoch + 1` })
      .where('id', '=', actor.userId)
      .execute()
    changed()
    return { message: 'All sessions are ended.' }
  }
