import type { Extraction, ExtractionWarning } from '@asiento/proto/schemas/extraction-result'
import { alarmsOf } from '../domain/confirm-alarms.ts'
import { placesToConfirm, withPlaceRead } from '../domain/confirm-fields.ts'
import { arrange } from '../domain/layout.ts'
import type { Document } from '../domain/page.ts'
import {
  isDoubtful,
  needsSecondReading,
  type Region,
  type Reread,
  withSecondReading,
} from '../domain/second-reading.ts'
import { type UnderstandContext, understand } from '../domain/understand.ts'
import { parseInvoiceXml } from '../intake/parse-invoice-xml.ts'
import { openDocument, type Reader, reread, rereadNumbers } from '../pages/open-document.ts'
import { combine, isBetter } from './combine-readings.ts'
import type { LayoutSource } from './layouts-port.ts'

export interface ExtractOptions {
  filename: string
  context: UnderstandContext
  /** Asked once it is known whose document this is; without it `context.vendorLayouts` are all there are. */
  layouts?: LayoutSource
  /** Below this score the answer carries what a second opinion needs. */
  doubtBelow?: number
}

/** A document that was read with little confidence, for a second opinion. */
export interface Doubt {
  document: Document
  /** The rows of the page as text, cells apart by three blanks. */
  rows: string[]
}

export interface Read {
  extraction: Extraction
  /** Null where the score is high enough, or the values come from the file's own XML. */
  doubt: Doubt | null
}

/**
 * Bytes → words with boxes → invoice. An invoice that the file itself carries as XML is taken exactly; on recognized
 * pages, amounts that do not prove are read a second time. The same bytes and context give the same answer.
 *
 * Fails like `readDocument`.
 */
export async function extractInvoice(bytes: Uint8Array, options: ExtractOptions): Promise<Read> {
  const { filename, doubtBelow = 0 } = options
  const reader = await openDocument(bytes, { filename })
  const first = understand(reader.document, options.context)
  const exact = embeddedInvoice(reader.document)
  if (exact !== null) return { extraction: withEmbedded(exact, first, reader.document), doubt: null }
  const context = await withLayouts(reader.document, first, options)
  const printed = context === options.context ? first : understand(reader.document, context)
  const extraction = await confirmFields(reader, await readAgain(reader, printed, context))
  const { document } = reader
  return { extraction, doubt: extraction.confidence_score < doubtBelow ? { document, rows: rowsOf(document) } : null }
}

/** The context with what was taught about this document's vendor; the very same context where that is nothing. */
async function withLayouts(
  document: Document,
  { vendor_vat: vendorTaxId }: Extraction,
  { context, layouts }: ExtractOptions,
): Promise<UnderstandContext> {
  const vendorLayouts = (await layouts?.({ vendorTaxId, printed: printedSigns(document) })) ?? []
  return vendorLayouts.length === 0 ? context : { ...context, vendorLayouts }
}

/** Enough for any invoice; a book of five hundred pages names its issuer before that. */
const signsMax = 100_000

const printedSigns = ({ pages }: Document): string =>
  pages
    .flatMap(({ words }) => words.map(({ text }) => text))
    .join('')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, signsMax)

const rowsOf = (document: Document): string[] =>
  arrange(document).rows.map(({ cells }) => cells.map(({ text }) => text).join('   '))

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

/**
 * Reads amounts again where they do not prove, first all of them, then one by one. What still does not add up is an
 * error of the invoice only where the second reading confirms its figures.
 */
export async function readAgain(reader: Reader, printed: Extraction, context: UnderstandContext): Promise<Extraction> {
  if (!isDoubtful(reader.document, printed)) return printed
  let best = { document: reader.document, extraction: printed }
  const keep = (document: Document): void => {
    const extraction = combine(printed, understand(document, context))
    if (isBetter(extraction, best.extraction)) best = { document, extraction }
  }
  for (const document of await rereadNumbers(reader)) keep(document)
  const whole = best.document
  const rereads = await rereadAll(reader, needsSecondReading(whole, best.extraction))
  if (rereads.length > 0) keep(withSecondReading(whole, rereads))
  const alarms = alarmsOf(best.document, best.extraction, whole)
  return alarms.judge(await rereadAll(reader, alarms.regions))
}

async function confirmFields(reader: Reader, extraction: Extraction): Promise<Extraction> {
  let result = extraction
  for (const { field, page, box } of placesToConfirm(extraction)) {
    const again = await reread(reader, page, box)
    if (again !== undefined) result = withPlaceRead(result, field, again.text)
  }
  return result
}

async function rereadAll(reader: Reader, regions: readonly Region[]): Promise<Reread[]> {
  const rereads: Reread[] = []
  for (const region of regions) {
    const found = await reread(reader, region.page, region.box, { digitsOnly: region.digitsOnly })
    if (found !== undefined) rereads.push({ region, ...found })
  }
  return rereads
}
