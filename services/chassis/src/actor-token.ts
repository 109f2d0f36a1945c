import { type Actor, actorSchema } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import { jwtVerify, SignJWT } from 'jose'
import type { NamedKeys } from './config.ts'

const lifetimeMs = 60_000
/** A token is used again for so long; the rest of its life is for its way and for clocks that differ. */
const reusedMs = 20_000
const tokensKept = 10_000
const issuer = 'asiento'

/**
 * The internal token: says who the caller is in calls between services. Short-lived, signed with a key that only the
 * services hold; the first key signs, all verify, so that keys can be rotated.
 */
export async function signActorToken(actor: Actor | null, keys: NamedKeys): Promise<string> {
  const key = keys[0]
  if (key === undefined) throw new Error('no key for internal tokens')
  return new SignJWT({ actor })
    .setProtectedHeader({ alg: 'HS256', kid: key.kid })
    .setIssuer(issuer)
    .setExpirationTime(new Date(Date.now() + lifetimeMs))
    .sign(key.bytes)
}

interface Signed {
  token: Promise<string>
  until: number
}

/** Signs tokens like {@link signActorToken}; calls for one actor object share a token for a third of its life. */
export function createTokenSigner(keys: NamedKeys): (actor: Actor | null) => Promise<string> {
  const signed = new WeakMap<object, Signed>()
  const nobody = {}
  return (actor) => {
    const subject = actor ?? nobody
    const known = signed.get(subject)
    if (known !== undefined && known.until > Date.now()) return known.token
    const token = signActorToken(actor, keys)
    signed.set(subject, { token, until: Date.now() + reusedMs })
    token.catch(() => signed.delete(subject))
    return token
  }
}

/** Reads an internal token. Fails AUTH_INVALID_TOKEN. */
export async function verifyActorToken(token: string, keys: NamedKeys): Promise<Actor | null> {
  return (await readToken(token, keys)).actor
}

/** Reads tokens like {@link verifyActorToken}; one that was read before is good again until it expires. */
export function createTokenReader(keys: NamedKeys): (token: string) => Promise<Actor | null> {
  const read = new Map<string, { actor: Actor | null; expiresAt: number }>()
  return async (token) => {
    const known = read.get(token)
    if (known !== undefined && known.expiresAt > Date.now()) return known.actor
    const fresh = await readToken(token, keys)
    if (read.size >= tokensKept) read.clear()
    read.set(token, fresh)
    return fresh.actor
  }
}

async function readToken(token: string, keys: NamedKeys): Promise<{ actor: Actor | null; expiresAt: number }> {
  try {
    const { payload } = await jwtVerify(
      token,
      (header) => {
        const key = keys.find((candidate) => candidate.kid === header.kid)
        if (key === undefined) throw new Error('unknown key')
        return key.bytes
      },
      { issuer, algorithms: ['HS256'], requiredClaims: ['exp'] },
    )
    return { actor: actorSchema.nullable().parse(payload.actor), expiresAt: (payload.exp ?? 0) * 1_000 }
  } catch (error) {
    return fail('AUTH_INVALID_TOKEN', { internal: 'internal token refused', cause: error })
  }
}
