import type { XmlElement, XmlNode } from 'libxml2-wasm'

export const prefixes = {
  ds: 'http://www.w3.org/2000/09/xmldsig#',
  xades: 'http://uri.etsi.org/01903/v1.3.2#',
}

/** The first element that a path finds from `node`, or null. */
export const elementAt = (node: XmlNode, path: string): XmlElement | null =>
  // The paths here name elements only.
  node.get(path, prefixes) as XmlElement | null

/** All elements that a path finds from `node`. */
export const elementsAt = (node: XmlNode, path: string): XmlElement[] => node.find(path, prefixes) as XmlElement[]

/** The text of the element that a path finds, without the blanks around it; null when there is none. */
export const textOf = (node: XmlNode, path: string): string | null => elementAt(node, path)?.content.trim() ?? null

/** The value of an attribute without namespace, or null. */
export const attribute = (element: XmlElement, name: string): string | null => element.attr(name)?.value ?? null

/**
 * Base64 to bytes, blanks allowed; null where a lenient decoder would take several texts for the same bytes, since then a
 * changed character could go unseen.
 */
export function strictBase64(text: string | null): Buffer | null {
  const compact = text?.replace(/[ \t\r\n]/g, '') ?? ''
  const bytes = Buffer.from(compact, 'base64')
  return compact !== '' && bytes.toString('base64') === compact ? bytes : null
}
