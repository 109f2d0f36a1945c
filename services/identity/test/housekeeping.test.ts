import { scopeOf } from '@asiento/proto/actor'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Deps } from '../src/app/deps.ts'
import { dropLeftovers, remindOfTrialEnd } from '../src/app/housekeeping.ts'
import { identityEnvironment } from '../src/config.ts'
import { addAccount, type Identity, input, mailsTo, movableClock, nobody, secret, startIdentity } from './kit.ts'

describe('housekeeping', () => {
  const clock = movableClock('2026-03-01T09:00:00Z')
  let identity: Identity
  let deps: Deps
  beforeAll(async () => {
    identity = await startIdentity({ clock })
    const config = identityEnvironment.parse({ JWT_SECRET: secret('k1') })
    deps = { ...identity.shared, db: identity.db, config }
  })
  afterAll(() => identity.stop())

  test('owners hear once, three days before, that their trial ends; not those with a ledger plan', async () => {
    const [plain, subscribed, short] = [
      await addAccount(identity, { createdAt: clock.now() }),
      await addAccount(identity, { createdAt: clock.now() }),
      await addAccount(identity, { createdAt: clock.now() }),
    ]
    const change = (userId: number, columns: { ledger_plan?: 'contab_pro'; trial_ends_at?: Date }) =>
      identity.db.query.updateTable('users').set(columns).where('id', '=', userId).execute()
    await change(subscribed.userId, { ledger_plan: 'contab_pro' })
    await change(short.userId, { trial_ends_at: new Date('2026-03-13T09:00:00Z') })
    await identity.db.query
      .updateTable('users')
      .set({ created_at: new Date('2026-03-11T09:00:00Z') })
      .where('id', '=', short.userId)
      .execute()
    const remind = remindOfTrialEnd(deps)
    const reminders = async (email: string) => (await mailsTo(identity, email)).map((mail) => mail.template)

    clock.set('2026-03-12T08:59:59Z')
    await remind()
    expect(await reminders(plain.email)).toEqual([])
    clock.set('2026-03-12T09:00:00Z')
    await Promise.all([remind(), remind(), remind()])
    await remind()
    expect(await reminders(plain.email)).toEqual(['trial_ending'])
    expect(await reminders(subscribed.email)).toEqual([])
    expect(await reminders(short.email)).toEqual([])
  })

  test('what is old goes, what may still be asked for stays', async () => {
    const scope = scopeOf(await addAccount(identity, { createdAt: clock.now() }))
    const reserve = (reservationId: string) =>
      identity.call.reserveCredits({ reservationId, credits: 1, scope }, nobody)
    await reserve('extraction:settled')
    await reserve('extraction:open')
    await identity.call.settleCredits({ reservationId: 'extraction:settled', outcome: 'commit' }, nobody)
    await identity.call.forgotPassword(input({ body: { email: 'somebody@example.com' } }), nobody)
    const count = async () => {
      const ids = await identity.db.query.selectFrom('reservations').select('id').orderBy('id').execute()
      const tokens = await identity.db.query.selectFrom('mail_tokens').select('purpose').execute()
      const attempts = await identity.db.query.selectFrom('attempts').select('failures').execute()
      return { reservations: ids.map((row) => row.id), tokens: tokens.length, attempts: attempts.length }
    }
    const everything = { reservations: ['extraction:open', 'extraction:settled'], tokens: 1, attempts: 1 }
    await dropLeftovers(deps)()
    expect(await count()).toEqual(everything)
    clock.add(89 * 86_400_000)
    await dropLeftovers(deps)()
    expect(await count()).toEqual({ ...everything, tokens: 0, attempts: 0 })
    clock.add(2 * 86_400_000)
    await dropLeftovers(deps)()
    expect((await count()).reservations).toEqual(['extraction:open'])
    expect(await identity.call.quotaOf(scope, nobody)).toMatchObject({ used: 0 })
  })
})
