import { systemClock, systemIds } from '@asiento/chassis/clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedDemoAccount } from '../src/app/seed-demo-account.ts'
import { codeOf, type Identity, input, nobody, startIdentity } from './kit.ts'

describe('the demo account', () => {
  let identity: Identity
  beforeAll(async () => {
    identity = await startIdentity()
  })
  afterAll(() => identity.stop())

  const seed = () => seedDemoAccount({ db: identity.db, clock: systemClock, ids: systemIds })

  test('can sign in and call with its key, plan business, ledger plan contab_business', async () => {
    const demo = await seed()
    const session = await identity.call.login(input({ body: { email: demo.email, password: demo.password } }), nobody)
    expect(session.user.plan).toBe('business')
    const actor = await identity.call.authenticate({ apiKey: demo.api_key }, nobody)
    expect(actor).toMatchObject({ via: 'key', sandbox: false, ledger: { access: true, plan: 'contab_business' } })
  })

  test('is kept when it is there: the same account, its old key dead', async () => {
    const [before, after] = [await seed(), await seed()]
    expect(after.email).toBe(before.email)
    expect(await codeOf(identity.call.authenticate({ apiKey: before.api_key }, nobody))).toBe('AUTH_INVALID_KEY')
    const actor = await identity.call.authenticate({ apiKey: after.api_key }, nobody)
    const users = await identity.db.query.selectFrom('users').select('id').execute()
    expect(users).toEqual([{ id: actor.userId }])
  })
})
