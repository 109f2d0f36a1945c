import { type XmlDocument, XmlElement } from 'libxml2-wasm'
import type { XmlTree } from '../domain/parse/tree.ts'

/** True only for an element whose content its declaration allows; false also where this reading does not know. */
export type Accepts = (node: XmlTree) => boolean

/** Where a particle ends that starts at an index of the children; -1 where it does not fit. */
type Particle = (children: readonly XmlTree[], at: number) => number

type Text = (text: string) => boolean

/**
 * Reads a schema (XSD 1.0) into functions that accept elements. It knows what Facturae is written with: sequences, choices,
 * occurrences, strings with lengths, enumerations and simple patterns, plain numbers and dates. Whatever else it meets
 * accepts nothing, and a content model is matched greedily, so it may refuse what is valid, never the reverse.
 */
export function contentModel(schema: XmlDocument, rootName: string): Accepts {
  const named = new Map<string, XmlElement>()
  for (const node of elementsIn(schema.root)) {
    const name = attribute(node, 'name')
    if (name !== null && node.name !== 'element') named.set(name, node)
  }
  const types = new Map<string, Accepts>()
  const texts = new Map<string, Text>()

  const typeOf = (name: string): Accepts => {
    const known = types.get(name)
    if (known !== undefined) return known
    let compiled: Accepts | null = null
    // Set before it is compiled, so that a type may hold itself.
    types.set(name, (node) => compiled?.(node) ?? false)
    const node = named.get(name)
    if (node === undefined || node.name === 'simpleType') compiled = leaf(textOf(name))
    else compiled = complex(node)
    types.set(name, compiled)
    return compiled
  }

  const textOf = (name: string): Text => {
    const known = builtIn[name] ?? texts.get(name)
    if (known !== undefined) return known
    const node = named.get(name)
    const text = node?.name === 'simpleType' ? restricted(node) : never
    texts.set(name, text)
    return text
  }

  const restricted = (simpleType: XmlElement): Text => {
    const [restriction, ...others] = elementsIn(simpleType)
    if (restriction?.name !== 'restriction' || others.length > 0) return never
    const facets = elementsIn(restriction)
    const base = textOf(attribute(restriction, 'base') ?? '')
    const allowed = new Set(valuesOf(facets, 'enumeration'))
    const facetsHold = facets.filter((facet) => facet.name !== 'enumeration').map(facetOf)
    return (text) => base(text) && (allowed.size === 0 || allowed.has(text)) && facetsHold.every((holds) => holds(text))
  }

  const complex = (complexType: XmlElement): Accepts => {
    const [content, ...others] = elementsIn(complexType)
    if (content === undefined || others.length > 0) return never
    if (content.name === 'complexContent') {
      const [extension] = elementsIn(content)
      const adds = extension?.name !== 'extension' || elementsIn(extension).length > 0
      return adds ? never : typeOf(attribute(extension, 'base') ?? '')
    }
    const particle = particleOf(content)
    return ({ text, children }) => text === '' && particle(children, 0) === children.length
  }

  const particleOf = (node: XmlElement): Particle => {
    const min = Number(attribute(node, 'minOccurs') ?? 1)
    const stated = attribute(node, 'maxOccurs') ?? '1'
    return repeated(onceOf(node), min, stated === 'unbounded' ? Number.POSITIVE_INFINITY : Number(stated))
  }

  const onceOf = (node: XmlElement): Particle => {
    if (node.name === 'sequence') return sequence(elementsIn(node).map(particleOf))
    if (node.name === 'choice') return choice(elementsIn(node).map(particleOf))
    const name = node.name === 'element' ? attribute(node, 'name') : null
    if (name === null) return noParticle
    const accepts = declared(node)
    return (children, at) => {
      const child = children[at]
      return child !== undefined && child.name === name && accepts(child) ? at + 1 : -1
    }
  }

  const declared = (element: XmlElement): Accepts => {
    const type = attribute(element, 'type')
    if (type !== null) return typeOf(type)
    const [own] = elementsIn(element)
    if (own?.name === 'complexType') return complex(own)
    return own?.name === 'simpleType' ? leaf(restricted(own)) : never
  }

  const root = elementsIn(schema.root).find((node) => node.name === 'element' && attribute(node, 'name') === rootName)
  if (root === undefined) return never
  const accepts = declared(root)
  return (node) => node.name === rootName && accepts(node)
}

const never = (): boolean => false
const noParticle: Particle = () => -1

const leaf =
  (text: Text): Accepts =>
  (node) =>
    node.children.length === 0 && text(node.text)

const sequence =
  (parts: readonly Particle[]): Particle =>
  (children, start) => {
    let at = start
    for (const part of parts) {
      at = part(children, at)
      if (at < 0) return -1
    }
    return at
  }

/** The first part that takes an element; else one that may be empty. */
const choice =
  (parts: readonly Particle[]): Particle =>
  (children, at) => {
    let empty = -1
    for (const part of parts) {
      const end = part(children, at)
      if (end > at) return end
      if (end === at) empty = at
    }
    return empty
  }

const repeated =
  (once: Particle, min: number, max: number): Particle =>
  (children, start) => {
    let at = start
    for (let count = 0; count < max; count += 1) {
      const end = once(children, at)
      if (end < 0) return count >= min ? at : -1
      // What may be empty may be empty as often as is asked.
      if (end === at) return at
      at = end
    }
    return at
  }

/** The plain forms of each type; what else XSD allows (exponents, time zones) is left to a whole validator. */
const builtIn: Readonly<Record<string, Text>> = {
  'xs:string': () => true,
  'xs:double': (text) => /^-?\d{1,30}(?:\.\d{1,30})?$/.test(text),
  'xs:long': (text) => /^-?\d{1,15}$/.test(text),
  'xs:date': (text) => /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/.test(text) || isLateDate(text),
}

/** The 29th to 31st, where the month has them. */
function isLateDate(text: string): boolean {
  if (!/^[12]\d{3}-\d\d-(?:29|3[01])$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** What means the same in a pattern of XSD and of JavaScript. */
const simplePattern = /^(?:\\[d.]|[-0-9()[\]{},?+*])*$/

function facetOf(facet: XmlElement): Text {
  const value = attribute(facet, 'value') ?? ''
  const limit = Number(value)
  if (facet.name === 'maxLength') return (text) => text.length <= limit || charactersIn(text) <= limit
  if (facet.name === 'minLength') return (text) => charactersIn(text) >= limit
  if (facet.name === 'length') return (text) => charactersIn(text) === limit
  if (facet.name !== 'pattern' || !simplePattern.test(value)) return never
  const pattern = new RegExp(`^(?:${value})$`)
  return (text) => pattern.test(text)
}

const charactersIn = (text: string): number => (/[\ud800-\udfff]/.test(text) ? [...text].length : text.length)

const valuesOf = (facets: readonly XmlElement[], name: string): string[] =>
  facets.filter((facet) => facet.name === name).map((facet) => attribute(facet, 'value') ?? '')

const attribute = (node: XmlElement, name: string): string | null => node.attr(name)?.value ?? null

/** The child elements that say something. */
function elementsIn(node: XmlElement): XmlElement[] {
  const found: XmlElement[] = []
  for (let child = node.firstChild; child !== null; child = child.next) {
    if (child instanceof XmlElement && child.name !== 'annotation') found.push(child)
  }
  return found
}
