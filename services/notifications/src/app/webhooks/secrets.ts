import type { Ids } from '@asiento/chassis/clock'
import type { Envelope, Sealer } from '@asiento/chassis/sealed'
import type { StoredEnvelope } from '../../adapters/tables.ts'

/** A new secret in the form of Standard Webhooks. */
export const newSecret = (ids: Ids): string => `whsec_${ids.bytes(32).toString('base64')}`

/** A webhook's secret as it is stored, bound to its account. */
export const sealSecret = (sealer: Sealer, secret: string, userId: number): StoredEnvelope =>
  toStored(sealer.seal(Buffer.from(secret, 'utf8'), ownerOf(userId)))

/** Deliveries that were claimed together share their webhook's row: its secret is opened once, and forgotten with it. */
const opened = new WeakMap<StoredEnvelope, string>()

export function openSecret(sealer: Sealer, stored: StoredEnvelope, userId: number): string {
  const known = opened.get(stored)
  if (known !== undefined) return known
  const secret = sealer.unseal(fromStored(stored), ownerOf(userId)).toString('utf8')
  opened.set(stored, secret)
  return secret
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
