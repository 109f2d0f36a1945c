import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runOperatorCommand } from '../src/app/operator.ts'
import { codeOf, type Identity, input, movableClock, nobody, openAccount, password, startIdentity } from './kit.ts'

describe('repeated sign-ins', () => {
  const clock = movableClock('2026-03-10T10:00:00Z')
  let identity: Identity
  beforeAll(async () => {
    identity = await startIdentity({ clock })
  })
  afterAll(() => identity.stop())

  const login = (email: string, secret: string, ip: string) =>
    identity.call.login(input({ body: { email, password: secret }, headers: { 'x-client-ip': ip } }), nobody)
  const wrong = (email: string, ip: string) => codeOf(login(email, 'a wrong password', ip))

  test.each([
    ['an address with an account', 'known@example.com'],
    ['an address without one', 'unknown@example.com'],
  ])('slow down for %s, from wherever they come, and never lock it out', async (_name, email) => {
    if (email.startsWith('known')) await openAccount(identity, email)
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await wrong(email, `192.0.2.${attempt}`)).toBe('AUTH_INVALID_CREDENTIALS')
    }
    await expect(login(email, password, '198.51.100.1')).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      headers: { 'retry-after': '1' },
    })
    clock.add(1_000)
    expect(await wrong(email, '198.51.100.2')).toBe('AUTH_INVALID_CREDENTIALS')
    clock.add(1_999)
    expect(await wrong(email, '198.51.100.3')).toBe('RATE_LIMIT_EXCEEDED')
    clock.add(1)
    const last = email.startsWith('known') ? 'none' : 'AUTH_INVALID_CREDENTIALS'
    expect(await codeOf(login(email, password, '198.51.100.4'))).toBe(last)
  })

  test('a right password forgives the wrong ones', async () => {
    await openAccount(identity, 'absent-minded@example.com')
    for (let round = 0; round < 3; round += 1) {
      for (let attempt = 0; attempt < 8; attempt += 1) await wrong('absent-minded@example.com', '203.0.113.1')
      expect(await codeOf(login('absent-minded@example.com', password, '203.0.113.1'))).toBe('none')
    }
  })

  test('slow down for one IP that tries many addresses', async () => {
    const codes: string[] = []
    for (let attempt = 0; attempt < 51; attempt += 1)
      codes.push(await wrong(`user${attempt}@example.org`, '203.0.113.9'))
    expect(new Set(codes.slice(0, 50))).toEqual(new Set(['AUTH_INVALID_CREDENTIALS']))
    expect(codes[50]).toBe('RATE_LIMIT_EXCEEDED')
    expect(await wrong('user99@example.org', '203.0.113.10')).toBe('AUTH_INVALID_CREDENTIALS')
  })

  test('a burst of parallel guesses gets no further than one after the other', async () => {
    const codes = await Promise.all(
      Array.from({ length: 30 }, (_, index) => wrong('burst@example.com', `198.51.100.${100 + index}`)),
    )
    expect(codes.filter((code) => code === 'AUTH_INVALID_CREDENTIALS')).toHaveLength(10)
    expect(codes.filter((code) => code === 'RATE_LIMIT_EXCEEDED')).toHaveLength(20)
  })

  test('a session ends after 72 hours', async () => {
    const { access_token } = await openAccount(identity, 'patient@example.com')
    const read = () => codeOf(identity.call.authenticate({ bearer: access_token }, nobody))
    clock.add(72 * 3_600_000 - 1_000)
    expect(await read()).toBe('none')
    clock.add(1_000)
    expect(await read()).toBe('AUTH_INVALID_TOKEN')
  })

  test('a tampered session is refused', async () => {
    const { access_token } = await openAccount(identity, 'honest@example.com')
    const [header, , signature] = access_token.split('.')
    const claims = Buffer.from(JSON.stringify({ sub: '1', epoch: 0, exp: 4_000_000_000 })).toString('base64url')
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    for (const token of [`${header}.${claims}.${signature}`, `${none}.${claims}.`, 'no token', '']) {
      expect(await codeOf(identity.call.authenticate({ bearer: token }, nobody))).toBe('AUTH_INVALID_TOKEN')
    }
  })

  test('a suspended account is denied with every credential, and its old sessions stay dead when it is restored', async () => {
    const email = 'suspended@example.com'
    const { access_token } = await openAccount(identity, email)
    const operate = (action: string) => runOperatorCommand({ db: identity.db, clock }, 'root', ['user', action, email])
    const read = () => codeOf(identity.call.authenticate({ bearer: access_token }, nobody))
    await operate('suspend')
    await vi.waitFor(async () => expect(await read()).toBe('ACCESS_DENIED'), { timeout: 5_000 })
    expect(await codeOf(login(email, password, '203.0.113.20'))).toBe('ACCESS_DENIED')
    expect(await wrong(email, '203.0.113.20')).toBe('AUTH_INVALID_CREDENTIALS')
    await operate('restore')
    await vi.waitFor(async () => expect(await read()).toBe('AUTH_INVALID_TOKEN'), { timeout: 5_000 })
    expect(await codeOf(login(email, password, '203.0.113.20'))).toBe('none')
  })

  test('take as long for an address without an account as for one with it', async () => {
    await openAccount(identity, 'timed@example.com')
    const median = async (email: string) => {
      const times: number[] = []
      for (let sample = 0; sample < 9; sample += 1) {
        const started = performance.now()
        await wrong(email, '203.0.113.30')
        times.push(performance.now() - started)
      }
      return times.sort((a, b) => a - b)[4] ?? 0
    }
    const ratio = (await median('timed@example.com')) / (await median('nobody@example.com'))
    // Without the same work an unknown address answers many times faster.
    expect(ratio).toBeGreaterThan(1 / 3)
    expect(ratio).toBeLessThan(3)
  })
})

