import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** 24 random bytes, 192 bits, in 33 characters of base 62, and six characters of checksum. */
export const keyRandomBytes = 24
const keyStart = 'fct_'
const randomLength = 33
const checksumLength = 6
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyForm = new RegExp(`^${keyStart}[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/** How much of a key may be shown again. */
export const keyPrefixLength = 12

export interface ApiKey {
  raw: string
  prefix: string
  hash: Buffer
}

/**
 * Makes a key: `fct_`, the random bytes in base 62, and their CRC-32 in base 62, by which a secret scanner can tell a key
 * from any other text without asking anybody.
 */
export function makeKey(random: Buffer): ApiKey {
  if (random.length !== keyRandomBytes) throw new RangeError(`a key takes ${keyRandomBytes} random bytes`)
  const body = base62(BigInt(`0x${random.toString('hex')}`), randomLength)
  const raw = `${keyStart}${body}${checksum(body)}`
  return { raw, prefix: raw.slice(0, keyPrefixLength), hash: hashKey(raw) }
}

/** True when the text has the form of a key and its checksum is right: worth looking up. */
export function isKey(text: string): boolean {
  if (!keyForm.test(text)) return false
  const body = text.slice(keyStart.length, keyStart.length + randomLength)
  return text.endsWith(checksum(body))
}

/** What is kept of a key. Its 192 random bits make a slow hash pointless. */
export const hashKey = (raw: string): Buffer => hash('sha256', raw, 'buffer')

const checksum = (body: string): string => base62(BigInt(crc32(body)), checksumLength)

function base62(value: bigint, length: number): string {
  let rest = value
  let text = ''
  while (text.length < length) {
    text = alphabet.charAt(Number(rest % 62n)) + text
    rest /= 62n
  }
  return text
}
