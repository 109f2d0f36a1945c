import { createDecipheriv, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { AsnType } from 'asn1js'
import { children, isUniversal, octets, oid, smallInteger } from './der.ts'
import { asFormat, refuseP12 } from './p12-error.ts'
import { deriveByPbkdf2, type HashName, pkcs12Kdf, type WorkBudget } from './p12-kdf.ts'
import type { PasswordBytes } from './p12-password.ts'
import { decryptRc2Cbc } from './rc2.ts'

/**
 * Decrypts a part of a .p12: the legacy schemes of RFC 7292 appendix C (3DES, RC2) and PBES2 (AES, 3DES and RC2 with PBKDF2 or
 * scrypt). Null when the padding is wrong: a wrong password or damage.
 *
 * Fails with P12_UNSUPPORTED for another scheme, P12_LIMIT and P12_FORMAT.
 */
export async function decryptPart(
  algorithm: AsnType | undefined,
  data: Buffer,
  password: PasswordBytes,
  budget: WorkBudget,
): Promise<Buffer | null> {
  const [schemeNode, parameters] = asFormat(() => children(algorithm))
  const scheme = asFormat(() => oid(schemeNode))
  if (scheme === '1.2.840.113549.1.5.13') return decryptPbes2(parameters, data, password.utf8, budget)
  const legacy = legacySchemes[scheme]
  if (legacy === undefined) return refuseP12('P12_UNSUPPORTED', `The encryption ${scheme} is not supported.`)
  const { salt, iterations } = asFormat(() => {
    const [saltNode, count] = children(parameters)
    return { salt: octets(saltNode), iterations: smallInteger(count) }
  })
  budget.spend(2 * iterations)
  const common = { hashName: 'sha1', password: password.bmp, salt, iterations } as const
  const key = await pkcs12Kdf({ ...common, id: 1, lengthBytes: legacy.keyBytes })
  const iv = await pkcs12Kdf({ ...common, id: 2, lengthBytes: 8 })
  return legacy.cipher === 'rc2'
    ? decryptRc2Cbc(key, legacy.keyBytes * 8, iv, data)
    : decryptByOpenssl(legacy.cipher, key, iv, data)
}

const legacySchemes: Readonly<
  Record<string, { cipher: 'rc2' | 'des-ede3-cbc' | 'des-ede-cbc'; keyBytes: number } | undefined>
> = {
  '1.2.840.113549.1.12.1.3': { cipher: 'des-ede3-cbc', keyBytes: 24 },
  '1.2.840.113549.1.12.1.4': { cipher: 'des-ede-cbc', keyBytes: 16 },
  '1.2.840.113549.1.12.1.5': { cipher: 'rc2', keyBytes: 16 },
  '1.2.840.113549.1.12.1.6': { cipher: 'rc2', keyBytes: 5 },
}

const modernCiphers: Readonly<Record<string, { cipher: string; keyBytes: number } | undefined>> = {
  '2.16.840.1.101.3.4.1.2': { cipher: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { cipher: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { cipher: 'aes-256-cbc', keyBytes: 32 },
  '1.2.840.113549.3.7': { cipher: 'des-ede3-cbc', keyBytes: 24 },
}

const rc2Cbc = '1.2.840.113549.3.2'

async function decryptPbes2(
  parameters: AsnType | undefined,
  data: Buffer,
  password: Buffer,
  budget: WorkBudget,
): Promise<Buffer | null> {
  const parts = asFormat(() => {
    const [derivation, encryption] = children(parameters)
    const [cipher, cipherParameters] = children(encryption)
    return { derivation, cipher: oid(cipher), cipherParameters }
  })
  if (parts.cipher === rc2Cbc) {
    const { bits, iv } = asFormat(() => rc2Parameters(parts.cipherParameters))
    const key = await deriveKey(parts.derivation, password, bits / 8, budget)
    return decryptRc2Cbc(key, bits, iv, data)
  }
  const known = modernCiphers[parts.cipher]
  if (known === undefined) return refuseP12('P12_UNSUPPORTED', `The encryption ${parts.cipher} is not supported.`)
  const iv = asFormat(() => octets(parts.cipherParameters))
  const key = await deriveKey(parts.derivation, password, known.keyBytes, budget)
  return decryptByOpenssl(known.cipher, key, iv, data)
}

/** RFC 2268 section 6: the version is a code for the effective bits. */
function rc2Parameters(node: AsnType | undefined): { bits: number; iv: Buffer } {
  const [version, iv] = children(node)
  const bits = { 160: 40, 120: 64, 58: 128 }[smallInteger(version)]
  if (bits === undefined) return refuseP12('P12_UNSUPPORTED', 'RC2 of this strength is not supported.')
  return { bits, iv: octets(iv) }
}

/**
 * The key of a PBES2 or PBMAC1 derivation: PBKDF2 (RFC 8018) or scrypt (RFC 7914). A stated key length wins over
 * `keyBytes`.
 */
export async function deriveKey(
  derivation: AsnType | undefined,
  password: Buffer,
  keyBytes: number,
  budget: WorkBudget,
): Promise<Buffer> {
  const [kind, parameters] = asFormat(() => {
    const [kindNode, values] = children(derivation)
    return [oid(kindNode), children(values)] as const
  })
  if (kind === '1.2.840.113549.1.5.12') {
    const { salt, iterations, length, prf } = asFormat(() => {
      const [saltNode, count, ...rest] = parameters
      const lengthNode = rest.find((node) => isUniversal(node, 2))
      const prfNode = rest.find((node) => isUniversal(node, 16))
      return {
        salt: octets(saltNode),
        iterations: smallInteger(count),
        length: lengthNode === undefined ? keyBytes : smallInteger(lengthNode),
        prf: prfNode === undefined ? '1.2.840.113549.2.7' : oid(children(prfNode)[0]),
      }
    })
    const hashName = hmacHashes[prf]
    if (hashName === undefined) return refuseP12('P12_UNSUPPORTED', `The derivation ${prf} is not supported.`)
    if (length > 64) return refuseP12('P12_LIMIT', 'The file asks for a key of more than 512 bits.')
    budget.spend(iterations)
    return deriveByPbkdf2(password, salt, iterations, length, hashName)
  }
  if (kind === '1.3.6.1.4.1.11591.4.11') return deriveByScrypt(parameters, password, keyBytes, budget)
  return refuseP12('P12_UNSUPPORTED', `The derivation ${kind} is not supported.`)
}

async function deriveByScrypt(
  parameters: readonly AsnType[],
  password: Buffer,
  keyBytes: number,
  budget: WorkBudget,
): Promise<Buffer> {
  const { salt, cost, blockSize, parallelization } = asFormat(() => {
    const [saltNode, n, r, p] = parameters
    return {
      salt: octets(saltNode),
      cost: smallInteger(n),
      blockSize: smallInteger(r),
      parallelization: smallInteger(p),
    }
  })
  const memoryBytes = 128 * cost * blockSize
  if (memoryBytes > 64 * 1024 * 1024) refuseP12('P12_LIMIT', 'The file asks for more than 64 MB to derive its key.')
  budget.spend(cost * blockSize * parallelization)
  try {
    return await scryptAsync(password, salt, keyBytes, {
      N: cost,
      r: blockSize,
      p: parallelization,
      maxmem: 2 * memoryBytes + 1024 * 1024,
    })
  } catch (error) {
    return refuseP12('P12_FORMAT', 'The parameters of the key derivation are not valid.', error)
  }
}

const scryptAsync = promisify<Buffer, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
)

/** hmacWith… by object identifier (RFC 8018 appendix B). */
export const hmacHashes: Readonly<Record<string, HashName | undefined>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
}

function decryptByOpenssl(cipher: string, key: Buffer, iv: Buffer, data: Buffer): Buffer | null {
  try {
    const decipher = createDecipheriv(cipher, key, iv)
    return Buffer.concat([decipher.update(data), decipher.final()])
  } catch {
    return null
  }
}
