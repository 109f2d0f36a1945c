import { trialEnd } from '../domain/ledger-access.ts'
import type { Deps } from './deps.ts'
import { insertKey } from './keys.ts'
import { hashPassword } from './passwords.ts'

const demoAddress = 'demo@asiento.local'
const keyName = 'Demo'
const trialDays = 14

export interface DemoAccount {
  email: string
  password: string
  api_key: string
}

/**
 * Makes the demo account, verified, with plan business and ledger plan contab_business, or keeps the one there is. Its
 * password and its one key named `Demo` are new each time, because neither can be read back.
 */
export async function seedDemoAccount(deps: Pick<Deps, 'db' | 'clock' | 'ids'>): Promise<DemoAccount> {
  const password = deps.ids.bytes(18).toString('base64url')
  const passwordHash = await hashPassword(password)
  return deps.db.transaction(async (tx) => {
    const now = deps.clock.now()
    const { id } = await tx
      .insertInto('users')
      .values({
        email: demoAddress,
        email_canonical: demoAddress,
        password_hash: passwordHash,
        full_name: 'Cuenta de demostración',
        plan: 'business',
        ledger_plan: 'contab_business',
        locale: 'es',
        email_verified_at: now,
        trial_ends_at: trialEnd(now, trialDays),
        trial_reminded_at: now,
        created_at: now,
      })
      .onConflict((conflict) => conflict.column('email_canonical').doUpdateSet({ password_hash: passwordHash }))
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('api_keys')
      .set({ revoked_at: now })
      .where('user_id', '=', id)
      .where('name', '=', keyName)
      .where('revoked_at', 'is', null)
      .execute()
    const key = await insertKey(deps, tx, { userId: id, subaccountId: null, name: keyName, plan: 'pro', quota: null })
    return { email: demoAddress, password, api_key: key.raw_key }
  })
}
