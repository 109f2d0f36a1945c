import { hash } from 'node:crypto'
import { fail } from '@asiento/proto/errors'
import type { OpenedKey } from '../certificates/open-p12.ts'
import { escapeText } from '../domain/canonical/text.ts'
import { digestMethods, type SigningHash } from './names.ts'
import type { Scope } from './scope.ts'

export interface KeyInfo {
  id: string
  xml: string
  /** Base64 digest of its canonical form. */
  digest: string
  /** xades:SigningCertificate: the digest, issuer and number of the signer's certificate. */
  signingCertificate: string
}

/** Public data only, and the same for all invoices that a key signs: kept for the keys used last. */
const known = new WeakMap<Scope, Map<string, KeyInfo>>()
const knownMax = 64

/**
 * The KeyInfo element: all certificates of the chain in one X509Data, the signer's first (XML Signature 1.1 section 4.5.4). Its
 * id follows from the certificate. With it what the signed properties say of the certificate.
 */
export function keyInfo(key: OpenedKey, hashName: SigningHash, scope: Scope): KeyInfo {
  const kept = known.get(scope) ?? new Map<string, KeyInfo>()
  const name = `${key.certificate.fingerprint} ${key.chain.length} ${hashName}`
  const found = kept.get(name)
  if (found !== undefined) return found
  const made = makeKeyInfo(key, hashName, scope)
  const [oldest] = kept.keys()
  if (kept.size >= knownMax && oldest !== undefined) kept.delete(oldest)
  known.set(scope, kept.set(name, made))
  return made
}

function makeKeyInfo({ chain, certificate }: OpenedKey, hashName: SigningHash, scope: Scope): KeyInfo {
  const [leaf] = chain
  if (leaf === undefined) return fail('XML_SIGN_FAILED', { detail: 'There is no certificate to sign with.' })
  const id = `KeyInfo-${certificate.fingerprint.slice(0, 32)}`
  const certificates = chain
    .map((der) => `<ds:X509Certificate>${Buffer.from(der).toString('base64')}</ds:X509Certificate>`)
    .join('')
  const rest = `><ds:X509Data>${certificates}</ds:X509Data></ds:KeyInfo>`
  const canonical = `<ds:KeyInfo${scope.namespaces} Id="${id}"${scope.attributes}${rest}`
  return {
    id,
    xml: `<ds:KeyInfo Id="${id}"${rest}`,
    digest: hash(hashName, canonical, 'base64'),
    signingCertificate:
      '<xades:SigningCertificate><xades:Cert><xades:CertDigest>' +
      `<ds:DigestMethod Algorithm="${digestMethods[hashName]}"></ds:DigestMethod>` +
      `<ds:DigestValue>${hash(hashName, leaf, 'base64')}</ds:DigestValue></xades:CertDigest>` +
      `<xades:IssuerSerial><ds:X509IssuerName>${escapeText(certificate.issuer)}</ds:X509IssuerName>` +
      `<ds:X509SerialNumber>${certificate.serialNumber}</ds:X509SerialNumber></xades:IssuerSerial>` +
      '</xades:Cert></xades:SigningCertificate>',
  }
}
