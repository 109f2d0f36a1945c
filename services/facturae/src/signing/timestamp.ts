import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { fail } from '@asiento/proto/errors'
import { Boolean as Asn1Boolean, Integer, Null, ObjectIdentifier, OctetString, Sequence } from 'asn1js'
import type { XmlElement } from 'libxml2-wasm'
import { openFacturae } from '../domain/parse/xml-source.ts'
import { c14n10, xmldsig } from './names.ts'
import { readTimestampReply, readTimestampToken } from './timestamp-token.ts'

export interface TimestampAuthority {
  /** Where RFC 3161 requests are posted. */
  url: string
  /** Certificates in PEM that a token's chain must lead to; any when empty. */
  trustedPem?: readonly string[]
  timeoutMs?: number
}

const replyBytesMax = 256 * 1024

/**
 * Adds a time-stamp of a time-stamping authority (RFC 3161) to a signed Facturae, which makes it XAdES-T: the token covers the
 * canonical SignatureValue (TS 101 903 section 7.3). Its imprint, nonce, signature and certificate are checked first.
 *
 * Fails with SERVICE_UNAVAILABLE when the authority does not answer or refuses, with XML_SIGN_FAILED when its token does not
 * hold, and with INVALID_INPUT when the XML is not signed by {@link signFacturae}.
 */
export async function addTimestamp(
  xml: string,
  authority: TimestampAuthority,
): Promise<{ xml: string; stampedAt: Date }> {
  const end = '</xades:SignedProperties></xades:QualifyingProperties>'
  const at = xml.lastIndexOf(end)
  if (at < 0) fail('INVALID_INPUT', { detail: 'The invoice has no signature of ours to put a time-stamp on.' })
  const imprint = createHash('sha256').update(canonicalSignatureValue(xml)).digest()
  const token = await requestToken(imprint, authority)
  const insertAt = at + '</xades:SignedProperties>'.length
  const property =
    '<xades:UnsignedProperties><xades:UnsignedSignatureProperties><xades:SignatureTimeStamp>' +
    `<ds:CanonicalizationMethod Algorithm="${c14n10}"></ds:CanonicalizationMethod>` +
    `<xades:EncapsulatedTimeStamp>${token.der.toString('base64')}</xades:EncapsulatedTimeStamp>` +
    '</xades:SignatureTimeStamp></xades:UnsignedSignatureProperties></xades:UnsignedProperties>'
  return { xml: xml.slice(0, insertAt) + property + xml.slice(insertAt), stampedAt: token.stampedAt }
}

function canonicalSignatureValue(xml: string): string {
  const source = openFacturae(Buffer.from(xml.replace(/^\uFEFF?(?:<\?xml\s[^>]*\?>)?/, ''), 'utf8'))
  try {
    const value = source.document.get('/*/ds:Signature/ds:SignatureValue', { ds: xmldsig }) as XmlElement | null
    if (value === null) fail('INVALID_INPUT', { detail: 'The invoice has no signature.' })
    return value.canonicalizeToString()
  } finally {
    source.dispose()
  }
}

async function requestToken(imprint: Buffer, authority: TimestampAuthority): Promise<{ der: Buffer; stampedAt: Date }> {
  // The first bit is cleared so that the number is positive, the second set so that its length does not vary.
  const nonce = randomBytes(16)
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40
  const reply = await post(timestampRequest(imprint, nonce), authority)
  const token = readTimestampReply(reply)
  if (token === null) {
    return fail('SERVICE_UNAVAILABLE', { detail: 'The time-stamping authority refused to stamp.' })
  }
  const trusted = (authority.trustedPem ?? []).map((pem) => new X509Certificate(pem))
  const read = await readTimestampToken(token, imprint, { nonce, trusted })
  if ('problem' in read) {
    fail('XML_SIGN_FAILED', { detail: `The time-stamp of the authority does not hold: ${read.problem}.` })
  }
  return { der: token, stampedAt: read.stampedAt }
}

/** TimeStampReq of RFC 3161 section 2.4.1, asking for the authority's certificate. */
function timestampRequest(imprint: Buffer, nonce: Buffer): Buffer {
  const sha256 = new Sequence({ value: [new ObjectIdentifier({ value: '2.16.840.1.101.3.4.2.1' }), new Null()] })
  const request = new Sequence({
    value: [
      new Integer({ value: 1 }),
      new Sequence({ value: [sha256, new OctetString({ valueHex: imprint })] }),
      new Integer({ valueHex: nonce }),
      new Asn1Boolean({ value: true }),
    ],
  })
  return Buffer.from(request.toBER())
}

async function post(request: Buffer, { url, timeoutMs = 10_000 }: TimestampAuthority): Promise<Buffer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body: Uint8Array.from(request),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const length = Number(response.headers.get('content-length') ?? 0)
    if (!response.ok || length > replyBytesMax) throw new Error(`answered ${response.status} with ${length} bytes`)
    const reply = Buffer.from(await response.arrayBuffer())
    if (reply.length > replyBytesMax) throw new Error('answered too much')
    return reply
  } catch (error) {
    return fail('SERVICE_UNAVAILABLE', { detail: 'The time-stamping authority does not answer.', cause: error })
  }
}
