import { type KeyObject, verify } from 'node:crypto'
import type { XmlElement } from 'libxml2-wasm'
import { canonicalizations, signatures } from './algorithms.ts'
import { attribute, elementAt, elementsAt, strictBase64, textOf } from './signature-nodes.ts'
import type { Findings } from './verify.ts'

/** Checks the signature value over SignedInfo with the signer's key; what is wrong goes into `found`. */
export function checkSignatureValue(signature: XmlElement, publicKey: KeyObject, found: Findings): void {
  const infos = elementsAt(signature, 'ds:SignedInfo')
  const [signedInfo] = infos
  const methodNode = signedInfo && elementAt(signedInfo, 'ds:SignatureMethod')
  const c14nNode = signedInfo && elementAt(signedInfo, 'ds:CanonicalizationMethod')
  if (signedInfo === undefined || infos.length > 1 || !methodNode || !c14nNode) {
    found.errors.push({ code: 'signed_info', detail: 'The signature has not exactly one complete SignedInfo.' })
    return
  }
  const methodName = attribute(methodNode, 'Algorithm') ?? ''
  const c14nName = attribute(c14nNode, 'Algorithm') ?? ''
  const method = signatures[methodName]
  const c14n = canonicalizations[c14nName]
  if (method === undefined || c14n === undefined || c14nNode.firstChild?.next) {
    const name = method === undefined ? methodName : c14nName
    found.errors.push({
      code: 'unsupported_algorithm',
      detail: `The signature uses an algorithm we do not take: ${name}`,
    })
    return
  }
  if (method.weak) {
    found.warnings.push({ code: 'weak_algorithm', detail: `The signature uses a weak algorithm: ${methodName}` })
  }
  const value = strictBase64(textOf(signature, 'ds:SignatureValue'))
  const fits = publicKey.asymmetricKeyType === method.key
  const canonical = Buffer.from(signedInfo.canonicalizeToString(c14n), 'utf8')
  const holds =
    fits && value !== null && verify(method.hash, canonical, { key: publicKey, dsaEncoding: 'ieee-p1363' }, value)
  if (holds) return
  found.errors.push({
    code: 'signature_value',
    detail: 'The signature does not hold: it was changed, or is of another key.',
  })
}
