import type { XmlElement } from 'libxml2-wasm'
import { attribute, elementAt, elementsAt, textOf } from './signature-nodes.ts'
import type { Findings } from './verify.ts'

/** The XAdES part of a signature. */
export interface Qualifying {
  signedProperties: XmlElement
  policy: string | null
  signedAt: Date | null
}

/** Policies of Facturae: identifiers with the SHA-1 of their PDF. */
const facturaePolicies: Readonly<Record<string, string | undefined>> = {
  'http://www.facturae.es/politica_de_firma_formato_facturae/politica_de_firma_formato_facturae_v3_1.pdf':
    'Ohixl6upD6av8N7pEvDABhEL6hM=',
}
const sha1 = 'http://www.w3.org/2000/09/xmldsig#sha1'

/** Finds the signed properties of a signature and says what is wrong with them; null when it has none (plain XMLDSig). */
export function readQualifying(signature: XmlElement, found: Findings): Qualifying | null {
  const all = elementsAt(signature, 'ds:Object/xades:QualifyingProperties')
  const [qualifying] = all
  if (qualifying === undefined) {
    found.warnings.push({ code: 'no_xades', detail: 'The signature is no XAdES: it has no qualifying properties.' })
    return null
  }
  const id = attribute(signature, 'Id')
  if (all.length > 1 || id === null || attribute(qualifying, 'Target') !== `#${id}`) {
    found.errors.push({ code: 'xades_target', detail: 'The qualifying properties do not belong to this signature.' })
  }
  const signedProperties = elementsAt(qualifying, 'xades:SignedProperties')
  const [properties] = signedProperties
  if (properties === undefined || signedProperties.length > 1) {
    found.errors.push({
      code: 'xades_properties',
      detail: 'The signature has not exactly one set of signed properties.',
    })
    return null
  }
  return { signedProperties: properties, policy: policyOf(properties, found), signedAt: instantOf(properties, found) }
}

function policyOf(properties: XmlElement, found: Findings): string | null {
  const path = 'xades:SignedSignatureProperties/xades:SignaturePolicyIdentifier/xades:SignaturePolicyId'
  const node = elementAt(properties, path)
  if (node === null) {
    found.warnings.push({ code: 'no_policy', detail: 'The signature names no policy; the public portal asks for 3.1.' })
    return null
  }
  const identifier = textOf(node, 'xades:SigPolicyId/xades:Identifier') ?? ''
  const expected = facturaePolicies[identifier]
  if (expected === undefined) {
    found.warnings.push({ code: 'other_policy', detail: `The policy is not that of Facturae 3.1: ${identifier}` })
    return identifier
  }
  const method = elementAt(node, 'xades:SigPolicyHash/ds:DigestMethod')
  const hash = textOf(node, 'xades:SigPolicyHash/ds:DigestValue')
  if (method !== null && attribute(method, 'Algorithm') === sha1 && hash !== expected) {
    found.errors.push({
      code: 'policy_hash',
      detail: 'The hash of the signature policy is not that of the policy 3.1.',
    })
  }
  return identifier
}

function instantOf(properties: XmlElement, found: Findings): Date | null {
  const text = textOf(properties, 'xades:SignedSignatureProperties/xades:SigningTime')
  if (text === null) return null
  const instant = new Date(text)
  if (!Number.isNaN(instant.getTime())) return instant
  found.errors.push({ code: 'signing_time', detail: `The signing time is no instant: ${text}` })
  return null
}
