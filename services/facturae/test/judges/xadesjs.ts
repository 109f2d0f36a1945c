import { webcrypto } from 'node:crypto'
import { DOMImplementation, DOMParser, XMLSerializer } from '@xmldom/xmldom'
import * as xadesjs from 'xadesjs'
import xpath from 'xpath'
import type { OpenedKey } from '../../src/certificates/open-p12.ts'

let ready = false

/**
 * What xadesjs says of a signed file: null when it accepts the signature, else its words. It knows nothing of what a signature
 * must cover, and refuses some good files (docs/adr): a second opinion, not a judge.
 */
export async function judgeByXadesjs(xml: string): Promise<string | null> {
  prepare()
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

/** A function that signs an invoice as xadesjs does with the same parts; for comparison of speed only. */
export async function signByXadesjs(xml: string, key: OpenedKey): Promise<() => Promise<string>> {
  prepare()
  const pkcs8 = key.privateKey.export({ type: 'pkcs8', format: 'der' })
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const privateKey = await webcrypto.subtle.importKey('pkcs8', Uint8Array.from(pkcs8), algorithm, false, ['sign'])
  const certificates = key.chain.map((der) => Buffer.from(der).toString('base64'))
  return async () => {
    const signed = new xadesjs.SignedXml()
    await signed.Sign(algorithm, privateKey as unknown as CryptoKey, xadesjs.Parse(xml), {
      x509: certificates,
      signingCertificate: certificates[0] ?? '',
      references: [{ uri: '', hash: 'SHA-256', transforms: ['enveloped'] }],
      signerRole: { claimed: ['emisor'] },
    })
    return signed.toString()
  }
}

function prepare(): void {
  if (ready) return
  xadesjs.setNodeDependencies({ DOMParser, XMLSerializer, DOMImplementation, xpath })
  // Node's Web Crypto is what the engine asks for; only the declared types differ.
  xadesjs.Application.setEngine('node', webcrypto as unknown as Crypto)
  ready = true
}
