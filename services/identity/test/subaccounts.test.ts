import { type Actor, scopeOf } from '@asiento/proto/actor'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addAccount, as, codeOf, type Identity, input, nobody, startIdentity } from './kit.ts'

describe('subaccounts', () => {
  let identity: Identity
  let owner: Actor
  beforeAll(async () => {
    identity = await startIdentity()
  })
  afterAll(() => identity.stop())
  beforeEach(async () => {
    owner = await addAccount(identity)
  })

  const create = (name: string, actor = owner) => identity.call.createSubaccount(input({ body: { name } }), as(actor))
  const of = (id: number) => ({ params: { subaccount_id: id } })
  const newKey = (id: number, quota: number, actor = owner) =>
    identity.call.createSubaccountKey(input({ ...of(id), body: { name: 'Caja', quota } }), as(actor))
  const get = (id: number, actor = owner) => identity.call.getSubaccount(input(of(id)), as(actor))
  const list = (q = '', limit = 50, offset = 0) =>
    identity.call.listSubaccounts(input({ query: { q, limit, offset } }), as(owner))

  let works = 0
  async function use(key: { id: number; subaccount_id: number }, credits: number) {
    works += 1
    const reservationId = `extraction:${works}`
    const scope = { ...scopeOf(owner), keyId: key.id, subaccountId: key.subaccount_id }
    await identity.call.reserveCredits({ reservationId, credits, scope }, nobody)
    await identity.call.settleCredits({ reservationId, outcome: 'commit' }, nobody)
  }

  test('slugs are made from names and unique in the account, also when several are added at once', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => create('Panadería Núñez')))
    expect(made.map((subaccount) => subaccount.slug).sort()).toEqual([
      'panaderia-nunez',
      'panaderia-nunez-2',
      'panaderia-nunez-3',
      'panaderia-nunez-4',
      'panaderia-nunez-5',
    ])
    const other = await addAccount(identity)
    expect((await create('Panadería Núñez', other)).slug).toBe('panaderia-nunez')
  })

  test('the list searches name and slug, and pages', async () => {
    for (const name of ['Bar Ávila', 'Bar Luz', 'Taller 100%']) await create(name)
    expect((await list()).items.map((item) => item.name)).toEqual(['Taller 100%', 'Bar Luz', 'Bar Ávila'])
    expect((await list('avila')).items.map((item) => item.name)).toEqual(['Bar Ávila'])
    expect((await list('100%')).items).toHaveLength(1)
    expect((await list('%%')).items).toHaveLength(0)
    expect(await list('', 2)).toMatchObject({ total: 3, has_more: true })
    expect(await list('', 2, 2)).toMatchObject({ total: 3, has_more: false })
    expect(await list('', 2, 9)).toMatchObject({ total: 3, items: [], has_more: false })
  })

  test('a key is bound to its subaccount and shows its own quota', async () => {
    const { id } = await create('Client')
    const key = await newKey(id, 10)
    expect(key).toMatchObject({ name: 'Caja', quota: 10, subaccount_id: id, prefix: key.raw_key.slice(0, 12) })
    expect(await identity.call.authenticate({ apiKey: key.raw_key }, nobody)).toMatchObject({ subaccountId: id })
    await use(key, 4)
    expect(await get(id)).toMatchObject({
      total_used: 4,
      total_quota: 10,
      pct_used: 40,
      keys_count: 1,
      keys: [{ id: key.id, quota: 10, used: 4, remaining: 6 }],
    })
    expect(await identity.call.subaccountUsage({ subaccountId: id }, as(owner))).toEqual({
      keys: [{ name: 'Caja', quota: 10, used: 4, remaining: 6 }],
      quota: 10,
      used: 4,
    })
  })

  test('the summary adds up, names the most active and alerts at 90 %', async () => {
    const [quiet, busy, almost] = [await create('Quiet'), await create('Busy'), await create('Almost')]
    await use(await newKey(busy.id, 10), 9)
    await use(await newKey(almost.id, 1000), 8)
    await newKey(quiet.id, 90)
    expect(await identity.call.subaccountsSummary(input({}), as(owner))).toMatchObject({
      count: 3,
      total_used: 17,
      total_quota: 1100,
      pct_used: 1.55,
      most_active: { id: busy.id, name: 'Busy', slug: 'busy', total_used: 9 },
      last_30_days: 17,
      alerts: [{ subaccount: 'Busy', slug: 'busy', pct: 90 }],
    })
  })

  test('an account without subaccounts has an empty summary', async () => {
    expect(await identity.call.subaccountsSummary(input({}), as(owner))).toEqual({
      count: 0,
      total_used: 0,
      total_quota: 0,
      pct_used: 0,
      most_active: null,
      last_30_days: 0,
      alerts: [],
      subaccounts: [],
    })
  })

  test('name and notes change, the slug stays', async () => {
    const { id } = await create('Old name')
    const update = (body: { name?: string; notes?: string | null }) =>
      identity.call.updateSubaccount(input({ ...of(id), body }), as(owner))
    expect(await update({ name: 'New name' })).toMatchObject({ name: 'New name', slug: 'old-name', notes: null })
    expect(await update({ notes: 'Since 2024' })).toMatchObject({ name: 'New name', notes: 'Since 2024' })
    expect(await update({ notes: null })).toMatchObject({ notes: null })
    expect(await update({})).toMatchObject({ name: 'New name', notes: null })
  })

  test('a closed one is gone from the lists, its keys are dead, its data is kept', async () => {
    const { id } = await create('Closing')
    const key = await newKey(id, 10)
    await use(key, 1)
    expect(await identity.call.deleteSubaccount(input(of(id)), as(owner))).toEqual({ deleted: true })
    expect(await codeOf(identity.call.authenticate({ apiKey: key.raw_key }, nobody))).toBe('AUTH_INVALID_KEY')
    expect((await list()).items).toEqual([])
    expect(await codeOf(get(id))).toBe('NOT_FOUND')
    expect(await codeOf(identity.call.deleteSubaccount(input(of(id)), as(owner)))).toBe('NOT_FOUND')
    expect(await identity.call.subaccountExists({ subaccountId: id }, as(owner))).toEqual({ exists: true })
    expect((await create('Closing')).slug).toBe('closing-2')
  })

  test('a key of a subaccount is revoked once', async () => {
    const { id } = await create('Client')
    const key = await newKey(id, 10)
    const revoke = () =>
      identity.call.deleteSubaccountKey(input({ params: { subaccount_id: id, key_id: key.id } }), as(owner))
    expect(await revoke()).toEqual({ deleted: true })
    expect(await codeOf(identity.call.authenticate({ apiKey: key.raw_key }, nobody))).toBe('AUTH_INVALID_KEY')
    expect(await codeOf(revoke())).toBe('KEY_NOT_FOUND')
  })

  test('what a revoked key used still counts, without making the others look exhausted', async () => {
    const { id } = await create('Client')
    const [old] = [await newKey(id, 10), await newKey(id, 10)]
    await use(old, 9)
    await identity.call.deleteSubaccountKey(input({ params: { subaccount_id: id, key_id: old.id } }), as(owner))
    expect(await get(id)).toMatchObject({ total_used: 9, total_quota: 19, keys_count: 1 })
  })

  test('another account’s is ACCESS_DENIED, a missing one NOT_FOUND', async () => {
    const { id } = await create('Mine')
    const key = await newKey(id, 1)
    const other = await addAccount(identity)
    for (const [subaccount, code] of [
      [id, 'ACCESS_DENIED'],
      [999_999, 'NOT_FOUND'],
    ] as const) {
      const parts = input({ params: { subaccount_id: subaccount, key_id: key.id } })
      const calls = [
        get(subaccount, other),
        newKey(subaccount, 1, other),
        identity.call.updateSubaccount(input({ ...of(subaccount), body: { name: 'Mine now' } }), as(other)),
        identity.call.deleteSubaccount(input(of(subaccount)), as(other)),
        identity.call.deleteSubaccountKey(parts, as(other)),
        identity.call.subaccountUsage({ subaccountId: subaccount }, as(other)),
      ]
      expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => code))
    }
    expect(await codeOf(identity.call.subaccountExists({ subaccountId: id }, as(other)))).toBe('ACCESS_DENIED')
    expect((await get(id)).name).toBe('Mine')
  })

  test('below Business the calls of other services are PLAN_REQUIRED, and so are the keys', async () => {
    const { id } = await create('Client')
    const key = await newKey(id, 10)
    const downgraded = { ...owner, plan: 'pro' as const }
    expect(await codeOf(identity.call.subaccountExists({ subaccountId: id }, as(downgraded)))).toBe('PLAN_REQUIRED')
    await identity.db.query.updateTable('users').set({ plan: 'pro' }).where('id', '=', owner.userId).execute()
    expect(await codeOf(identity.call.authenticate({ apiKey: key.raw_key }, nobody))).toBe('PLAN_REQUIRED')
  })
})
