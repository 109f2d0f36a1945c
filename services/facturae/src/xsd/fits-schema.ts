import { escapeText, forbiddenCharacter } from '../domain/canonical/text.ts'
import type { XmlTree } from '../domain/parse/tree.ts'
import { type Accepts, contentModel } from './content-model.ts'
import { type FacturaeVersion, schemaDocument } from './schemas.ts'

const compiled = new Map<FacturaeVersion, Accepts>()

/**
 * True only where XML of our own is certainly valid by the official schema, so that libxml2 need not look at it: the text is,
 * to the character, the tree written in canonical form, and the tree is what the schema, read at run time, allows. False is
 * no verdict; then libxml2 has to say.
 *
 * @param startTag the root's start tag with its namespaces, which the tree does not keep
 * @param tree of that very text
 */
export function fitsSchema(xml: string, tree: XmlTree, startTag: string, version: FacturaeVersion): boolean {
  const name = /^<([^\s>]+)/.exec(startTag)?.[1] ?? ''
  if (!acceptsOf(version)(tree) || forbiddenCharacter(xml) !== null) return false
  return xml === `${startTag}${writeContent(tree)}</${name}>`
}

function acceptsOf(version: FacturaeVersion): Accepts {
  const known = compiled.get(version)
  if (known !== undefined) return known
  const schema = schemaDocument(version)
  const accepts = contentModel(schema, 'Facturae')
  schema.dispose()
  compiled.set(version, accepts)
  return accepts
}

/** The canonical text inside an element: with elements in it there is no text beside them, or the schema refuses it. */
function writeContent({ text, children }: XmlTree): string {
  if (children.length === 0) return escapeText(text)
  let xml = ''
  for (const child of children) xml += `<${child.name}>${writeContent(child)}</${child.name}>`
  return xml
}
