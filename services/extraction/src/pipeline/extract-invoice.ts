import type { Extraction, ExtractionWarning } from '@asiento/proto/schemas/extraction-result'
import type { Document } from '../domain/page.ts'
import { needsSecondReading, type Reread, withSecondReading } from '../domain/second-reading.ts'
import { type UnderstandContext, understand } from '../domain/understand.ts'
import { parseInvoiceXml } from '../intake/parse-invoice-xml.ts'
import { openDocument, type Reader, reread } from '../pages/open-document.ts'

export interface ExtractOptions {
  filename: string
  context: UnderstandContext
}

/**
 * Bytes → words with boxes → invoice. An invoice that the file itself carries as XML is taken exactly; on recognized
 * pages, amounts that do not prove are read a second time. The same bytes and context give the same answer.
 *
 * Fails like `readDocument`.
 */
export async function extractInvoice(bytes: Uint8Array, { filename, context }: ExtractOptions): Promise<Extraction> {
  const reader = await openDocument(bytes, { filename })
  const printed = understand(reader.document, context)
  const exact = embeddedInvoice(reader.document)
  if (exact !== null) return withEmbedded(exact, printed, reader.document)
  return readAgain(reader, printed, context)
}

/** The invoice that a PDF carries as an attachment; null when there is none, or none that can be read. */
function embeddedInvoice(document: Document): Extraction | null {
  if (document.embeddedXml === undefined) return null
  try {
    return parseInvoiceXml(document.embeddedXml.bytes)
  } catch {
    return null
  }
}

/** Fields that must agree between the page that people see and the XML that machines read. */
const compared = [
  'vendor_vat',
  'buyer_vat',
  'invoice_number',
  'invoice_date',
  'due_date',
  'subtotal',
  'tax',
  'total',
  'iban',
] as const satisfies (keyof Extraction)[]

function withEmbedded(exact: Extraction, printed: Extraction, document: Document): Extraction {
  const differs = compared.filter((field) => printed[field] !== null && printed[field] !== exact[field])
  const warnings = differs.map(
    (field): ExtractionWarning => ({
      code: 'embedded_xml_differs',
      field,
      message: `The page shows ${String(printed[field])}, the XML in the file says ${String(exact[field] ?? 'nothing')}.`,
    }),
  )
  const values: Record<string, unknown> = exact
  const shown: Record<string, unknown> = printed
  const evidence = Object.entries(printed.field_evidence).filter(([field]) => values[field] === shown[field])
  return {
    ...exact,
    warnings: [...exact.warnings, ...warnings],
    pages: document.pageCount,
    engine: printed.engine,
    field_evidence: Object.fromEntries(evidence),
  }
}

async function readAgain(reader: Reader, printed: Extraction, context: UnderstandContext): Promise<Extraction> {
  const regions = needsSecondReading(reader.document, printed)
  if (regions.length === 0) return printed
  const rereads: Reread[] = []
  for (const region of regions) {
    const found = await reread(reader, region.page, region.box, { digitsOnly: region.digitsOnly })
    if (found !== undefined) rereads.push({ region, ...found })
  }
  const second = understand(withSecondReading(reader.document, rereads), context)
  return isBetter(second, printed) ? second : printed
}

const mismatches = ({ warnings }: Extraction): number =>
  warnings.filter(({ code }) => code === 'amounts_mismatch').length

/** A second reading counts only where it makes the sums hold better; it never trades one doubt for another. */
const isBetter = (second: Extraction, first: Extraction): boolean =>
  mismatches(second) <= mismatches(first) && second.confidence_score > first.confidence_score
