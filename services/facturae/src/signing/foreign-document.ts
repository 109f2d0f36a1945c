import { fail } from '@asiento/proto/errors'
import type { XmlElement } from 'libxml2-wasm'
import { decodeXml, openFacturae, xmlBytesMax } from '../domain/parse/xml-source.ts'
import { declaration, type SignableDocument } from './canonical-form.ts'
import { xmldsig } from './names.ts'

/**
 * Reads a Facturae as others write it – indented, with other prefixes, CDATA, comments, another encoding – for signing: its
 * text stays as it is, and libxml2 says what C14N 1.0 makes of it. The text comes back in UTF-8 with a declaration of its
 * own; nothing else of it changes.
 *
 * Fails with INVALID_INPUT when it is not well-formed, has a DOCTYPE, is no Facturae, or is signed already, and with
 * PAYLOAD_TOO_LARGE.
 */
export function readForeign(xml: string | Uint8Array): SignableDocument {
  if (xml.length > xmlBytesMax) fail('PAYLOAD_TOO_LARGE', { detail: 'The XML is larger than 32 MB.' })
  const decoded = typeof xml === 'string' ? xml.replace(/^\uFEFF?(?:<\?xml\s[^>]*\?>)?/, '') : decodeXml(xml)
  const text = decoded.trimStart()
  if (oddNamespace.test(text)) {
    fail('INVALID_INPUT', { detail: 'A namespace with an escaped sign in its name cannot be signed reliably.' })
  }
  const source = openFacturae(Buffer.from(text, 'utf8'))
  try {
    const { document } = source
    if (document.get('//ds:Signature', { ds: xmldsig }) !== null) {
      fail('INVALID_INPUT', { detail: 'The invoice is signed already.' })
    }
    const { root } = document
    const end = rootEnd(text, qualifiedName(root))
    return {
      before: declaration + text.slice(0, end),
      after: text.slice(end),
      canonical: document.canonicalizeToString(),
      root: { namespaces: root.nsDeclarations, xmlAttributes: xmlAttributesOf(root) },
    }
  } finally {
    source.dispose()
  }
}

/** libxml2, and so xmlsec1, writes such a namespace without escapes in C14N; others write it with them. */
const oddNamespace = /\sxmlns(?::[^\s=]+)?\s*=\s*(?:"[^"&]*&|'[^'&"]*[&"])/

const qualifiedName = (element: XmlElement): string =>
  element.prefix === '' ? element.name : `${element.prefix}:${element.name}`

const xmlAttributesOf = (root: XmlElement): Record<string, string> =>
  Object.fromEntries(
    root.attrs.filter(({ prefix }) => prefix === 'xml').map((attribute) => [attribute.name, attribute.value]),
  )

/** Where the end tag of the root begins: what may follow it is blanks, comments and processing instructions. */
function rootEnd(text: string, name: string): number {
  let end = text.trimEnd().length
  for (;;) {
    const tail = text.slice(Math.max(0, end - 3), end)
    // Neither a comment nor an end tag can hold its own opening, so the last one before its end is where it begins.
    const opening = tail === '-->' ? '<!--' : tail.endsWith('?>') ? '<?' : null
    if (opening === null) break
    end = text.slice(0, Math.max(0, text.lastIndexOf(opening, end - 1))).trimEnd().length
  }
  const start = text.lastIndexOf('</', end - 1)
  const found = start < 0 ? null : /^<\/([^\s>]+)\s*>$/.exec(text.slice(start, end))
  if (found?.[1] === name) return start
  return fail('INVALID_INPUT', { detail: 'The end of the invoice was not found: its root is empty or badly followed.' })
}