describe('sign-in through an OpenID Connect provider', () => {
  const clientId = 'client.apps.example.com'
  let provider: Server
  let issuer: string
  let identity: Identity
  let keys: Awaited<ReturnType<typeof generateKeyPair>>

  beforeAll(async () => {
    keys = await generateKeyPair('RS256')
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'p1', alg: 'RS256', use: 'sig' }
    provider = createServer((request, reply) => {
      const documents: Record<string, unknown> = {
        '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
        '/keys': { keys: [jwk] },
      }
      reply.setHeader('content-type', 'application/json').end(JSON.stringify(documents[request.url ?? ''] ?? {}))
    })
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
    issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
    identity = await startIdentity({ environment: { GOOGLE_ISSUER: issuer, GOOGLE_CLIENT_ID: clientId } })
  })
  afterAll(async () => {
    await identity.stop()
    await new Promise((resolve) => provider.close(resolve))
  })

  const idToken = (claims: Record<string, unknown> = {}, options: { audience?: string; expires?: string } = {}) =>
    new SignJWT({ email: 'gema@example.com', email_verified: true, name: 'Gema Gil', ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'p1' })
      .setIssuer(issuer)
      .setAudience(options.audience ?? clientId)
      .setSubject(String(claims.sub ?? 'g-1'))
      .setIssuedAt()
      .setExpirationTime(options.expires ?? '5m')
      .sign(keys.privateKey)
  const signIn = async (token: string | Promise<string>) =>
    identity.call.googleLogin(input({ body: { id_token: await token } }), nobody)

  test('a new address becomes a verified account, and stays one', async () => {
    const first = await signIn(idToken())
    expect(first.user).toMatchObject({ email: 'gema@example.com', full_name: 'Gema Gil', plan: 'free' })
    const again = await signIn(idToken({ email: 'gema.new@example.com' }))
    expect(again.user.id).toBe(first.user.id)
    expect(await codeOf(identity.call.authenticate({ bearer: again.access_token }, nobody))).toBe('none')
  })

  test('an account with a password keeps it and gains the provider', async () => {
    const { user } = await openAccount(identity, 'both@example.com')
    expect((await signIn(idToken({ sub: 'g-2', email: 'both@example.com' }))).user.id).toBe(user.id)
    const body = { email: 'both@example.com', password }
    expect(await codeOf(identity.call.login(input({ body }), nobody))).toBe('none')
  })

  test('the password of somebody who never proved to own the address is gone', async () => {
    const body = { email: 'squatted@example.com', password, full_name: 'Nobody', locale: 'es' as const }
    await identity.call.register(input({ body }), nobody)
    await signIn(idToken({ sub: 'g-3', email: 'squatted@example.com' }))
    expect(await codeOf(identity.call.login(input({ body }), nobody))).toBe('AUTH_INVALID_CREDENTIALS')
  })

  test.each([
    ['another client', () => idToken({}, { audience: 'somebody else' })],
    ['an expired one', () => idToken({}, { expires: '-1h' })],
    ['an unverified address', () => idToken({ email_verified: false })],
    ['no token at all', () => 'not a token'],
    [
      'another key',
      async () =>
        new SignJWT({ email: 'gema@example.com', email_verified: true })
          .setProtectedHeader({ alg: 'RS256', kid: 'p1' })
          .setIssuer(issuer)
          .setAudience(clientId)
          .setSubject('g-1')
          .setExpirationTime('5m')
          .sign((await generateKeyPair('RS256')).privateKey),
    ],
    [
      'a shared secret instead of a key pair',
      () =>
        new SignJWT({ email: 'gema@example.com', email_verified: true })
          .setProtectedHeader({ alg: 'HS256', kid: 'p1' })
          .setIssuer(issuer)
          .setAudience(clientId)
          .setSubject('g-1')
          .setExpirationTime('5m')
          .sign(Buffer.alloc(32, 7)),
    ],
  ])('a token of %s is AUTH_INVALID_TOKEN', async (_name, token) => {
    expect(await codeOf(signIn(token()))).toBe('AUTH_INVALID_TOKEN')
  })

  test('a disposable address is refused here too', async () => {
    expect(await codeOf(signIn(idToken({ sub: 'g-9', email: 'x@mailinator.com' })))).toBe('DISPOSABLE_EMAIL')
  })

  test('without a client id it is AUTH_PROVIDER_NOT_CONFIGURED, without the provider SERVICE_UNAVAILABLE', async () => {
    const off = await startIdentity()
    const away = await startIdentity({
      environment: { GOOGLE_ISSUER: 'http://127.0.0.1:1', GOOGLE_CLIENT_ID: clientId },
    })
    const parts = input({ body: { id_token: await idToken() } })
    expect(await codeOf(off.call.googleLogin(parts, nobody))).toBe('AUTH_PROVIDER_NOT_CONFIGURED')
    expect(await codeOf(away.call.googleLogin(parts, nobody))).toBe('SERVICE_UNAVAILABLE')
    await Promise.all([off.stop(), away.stop()])
  })
})
