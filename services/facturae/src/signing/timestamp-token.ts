import { createHash, hash, verify, X509Certificate } from 'node:crypto'
import type { AsnType } from 'asn1js'
import { issuersOf } from '../certificates/chain.ts'
import {
  children,
  DerError,
  encoded,
  inside,
  isContext,
  isUniversal,
  octets,
  oid,
  readDer,
  smallInteger,
} from '../certificates/der.ts'

const signedDataOid = '1.2.840.113549.1.7.2'
const tstInfoOid = '1.2.840.113549.1.9.16.1.4'
const contentTypeOid = '1.2.840.113549.1.9.3'
const messageDigestOid = '1.2.840.113549.1.9.4'
const timeStampingUsage = '1.3.6.1.5.5.7.3.8'

const digestNames: Readonly<Record<string, string | undefined>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/** The token in a TimeStampResp (RFC 3161 section 2.4.2); null when the authority refused or answered something else. */
export function readTimestampReply(reply: Buffer): Buffer | null {
  try {
    const [status, token] = children(readDer(reply))
    const granted = smallInteger(children(status)[0]) <= 1
    return granted && token !== undefined ? encoded(token) : null
  } catch (error) {
    if (error instanceof DerError) return null
    throw error
  }
}

export interface TokenExpectations {
  /** The nonce of the request; any when absent. */
  nonce?: Buffer
  /** Certificates that the chain must lead to; any when empty. */
  trusted?: readonly X509Certificate[]
}

/**
 * Checks a time-stamp token (RFC 3161, CMS SignedData): its imprint is of `covered` (the digest when asked for, or the bytes
 * digested), the nonce is ours, the signature holds, and its certificate is for time-stamping, valid then, and trusted.
 */
export async function readTimestampToken(
  token: Buffer,
  covered: Buffer | { bytes: Buffer },
  { nonce, trusted = [] }: TokenExpectations = {},
): Promise<{ stampedAt: Date } | { problem: string }> {
  try {
    const signed = readSignedData(token)
    const info = readTstInfo(signed.content)
    const digest = 'bytes' in covered ? createHash(info.imprintHash).update(covered.bytes).digest() : covered
    if (!info.imprint.equals(digest)) return { problem: 'it stamps something else' }
    if (nonce !== undefined && info.nonce?.equals(nonce) !== true)
      return { problem: 'its nonce is not that of the request' }
    const problem = signerProblem(signed, info.stampedAt, trusted)
    return problem === null ? { stampedAt: info.stampedAt } : { problem }
  } catch (error) {
    if (error instanceof DerError) return { problem: 'it is no readable token' }
    throw error
  }
}

interface SignedData {
  content: Buffer
  certificates: X509Certificate[]
  /** Serial number of the signer's certificate, hex in lower case; null when named by key identifier. */
  serial: string | null
  digestName: string
  signedAttributes: AsnType
  signature: Buffer
}

/** CMS (RFC 5652 section 5) with exactly one signer and signed attributes, as RFC 3161 asks. */
function readSignedData(token: Buffer): SignedData {
  const [kind, wrapped] = children(readDer(token))
  if (oid(kind) !== signedDataOid) throw new DerError('no signed data')
  const fields = children(inside(wrapped))
  const [contentKind, content] = children(fields[2])
  if (oid(contentKind) !== tstInfoOid) throw new DerError('no time-stamp')
  const certificateSet = fields.find((field) => isContext(field, 0))
  const signers = children(fields.at(-1))
  const [signer] = signers
  if (signers.length !== 1 || signer === undefined) throw new DerError('not one signer')
  const parts = children(signer)
  const attributesAt = parts.findIndex((part) => isContext(part, 0) && part.idBlock.isConstructed && part !== parts[1])
  const signedAttributes = parts[attributesAt]
  const digestName = digestNames[oid(children(parts[2])[0])]
  if (signedAttributes === undefined || digestName === undefined) throw new DerError('no signed attributes')
  const identifier = parts[1]
  const serialNode = isUniversal(identifier, 16) ? children(identifier)[1] : undefined
  return {
    content: octets(inside(content)),
    certificates: certificateSet === undefined ? [] : children(certificateSet).map(toCertificate),
    serial:
      serialNode === undefined
        ? null
        : octets(serialNode)
            .toString('hex')
            .replace(/^(?:00)+(?=.)/, ''),
    digestName,
    signedAttributes,
    signature: octets(parts[attributesAt + 2]),
  }
}

function toCertificate(node: AsnType): X509Certificate {
  try {
    return new X509Certificate(encoded(node))
  } catch {
    throw new DerError('an unreadable certificate')
  }
}

function readTstInfo(der: Buffer): { imprint: Buffer; imprintHash: string; stampedAt: Date; nonce: Buffer | null } {
  const [, , messageImprint, , time, ...rest] = children(readDer(der))
  const [algorithm, imprint] = children(messageImprint)
  const imprintHash = digestNames[oid(children(algorithm)[0])]
  const nonceNode = rest.find((node) => isUniversal(node, 2))
  if (imprintHash === undefined) throw new DerError('an unknown digest')
  return {
    imprint: octets(imprint),
    imprintHash,
    stampedAt: generalizedTime(octets(time).toString('latin1')),
    nonce: nonceNode === undefined ? null : octets(nonceNode),
  }
}

function generalizedTime(text: string): Date {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(text)
  if (match === null) throw new DerError('no time')
  const [, year, month, day, hour, minute, second, fraction = ''] = match
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`)
}

function signerProblem(signed: SignedData, at: Date, trusted: readonly X509Certificate[]): string | null {
  const contentDigest = hash(signed.digestName, signed.content, 'buffer')
  const attributes = new Map(
    children(signed.signedAttributes).map((attribute) => {
      const [type, values] = children(attribute)
      return [oid(type), children(values)[0]] as const
    }),
  )
  const type = attributes.get(contentTypeOid)
  if (type === undefined || oid(type) !== tstInfoOid) return 'its content type is not signed'
  const digest = attributes.get(messageDigestOid)
  if (digest === undefined || !octets(digest).equals(contentDigest)) return 'its content was changed'
  const certificate = signed.certificates.find(
    (one) =>
      signed.serial === null || one.serialNumber.toLowerCase().replace(/^0+/, '') === signed.serial.replace(/^0+/, ''),
  )
  if (certificate === undefined) return 'the certificate of its signer is missing'
  // RFC 5652 section 5.4: what is signed is the SET itself, not the implicit tag that it travels under.
  const set = Buffer.from(encoded(signed.signedAttributes))
  set[0] = 0x31
  if (!verify(signed.digestName, set, certificate.publicKey, signed.signature)) return 'its signature does not hold'
  if (certificate.keyUsage?.includes(timeStampingUsage) !== true) return 'its certificate is not for time-stamping'
  if (at < certificate.validFromDate || at > certificate.validToDate) return 'its certificate was not valid then'
  if (trusted.length === 0) return null
  const chain = [certificate, ...issuersOf(certificate, [...signed.certificates, ...trusted])]
  const isTrusted = chain.some((one) => trusted.some((root) => root.raw.equals(one.raw)))
  return isTrusted ? null : 'its certificate is not of a trusted authority'
}
