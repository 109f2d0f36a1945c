import type { SchemaError } from '../../xsd/explain.ts'
import { type FacturaeVersion, schemaErrors } from '../../xsd/schemas.ts'
import { readTree, type XmlTree } from './tree.ts'
import { openFacturae } from './xml-source.ts'

/** A Facturae that someone sent, read once. */
export interface ReadDocument {
  version: FacturaeVersion
  /** Canonical XML 1.0 without comments, of the whole document. */
  canonical: string
  /** Without the content of signatures. */
  root: XmlTree
  schemaErrors: SchemaError[]
  /** How many `ds:Signature` the document holds, at any depth. */
  signatures: number
}

/** Parses, validates and canonicalizes; fails as {@link openFacturae} does. */
export function readDocument(bytes: Uint8Array): ReadDocument {
  const source = openFacturae(bytes)
  try {
    const canonical = source.document.canonicalizeToString()
    const root = readTree(canonical)
    return {
      version: source.version,
      canonical,
      root,
      schemaErrors: schemaErrors(source.document, source.version),
      signatures: countSignatures(root),
    }
  } finally {
    source.dispose()
  }
}

const countSignatures = (node: XmlTree): number =>
  node.children.reduce((sum, child) => sum + (child.name === 'Signature' ? 1 : countSignatures(child)), 0)
