import { fail } from '@asiento/proto/errors'
import { ParseOption, XmlDocument, XmlElement, XmlText } from 'libxml2-wasm'

/** An element as plain data; namespaces are left out, since the formats read here differ by their roots. */
export interface XmlTree {
  name: string
  attributes: Record<string, string>
  text: string
  children: XmlTree[]
}

export const xmlBytesMax = 10 * 1024 * 1024
const elementsMax = 400_000
const depthMax = 60

/**
 * Parses XML without document type definitions, entities or any access outside the bytes.
 *
 * Fails with INVALID_INPUT when it is too large, not well-formed, or has a DOCTYPE.
 */
export function parseXml(bytes: Uint8Array): XmlTree {
  if (bytes.length > xmlBytesMax) fail('INVALID_INPUT', { detail: 'The XML is larger than 10 MB.' })
  if (hasDoctype(bytes)) fail('INVALID_INPUT', { detail: 'The XML has a DOCTYPE, which is not accepted.' })
  let document: XmlDocument
  try {
    document = XmlDocument.fromBuffer(bytes, {
      option: ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_NOCDATA,
    })
  } catch (error) {
    return fail('INVALID_INPUT', { detail: 'The XML is not well-formed.', cause: error })
  }
  try {
    if (document.dtd !== null) fail('INVALID_INPUT', { detail: 'The XML has a DOCTYPE, which is not accepted.' })
    return copy(document.root, { left: elementsMax }, 0)
  } finally {
    document.dispose()
  }
}

/** Looks at the prolog in every encoding in which it could be hidden. */
function hasDoctype(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 65_536)).toString('latin1').replaceAll('\0', '')
  return /<!DOCTYPE/i.test(head)
}

function copy(element: XmlElement, budget: { left: number }, depth: number): XmlTree {
  budget.left -= 1
  if (budget.left < 0 || depth > depthMax) fail('INVALID_INPUT', { detail: 'The XML has too many elements.' })
  const tree: XmlTree = { name: element.name, attributes: {}, text: '', children: [] }
  for (const attribute of element.attrs) tree.attributes[attribute.name] = attribute.value
  for (let node = element.firstChild; node !== null; node = node.next) {
    if (node instanceof XmlElement) tree.children.push(copy(node, budget, depth + 1))
    else if (node instanceof XmlText) tree.text += node.content
  }
  tree.text = tree.text.trim()
  return tree
}

/** All elements at a path of local names: `Parties/SellerParty`. */
export function all(tree: XmlTree | undefined, path: string): XmlTree[] {
  let found = tree === undefined ? [] : [tree]
  for (const name of path.split('/'))
    found = found.flatMap(({ children }) => children.filter((child) => child.name === name))
  return found
}

/** The first element at a path. */
export const first = (tree: XmlTree | undefined, path: string): XmlTree | undefined => all(tree, path)[0]

/** The text of the first of several paths that has one; null where none has. */
export function textAt(tree: XmlTree | undefined, ...paths: readonly string[]): string | null {
  for (const path of paths) {
    const text = first(tree, path)?.text
    if (text !== undefined && text !== '') return text
  }
  return null
}
