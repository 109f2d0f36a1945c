import type { SignableDocument } from './canonical-form.ts'

/** What C14N 1.0 writes into the start tag at the top of a subtree, besides the element's own attributes. */
export interface Scope {
  namespaces: string
  /** `xml:` attributes of the ancestors; they come after attributes without a namespace. */
  attributes: string
}

/**
 * The namespaces in scope inside the root and then `added`, in C14N's order (default first, then by prefix), and the `xml:`
 * attributes handed down by the root (Canonical XML 1.0 section 2.4).
 */
export function scopeText(
  { namespaces, xmlAttributes }: Pick<SignableDocument, 'namespaces' | 'xmlAttributes'>,
  added: Readonly<Record<string, string>>,
): Scope {
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
