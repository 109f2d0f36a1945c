import { fail } from '@asiento/proto/errors'
import type { InputOf, OutputOf } from '@asiento/proto/operation'
import type { Operations } from '@asiento/proto/operations'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { sql } from 'kysely'
import { z } from 'zod'
import { acceptAddress } from '../domain/email.ts'
import { trialEnd } from '../domain/ledger-access.ts'
import type { Deps } from './deps.ts'
import { openSession, type User } from './login.ts'

const discoverySchema = z.object({ issuer: z.string(), jwks_uri: z.url() })
const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.string(),
  // Some issuers write it as text.
  email_verified: z.union([z.boolean(), z.stringbool()]),
  name: z.string().optional(),
  locale: z.string().optional(),
})
type Claims = z.output<typeof claimsSchema>

const timeoutMs = 5_000
/** Only what a key pair signs: with a shared secret anybody who knows the client could make tokens. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/**
 * Signs in with an ID token of an OpenID Connect issuer, verified against its published keys. A new address becomes a
 * verified account.
 *
 * Fails AUTH_PROVIDER_NOT_CONFIGURED, AUTH_INVALID_TOKEN, ACCESS_DENIED, SERVICE_UNAVAILABLE when the issuer is away.
 */
export function createGoogleLogin(deps: Deps) {
  let provider: Promise<Provider> | undefined
  return async ({ body }: InputOf<Operations['googleLogin']>): Promise<OutputOf<Operations['googleLogin']>> => {
    const audience = deps.config.GOOGLE_CLIENT_ID ?? fail('AUTH_PROVIDER_NOT_CONFIGURED')
    provider ??= discover(deps.config.GOOGLE_ISSUER)
    const found = await provider.catch((cause) => {
      provider = undefined
      return unavailable(cause)
    })
    const claims = await readIdToken(found, body.id_token, audience, deps.clock.now())
    return openSession(deps, await accountOf(deps, claims))
  }
}

interface Provider {
  issuers: string[]
  keys: ReturnType<typeof createRemoteJWKSet>
}

async function discover(issuer: string): Promise<Provider> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const reply = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
  if (!reply.ok) throw new Error(`discovery answered ${reply.status}`)
  const document = discoverySchema.parse(await reply.json())
  return {
    // Google's tokens name it with and without the scheme (OpenID Connect, "ID token's payload").
    issuers: [document.issuer, document.issuer.replace(/^https:\/\//, '')],
    keys: createRemoteJWKSet(new URL(document.jwks_uri), { timeoutDuration: timeoutMs, cooldownDuration: 10_000 }),
  }
}

const unavailable = (cause: unknown): never => fail('SERVICE_UNAVAILABLE', { headers: { 'retry-after': '5' }, cause })

async function readIdToken({ issuers, keys }: Provider, token: string, audience: string, now: Date): Promise<Claims> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: issuers,
      audience,
      algorithms,
      currentDate: now,
      clockTolerance: 30,
      requiredClaims: ['exp', 'sub', 'email'],
    })
    const claims = claimsSchema.parse(payload)
    if (!claims.email_verified) throw new Error('the provider has not verified the address')
    return claims
  } catch (cause) {
    const away = cause instanceof errors.JWKSTimeout || (cause instanceof TypeError && cause.message === 'fetch failed')
    return away
      ? unavailable(cause)
      : fail('AUTH_INVALID_TOKEN', { detail: 'The provider’s token is not valid.', cause })
  }
}

/**
 * The account of a provider's claims: the one linked before, else the one of the address, else a new one. An unverified
 * account of the address loses its password: whoever set it never proved to own the address.
 */
async function accountOf(deps: Deps, claims: Claims): Promise<User> {
  const subject = `${deps.config.GOOGLE_ISSUER} ${claims.sub}`
  return deps.db.transaction(async (tx) => {
    const linked = await tx.selectFrom('users').selectAll().where('google_subject', '=', subject).executeTakeFirst()
    if (linked !== undefined) return linked
    const address = acceptAddress(claims.email)
    const now = deps.clock.now()
    return tx
      .insertInto('users')
      .values({
        email: address.typed,
        email_canonical: address.canonical,
        full_name: (claims.name ?? address.typed).replaceAll('\0', '').slice(0, 200),
        locale: claims.locale?.startsWith('en') ? 'en' : 'es',
        email_verified_at: now,
        google_subject: subject,
        trial_ends_at: trialEnd(now, deps.config.LEDGER_TRIAL_DAYS),
        created_at: now,
      })
      .onConflict((conflict) =>
        conflict.column('email_canonical').doUpdateSet({
          google_subject: sql`coalesce(users.google_subject, excluded.google_subject)`,
          password_hash: sql`case when users.email_verified_at is null then null else users.password_hash end`,
          email_verified_at: sql`coalesce(users.email_verified_at, excluded.email_verified_at)`,
        }),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}
