import { hash } from 'node:crypto'
import type { XmlElement } from 'libxml2-wasm'
import { canonicalizations, digests, inclusiveC14n } from './algorithms.ts'
import type { Qualifying } from './read-qualifying.ts'
import { attribute, elementAt, elementsAt, strictBase64, textOf } from './signature-nodes.ts'
import type { Findings } from './verify.ts'

const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

interface Trees {
  /** The signature in the tree of the whole document. */
  inWhole: XmlElement
  /** The signature in the tree that holds nothing else. */
  signature: XmlElement
}

/**
 * Checks every reference of a signature, and that they cover the whole invoice and the signed properties. A reference may
 * name the document, its root, or an element inside the signature; ids must be unique in the document, so that nothing can be
 * wrapped elsewhere. Removes the signature from the tree of the whole document.
 */
export function checkReferences(
  inWhole: XmlElement,
  signature: XmlElement,
  qualifying: Qualifying | null,
  found: Findings,
): void {
  const references = elementsAt(signature, 'ds:SignedInfo/ds:Reference')
  if (references.length > 32) {
    found.errors.push({ code: 'too_many_references', detail: 'The signature has more than 32 references.' })
    return
  }
  const { root } = inWhole.doc
  const covered = new Set<XmlElement | 'document'>()
  const idCount = countIds(root)
  const targets = references.map((reference) => targetOf(reference, { inWhole, signature }, idCount))
  inWhole.remove()
  references.forEach((reference, i) => {
    const target = targets[i] ?? null
    const label = `reference ${i + 1} (URI="${attribute(reference, 'URI') ?? ''}")`
    if (target === null) {
      const detail = `The ${label} names no element, several, or one outside the invoice and its signature.`
      found.errors.push({ code: 'reference_target', detail })
      return
    }
    if (checkReference(reference, target === 'document' ? root : target, target === 'document', label, found)) {
      covered.add(target)
    }
  })
  if (!covered.has('document')) {
    found.errors.push({ code: 'not_covered', detail: 'The signature does not cover the whole invoice.' })
  }
  const properties = qualifying?.signedProperties
  if (properties && !targets.some((target) => target !== null && target !== 'document' && same(target, properties))) {
    found.errors.push({ code: 'properties_not_covered', detail: 'The signature does not cover its signed properties.' })
  }
}

const idNames = ['Id', 'ID', 'id'] as const

/** How often each id stands in a document. */
function countIds(root: XmlElement): Map<string, number> {
  const counts = new Map<string, number>()
  for (const element of elementsAt(root, '//*[@Id or @ID or @id]')) {
    for (const name of idNames) {
      const value = attribute(element, name)
      if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
    }
  }
  return counts
}

function targetOf(reference: XmlElement, trees: Trees, idCount: Map<string, number>): XmlElement | 'document' | null {
  const uri = attribute(reference, 'URI')
  if (uri === '') return 'document'
  const id = uri?.startsWith('#') ? uri.slice(1) : ''
  if (!/^[\p{L}_][\p{L}\p{N}._-]*$/u.test(id) || idCount.get(id) !== 1) return null
  const { root } = trees.inWhole.doc
  if (idNames.some((name) => attribute(root, name) === id)) return 'document'
  return elementAt(trees.signature, `descendant-or-self::*[@Id='${id}' or @ID='${id}' or @id='${id}']`)
}

/** Whether two handles stand for the same element of the tree that holds only the signature. */
const same = (a: XmlElement, b: XmlElement): boolean =>
  a.name === b.name && a.namespaceUri === b.namespaceUri && attribute(a, 'Id') === attribute(b, 'Id')

/** Checks the transforms and the digest of one reference; tells whether its target is covered. */
function checkReference(
  reference: XmlElement,
  target: XmlElement,
  isDocument: boolean,
  label: string,
  found: Findings,
): boolean {
  const transforms = elementsAt(reference, 'ds:Transforms/ds:Transform').map((node) => ({
    name: attribute(node, 'Algorithm') ?? '',
    plain: node.get('*') === null,
  }))
  const [last] = transforms.filter(({ name }) => name !== enveloped)
  const c14n = last === undefined ? inclusiveC14n : canonicalizations[last.name]
  const tooMany = transforms.filter(({ name }) => name !== enveloped).length > 1
  if (c14n === undefined || tooMany || transforms.some(({ plain }) => !plain)) {
    const detail = `The ${label} is transformed in a way that we do not take: ${last?.name ?? enveloped}`
    found.errors.push({ code: 'unsupported_transform', detail })
    return false
  }
  if (isDocument !== transforms.some(({ name }) => name === enveloped)) {
    found.errors.push({ code: 'enveloped', detail: `The ${label} does not leave out exactly the signature.` })
    return false
  }
  const method = elementAt(reference, 'ds:DigestMethod')
  const methodName = (method === null ? null : attribute(method, 'Algorithm')) ?? ''
  const digest = digests[methodName]
  if (digest === undefined) {
    found.errors.push({
      code: 'unsupported_algorithm',
      detail: `The ${label} uses a digest we do not take: ${methodName}`,
    })
    return false
  }
  if (digest.weak)
    found.warnings.push({ code: 'weak_algorithm', detail: `The ${label} uses a weak digest: ${methodName}` })
  const text = isDocument ? target.doc.canonicalizeToString(c14n) : target.canonicalizeToString(c14n)
  const expected = strictBase64(textOf(reference, 'ds:DigestValue'))
  if (expected?.equals(hash(digest.name, text, 'buffer')) === true) return true
  const detail = `The digest of ${label} is wrong: what it covers was changed after signing.`
  found.errors.push({ code: 'digest', detail })
  return isDocument
}
