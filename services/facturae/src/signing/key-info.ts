import { hash } from 'node:crypto'
import { fail } from '@asiento/proto/errors'
import type { OpenedKey } from '../certificates/open-p12.ts'
import type { SigningHash } from './names.ts'
import type { Scope } from './scope.ts'

export interface KeyInfo {
  id: string
  xml: string
  /** Base64 digest of its canonical form. */
  digest: string
  /** Base64 digest of the signer's certificate. */
  certificateDigest: string
}

/** Public data only, and the same for all invoices that a key signs: kept for the keys used last. */
const known = new Map<string, KeyInfo>()
const knownMax = 64

/**
 * The KeyInfo element: all certificates of the chain in one X509Data, the signer's first (XML Signature 1.1 section 4.5.4). Its
 * id follows from the certificate.
 */
export function keyInfo(key: OpenedKey, hashName: SigningHash, scope: Scope): KeyInfo {
  const { fingerprint } = key.certificate
  const name = `${fingerprint} ${key.chain.length} ${hashName}${scope.namespaces}${scope.attributes}`
  const found = known.get(name)
  if (found !== undefined) return found
  const id = `KeyInfo-${fingerprint.slice(0, 32)}`
  const certificates = key.chain
    .map((der) => `<ds:X509Certificate>${Buffer.from(der).toString('base64')}</ds:X509Certificate>`)
    .join('')
  const rest = `><ds:X509Data>${certificates}</ds:X509Data></ds:KeyInfo>`
  const canonical = `<ds:KeyInfo${scope.namespaces} Id="${id}"${scope.attributes}${rest}`
  const [leaf] = key.chain
  if (leaf === undefined) return fail('XML_SIGN_FAILED', { detail: 'There is no certificate to sign with.' })
  const made = {
    certificateDigest: hash(hashName, leaf, 'base64'),
    id,
    xml: `<ds:KeyInfo Id="${id}"${rest}`,
    digest: hash(hashName, canonical, 'base64'),
  }
  const [oldest] = known.keys()
  if (known.size >= knownMax && oldest !== undefined) known.delete(oldest)
  known.set(name, made)
  return made
}
