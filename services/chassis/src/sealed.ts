import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { NamedKeys } from './config.ts'

/** A secret under a key of its own, and that key under a master key. */
export interface Envelope {
  /** Which master key wraps the data key. */
  kid: string
  wrapped_key: Buffer
  sealed: Buffer
}

export interface Sealer {
  /** The master keys that can open; the first wraps. */
  masterKeyIds: readonly string[]
  /** AES-256-GCM with a fresh key, which the first master key wraps. `owner` is bound in: no row passes for another's. */
  seal(secret: Buffer, owner: string): Envelope
  /** Fails with an Error when the master key is gone or anything was changed. */
  unseal(envelope: Envelope, owner: string): Buffer
  /** The same secret under the first master key; the secret itself is not opened. */
  rewrap(envelope: Envelope, owner: string): Envelope
}

/** Secrets at rest. `purpose` (`<service>/<what>`) keeps the keys of different uses of one master key apart. */
export function createSealer(masterKeys: NamedKeys, purpose: string): Sealer {
  const wrapping = new Map(
    masterKeys.map(({ kid, bytes }) => [kid, Buffer.from(hkdfSync('sha256', bytes, '', `asiento/${purpose}`, 32))]),
  )
  const first = masterKeys[0]?.kid
  const keyOf = (kid: string | undefined): Buffer => {
    const key = wrapping.get(kid ?? '')
    if (key === undefined) throw new Error(`MASTER_KEY lacks the key ${kid ?? ''}`)
    return key
  }
  const wrap = (dataKey: Buffer, owner: string) => ({
    kid: first ?? '',
    wrapped_key: encrypt(keyOf(first), dataKey, aad('key', owner)),
  })
  const unwrap = ({ kid, wrapped_key }: Envelope, owner: string) => decrypt(keyOf(kid), wrapped_key, aad('key', owner))
  return {
    masterKeyIds: masterKeys.map(({ kid }) => kid),
    seal: (secret, owner) =>
      zeroed(randomBytes(32), (dataKey) => ({
        ...wrap(dataKey, owner),
        sealed: encrypt(dataKey, secret, aad('data', owner)),
      })),
    unseal: (envelope, owner) =>
      zeroed(unwrap(envelope, owner), (dataKey) => decrypt(dataKey, envelope.sealed, aad('data', owner))),
    rewrap: (envelope, owner) =>
      zeroed(unwrap(envelope, owner), (dataKey) => ({ ...wrap(dataKey, owner), sealed: envelope.sealed })),
  }
}

/** Uses a data key and wipes it, also when the use fails. */
function zeroed<T>(dataKey: Buffer, use: (dataKey: Buffer) => T): T {
  try {
    return use(dataKey)
  } finally {
    dataKey.fill(0)
  }
}

const aad = (part: 'key' | 'data', owner: string): Buffer => Buffer.from(`${part}:${owner}`)

const nonceBytes = 12
const tagBytes = 16

/** nonce ‖ ciphertext ‖ tag */
function encrypt(key: Buffer, plain: Buffer, authenticated: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(authenticated)
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Buffer, sealed: Buffer, authenticated: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
    .setAAD(authenticated)
    .setAuthTag(sealed.subarray(-tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()])
}
