import { systemClock } from '@asiento/chassis/clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OperatorError, operatorUsage, runOperatorCommand } from '../src/app/operator.ts'
import { addAccount, type Identity, startIdentity } from './kit.ts'

describe('the operator tool', () => {
  let identity: Identity
  beforeAll(async () => {
    identity = await startIdentity()
  })
  afterAll(() => identity.stop())

  const run = (...args: string[]) => runOperatorCommand({ db: identity.db, clock: systemClock }, 'marta', args)
  const stateOf = (email: string) =>
    identity.db.query.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
  const audited = (userId: number) =>
    identity.db.query.selectFrom('audit_log').selectAll().where('user_id', '=', userId).orderBy('id').execute()

  test('every change does what it says, is told to the other services and leaves a record', async () => {
    const { email, userId } = await addAccount(identity, { plan: 'free' })
    await identity.db.query.updateTable('users').set({ email_verified_at: null }).where('id', '=', userId).execute()
    await run('user', 'verify', email)
    expect((await stateOf(email)).email_verified_at).not.toBeNull()
    await run('user', 'set-plan', email, 'business')
    await run('user', 'set-ledger-plan', email, 'contab_pro')
    await run('user', 'set-rate-limit', email.toUpperCase(), '600')
    await run('user', 'suspend', email)
    expect(await stateOf(email)).toMatchObject({
      plan: 'business',
      ledger_plan: 'contab_pro',
      rate_per_minute: 600,
      suspended_at: expect.any(Date),
      token_epoch: 1,
    })
    await run('user', 'restore', email)
    await run('user', 'set-ledger-plan', email, 'none')
    await run('user', 'set-rate-limit', email, 'default')
    expect(await stateOf(email)).toMatchObject({ ledger_plan: null, rate_per_minute: null, suspended_at: null })

    const records = await audited(userId)
    expect(records.map((record) => record.action)).toEqual([
      'user verify',
      'user set-plan business',
      'user set-ledger-plan contab_pro',
      'user set-rate-limit 600',
      'user suspend',
      'user restore',
      'user set-ledger-plan none',
      'user set-rate-limit default',
    ])
    expect(records[1]).toMatchObject({ operator: 'marta', before: { plan: 'free' }, after: { plan: 'business' } })
    const told = await identity.db.query
      .selectFrom('outbox')
      .select('payload')
      .where('name', '=', 'account.changed')
      .orderBy('id')
      .execute()
    expect(told.map(({ payload }) => (payload as unknown as { change: string }).change)).toEqual([
      'plan',
      'ledger_plan',
      'suspended',
      'restored',
      'ledger_plan',
    ])
  })

  test('shows accounts without any secret', async () => {
    const { email } = await addAccount(identity)
    expect((await run('user', 'list')).join('\n')).toContain(email)
    const shown = (await run('user', 'show', email)).join('\n')
    expect(shown).toContain('business')
    expect(shown).not.toContain('argon2')
  })

  test.each([
    [['user', 'show', 'nobody@example.com'], 'No account has the address nobody@example.com.'],
    [['user', 'set-plan', 'x@example.com'], 'Usage:'],
    [['user', 'verify', 'x@example.com', 'surplus'], 'Usage:'],
    [['user', 'constructor', 'x@example.com'], 'Usage:'],
    [['user'], 'Usage:'],
    [[], 'Usage:'],
  ])('answers %j in words', async (args, words) => {
    const failed = run(...args)
    await expect(failed).rejects.toThrow(OperatorError)
    await expect(failed).rejects.toThrow(words)
  })

  test('a value that is none changes nothing and leaves no record', async () => {
    const { email, userId } = await addAccount(identity, { plan: 'pro' })
    await expect(run('user', 'set-plan', email, 'platinum')).rejects.toThrow('free, starter, pro, business')
    await expect(run('user', 'set-rate-limit', email, '1.5')).rejects.toThrow('whole number')
    expect((await stateOf(email)).plan).toBe('pro')
    expect(await audited(userId)).toEqual([])
  })

  test('records can be added but neither changed nor removed by the service', async () => {
    const client = await identity.db.pool.connect()
    try {
      await client.query('set role asiento_identity_app')
      await expect(client.query('delete from audit_log')).rejects.toThrow('permission denied')
      await expect(client.query("update audit_log set operator = 'x'")).rejects.toThrow('permission denied')
    } finally {
      client.release(true)
    }
  })

  test('says how it is used', () => {
    expect(operatorUsage).toContain('user set-plan EMAIL free|starter|pro|business')
  })
})
