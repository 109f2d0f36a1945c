import { webcrypto } from 'node:crypto'
import { DOMImplementation, DOMParser, XMLSerializer } from '@xmldom/xmldom'
import * as xadesjs from 'xadesjs'
import xpath from 'xpath'

let ready = false

/**
 * What xadesjs says of a signed file: null when it accepts the signature, else its words. It knows nothing of what a signature
 * must cover, and refuses some good files (docs/adr): a second opinion, not a judge.
 */
export async function judgeByXadesjs(xml: string): Promise<string | null> {
  if (!ready) {
    xadesjs.setNodeDependencies({ DOMParser, XMLSerializer, DOMImplementation, xpath })
    // Node's Web Crypto is what the engine asks for; only the declared types differ.
    xadesjs.Application.setEngine('node', webcrypto as unknown as Crypto)
    ready = true
  }
  try {
    const document = xadesjs.Parse(xml)
    const signature = document.getElementsByTagNameNS('http://www.w3.org/2000/09/xmldsig#', 'Signature')[0]
    if (signature === undefined) return 'no signature'
    const signed = new xadesjs.SignedXml(document)
    signed.LoadXml(signature)
    return (await signed.Verify()) ? null : 'signature value'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
