import { transcode } from 'node:buffer'
import { hash, randomUUID, sign as signBytes } from 'node:crypto'
import { fail } from '@asiento/proto/errors'
import type { OpenedKey } from '../certificates/open-p12.ts'
import { escapeText } from '../domain/canonical/text.ts'
import { asCanonical, type SignableDocument } from './canonical-form.ts'
import { readForeign } from './foreign-document.ts'
import { keyInfo } from './key-info.ts'
import {
  c14n10,
  digestMethods,
  envelopedSignature,
  facturaePolicy,
  type SigningHash,
  signatureMethods,
  signedPropertiesType,
  xades132,
  xmldsig,
} from './names.ts'
import { type Scope, scopesIn } from './scope.ts'

export interface SignOptions {
  /** The instant that the signature claims; whole seconds are kept. */
  signedAt: Date
  /** Who signs, as Facturae names it; `emisor` when absent. */
  role?: string
  /** `sha256` when absent. */
  hash?: SigningHash
  /** Names the elements of the signature; random when absent. Letters, digits and hyphens. */
  id?: string
  /**
   * What the caller knows of this very text, so that it need not be parsed again: `canonical` of what our builder wrote,
   * `well-formed` of what was parsed before (a schema check does). Nothing when absent.
   */
  known?: 'well-formed' | 'canonical'
}

export interface SignedFacturae {
  xml: string
  signatureId: string
  /** The instant in the signature, whole seconds. */
  signedAt: Date
}

/**
 * Signs a Facturae 3.2, 3.2.1 or 3.2.2: enveloped XAdES-EPES with the Facturae policy 3.1, over the whole document, the
 * certificates and the signed properties (docs/algorithms/xades-signing.md). The invoice's own text stays as it is; bytes in
 * another encoding come out as UTF-8. With RSA the same input, instant and id give the same bytes.
 *
 * Fails with INVALID_INPUT (not well-formed, DOCTYPE, no Facturae, signed already), PAYLOAD_TOO_LARGE and XML_SIGN_FAILED.
 * Whether the key may sign is for {@link preflight} to say before.
 */
export function signFacturae(xml: string | Uint8Array, key: OpenedKey, options: SignOptions): SignedFacturae {
  const { known } = options
  const fast = typeof xml === 'string' && known !== undefined ? asCanonical(xml, known) : null
  const document = fast ?? readForeign(xml)
  const id = options.id ?? randomUUID()
  const signature = signatureXml(document, key, { ...options, id })
  return {
    xml: document.before + signature + document.after,
    signatureId: `Signature-${id}`,
    signedAt: new Date(Math.floor(options.signedAt.getTime() / 1000) * 1000),
  }
}

function signatureXml(document: SignableDocument, key: OpenedKey, options: SignOptions & { id: string }): string {
  const { id, hash: hashName = 'sha256' } = options
  const { signature: scope, properties: propertiesScope } = scopesIn(document.root)
  const keys = keyInfo(key, hashName, scope)
  const properties = signedProperties(keys.signingCertificate, options)
  const propertiesDigest = hash(hashName, properties.canonical(propertiesScope), 'base64')
  const digestMethod = `<ds:DigestMethod Algorithm="${digestMethods[hashName]}"></ds:DigestMethod>`
  const digested = (digest: string): string =>
    `${digestMethod}<ds:DigestValue>${digest}</ds:DigestValue></ds:Reference>`
  const signedInfo =
    `<ds:CanonicalizationMethod Algorithm="${c14n10}"></ds:CanonicalizationMethod>` +
    `<ds:SignatureMethod Algorithm="${signatureMethods[key.algorithm][hashName]}"></ds:SignatureMethod>` +
    `<ds:Reference Id="Reference-${id}" Type="${xmldsig}Object" URI=""><ds:Transforms>` +
    `<ds:Transform Algorithm="${envelopedSignature}"></ds:Transform></ds:Transforms>` +
    digested(digestOf(document.canonical, hashName)) +
    `<ds:Reference Type="${signedPropertiesType}" URI="#SignedProperties-${id}">${digested(propertiesDigest)}` +
    `<ds:Reference URI="#${keys.id}">${digested(keys.digest)}` +
    '</ds:SignedInfo>'
  const value = signatureValue(`<ds:SignedInfo${scope.namespaces}${scope.attributes}>${signedInfo}`, key, hashName)
  return (
    `<ds:Signature xmlns:ds="${xmldsig}" Id="Signature-${id}"><ds:SignedInfo>${signedInfo}` +
    `<ds:SignatureValue Id="SignatureValue-${id}">${value}</ds:SignatureValue>${keys.xml}` +
    `<ds:Object><xades:QualifyingProperties xmlns:xades="${xades132}" Target="#Signature-${id}">` +
    `${properties.xml}</xades:QualifyingProperties></ds:Object></ds:Signature>`
  )
}

