import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  as,
  codeOf,
  type Identity,
  input,
  mailsTo,
  nobody,
  openAccount,
  password,
  startIdentity,
  tokenIn,
} from './kit.ts'

describe('accounts', () => {
  let identity: Identity
  beforeAll(async () => {
    identity = await startIdentity()
  })
  afterAll(() => identity.stop())

  const register = (email: string, secret = password) =>
    identity.call.register(
      input({ body: { email, password: secret, full_name: 'Ana Ruiz', locale: 'es' as const } }),
      nobody,
    )
  const login = (email: string, secret: string, ip = '192.0.2.1') =>
    identity.call.login(input({ body: { email, password: secret }, headers: { 'x-client-ip': ip } }), nobody)

  test('register, verify, sign in, see oneself', async () => {
    const session = await openAccount(identity, 'Ana@Example.com')
    expect(session).toMatchObject({ token_type: 'bearer', expires_in: 259_200, user: { plan: 'free' } })
    const actor = await identity.call.authenticate({ bearer: session.access_token }, nobody)
    expect(actor).toMatchObject({ email: 'Ana@Example.com', via: 'jwt', keyId: null, ledger: { reason: 'trial' } })
    expect(await identity.call.me(input({}), as(actor))).toMatchObject({
      email: 'Ana@Example.com',
      plan: 'free',
      ledger_plan: null,
      email_verified: true,
      quota: { plan: 'free', quota: 2, used: 0, remaining: 2, pct_used: 0 },
    })
  })

  test('an address cannot sign in before it is verified', async () => {
    await register('early@example.com')
    expect(await codeOf(login('early@example.com', password))).toBe('ACCESS_DENIED')
    expect(await codeOf(login('early@example.com', 'wrong password'))).toBe('AUTH_INVALID_CREDENTIALS')
  })

  test('a token verifies once', async () => {
    await register('once@example.com')
    const token = tokenIn((await mailsTo(identity, 'once@example.com'))[0]?.link)
    const verify = () => identity.call.verifyEmail(input({ query: { token } }), nobody)
    expect(await verify()).toMatchObject({ email: 'once@example.com', verified: true })
    expect(await codeOf(verify())).toBe('INVALID_INPUT')
    expect(await codeOf(identity.call.verifyEmail(input({ query: { token: 'made up' } }), nobody))).toBe(
      'INVALID_INPUT',
    )
  })

  test.each([
    ['no at sign', 'ana', 'INVALID_EMAIL'],
    ['no domain', 'ana@', 'INVALID_EMAIL'],
    ['a NUL', 'ana\0@example.com', 'INVALID_EMAIL'],
    ['a throw-away domain', 'ana@mailinator.com', 'DISPOSABLE_EMAIL'],
    ['a subdomain of one', 'ana@x.mailinator.com', 'DISPOSABLE_EMAIL'],
  ])('refuses an address with %s', async (_name, email, code) => {
    expect(await codeOf(register(email))).toBe(code)
  })

  test('answers an address that has an account like a new one, and tells its owner by mail', async () => {
    await openAccount(identity, 'taken@example.com')
    const again = await register('TAKEN@example.com', 'another password')
    const fresh = await register('fresh@example.com')
    expect({ ...again, email: '' }).toEqual({ ...fresh, email: '' })
    expect((await mailsTo(identity, 'taken@example.com')).map((mail) => mail.template)).toEqual([
      'verify',
      'already_registered',
    ])
    expect(await codeOf(login('taken@example.com', 'another password'))).toBe('AUTH_INVALID_CREDENTIALS')
    expect(await codeOf(login('taken@example.com', password))).toBe('none')
  })

  test('of many registrations of one address at the same moment one opens the account, and the box is not flooded', async () => {
    await Promise.all(Array.from({ length: 12 }, () => register('popular@example.com')))
    const users = await identity.db.query
      .selectFrom('users')
      .select('id')
      .where('email_canonical', '=', 'popular@example.com')
      .execute()
    expect(users).toHaveLength(1)
    const templates = (await mailsTo(identity, 'popular@example.com')).map((mail) => mail.template)
    expect(templates.filter((template) => template === 'verify')).toHaveLength(1)
    expect(templates.length).toBeLessThanOrEqual(6)
  })

  test('who registers an address first without owning it gets nothing: the verified registration decides', async () => {
    await register('victim@example.com', 'the attacker knows this')
    await register('victim@example.com', 'only the owner knows this')
    const mails = await mailsTo(identity, 'victim@example.com')
    await identity.call.verifyEmail(input({ query: { token: tokenIn(mails[1]?.link) } }), nobody)
    expect(await codeOf(login('victim@example.com', 'the attacker knows this'))).toBe('AUTH_INVALID_CREDENTIALS')
    expect(await codeOf(login('victim@example.com', 'only the owner knows this'))).toBe('none')
    expect(await codeOf(identity.call.verifyEmail(input({ query: { token: tokenIn(mails[0]?.link) } }), nobody))).toBe(
      'INVALID_INPUT',
    )
  })

  test('a password reset works once, ends older sessions and forgives wrong attempts', async () => {
    const email = 'forgetful@example.com'
    const session = await openAccount(identity, email)
    await identity.call.forgotPassword(input({ body: { email } }), nobody)
    const link = (await mailsTo(identity, email)).at(-1)
    expect(link?.template).toBe('reset')
    const reset = () =>
      identity.call.resetPassword(
        input({ body: { token: tokenIn(link?.link), new_password: 'a brand new one' } }),
        nobody,
      )
    await reset()
    expect(await codeOf(reset())).toBe('INVALID_INPUT')
    expect(await codeOf(identity.call.authenticate({ bearer: session.access_token }, nobody))).toBe(
      'AUTH_INVALID_TOKEN',
    )
    expect(await codeOf(login(email, password))).toBe('AUTH_INVALID_CREDENTIALS')
    expect(await codeOf(login(email, 'a brand new one'))).toBe('none')
  })

  test('asks nothing of an address without an account, and answers it alike', async () => {
    const forgot = (email: string) => identity.call.forgotPassword(input({ body: { email } }), nobody)
    await openAccount(identity, 'known@example.com')
    expect(await forgot('unknown@example.com')).toEqual(await forgot('known@example.com'))
    expect(await forgot('no address at all')).toEqual(await forgot('known@example.com'))
    expect(await mailsTo(identity, 'unknown@example.com')).toEqual([])
  })

  test('logout ends every session', async () => {
    const session = await openAccount(identity, 'leaver@example.com')
    const actor = await identity.call.authenticate({ bearer: session.access_token }, nobody)
    await identity.call.logout(input({}), as(actor))
    expect(await codeOf(identity.call.authenticate({ bearer: session.access_token }, nobody))).toBe(
      'AUTH_INVALID_TOKEN',
    )
  })
})
