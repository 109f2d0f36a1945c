import type { Extraction } from '@asiento/proto/schemas/extraction-result'
import type { Box } from './page.ts'

/** An invoice number that one reading alone vouches for stays below the band that is processed unseen. */
const unconfirmedMax = 0.85

/**
 * Where a number read from a picture stands, for a second reading: no check digit and no sum vouches for it. Null where
 * there is none, or where it is not sure anyway.
 *
 * @returns the page from 0 and a box in 0–1 page units.
 */
export function numberToConfirm({ engine, field_evidence }: Extraction): { page: number; box: Box } | null {
  const evidence = field_evidence.invoice_number
  if (engine === 'text' || evidence === undefined || evidence.confidence <= unconfirmedMax) return null
  const [x0, y0, x1, y1] = evidence.bbox
  return { page: evidence.page - 1, box: { x0, y0, x1, y1 } }
}

/**
 * A one right after a letter: no reading tells it from an I that ends the series (`PI25…`), and both readings err alike.
 */
const lookAlike = /\p{L}1/u

/**
 * The extraction as it is where the second reading shows the same number and none of its signs has a twin, else with less
 * confidence in it.
 */
export function withNumberRead(extraction: Extraction, again: string): Extraction {
  const evidence = extraction.field_evidence.invoice_number
  if (evidence === undefined) return extraction
  if (signsOf(again) === signsOf(evidence.text) && !lookAlike.test(evidence.text)) return extraction
  const confidence = Math.min(evidence.confidence, unconfirmedMax)
  return {
    ...extraction,
    confidence_score: Math.min(extraction.confidence_score, confidence),
    field_evidence: { ...extraction.field_evidence, invoice_number: { ...evidence, confidence } },
  }
}

const signsOf = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '')
