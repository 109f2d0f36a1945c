import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { AsnType } from 'asn1js'
import { chainOf, isSelfSigned } from './chain.ts'
import { children, encoded, inside, isContext, octets, oid, readDer } from './der.ts'
import { type CertificateDescription, describeCertificate } from './describe.ts'
import { decryptPart } from './p12-decrypt.ts'
import { asFormat, refuseP12 } from './p12-error.ts'
import { type WorkBudget, workBudget } from './p12-kdf.ts'
import { readingOfMac } from './p12-mac.ts'
import { type PasswordBytes, passwordReadings } from './p12-password.ts'

/** A key that can sign, with its certificates. Plain data and a KeyObject: it can be posted to a worker thread. */
export interface OpenedKey {
  privateKey: KeyObject
  /** `rsa`: RSA PKCS#1 v1.5; `ec-p256`: ECDSA over P-256. */
  algorithm: 'rsa' | 'ec-p256'
  /** Certificates in DER, the key's own first, each followed by its issuer as far as the file holds them. */
  chain: Uint8Array[]
  /** Whether the last certificate of the chain is signed with its own key. */
  reachesRoot: boolean
  /** Of the modulus with RSA, of the curve with EC. */
  keyBits: number
  certificate: CertificateDescription
}

/** The largest .p12 that is read, in bytes. */
export const p12BytesMax = 5 * 1024 * 1024

/**
 * Opens a PKCS#12 file (.p12, .pfx): DER and BER, legacy (RC2-40, 3DES) and modern (PBES2) encryption, MAC of RFC 7292 and
 * of RFC 9579, passwords outside ASCII, RSA and EC P-256. The key belongs to the certificate that it comes with.
 *
 * The event loop stays free: derivations run on the thread pool or give way every few milliseconds. Fails with
 * {@link P12Error}, whose `reason` says why.
 */
export async function openP12(file: Uint8Array, password: string): Promise<OpenedKey> {
  if (file.byteLength > p12BytesMax) refuseP12('P12_LIMIT', 'The file is larger than 5 MB.')
  const { content, macData } = asFormat(() => readPfx(file))
  const budget = workBudget()
  const readings = await readingsToTry(macData, content, passwordReadings(password), budget)
  const bags = await readSafe(content, readings, macData !== undefined, budget)
  try {
    return pairOf(bags)
  } finally {
    for (const key of bags.keys) key.fill(0)
  }
}

function readPfx(file: Uint8Array): { content: Buffer; macData: AsnType | undefined } {
  const [, authSafe, macData] = children(readDer(file))
  const [kind, content] = children(authSafe)
  if (oid(kind) === '1.2.840.113549.1.7.2') {
    return refuseP12('P12_UNSUPPORTED', 'A .p12 sealed with a signature instead of a password is not supported.')
  }
  return { content: octets(inside(content)), macData }
}

async function readingsToTry(
  macData: AsnType | undefined,
  content: Buffer,
  readings: PasswordBytes[],
  budget: WorkBudget,
): Promise<PasswordBytes[]> {
  if (macData === undefined) return readings
  const reading = await readingOfMac(macData, content, readings, budget)
  if (reading === undefined) refuseP12('P12_PASSWORD', 'The password is wrong, or the file is damaged.')
  // The encryption may follow another reading of the same password than the MAC does.
  return [reading, ...readings.filter((other) => other !== reading)]
}

interface Bags {
  /** PKCS#8, decrypted. */
  keys: Buffer[]
  certificates: Buffer[]
}

interface Reader {
  readings: readonly PasswordBytes[]
  sealed: boolean
  budget: WorkBudget
  bags: Bags
}

async function readSafe(
  content: Buffer,
  readings: readonly PasswordBytes[],
  sealed: boolean,
  budget: WorkBudget,
): Promise<Bags> {
  const reader: Reader = { readings, sealed, budget, bags: { keys: [], certificates: [] } }
  for (const part of asFormat(() => children(readDer(content)))) {
    const [kind, wrapped] = asFormat(() => {
      const [kindNode, content] = children(part)
      return [oid(kindNode), inside(content)] as const
    })
    if (kind === '1.2.840.113549.1.7.1')
      await readBags(
        asFormat(() => octets(wrapped)),
        reader,
        0,
      )
    else if (kind === '1.2.840.113549.1.7.6') await readBags(await decryptedSafe(wrapped, reader), reader, 0)
    else refuseP12('P12_UNSUPPORTED', 'A .p12 encrypted with a public key is not supported.')
  }
  return reader.bags
}

