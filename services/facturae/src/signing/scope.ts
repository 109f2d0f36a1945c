import { xades132, xmldsig } from './names.ts'

/** What the root hands down to the elements inside it. */
export interface RootScope {
  /** Namespace declarations in scope inside the root, by prefix ('' for the default one). */
  namespaces: Readonly<Record<string, string>>
  /** Its `xml:` attributes, which C14N 1.0 writes at the top of a subtree, by local name. */
  xmlAttributes: Readonly<Record<string, string>>
}

/** What C14N 1.0 writes into the start tag at the top of a subtree, besides the element's own attributes. */
export interface Scope {
  namespaces: string
  /** `xml:` attributes of the ancestors; they come after attributes without a namespace. */
  attributes: string
}

/** Where a signature's parts stand. */
export interface Scopes {
  /** SignedInfo and KeyInfo: inside ds:Signature. */
  signature: Scope
  /** SignedProperties: inside xades:QualifyingProperties too. */
  properties: Scope
}

/** The same for every document with the same root, of which there are few. */
const known = new WeakMap<RootScope, Scopes>()

export function scopesIn(root: RootScope): Scopes {
  const found = known.get(root)
  if (found !== undefined) return found
  const made = {
    signature: scopeText(root, { ds: xmldsig }),
    properties: scopeText(root, { ds: xmldsig, xades: xades132 }),
  }
  known.set(root, made)
  return made
}

/**
 * The namespaces in scope inside the root and then `added`, in C14N's order (default first, then by prefix), and the `xml:`
 * attributes handed down by the root (Canonical XML 1.0 section 2.4).
 */
function scopeText({ namespaces, xmlAttributes }: RootScope, added: Readonly<Record<string, string>>): Scope {
  const inScope = Object.entries({ ...namespaces, ...added }).filter(([prefix, uri]) => prefix !== '' || uri !== '')
  return {
    namespaces: inScope
      .sort(byName)
      .map(([prefix, uri]) => ` xmlns${prefix === '' ? '' : `:${prefix}`}="${escapeAttribute(uri)}"`)
      .join(''),
    attributes: Object.entries(xmlAttributes)
      .sort(byName)
      .map(([name, value]) => ` xml:${name}="${escapeAttribute(value)}"`)
      .join(''),
  }
}

const byName = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : a > b ? 1 : 0)

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

const escapeAttribute = (value: string): string => value.replace(/[&<"\t\n\r]/g, (sign) => escapes[sign] ?? sign)
