import { hash, type KeyObject, X509Certificate } from 'node:crypto'
import type { XmlElement } from 'libxml2-wasm'
import { describeCertificate } from '../certificates/describe.ts'
import { digests } from './algorithms.ts'
import type { Qualifying } from './read-qualifying.ts'
import { attribute, elementAt, elementsAt, strictBase64, textOf } from './signature-nodes.ts'
import type { Findings } from './verify.ts'

export interface SignerCertificate {
  publicKey: KeyObject
  subject: string
}

/**
 * The certificate that a signature is checked with: the one in KeyInfo whose digest the signed properties hold, else (plain
 * XMLDSig) the first. Null, with the errors in `found`, when there is none.
 */
export function checkCertificate(
  signature: XmlElement,
  qualifying: Qualifying | null,
  found: Findings,
): SignerCertificate | null {
  const ders: Buffer[] = []
  for (const node of elementsAt(signature, 'ds:KeyInfo/ds:X509Data/ds:X509Certificate')) {
    const der = strictBase64(node.content)
    if (der !== null && isCertificate(der)) ders.push(der)
    else found.errors.push({ code: 'certificate_unreadable', detail: 'A certificate in the signature cannot be read.' })
  }
  const [first] = ders
  if (first === undefined) {
    found.errors.push({ code: 'no_certificate', detail: 'The signature holds no certificate.' })
    return null
  }
  const der = qualifying === null ? first : namedCertificate(ders, qualifying, found)
  if (der === null) return null
  const description = describeCertificate(der)
  const at = qualifying?.signedAt
  if (at && (at < description.notBefore || at > description.notAfter)) {
    found.errors.push({
      code: 'certificate_validity',
      detail: 'The certificate was not valid at the time that the signature claims.',
    })
  }
  return { publicKey: new X509Certificate(der).publicKey, subject: description.subject }
}

function isCertificate(der: Buffer): boolean {
  try {
    describeCertificate(der)
    return true
  } catch {
    return false
  }
}

/** XAdES 1.3.2 section 7.2.2: the first Cert is the signer's; V2 (EN 319 132-1) holds the digest in the same place. */
function namedCertificate(ders: readonly Buffer[], { signedProperties }: Qualifying, found: Findings): Buffer | null {
  const path = 'xades:SignedSignatureProperties/*[self::xades:SigningCertificate or self::xades:SigningCertificateV2]'
  const named = elementAt(signedProperties, `${path}/xades:Cert/xades:CertDigest`)
  const method = named === null ? null : elementAt(named, 'ds:DigestMethod')
  const digest = digests[(method === null ? null : attribute(method, 'Algorithm')) ?? '']
  if (named === null || digest === undefined) {
    found.errors.push({ code: 'no_signing_certificate', detail: 'The signed properties do not name the certificate.' })
    return null
  }
  const expected = strictBase64(textOf(named, 'ds:DigestValue'))
  const match = ders.find((der) => expected?.equals(hash(digest.name, der, 'buffer')))
  if (match !== undefined) return match
  found.errors.push({
    code: 'certificate_mismatch',
    detail: 'No certificate in the signature is the one that its signed properties name.',
  })
  return null
}
