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
  const open: XmlTree[] = []
  let current = root
  let skipping = 0
  let index = canonical.indexOf('<')
  while (index >= 0) {
    const second = canonical.charCodeAt(index + 1)
    let after: number
    if (second === questionCode) after = canonical.indexOf('?>', index) + 2
    else if (second === slashCode) {
      after = canonical.indexOf('>', index) + 1
      if (skipping > 0) skipping -= 1
      current = open.pop() ?? root
    } else {
      const end = tagEnd(canonical, index)
      const tag = canonical.slice(index + 1, end)
      const node: XmlTree = { name: localName(tag), text: '', children: noChildren }
      const next = canonical.indexOf('<', end)
      if (skipping > 0) skipping += 1
      else if (skip.has(node.name)) {
        add(current, node)
        skipping = 1
      } else {
        add(current, node)
        if (canonical.charCodeAt(next + 1) === slashCode && !tag.includes(' ')) {
          // A leaf: its end tag is as long as its start tag and a slash.
          if (next > end + 1) node.text = unescapeText(canonical.slice(end + 1, next))
          after = next + tag.length + 3
          index = canonical.indexOf('<', after)
          if (index > after) current.text += unescapeText(canonical.slice(after, index))
          continue
        }
      }
      open.push(current)
      current = node
      after = end + 1
    }
    index = canonical.indexOf('<', after)
    if (index > after && skipping === 0) current.text += unescapeText(canonical.slice(after, index))
  }
  return root.children[0] ?? root
}

/** Most elements are leaves; they share one list that nothing is ever added to. */
const noChildren: XmlTree[] = []

function add(parent: XmlTree, node: XmlTree): void {
  if (parent.children === noChildren) parent.children = [node]
  else parent.children.push(node)
}

const signature: ReadonlySet<string> = new Set(['Signature'])

/** The end of a start tag; in attribute values canonical form leaves `>` as it is. */
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
const slashCode = 0x2f
const questionCode = 0x3f

function localName(tag: string): string {
  const blank = tag.indexOf(' ')
  const name = blank < 0 ? tag : tag.slice(0, blank)
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
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
