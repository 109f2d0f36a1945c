import { randomUUID } from 'node:crypto'
import type { Actor, Scope } from '@asiento/proto/actor'
import { scopeOf } from '@asiento/proto/actor'
import { plans } from '@asiento/proto/plans'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { addAccount, as, codeOf, type Identity, input, nobody, startIdentity } from './kit.ts'

describe('credits', () => {
  let identity: Identity
  beforeAll(async () => {
    identity = await startIdentity()
  })
  afterAll(() => identity.stop())

  const newWork = () => `extraction:${randomUUID()}`
  const reserve = (scope: Scope, reservationId = newWork(), credits = 1) =>
    identity.call.reserveCredits({ reservationId, credits, scope }, nobody)
  const settle = (reservationId: string, outcome: 'commit' | 'release') =>
    identity.call.settleCredits({ reservationId, outcome }, nobody)
  const used = async (scope: Scope) => (await identity.call.quotaOf(scope, nobody)).used

  /**
   * Runs calls that race for certain: the account's counter is locked until as many of them as there are connections
   * stand in its queue, so that a check that rests on an earlier reading shows.
   */
  async function atOnce<T>(scope: Scope, calls: () => Promise<T>[]): Promise<T[]> {
    return identity.db.query.connection().execute(async (connection) => {
      await sql`begin`.execute(connection)
      await sql`select 1 from account_usage where user_id = ${scope.userId} for update`.execute(connection)
      const running = Promise.all(calls())
      await vi.waitFor(
        async () => {
          const { rows } = await sql<{ waiting: number }>`select count(*)::integer as waiting from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%_credits(%'`.execute(
            identity.db.query,
          )
          expect(rows[0]?.waiting).toBeGreaterThanOrEqual(8)
        },
        { timeout: 20_000 },
      )
      await sql`commit`.execute(connection)
      return running
    })
  }

  const warnings = async (actor: Actor) => {
    const rows = await identity.db.query
      .selectFrom('outbox')
      .select('payload')
      .where('name', '=', 'quota.warning')
      .execute()
    return rows
      .map((row) => row.payload as unknown as { userId: number; remaining: number; used: number })
      .filter((payload) => payload.userId === actor.userId)
  }

  test('of 200 calls racing for the last 5 credits exactly 5 succeed', async () => {
    const scope = scopeOf(await addAccount(identity, { plan: 'starter' }))
    await reserve(scope, newWork(), plans.starter.monthlyQuota - 5)
    const outcomes = await atOnce(scope, () => Array.from({ length: 200 }, () => codeOf(reserve(scope))))
    expect(outcomes.filter((code) => code === 'none')).toHaveLength(5)
    expect(outcomes.filter((code) => code === 'QUOTA_EXCEEDED')).toHaveLength(195)
    expect(await used(scope)).toBe(plans.starter.monthlyQuota)
  })

  test('one piece of work is charged once, however often it is reserved, settled and at once', async () => {
    const scope = scopeOf(await addAccount(identity))
    const work = newWork()
    await reserve(scope)
    await atOnce(scope, () => Array.from({ length: 20 }, () => reserve(scope, work)))
    expect(await used(scope)).toBe(2)
    const settled = await atOnce(scope, () => Array.from({ length: 20 }, () => settle(work, 'commit')))
    expect(settled.filter((answer) => answer.settled)).toHaveLength(1)
    expect(await settle(work, 'release')).toEqual({ settled: false })
    await reserve(scope, work)
    expect(await used(scope)).toBe(2)
  })

  test('what is given back can be used again, also by the same work', async () => {
    const scope = scopeOf(await addAccount(identity, { plan: 'free' }))
    const [one, two] = [newWork(), newWork()]
    await reserve(scope, one)
    await reserve(scope, two)
    expect(await codeOf(reserve(scope))).toBe('QUOTA_EXCEEDED')
    await settle(one, 'release')
    expect(await used(scope)).toBe(1)
    await reserve(scope, one)
    expect(await used(scope)).toBe(2)
  })

  test('says in the headers of a refusal which quota was short', async () => {
    const scope = scopeOf(await addAccount(identity, { plan: 'free' }))
    await reserve(scope, newWork(), 2)
    await expect(reserve(scope)).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
      headers: { 'x-quota-used': '2', 'x-quota-limit': '2', 'x-quota-remaining': '0' },
    })
  })

  test('a sandbox key has the quota of the free plan and leaves the account alone', async () => {
    const actor = await addAccount(identity)
    const key = await identity.call.createKey(input({ body: { name: 'try', plan: 'free' } }), as(actor))
    const scope = { ...scopeOf(actor), keyId: key.id, sandbox: true }
    expect((await reserve(scope)).quota).toMatchObject({ plan: 'free', quota: 2, used: 1 })
    await reserve(scope)
    expect(await codeOf(reserve(scope))).toBe('QUOTA_EXCEEDED')
    expect(await used(scopeOf(actor))).toBe(0)
  })

  test('a subaccount key draws on its own quota and on the account’s, and neither alone is enough', async () => {
    const actor = await addAccount(identity, { plan: 'free' })
    const subaccount = await identity.call.createSubaccount(input({ body: { name: 'Client' } }), as(actor))
    const keyOf = async (quota: number) => {
      const parts = { params: { subaccount_id: subaccount.id }, body: { name: 'k', quota } }
      const key = await identity.call.createSubaccountKey(input(parts), as(actor))
      return { ...scopeOf(actor), keyId: key.id, subaccountId: subaccount.id }
    }
    const [small, large] = [await keyOf(1), await keyOf(100)]
    expect((await reserve(small)).quota).toMatchObject({ quota: 1, used: 1, remaining: 0 })
    expect(await codeOf(reserve(small))).toBe('QUOTA_EXCEEDED')
    expect(await used(scopeOf(actor))).toBe(1)
    await reserve(large)
    expect(await codeOf(reserve(large))).toBe('QUOTA_EXCEEDED')
    expect(await used(large)).toBe(1)
    expect(await used(scopeOf(actor))).toBe(2)
  })

  test('warns once a period, when 15 % of the quota remain, whatever happens at the same moment', async () => {
    const actor = await addAccount(identity, { plan: 'starter' })
    const scope = scopeOf(actor)
    const first = newWork()
    await reserve(scope, first, 120)
    await settle(first, 'commit')
    const rest = Array.from({ length: 30 }, newWork)
    await Promise.all(rest.map((work) => reserve(scope, work)))
    expect(await warnings(actor)).toEqual([])
    await atOnce(scope, () => rest.map((work) => settle(work, 'commit')))
    expect(await warnings(actor)).toMatchObject([{ used: 128, remaining: 22 }])
  })

  test('another account’s key cannot be charged', async () => {
    const [one, two] = [await addAccount(identity), await addAccount(identity)]
    const key = await identity.call.createKey(input({ body: { name: 'mine', plan: 'pro' } }), as(two))
    expect(await codeOf(reserve({ ...scopeOf(one), keyId: key.id }))).toBe('ACCESS_DENIED')
  })
})
