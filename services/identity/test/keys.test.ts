import { randomBytes } from 'node:crypto'
import type { Actor } from '@asiento/proto/actor'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeKey } from '../src/domain/api-key.ts'
import { addAccount, as, codeOf, type Identity, input, nobody, openAccount, secret, startIdentity } from './kit.ts'

describe('API keys', () => {
  let identity: Identity
  beforeAll(async () => {
    identity = await startIdentity()
  })
  afterAll(() => identity.stop())

  const create = (actor: Actor, plan = 'pro') =>
    identity.call.createKey(input({ body: { name: 'ERP', plan } }), as(actor))
  const authenticate = (apiKey: string) => identity.call.authenticate({ apiKey }, nobody)

  test('a key tells whose it is', async () => {
    const actor = await addAccount(identity, { plan: 'pro' })
    const key = await create(actor)
    expect(key).toMatchObject({ name: 'ERP', plan: 'pro', prefix: key.raw_key.slice(0, 12) })
    expect(await authenticate(key.raw_key)).toMatchObject({
      userId: actor.userId,
      via: 'key',
      keyId: key.id,
      plan: 'pro',
      sandbox: false,
      subaccountId: null,
      ratePerMinute: 60,
    })
  })

  test('the value of a key is kept nowhere', async () => {
    const { raw_key } = await create(await addAccount(identity))
    const rows = await identity.db.query.selectFrom('api_keys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(raw_key.slice(12))
  })

  test('a plan that keys do not have is INVALID_PLAN', async () => {
    expect(await codeOf(create(await addAccount(identity), 'business'))).toBe('INVALID_PLAN')
  })

  test.each([
    ['a key that nobody made', () => makeKey(randomBytes(24)).raw],
    ['a wrong checksum', () => `${makeKey(randomBytes(24)).raw.slice(0, -6)}000000`],
    ['something else', () => 'sk_live_whatever'],
    ['nothing', () => ''],
  ])('%s is AUTH_INVALID_KEY', async (_name, text) => {
    expect(await codeOf(authenticate(text()))).toBe('AUTH_INVALID_KEY')
  })

  test('a revoked key stops working here at once, and is KEY_NOT_FOUND from then on', async () => {
    const actor = await addAccount(identity)
    const key = await create(actor)
    await authenticate(key.raw_key)
    const revoke = () => identity.call.revokeKey(input({ body: { key: key.raw_key } }), as(actor))
    expect(await revoke()).toEqual({ id: key.id, revoked: true })
    expect(await codeOf(authenticate(key.raw_key))).toBe('AUTH_INVALID_KEY')
    expect(await codeOf(revoke())).toBe('KEY_NOT_FOUND')
    expect(await codeOf(identity.call.revokeKeyById(input({ body: { id: key.id } }), as(actor)))).toBe('KEY_NOT_FOUND')
    const { keys } = await identity.call.listKeys(input({}), as(actor))
    expect(keys).toMatchObject([{ id: key.id, revoked_at: expect.any(String), last_used_at: expect.any(String) }])
  })

  test('a revocation by another replica is felt within a second', async () => {
    const actor = await addAccount(identity)
    const key = await create(actor)
    await authenticate(key.raw_key)
    await identity.db.query.updateTable('api_keys').set({ revoked_at: new Date() }).where('id', '=', key.id).execute()
    const revokedAt = performance.now()
    await vi.waitFor(async () => expect(await codeOf(authenticate(key.raw_key))).toBe('AUTH_INVALID_KEY'), {
      timeout: 5_000,
      interval: 20,
    })
    expect(performance.now() - revokedAt).toBeLessThan(1_000)
  })

  test('another account’s key can neither be revoked nor seen', async () => {
    const [owner, other] = [await addAccount(identity), await addAccount(identity)]
    const key = await create(owner)
    expect(await codeOf(identity.call.revokeKeyById(input({ body: { id: key.id } }), as(other)))).toBe('ACCESS_DENIED')
    expect(await codeOf(identity.call.revokeKey(input({ body: { key: key.raw_key } }), as(other)))).toBe(
      'ACCESS_DENIED',
    )
    expect(await identity.call.listKeys(input({}), as(other))).toEqual({ keys: [] })
    expect(await codeOf(authenticate(key.raw_key))).toBe('none')
  })

  test('a key shows itself with the quota that it draws on', async () => {
    const account = await addAccount(identity, { plan: 'pro' })
    const key = await create(account, 'free')
    const actor = await authenticate(key.raw_key)
    expect(actor.sandbox).toBe(true)
    const shown = await identity.call.myKey(input({}), as(actor))
    expect(shown).toMatchObject({ id: key.id, sandbox: true, plan: 'free', quota: 2, used: 0, remaining: 2 })
    expect(shown.last_used_at).not.toBeNull()
  })

  test('after a downgrade keys answer PLAN_REQUIRED, and work again after an upgrade', async () => {
    const actor = await addAccount(identity, { plan: 'pro' })
    const key = await create(actor)
    const setPlan = (plan: 'starter' | 'pro') =>
      identity.db.query.updateTable('users').set({ plan }).where('id', '=', actor.userId).execute()
    await setPlan('starter')
    expect(await codeOf(authenticate(key.raw_key))).toBe('PLAN_REQUIRED')
    await setPlan('pro')
    await vi.waitFor(async () => expect(await codeOf(authenticate(key.raw_key))).toBe('none'), { timeout: 5_000 })
  })

  test('many calls at once with one key ask the database once', async () => {
    const key = await create(await addAccount(identity))
    const actors = await Promise.all(Array.from({ length: 50 }, () => authenticate(key.raw_key)))
    expect(new Set(actors.map((actor) => actor.keyId))).toEqual(new Set([key.id]))
  })
})

describe('sessions', () => {
  test('stay good while their key is in the list, whichever signs now', async () => {
    const [older, newer] = [secret('k1'), secret('k2')]
    const before = await startIdentity({ environment: { JWT_SECRET: older } })
    const after = await startIdentity({ environment: { JWT_SECRET: `${newer},${older}` } })
    const later = await startIdentity({ environment: { JWT_SECRET: newer } })
    try {
      const { access_token } = await openAccount(before, 'ana@example.com')
      await openAccount(after, 'ana@example.com')
      await openAccount(later, 'ana@example.com')
      const read = (service: Identity) => codeOf(service.call.authenticate({ bearer: access_token }, nobody))
      expect(await read(after)).toBe('none')
      expect(await read(later)).toBe('AUTH_INVALID_TOKEN')
    } finally {
      await Promise.all([before, after, later].map((service) => service.stop()))
    }
  })
})
