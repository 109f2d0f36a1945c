/** Namespaces and algorithm identifiers of XML Signature and XAdES, as they stand in a document. */
export const xmldsig = 'http://www.w3.org/2000/09/xmldsig#'
export const xades132 = 'http://uri.etsi.org/01903/v1.3.2#'
export const signedPropertiesType = 'http://uri.etsi.org/01903#SignedProperties'
export const c14n10 = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
export const envelopedSignature = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

/**
 * The Facturae signature policy 3.1 in force: its identifier and the SHA-1 of its PDF, as every tool of the public portal
 * writes them. The hash is the policy's own and says nothing of how a document is digested.
 */
export const facturaePolicy = {
  identifier: 'http://www.facturae.es/politica_de_firma_formato_facturae/politica_de_firma_formato_facturae_v3_1.pdf',
  description: 'Política de Firma FacturaE v3.1',
  hashAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1',
  hash: 'Ohixl6upD6av8N7pEvDABhEL6hM=',
} as const

export type SigningHash = 'sha256' | 'sha512'

export const digestMethods: Readonly<Record<SigningHash, string>> = {
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
}

export const signatureMethods: Readonly<Record<'rsa' | 'ec-p256', Readonly<Record<SigningHash, string>>>> = {
  rsa: {
    sha256: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    sha512: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  },
  'ec-p256': {
    sha256: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256',
    sha512: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512',
  },
}
