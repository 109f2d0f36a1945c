import { XmlC14NMode } from 'libxml2-wasm'

/** Digest algorithms that a signature may use, with their name in the runtime. */
export const digests: Readonly<Record<string, { name: string; weak: boolean } | undefined>> = {
  'http://www.w3.org/2000/09/xmldsig#sha1': { name: 'sha1', weak: true },
  'http://www.w3.org/2001/04/xmldsig-more#sha224': { name: 'sha224', weak: false },
  'http://www.w3.org/2001/04/xmlenc#sha256': { name: 'sha256', weak: false },
  'http://www.w3.org/2001/04/xmldsig-more#sha384': { name: 'sha384', weak: false },
  'http://www.w3.org/2001/04/xmlenc#sha512': { name: 'sha512', weak: false },
}

/** Signature algorithms, with the hash and the kind of key that they need. */
export const signatures: Readonly<Record<string, { hash: string; key: 'rsa' | 'ec'; weak: boolean } | undefined>> = {
  'http://www.w3.org/2000/09/xmldsig#rsa-sha1': { hash: 'sha1', key: 'rsa', weak: true },
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha224': { hash: 'sha224', key: 'rsa', weak: false },
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': { hash: 'sha256', key: 'rsa', weak: false },
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': { hash: 'sha384', key: 'rsa', weak: false },
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': { hash: 'sha512', key: 'rsa', weak: false },
  'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha1': { hash: 'sha1', key: 'ec', weak: true },
  'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256': { hash: 'sha256', key: 'ec', weak: false },
  'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384': { hash: 'sha384', key: 'ec', weak: false },
  'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512': { hash: 'sha512', key: 'ec', weak: false },
}

/** Canonicalizations, as libxml2 takes them. */
export const canonicalizations: Readonly<
  Record<string, { mode: (typeof XmlC14NMode)[keyof typeof XmlC14NMode]; withComments: boolean } | undefined>
> = Object.fromEntries(
  (
    [
      ['http://www.w3.org/TR/2001/REC-xml-c14n-20010315', XmlC14NMode.XML_C14N_1_0],
      ['http://www.w3.org/2006/12/xml-c14n11', XmlC14NMode.XML_C14N_1_1],
      ['http://www.w3.org/2001/10/xml-exc-c14n#', XmlC14NMode.XML_C14N_EXCLUSIVE_1_0],
    ] as const
  ).flatMap(([identifier, mode]) => [
    [identifier, { mode, withComments: false }],
    [`${identifier}${identifier.endsWith('#') ? '' : '#'}WithComments`, { mode, withComments: true }],
  ]),
)

export const inclusiveC14n = { mode: XmlC14NMode.XML_C14N_1_0, withComments: false } as const
