import type { Extraction } from '@asiento/proto/schemas/extraction-result'
import type { Box } from './page.ts'

/** A value that one reading alone vouches for stays below the band that is processed unseen. */
const unconfirmedMax = 0.85

/** No check digit and no sum vouches for these; what their second reading must show again. */
const sameSigns = {
  invoice_number: (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, ''),
  invoice_date: (text: string) => text.replace(/\D/g, ''),
  due_date: (text: string) => text.replace(/\D/g, ''),
} as const
type Confirmed = keyof typeof sameSigns
const confirmed = Object.keys(sameSigns) as Confirmed[]

export interface Place {
  field: Confirmed
  /** From 0. */
  page: number
  /** In 0–1 page units. */
  box: Box
}

/**
 * Where number and dates read from a picture stand, for a second reading: no check digit and no sum vouches for them.
 * None that is not sure anyway.
 */
export function placesToConfirm({ engine, field_evidence }: Extraction): Place[] {
  if (engine === 'text') return []
  return confirmed.flatMap((field) => {
    const evidence = field_evidence[field]
    if (evidence === undefined || evidence.confidence <= unconfirmedMax) return []
    const [x0, y0, x1, y1] = evidence.bbox
    return [{ field, page: evidence.page - 1, box: { x0, y0, x1, y1 } }]
  })
}

/**
 * A one right after a letter: no reading tells it from an I that ends the series (`PI25…`), and both readings err alike.
 */
const lookAlike = /\p{L}1/u

/**
 * The extraction as it is where the second reading shows the same value and none of a number's signs has a twin, else
 * with less confidence in it.
 */
export function withPlaceRead(extraction: Extraction, field: Confirmed, again: string): Extraction {
  const evidence = extraction.field_evidence[field]
  if (evidence === undefined) return extraction
  const signsOf = sameSigns[field]
  const hasTwin = field === 'invoice_number' && lookAlike.test(evidence.text)
  if (signsOf(again) === signsOf(evidence.text) && !hasTwin) return extraction
  const confidence = Math.min(evidence.confidence, unconfirmedMax)
  return {
    ...extraction,
    confidence_score:
      field === 'due_date' ? extraction.confidence_score : Math.min(extraction.confidence_score, confidence),
    field_evidence: { ...extraction.field_evidence, [field]: { ...evidence, confidence } },
  }
}