async function decryptedSafe(encryptedData: AsnType, reader: Reader): Promise<Buffer> {
  const { algorithm, data } = asFormat(() => {
    const [, info] = children(encryptedData)
    const [, algorithmNode, encrypted] = children(info)
    return { algorithm: algorithmNode, data: octets(encrypted) }
  })
  return decryptAny(algorithm, data, reader)
}

/** Decrypts under the first reading of the password that gives a readable element. */
async function decryptAny(algorithm: AsnType | undefined, data: Buffer, reader: Reader): Promise<Buffer> {
  for (const reading of reader.readings) {
    const plain = await decryptPart(algorithm, data, reading, reader.budget)
    if (plain !== null && isElement(plain)) return plain
  }
  if (reader.sealed) return refuseP12('P12_FORMAT', 'The file is damaged: a part of it does not decrypt.')
  return refuseP12('P12_PASSWORD', 'The password is wrong, or the file is damaged.')
}

function isElement(bytes: Buffer): boolean {
  try {
    return children(readDer(bytes)).length >= 0
  } catch {
    return false
  }
}

const bagKind = '1.2.840.113549.1.12.10.1.'

async function readBags(safeContents: Buffer, reader: Reader, depth: number): Promise<void> {
  if (depth > 4) refuseP12('P12_LIMIT', 'The file nests its contents too deeply.')
  for (const bag of asFormat(() => children(readDer(safeContents)))) {
    const [kind, value] = asFormat(() => {
      const [kindNode, wrapped] = children(bag)
      return [oid(kindNode), inside(wrapped)] as const
    })
    if (kind === `${bagKind}1`) reader.bags.keys.push(encoded(value))
    else if (kind === `${bagKind}2`) {
      const [algorithm, data] = asFormat(() => children(value))
      reader.bags.keys.push(
        await decryptAny(
          algorithm,
          asFormat(() => octets(data)),
          reader,
        ),
      )
    } else if (kind === `${bagKind}3`) {
      const certificate = asFormat(() => certificateOf(value))
      if (certificate !== null) reader.bags.certificates.push(certificate)
    } else if (kind === `${bagKind}6`) await readBags(encoded(value), reader, depth + 1)
  }
}

/** The DER of an X.509 certificate bag; null for another kind (SDSI). */
function certificateOf(value: AsnType): Buffer | null {
  const [kind, wrapped] = children(value)
  if (oid(kind) !== '1.2.840.113549.1.9.22.1' || !isContext(wrapped, 0)) return null
  return octets(inside(wrapped))
}

function pairOf({ keys, certificates }: Bags): OpenedKey {
  if (keys.length === 0) refuseP12('P12_NO_KEY', 'The file holds no private key.')
  if (certificates.length === 0) refuseP12('P12_NO_KEY', 'The file holds a private key but no certificate.')
  const privateKeys = keys.map(privateKeyOf)
  const found = chainOf(privateKeys, certificates)
  if (found === undefined) return refuseP12('P12_NO_KEY', 'No certificate in the file belongs to its private key.')
  const [leaf] = found.chain
  return {
    privateKey: found.privateKey,
    algorithm: algorithmOf(found.privateKey),
    chain: found.chain,
    reachesRoot: isSelfSigned(new X509Certificate(found.chain.at(-1) ?? leaf)),
    keyBits: found.privateKey.asymmetricKeyDetails?.modulusLength ?? 256,
    certificate: describeCertificate(leaf),
  }
}

function privateKeyOf(pkcs8: Buffer): KeyObject {
  try {
    return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  } catch (error) {
    return refuseP12('P12_UNSUPPORTED', 'The private key is of a kind that is not supported.', error)
  }
}

function algorithmOf(key: KeyObject): OpenedKey['algorithm'] {
  if (key.asymmetricKeyType === 'rsa') return 'rsa'
  const curve = key.asymmetricKeyDetails?.namedCurve
  if (key.asymmetricKeyType === 'ec' && curve === 'prime256v1') return 'ec-p256'
  return refuseP12('P12_UNSUPPORTED', 'Only RSA and EC P-256 keys can sign invoices.')
}
