import { XmlElement } from 'libxml2-wasm'
import { openFacturae } from '../domain/parse/xml-source.ts'
import { readQualifying } from './read-qualifying.ts'
import { prefixes } from './signature-nodes.ts'
import { checkCertificate } from './verify-certificate.ts'
import { checkReferences } from './verify-references.ts'
import { checkTimestamps } from './verify-timestamp.ts'
import { checkSignatureValue } from './verify-value.ts'

/** What a check found; `detail` is a sentence for the caller. */
export interface SignatureFinding {
  code: string
  detail: string
}

export interface SignatureVerdict {
  present: boolean
  /** Intact, over the whole invoice, by the certificate it names. Whether that certificate is trusted is not asked. */
  valid: boolean
  level: 'XMLDSig' | 'XAdES-BES' | 'XAdES-EPES' | 'XAdES-T' | null
  /** Identifier of the signature policy. */
  policy: string | null
  /** Subject of the signer's certificate, RFC 4514 order. */
  signer: string | null
  /** As the signature claims it, ISO 8601 UTC. */
  signed_at: string | null
  errors: SignatureFinding[]
  /** What does not break the signature but a receiver may refuse: weak algorithms, another policy. */
  warnings: SignatureFinding[]
}

/** Collects what the checks find. */
export interface Findings {
  errors: SignatureFinding[]
  warnings: SignatureFinding[]
}

/**
 * Checks the signature of a Facturae as others would: every reference by libxml2's C14N, the signature value by the runtime's
 * crypto, that the whole invoice and the signed properties are covered, that no element can be put in the place of another
 * (ids are unique, the signature stands in the root), and that the signing certificate is the one the properties name. Of
 * the signer's code it uses how a document is opened and a certificate described, nothing that makes a digest or signature.
 *
 * Fails with INVALID_INPUT when the XML is no Facturae that can be read, and with PAYLOAD_TOO_LARGE; a bad signature is a
 * verdict, not a failure.
 */
export async function verifyFacturae(xml: string | Uint8Array): Promise<SignatureVerdict> {
  const bytes = typeof xml === 'string' ? Buffer.from(withoutDeclaration(xml), 'utf8') : xml
  const whole = openFacturae(bytes)
  // A second tree, cut down to the signature, so that its parts canonicalize without walking the invoice each time.
  const cut = openFacturae(bytes)
  try {
    const signatures = whole.document.find('//ds:Signature', prefixes) as XmlElement[]
    const counted = signatures.filter((signature) => signature.get('ancestor::ds:Signature', prefixes) === null)
    const [first] = counted
    if (first === undefined) return noSignature
    const found: Findings = { errors: [], warnings: [] }
    if (counted.length > 1) {
      found.errors.push({ code: 'several_signatures', detail: 'The invoice holds more than one signature.' })
    }
    if (first.get('parent::*/parent::*') !== null) {
      found.errors.push({ code: 'misplaced_signature', detail: 'The signature is not a child of the root element.' })
    }
    if (found.errors.length > 0) return { ...noSignature, present: true, ...found }
    return await verdictOn(first, cutDown(cut.document.root), found)
  } finally {
    whole.dispose()
    cut.dispose()
  }
}

const withoutDeclaration = (xml: string): string => xml.replace(/^\uFEFF?(?:<\?xml\s[^>]*\?>)?/, '')

const noSignature: SignatureVerdict = {
  present: false,
  valid: false,
  level: null,
  policy: null,
  signer: null,
  signed_at: null,
  errors: [],
  warnings: [],
}

/** Removes from the root all but its signature; gives that. The namespaces and `xml:` attributes in scope stay. */
function cutDown(root: XmlElement): XmlElement {
  let signature: XmlElement | null = null
  for (let node = root.firstChild; node !== null; ) {
    const { next } = node
    if (node instanceof XmlElement && node.name === 'Signature' && node.namespaceUri === prefixes.ds) signature = node
    else node.remove()
    node = next
  }
  if (signature === null) throw new Error('the signature was lost')
  return signature
}

async function verdictOn(inWhole: XmlElement, signature: XmlElement, found: Findings): Promise<SignatureVerdict> {
  const qualifying = readQualifying(signature, found)
  const certificate = checkCertificate(signature, qualifying, found)
  if (certificate !== null) checkSignatureValue(signature, certificate.publicKey, found)
  checkReferences(inWhole, signature, qualifying, found)
  const timestamped = await checkTimestamps(signature, found)
  const level = qualifying === null ? 'XMLDSig' : qualifying.policy === null ? 'XAdES-BES' : 'XAdES-EPES'
  return {
    present: true,
    valid: found.errors.length === 0,
    level: timestamped && qualifying !== null ? 'XAdES-T' : level,
    policy: qualifying?.policy ?? null,
    signer: certificate?.subject ?? null,
    signed_at: qualifying?.signedAt?.toISOString() ?? null,
    ...found,
  }
}
