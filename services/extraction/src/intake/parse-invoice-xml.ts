import { fail } from '@asiento/proto/errors'
import type { Extraction } from '@asiento/proto/schemas/extraction-result'
import { readCii } from './cii.ts'
import { readFacturae } from './facturae.ts'
import { readUbl } from './ubl.ts'
import { toExtraction, type XmlInvoice } from './xml-invoice.ts'
import { parseXml, type XmlTree } from './xml-tree.ts'

const readers: Record<string, (root: XmlTree) => XmlInvoice> = {
  Facturae: readFacturae,
  Invoice: readUbl,
  CreditNote: readUbl,
  CrossIndustryInvoice: readCii,
  CrossIndustryDocument: readCii,
}

/**
 * Reads a structured invoice exactly: Facturae 3.2–3.2.2, UBL 2.1 Invoice and CreditNote, CII (Factur-X, ZUGFeRD).
 *
 * Confidence is 1 where nothing is missing or contradictory; `pages` is 0 and there is no evidence, since there is no
 * page. Fails with INVALID_INPUT: not well-formed, with a DOCTYPE, over 10 MB, no invoice, a figure that is no number.
 */
export function parseInvoiceXml(bytes: Uint8Array): Extraction {
  const root = parseXml(bytes)
  const read =
    readers[root.name] ??
    fail('INVALID_INPUT', { detail: `The XML is no invoice: its root is ${root.name.slice(0, 60)}.` })
  return toExtraction(read(root))
}
