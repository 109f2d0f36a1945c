import { fail } from '@asiento/proto/errors'
import { XmlDocument, XmlLibError } from 'libxml2-wasm'
import { type FacturaeVersion, parseOptions, versionOf } from '../../xsd/schemas.ts'

/** The largest XML that is parsed, in bytes. */
export const xmlBytesMax = 32 * 1024 ** 2

/** A parsed document; {@link XmlSource.dispose} gives its memory back. */
export interface XmlSource {
  document: XmlDocument
  version: FacturaeVersion
  dispose: () => void
}

/**
 * Parses XML that may come from anyone: UTF-8, UTF-16, ISO-8859-1 and what else the runtime can decode, with or without
 * BOM.
 *
 * Fails with INVALID_INPUT when it is not well-formed, holds a DOCTYPE (and so any entity), is no Facturae 3.2, 3.2.1 or
 * 3.2.2, and with PAYLOAD_TOO_LARGE above {@link xmlBytesMax}. Nothing is ever fetched.
 */
export function openFacturae(bytes: Uint8Array): XmlSource {
  if (bytes.byteLength > xmlBytesMax) fail('PAYLOAD_TOO_LARGE', { detail: 'The XML is larger than 32 MB.' })
  if (bytes.byteLength === 0) fail('INVALID_INPUT', { detail: 'The XML is empty.' })
  const text = decodeXml(bytes)
  refuseDoctype(text)
  const document = parse(text)
  const version = document.dtd === null ? rootVersion(document) : null
  if (version !== null) return { document, version, dispose: () => document.dispose() }
  const { name, namespaceUri } = document.root
  const hasDoctype = document.dtd !== null
  document.dispose()
  return fail('INVALID_INPUT', {
    detail: hasDoctype
      ? 'XML with a DOCTYPE is not accepted.'
      : `The XML is no Facturae 3.2, 3.2.1 or 3.2.2: its root is ${name} of ${namespaceUri === '' ? 'no namespace' : namespaceUri}.`,
  })
}

function parse(text: string): XmlDocument {
  try {
    return XmlDocument.fromBuffer(Buffer.from(text), { option: parseOptions, encoding: 'utf-8' })
  } catch (error) {
    if (!(error instanceof XmlLibError)) throw error
    const [first] = error.details
    const place = first === undefined ? '' : ` (line ${first.line}, column ${first.col})`
    return fail('INVALID_INPUT', {
      detail: `The XML is not well-formed: ${(first?.message ?? error.message).trim()}${place}`,
      cause: error,
    })
  }
}

const rootVersion = (document: XmlDocument): FacturaeVersion | null =>
  document.root.name === 'Facturae' ? versionOf(document.root.namespaceUri) : null

/** The document as text without BOM and XML declaration. Fails with INVALID_INPUT where the bytes are not of its encoding. */
export function decodeXml(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes)
  try {
    const text =
      encoding === 'iso-8859-1'
        ? Buffer.from(bytes).toString('latin1')
        : new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return text.replace(/^\uFEFF?<\?xml\s[^>]*\?>/, '').replace(/^\uFEFF/, '')
  } catch (error) {
    return fail('INVALID_INPUT', {
      detail: `The XML is not in the encoding that it names (${encoding}).`,
      cause: error,
    })
  }
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0x00 && bytes[1] === 0x3c) return 'utf-16be'
  if (bytes[0] === 0x3c && bytes[1] === 0x00) return 'utf-16le'
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const label = /^(?:\u00EF\u00BB\u00BF)?<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']/
    .exec(head)?.[1]
    ?.toLowerCase()
  if (label === undefined || label.startsWith('utf-16')) return 'utf-8'
  return label === 'latin1' || label === 'iso_8859-1' ? 'iso-8859-1' : label
}

/** Only blanks, comments and processing instructions may come before the root. */
function refuseDoctype(text: string): void {
  let index = 0
  for (;;) {
    while (' \t\r\n'.includes(text.charAt(index)) && index < text.length) index += 1
    if (text.startsWith('<!--', index)) index = after(text, '-->', index)
    else if (text.startsWith('<?', index)) index = after(text, '?>', index)
    else break
  }
  if (/^<!doctype/i.test(text.slice(index, index + 9))) {
    fail('INVALID_INPUT', { detail: 'XML with a DOCTYPE is not accepted.' })
  }
}

function after(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from)
  return found < 0 ? text.length : found + end.length
}
