import { type Actor, actorSchema } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import { jwtVerify, SignJWT } from 'jose'
import type { NamedKeys } from './config.ts'

const lifetime = '60s'
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
    .setExpirationTime(lifetime)
    .sign(key.bytes)
}

/** Reads an internal token. Fails AUTH_INVALID_TOKEN. */
export async function verifyActorToken(token: string, keys: NamedKeys): Promise<Actor | null> {
  try {
    const { payload } = await jwtVerify(
      token,
      (header) => {
        const key = keys.find((candidate) => candidate.kid === header.kid)
        if (key === undefined) throw new Error('unknown key')
        return key.bytes
      },
      { issuer, algorithms: ['HS256'] },
    )
    return actorSchema.nullable().parse(payload.actor)
  } catch (error) {
    return fail('AUTH_INVALID_TOKEN', { internal: 'internal token refused', cause: error })
  }
}
