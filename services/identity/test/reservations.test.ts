import { publish } from '@asiento/chassis/outbox'
import { scopeOf } from '@asiento/proto/actor'
import { failure } from '@asiento/proto/errors'
import type { RpcClients } from '@asiento/proto/rpc'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Deps } from '../src/app/deps.ts'
import { expireReservations } from '../src/app/expire-reservations.ts'
import { identityEnvironment } from '../src/config.ts'
import { addAccount, type Identity, movableClock, nobody, secret, startIdentity } from './kit.ts'

type WorkState = 'working' | 'done' | 'gone'
const gone = async () => ({ state: 'gone' as const })

describe('reservations that nobody settles', () => {
  let identity: Identity
  afterEach(() => identity.stop())

  /** An identity whose schedules stand still, an account with one reservation, and the round that looks into it. */
  async function scene(owner: (() => Promise<{ state: WorkState }>) | undefined) {
    const clock = movableClock('2026-03-31T23:50:00Z')
    identity = await startIdentity({ clock })
    const scope = scopeOf(await addAccount(identity, { createdAt: clock.now() }))
    const reservationId = 'extraction:42'
    await identity.call.reserveCredits({ reservationId, credits: 1, scope }, nobody)
    const asked = vi.fn(owner)
    const extraction = owner === undefined ? {} : { reservationState: asked }
    const deps: Deps = {
      ...identity.shared,
      db: identity.db,
      config: identityEnvironment.parse({ JWT_SECRET: secret('k1') }),
      rpc: { extraction } as unknown as RpcClients,
    }
    const usedInMarch = async () => {
      const row = await identity.db.query
        .selectFrom('account_usage')
        .select(['used', 'committed'])
        .where('period', '=', '2026-03-01')
        .executeTakeFirstOrThrow()
      return [row.used, row.committed]
    }
    return { clock, scope, reservationId, asked, round: expireReservations(deps), usedInMarch }
  }

  test('are left alone while their time lasts', async () => {
    const { clock, asked, round, usedInMarch } = await scene(async () => ({ state: 'gone' }))
    clock.add(14 * 60_000)
    await round()
    expect(asked).not.toHaveBeenCalled()
    expect(await usedInMarch()).toEqual([1, 0])
  })

  test.each([
    ['given back when its service knows nothing of the work', 'gone', [0, 0]],
    ['charged when the work was done', 'done', [1, 1]],
    ['kept when the work goes on', 'working', [1, 0]],
  ] as const)('one is %s, in the month in which it was made', async (_name, state, expected) => {
    const { clock, reservationId, asked, round, usedInMarch } = await scene(async () => ({ state }))
    clock.set('2026-04-01T00:10:00Z')
    await round()
    expect(asked).toHaveBeenCalledWith({ reservationId }, expect.anything())
    expect(await usedInMarch()).toEqual(expected)
    await round()
    expect(asked).toHaveBeenCalledTimes(1)
  })

  test('are given back when the service has no answer to such questions', async () => {
    const { clock, round, usedInMarch } = await scene(undefined)
    clock.add(16 * 60_000)
    await round()
    expect(await usedInMarch()).toEqual([0, 0])
  })

  test('are kept while the service cannot be reached, which is asked again a minute later', async () => {
    const answers = [
      async () => {
        throw failure('SERVICE_UNAVAILABLE')
      },
      async () => ({ state: 'gone' as const }),
    ]
    const { clock, round, usedInMarch } = await scene(async () => (answers.shift() ?? gone)())
    clock.add(16 * 60_000)
    await round()
    expect(await usedInMarch()).toEqual([1, 0])
    clock.add(61_000)
    await round()
    expect(await usedInMarch()).toEqual([0, 0])
  })

  test('work that was done after all is charged all the same, once', async () => {
    const { clock, reservationId, round, usedInMarch } = await scene(async () => ({ state: 'gone' }))
    clock.add(16 * 60_000)
    await round()
    await identity.call.settleCredits({ reservationId, outcome: 'commit' }, nobody)
    await identity.call.settleCredits({ reservationId, outcome: 'commit' }, nobody)
    expect(await usedInMarch()).toEqual([1, 1])
  })

  test('are settled by the event of another service, once however often it is delivered', async () => {
    const { reservationId, usedInMarch } = await scene(undefined)
    for (let time = 0; time < 3; time += 1) {
      await identity.db.transaction((tx) =>
        publish(tx, 'credits.settled', { key: 'user:1', payload: { reservationId, outcome: 'commit' } }),
      )
    }
    await vi.waitFor(async () => expect(await usedInMarch()).toEqual([1, 1]), { timeout: 10_000 })
  })

  test('a new month starts with a full quota', async () => {
    const { clock, scope } = await scene(undefined)
    expect(await identity.call.quotaOf(scope, nobody)).toMatchObject({ used: 1, quota_reset_at: '2026-04-01 00:00:00' })
    clock.set('2026-04-01T00:00:00Z')
    expect(await identity.call.quotaOf(scope, nobody)).toMatchObject({ used: 0, quota_reset_at: '2026-05-01 00:00:00' })
  })
})
