import type { Ids } from '@asiento/chassis/clock'
import type { Envelope, Sealer } from '@asiento/chassis/sealed'
import type { StoredEnvelope } from '../../adapters/tables.ts'

/** A new secret in the form of Standard Webhooks. */
export const newSecret = (ids: Ids): string => `whsec_${ids.bytes(32).toString('base64')}`

/** A webhook's secret as it is stored, bound to its account. */
export const sealSecret = (sealer: Sealer, secret: string, userId: number): StoredEnvelope =>
  toStored(sealer.seal(Buffer.from(secret, 'utf8'), ownerOf(userId)))

export const openSecret = (sealer: Sealer, stored: StoredEnvelope, userId: number): string =>
  sealer.unseal(fromStored(stored), ownerOf(userId)).toString('utf8')

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
