import { fail } from '@asiento/proto/errors'
import { jwtVerify, SignJWT } from 'jose'
import type { Deps } from './deps.ts'

/** 72 hours. */
export const sessionSeconds = 72 * 3_600
const issuer = 'asiento'

export interface SessionClaims {
  userId: number
  /** The account's token epoch when the session began; a later epoch ends it. */
  epoch: number
}

/** Signs a session with the first key. */
export function signSession({ config, clock }: Pick<Deps, 'config' | 'clock'>, claims: SessionClaims): Promise<string> {
  const key = config.JWT_SECRET[0]
  if (key === undefined) throw new Error('no key for sessions')
  const now = Math.floor(clock.now().getTime() / 1_000)
  return new SignJWT({ epoch: claims.epoch })
    .setProtectedHeader({ alg: 'HS256', kid: key.kid, typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(issuer)
    .setSubject(String(claims.userId))
    .setIssuedAt(now)
    .setExpirationTime(now + sessionSeconds)
    .sign(key.bytes)
}

/** Reads a session signed with any of the keys. Fails AUTH_INVALID_TOKEN. */
export async function readSession(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  token: string,
): Promise<SessionClaims> {
  try {
    const { payload } = await jwtVerify(
      token,
      (header) => {
        const key = config.JWT_SECRET.find((candidate) => candidate.kid === header.kid)
        if (key === undefined) throw new Error('unknown kid')
        return key.bytes
      },
      { issuer, audience: issuer, algorithms: ['HS256'], currentDate: clock.now(), requiredClaims: ['exp', 'sub'] },
    )
    const userId = Number(payload.sub)
    if (!Number.isSafeInteger(userId) || typeof payload.epoch !== 'number') throw new Error('claims do not fit')
    return { userId, epoch: payload.epoch }
  } catch (cause) {
    return fail('AUTH_INVALID_TOKEN', { cause })
  }
}
