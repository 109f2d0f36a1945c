import { type KeyObject, X509Certificate } from 'node:crypto'
import { refuseP12 } from './p12-error.ts'

/** A key with its certificates in DER, its own first. */
export interface KeyWithChain {
  privateKey: KeyObject
  chain: [Uint8Array, ...Uint8Array[]]
}

/**
 * Finds which key belongs to which certificate, and puts the issuers after it in order; what belongs to neither is left out.
 * Of several pairs the one of a person wins over an authority's, then the one that is valid longest. Undefined when no
 * certificate belongs to a key. Fails with P12_FORMAT when a certificate cannot be read.
 */
export function chainOf(
  privateKeys: readonly KeyObject[],
  certificates: readonly Uint8Array[],
): KeyWithChain | undefined {
  const parsed = certificates.map(parseCertificate)
  const pairs = privateKeys.flatMap((privateKey) =>
    parsed
      .filter((certificate) => certificate.checkPrivateKey(privateKey))
      .map((certificate) => ({ privateKey, certificate })),
  )
  pairs.sort(
    (a, b) =>
      Number(a.certificate.ca) - Number(b.certificate.ca) ||
      b.certificate.validToDate.getTime() - a.certificate.validToDate.getTime(),
  )
  const [best] = pairs
  if (best === undefined) return undefined
  const issuers = issuersOf(best.certificate, parsed)
  return { privateKey: best.privateKey, chain: [best.certificate.raw, ...issuers.map((issuer) => issuer.raw)] }
}

function parseCertificate(der: Uint8Array): X509Certificate {
  try {
    return new X509Certificate(der)
  } catch (error) {
    return refuseP12('P12_FORMAT', 'A certificate in the file cannot be read.', error)
  }
}

/** The issuers of a certificate among others, nearest first; ends at a self-signed one or where the next is missing. */
export function issuersOf(leaf: X509Certificate, others: readonly X509Certificate[]): X509Certificate[] {
  const chain: X509Certificate[] = []
  let current = leaf
  while (!isSelfSigned(current)) {
    const known = [leaf, ...chain]
    const issuer = others.find((other) => !known.some((one) => one.raw.equals(other.raw)) && issued(other, current))
    if (issuer === undefined) break
    chain.push(issuer)
    current = issuer
  }
  return chain
}

/** Whether a certificate is signed with its own key. */
export const isSelfSigned = (certificate: X509Certificate): boolean => issued(certificate, certificate)

const issued = (issuer: X509Certificate, certificate: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
