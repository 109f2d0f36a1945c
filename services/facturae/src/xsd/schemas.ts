import { readFileSync } from 'node:fs'
import {
  ParseOption,
  XmlBufferInputProvider,
  XmlDocument,
  XmlValidateError,
  XsdValidator,
  xmlRegisterInputProvider,
} from 'libxml2-wasm'
import { explainSchemaError, type SchemaError } from './explain.ts'

/** The versions of Facturae that are taken, with their namespaces. */
export const facturaeVersions = {
  '3.2': 'http://www.facturae.es/Facturae/2009/v3.2/Facturae',
  '3.2.1': 'http://www.facturae.es/Facturae/2014/v3.2.1/Facturae',
  '3.2.2': 'http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml',
} as const
export type FacturaeVersion = keyof typeof facturaeVersions

/** The version whose namespace it is, or null. */
export const versionOf = (namespace: string): FacturaeVersion | null =>
  (Object.keys(facturaeVersions) as FacturaeVersion[]).find((version) => facturaeVersions[version] === namespace) ??
  null

const folder = new URL('../../data/xsd/', import.meta.url)
const read = (name: string): Buffer => readFileSync(new URL(name, folder))

/** No network, no external entities; sizes are limited before a parser is asked. */
export const parseOptions =
  ParseOption.XML_PARSE_NONET |
  ParseOption.XML_PARSE_NO_XXE |
  ParseOption.XML_PARSE_HUGE |
  ParseOption.XML_PARSE_BIG_LINES |
  ParseOption.XML_PARSE_COMPACT

const importBase = 'facturae-schemas:///'
const compiled = new Map<FacturaeVersion, XsdValidator>()
let importsReady = false

/** The compiled schema of a version; made once in each thread, from the files beside the code. */
export function schemaOf(version: FacturaeVersion): XsdValidator {
  const known = compiled.get(version)
  if (known !== undefined) return known
  if (!importsReady) {
    const name = 'xmldsig-core-schema.xsd'
    xmlRegisterInputProvider(new XmlBufferInputProvider({ [importBase + name]: withoutDoctype(read(name)) }))
    importsReady = true
  }
  const schema = XsdValidator.fromDoc(schemaDocument(version))
  compiled.set(version, schema)
  return schema
}

/** The official schema of a version, as a document of its own. */
export function schemaDocument(version: FacturaeVersion): XmlDocument {
  const file = `Facturaev${version.replaceAll('.', '_')}.xsd`
  return XmlDocument.fromBuffer(read(file), { url: importBase + file, option: parseOptions })
}

/** The W3C's file names a DTD on the network that validation has no use for. */
const withoutDoctype = (schema: Buffer): Buffer =>
  Buffer.from(schema.toString('utf8').replace(/<!DOCTYPE[^[>]*(\[[^\]]*\])?\s*>/s, ''))

/** What the official schema of the version says against a document; empty when it is valid. */
export function schemaErrors(document: XmlDocument, version: FacturaeVersion): SchemaError[] {
  try {
    schemaOf(version).validate(document)
    return []
  } catch (error) {
    if (!(error instanceof XmlValidateError)) throw error
    return error.details.map(explainSchemaError)
  }
}

/** Validates XML that we wrote ourselves: no declaration, UTF-8 in memory. */
export function schemaErrorsOf(xml: string, version: FacturaeVersion): SchemaError[] {
  const document = XmlDocument.fromBuffer(Buffer.from(xml), { option: parseOptions })
  try {
    return schemaErrors(document, version)
  } finally {
    document.dispose()
  }
}
