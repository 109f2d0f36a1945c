/** An element of a document: local name, text (of itself, untrimmed) and child elements. Attributes are not kept. */
export interface XmlTree {
  name: string
  text: string
  children: XmlTree[]
}

/**
 * Reads canonical XML (C14N without comments) into a tree. Canonical form leaves only start tags, end tags, text with
 * four escapes and processing instructions, so no parser is needed; the source has been through one.
 *
 * @param skip elements whose content is left out, by local name
 */
export function readTree(canonical: string, skip: ReadonlySet<string> = signature): XmlTree {
  const root: XmlTree = { name: '', text: '', children: [] }
  const open: XmlTree[] = [root]
  let current = root
  let skipping = 0
  let index = canonical.indexOf('<')
  while (index >= 0) {
    const second = canonical.charCodeAt(index + 1)
    if (second === 0x3f) {
      index = canonical.indexOf('<', canonical.indexOf('?>', index))
      continue
    }
    const end = tagEnd(canonical, index)
    const next = canonical.indexOf('<', end)
    if (second === 0x2f) {
      open.pop()
      if (skipping > 0) skipping -= 1
      current = open.at(-1) ?? root
    } else {
      const node: XmlTree = { name: localName(canonical, index + 1, end), text: '', children: [] }
      if (skipping > 0) skipping += 1
      else {
        current.children.push(node)
        if (skip.has(node.name)) skipping = 1
      }
      open.push(node)
      current = node
    }
    if (next > end + 1 && skipping === 0) current.text += unescapeText(canonical.slice(end + 1, next))
    index = next
  }
  return root.children[0] ?? root
}

/** The end of a tag; in attribute values canonical form leaves `>` as it is. */
function tagEnd(canonical: string, from: number): number {
  let end = canonical.indexOf('>', from)
  let counted = from
  let quotes = 0
  for (;;) {
    for (; counted < end; counted += 1) if (canonical.charCodeAt(counted) === quoteCode) quotes += 1
    if (quotes % 2 === 0 || end < 0) return end
    end = canonical.indexOf('>', end + 1)
  }
}

const quoteCode = 0x22
const blankCode = 0x20
const colonCode = 0x3a

const signature: ReadonlySet<string> = new Set(['Signature'])

function localName(canonical: string, from: number, end: number): string {
  let start = from
  for (let index = from; index < end; index += 1) {
    const code = canonical.charCodeAt(index)
    if (code === blankCode) return canonical.slice(start, index)
    if (code === colonCode) start = index + 1
  }
  return canonical.slice(start, end)
}

const entity = /&(?:amp|lt|gt|#xD);/g
const characters: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&#xD;': '\r' }

const unescapeText = (text: string): string =>
  text.includes('&') ? text.replace(entity, (found) => characters[found] ?? found) : text

/** The first child of a name. */
export function child(node: XmlTree | undefined, name: string): XmlTree | undefined {
  if (node === undefined) return undefined
  for (const entry of node.children) if (entry.name === name) return entry
  return undefined
}

/** All children of a name. */
export const children = (node: XmlTree | undefined, name: string): XmlTree[] =>
  node === undefined ? [] : node.children.filter((entry) => entry.name === name)

/** The child at the end of a path of names. */
export function descend(node: XmlTree | undefined, ...names: string[]): XmlTree | undefined {
  let current = node
  for (const name of names) current = child(current, name)
  return current
}

/** The text of a child; undefined where there is no such child. */
export const textOf = (node: XmlTree | undefined, ...names: string[]): string | undefined =>
  descend(node, ...names)?.text
