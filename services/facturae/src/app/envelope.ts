import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { NamedKeys } from '@asiento/chassis/config'

/** A secret under a key of its own, and that key under a master key. */
export interface Envelope {
  /** Which master key wraps the data key. */
  kid: string
  wrapped_key: Buffer
  sealed: Buffer
}

type NamedKey = NamedKeys[number]

/**
 * Seals a secret: AES-256-GCM with a fresh key, which the first master key wraps. `owner` is bound into both, so that a
 * row cannot be passed off as another's.
 */
export function seal(secret: Buffer, owner: string, masterKeys: NamedKeys): Envelope {
  const dataKey = randomBytes(32)
  const master = firstOf(masterKeys)
  const envelope = {
    kid: master.kid,
    wrapped_key: encrypt(wrappingKey(master), dataKey, aad('key', owner)),
    sealed: encrypt(dataKey, secret, aad('data', owner)),
  }
  dataKey.fill(0)
  return envelope
}

/** Opens what {@link seal} made. Fails with an Error when the master key is gone or anything was changed. */
export function unseal({ kid, wrapped_key, sealed }: Envelope, owner: string, masterKeys: NamedKeys): Buffer {
  const dataKey = unwrap(kid, wrapped_key, owner, masterKeys)
  try {
    return decrypt(dataKey, sealed, aad('data', owner))
  } finally {
    dataKey.fill(0)
  }
}

/** The same secret under the first master key; the secret itself is not opened. */
export function rewrap({ kid, wrapped_key, sealed }: Envelope, owner: string, masterKeys: NamedKeys): Envelope {
  const dataKey = unwrap(kid, wrapped_key, owner, masterKeys)
  const master = firstOf(masterKeys)
  const wrapped = encrypt(wrappingKey(master), dataKey, aad('key', owner))
  dataKey.fill(0)
  return { kid: master.kid, wrapped_key: wrapped, sealed }
}

function unwrap(kid: string, wrapped: Buffer, owner: string, masterKeys: NamedKeys): Buffer {
  const master = masterKeys.find((key) => key.kid === kid)
  if (master === undefined) throw new Error(`MASTER_KEY lacks the key ${kid}`)
  return decrypt(wrappingKey(master), wrapped, aad('key', owner))
}

function firstOf(masterKeys: NamedKeys): NamedKey {
  const [master] = masterKeys
  if (master === undefined) throw new Error('MASTER_KEY holds no key')
  return master
}

/** The master key serves other purposes elsewhere; each has a key of its own. */
const wrappingKey = (master: NamedKey): Buffer =>
  Buffer.from(hkdfSync('sha256', master.bytes, '', 'asiento/facturae/certificates', 32))

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
