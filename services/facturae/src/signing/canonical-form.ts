import { versionOf } from '../xsd/schemas.ts'
import { xmldsig } from './names.ts'
import type { RootScope } from './scope.ts'

/** What a signer needs to know of a document before it signs. */
export interface SignableDocument {
  /** The text that goes out, declaration and all, up to the root's end tag: the signature comes next. */
  before: string
  /** The root's end tag and what follows it. */
  after: string
  /** What C14N 1.0 makes of it, as a string or UTF-8 bytes. */
  canonical: string | Uint8Array
  root: RootScope
}

export const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const canonicalRoot = /^<[A-Za-z_][\w.-]*:Facturae(?: xmlns:[A-Za-z_][\w.-]*="[^"<>&\t\n\r]+")+>/
const namespaceDeclaration = / xmlns:([^=]+)="([^"]+)"/g
/** A tag other than a plain start or end tag: attributes, self-closing, comment, PI, CDATA, DOCTYPE. */
const unusualTag = /<(?!\/?[A-Za-z_][\w.-]*>)/
const unusualReference = /&(?!(?:amp|lt|gt|#xD);)/
/** A carriage return, which C14N writes as a reference, or what XML cannot hold. */
const unusualCharacter = /[^\t\n\u0020-\ufffd]/

/**
 * Recognizes a Facturae that is in canonical form already, as our own builder writes it: namespaces on the root only and in
 * order, no other attributes, no self-closing tags, comments or CDATA, C14N's escapes. Its text is then what is to be
 * digested, without any parsing. Null for everything else, which is no judgement on it.
 *
 * It looks at the form of each tag, not at their nesting: the caller must know the text to be well-formed. Where the caller
 * knows it to be canonical, because our builder made it, only the root is read.
 */
export function asCanonical(xml: string, known: 'well-formed' | 'canonical'): SignableDocument | null {
  const declared = xml.startsWith(declaration)
  const body = declared ? xml.slice(declaration.length) : xml
  const startTag = canonicalRoot.exec(body)?.[0]
  if (startTag === undefined) return null
  const root = rootOf(startTag)
  if (root === null || !body.endsWith(root.endTag)) return null
  const { endTag, scope } = root
  if (known === 'well-formed' && !isCanonical(body.slice(startTag.length, -endTag.length), scope.namespaces))
    return null
  return {
    before: declared ? xml.slice(0, -endTag.length) : declaration + body.slice(0, -endTag.length),
    after: endTag,
    canonical: body,
    root: scope,
  }
}

interface Root {
  endTag: string
  scope: RootScope
}

/** Start tags seen before, of which nearly all are our builder's. */
const roots = new Map<string, Root | null>()
const rootsMax = 64

/** Null where it is no Facturae's, or does not declare its namespaces in order. */
function rootOf(startTag: string): Root | null {
  const found = roots.get(startTag)
  if (found !== undefined) return found
  // A copy: a part of a document's text would keep the whole of it in memory.
  const own = Buffer.from(startTag, 'utf8').toString('utf8')
  const root = readRoot(own)
  if (roots.size >= rootsMax) roots.clear()
  roots.set(own, root)
  return root
}

function readRoot(startTag: string): Root | null {
  const prefix = startTag.slice(1, startTag.indexOf(':'))
  const namespaces: Record<string, string> = {}
  let previous = ''
  for (const [, name = '', uri = ''] of startTag.matchAll(namespaceDeclaration)) {
    if (name <= previous || name.startsWith('xml')) return null
    namespaces[name] = uri
    previous = name
  }
  if (versionOf(namespaces[prefix] ?? '') === null) return null
  return { endTag: `</${prefix}:Facturae>`, scope: { namespaces, xmlAttributes: {} } }
}

/** Whether well-formed content below the root is what C14N would write, and holds no signature. */
function isCanonical(content: string, namespaces: Readonly<Record<string, string>>): boolean {
  if (unusualTag.test(content) || unusualReference.test(content) || unusualCharacter.test(content)) return false
  if (count(content, '<') !== count(content, '>')) return false
  return !Object.entries(namespaces).some(
    ([prefix, uri]) => uri === xmldsig && content.includes(`<${prefix}:Signature>`),
  )
}

function count(text: string, sign: string): number {
  let found = 0
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) found += 1
  return found
}
