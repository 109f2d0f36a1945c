import type { Ids } from '@asiento/chassis/clock'
import type { Envelope, Sealer } from '@asiento/chassis/sealed'
import type { StoredEnvelope } from '../../adapters/tables.ts'
import { type SigningKeys, signingKeys } from '../../domain/sign-delivery.ts'

/** A new secret in the form of Standard Webhooks. */
export const newSecret = (ids: Ids): string => `whsec_${ids.bytes(32).toString('base64')}`

/** A webhook's secret as it is stored, bound to its account. */
export const sealSecret = (sealer: Sealer, secret: string, userId: number): StoredEnvelope =>
  toStored(sealer.seal(Buffer.from(secret, 'utf8'), ownerOf(userId)))

/** Enough for the webhooks that are busy at a time. */
const keptMax = 2_000

/**
 * Opens webhooks' secrets for signing. Opening costs more than signing, so keys are kept in memory (never their text)
 * under the sealed bytes, which no two secrets share and which change with every rotation.
 */
export function createKeyring(sealer: Sealer): (stored: StoredEnvelope, userId: number) => SigningKeys {
  const kept = new Map<string, { userId: number; keys: SigningKeys }>()
  return (stored, userId) => {
    const known = kept.get(stored.sealed)
    if (known?.userId === userId) return known.keys
    const keys = signingKeys(sealer.unseal(fromStored(stored), ownerOf(userId)).toString('utf8'))
    const [oldest] = kept.keys()
    if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest)
    kept.set(stored.sealed, { userId, keys })
    return keys
  }
}

/** The same secret under the first master key. */
export const rewrapSecret = (sealer: Sealer, stored: StoredEnvelope, userId: number): StoredEnvelope =>
  toStored(sealer.rewrap(fromStored(stored), ownerOf(userId)))

const ownerOf = (userId: number): string => `user:${userId}`

const toStored = ({ kid, wrapped_key, sealed }: Envelope): StoredEnvelope => ({
  kid,
  wrapped_key: wrapped_key.toString('base64'),
  sealed: sealed.toString('base64'),
})

const fromStored = ({ kid, wrapped_key, sealed }: StoredEnvelope): Envelope => ({
  kid,
  wrapped_key: Buffer.from(wrapped_key, 'base64'),
  sealed: Buffer.from(sealed, 'base64'),
})
