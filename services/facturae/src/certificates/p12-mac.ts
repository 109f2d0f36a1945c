import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AsnType } from 'asn1js'
import { children, octets, oid, smallInteger } from './der.ts'
import { deriveKey, hmacHashes } from './p12-decrypt.ts'
import { asFormat, refuseP12 } from './p12-error.ts'
import { type HashName, pkcs12Kdf, type WorkBudget } from './p12-kdf.ts'
import type { PasswordBytes } from './p12-password.ts'

/**
 * The reading of the password under which the MAC of a .p12 holds (RFC 7292 MacData, and PBMAC1 of RFC 9579, which OpenSSL
 * 3.4 can write); undefined when none does. Fails with P12_LIMIT, P12_UNSUPPORTED and P12_FORMAT.
 */
export async function readingOfMac(
  macData: AsnType,
  content: Buffer,
  readings: readonly PasswordBytes[],
  budget: WorkBudget,
): Promise<PasswordBytes | undefined> {
  const mac = asFormat(() => {
    const [digestInfo, salt, iterations] = children(macData)
    const [algorithm, digest] = children(digestInfo)
    const [kind, parameters] = children(algorithm)
    return {
      kind: oid(kind),
      parameters,
      digest: octets(digest),
      salt: octets(salt),
      iterations: iterations === undefined ? 1 : smallInteger(iterations),
    }
  })
  for (const reading of readings) {
    const computed =
      mac.kind === '1.2.840.113549.1.5.14'
        ? await pbmac1(mac.parameters, content, reading, budget)
        : await legacyMac(mac, content, reading, budget)
    if (computed.length === mac.digest.length && timingSafeEqual(computed, mac.digest)) return reading
  }
  return undefined
}

const macHashes: Readonly<Record<string, { hashName: HashName; lengthBytes: number } | undefined>> = {
  '1.3.14.3.2.26': { hashName: 'sha1', lengthBytes: 20 },
  '2.16.840.1.101.3.4.2.4': { hashName: 'sha224', lengthBytes: 28 },
  '2.16.840.1.101.3.4.2.1': { hashName: 'sha256', lengthBytes: 32 },
  '2.16.840.1.101.3.4.2.2': { hashName: 'sha384', lengthBytes: 48 },
  '2.16.840.1.101.3.4.2.3': { hashName: 'sha512', lengthBytes: 64 },
}

async function legacyMac(
  { kind, salt, iterations }: { kind: string; salt: Buffer; iterations: number },
  content: Buffer,
  reading: PasswordBytes,
  budget: WorkBudget,
): Promise<Buffer> {
  const known = macHashes[kind]
  if (known === undefined) return refuseP12('P12_UNSUPPORTED', `The MAC ${kind} is not supported.`)
  budget.spend(iterations)
  const key = await pkcs12Kdf({ ...known, password: reading.bmp, salt, id: 3, iterations })
  return createHmac(known.hashName, key).update(content).digest()
}

/** RFC 9579: the MAC key comes from PBKDF2, its length is stated; salt and iterations of MacData are not used. */
async function pbmac1(
  parameters: AsnType | undefined,
  content: Buffer,
  reading: PasswordBytes,
  budget: WorkBudget,
): Promise<Buffer> {
  const { derivation, scheme } = asFormat(() => {
    const [derivationNode, schemeNode] = children(parameters)
    return { derivation: derivationNode, scheme: oid(children(schemeNode)[0]) }
  })
  const hashName = hmacHashes[scheme]
  if (hashName === undefined) return refuseP12('P12_UNSUPPORTED', `The MAC ${scheme} is not supported.`)
  const key = await deriveKey(derivation, reading.utf8, 32, budget)
  return createHmac(hashName, key).update(content).digest()
}
