import type { XmlElement } from 'libxml2-wasm'
import { canonicalizations, inclusiveC14n } from './algorithms.ts'
import { attribute, elementAt, elementsAt, strictBase64, textOf } from './signature-nodes.ts'
import { readTimestampToken } from './timestamp-token.ts'
import type { Findings } from './verify.ts'

const path =
  'ds:Object/xades:QualifyingProperties/xades:UnsignedProperties/xades:UnsignedSignatureProperties/xades:SignatureTimeStamp'

/** Checks the time-stamps over a signature value; tells whether there are any. What is wrong goes into `found`. */
export async function checkTimestamps(signature: XmlElement, found: Findings): Promise<boolean> {
  const stamps = elementsAt(signature, path)
  const value = elementAt(signature, 'ds:SignatureValue')
  for (const stamp of stamps) {
    const method = elementAt(stamp, 'ds:CanonicalizationMethod')
    const c14n = method === null ? inclusiveC14n : canonicalizations[attribute(method, 'Algorithm') ?? '']
    const token = strictBase64(textOf(stamp, 'xades:EncapsulatedTimeStamp'))
    if (value === null || c14n === undefined || token === null) {
      found.errors.push({ code: 'timestamp', detail: 'A time-stamp of the signature cannot be read.' })
      continue
    }
    const covered = { bytes: Buffer.from(value.canonicalizeToString(c14n), 'utf8') }
    const read = await readTimestampToken(token, covered)
    if ('problem' in read) {
      found.errors.push({ code: 'timestamp', detail: `A time-stamp of the signature does not hold: ${read.problem}.` })
    }
  }
  return stamps.length > 0
}