const beyondLatin1 = /[\u0100-\uffff]/
/** One for all, because a new one for each invoice is what the garbage collector would be busy with. */
const scratch = Buffer.allocUnsafeSlow(512 * 1024)

/**
 * Base64. Text with a character beyond Latin-1 is kept in two bytes a character, from which the runtime's transcoding makes
 * UTF-8 in half the time that its hash function takes to.
 */
function digestOf(content: string | Uint8Array, hashName: SigningHash): string {
  if (typeof content !== 'string' || !beyondLatin1.test(content) || content.length * 2 > scratch.length) {
    return hash(hashName, content, 'base64')
  }
  const units = scratch.subarray(0, scratch.write(content, 'utf16le'))
  return hash(hashName, transcode(units, 'utf16le', 'utf8'), 'base64')
}

/** ETSI EN 319 132-1 / TS 101 903 1.3.2; SigningCertificate (not V2) is what the policy and its tools know. */
function signedProperties(signingCertificate: string, { id, signedAt, role = 'emisor' }: SignOptions & { id: string }) {
  const content =
    '<xades:SignedSignatureProperties>' +
    `<xades:SigningTime>${signedAt.toISOString().slice(0, 19)}Z</xades:SigningTime>${signingCertificate}` +
    `${policyXml}<xades:SignerRole><xades:ClaimedRoles><xades:ClaimedRole>${escapeText(role)}</xades:ClaimedRole>` +
    '</xades:ClaimedRoles></xades:SignerRole></xades:SignedSignatureProperties>' +
    `<xades:SignedDataObjectProperties><xades:DataObjectFormat ObjectReference="#Reference-${id}">` +
    '<xades:Description>Factura electrónica</xades:Description><xades:ObjectIdentifier>' +
    '<xades:Identifier Qualifier="OIDAsURN">urn:oid:1.2.840.10003.5.109.10</xades:Identifier></xades:ObjectIdentifier>' +
    '<xades:MimeType>text/xml</xades:MimeType></xades:DataObjectFormat></xades:SignedDataObjectProperties>' +
    '</xades:SignedProperties>'
  const attribute = ` Id="SignedProperties-${id}"`
  return {
    xml: `<xades:SignedProperties${attribute}>${content}`,
    canonical: (scope: Scope): string =>
      `<xades:SignedProperties${scope.namespaces}${attribute}${scope.attributes}>${content}`,
  }
}

const policyXml =
  '<xades:SignaturePolicyIdentifier><xades:SignaturePolicyId><xades:SigPolicyId>' +
  `<xades:Identifier>${facturaePolicy.identifier}</xades:Identifier>` +
  `<xades:Description>${facturaePolicy.description}</xades:Description></xades:SigPolicyId><xades:SigPolicyHash>` +
  `<ds:DigestMethod Algorithm="${facturaePolicy.hashAlgorithm}"></ds:DigestMethod>` +
  `<ds:DigestValue>${facturaePolicy.hash}</ds:DigestValue></xades:SigPolicyHash></xades:SignaturePolicyId>` +
  '</xades:SignaturePolicyIdentifier>'

/** XML Signature 1.1 section 6.4: PKCS#1 v1.5, or the two numbers of ECDSA one after the other. */
function signatureValue(signedInfo: string, { algorithm, privateKey }: OpenedKey, hashName: SigningHash): string {
  try {
    // The bare key object is the runtime's short way; wrapped in options it costs a twentieth of an RSA signature more.
    const key = algorithm === 'rsa' ? privateKey : ({ key: privateKey, dsaEncoding: 'ieee-p1363' } as const)
    return signBytes(hashName, Buffer.from(signedInfo, 'utf8'), key).toString('base64')
  } catch (error) {
    return fail('XML_SIGN_FAILED', { detail: 'The private key could not sign.', cause: error })
  }
}
