import type { Extraction } from '@asiento/proto/schemas/extraction-result'
import type { Sheet } from './layout.ts'
import type { Document } from './page.ts'

/** What a correction taught about the documents of one vendor. */
export interface VendorLayout {
  vendorTaxId: string
  anchors: []
}

export interface LayoutInput {
  document: Document
  sheet: Sheet
  layouts: readonly VendorLayout[]
}

/** Reads the fields that corrections taught from where they stand on this vendor's documents. */
export function applyLayout(draft: Extraction, _input: LayoutInput): Extraction {
  return draft
}

/** Learns from the corrected fields of a document where the vendor prints them; null when nothing can be learned. */
export function learnLayout(_corrections: Partial<Extraction>, _document: Document): VendorLayout | null {
  return null
}
