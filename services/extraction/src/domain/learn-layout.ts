import { arrange } from './layout.ts'
import {
  type Anchor,
  type Corrections,
  findValue,
  type LearnedField,
  locate,
  type VendorLayout,
} from './layout-anchors.ts'
import type { Document } from './page.ts'
import { understand } from './understand.ts'

export type { VendorLayout }

/** A long-standing date is enough: learning compares with what would have been read without it. */
const anyDay = '2100-01-01'

const learned: readonly LearnedField[] = [
  'vendor_name',
  'vendor_vat',
  'vendor_address',
  'vendor_city',
  'vendor_postal_code',
  'buyer_name',
  'buyer_vat',
  'buyer_address',
  'buyer_city',
  'buyer_postal_code',
  'invoice_number',
  'invoice_date',
  'due_date',
  'subtotal',
  'tax',
  'total',
  'iban',
  'payment_method',
  'irpf_rate',
  'irpf_amount',
  'declared_tax_rate',
  'currency',
  'document_type',
]
/** Fields whose value is the same on every document of the vendor. */
const constant = new Set<LearnedField>([
  'vendor_name',
  'vendor_vat',
  'vendor_address',
  'vendor_city',
  'vendor_postal_code',
  'currency',
  'payment_method',
  'document_type',
])

/**
 * Learns from corrected fields where this vendor prints them: by the label beside or above the value, and by its place.
 * A field corrected to null is learned as never shown; one that is not printed at all is learned only when it is the
 * same on every document (name, address, payment method). Null when nothing can be learned.
 *
 * @param corrections the corrected fields; `vendor_vat` names the vendor, corrected or not
 */
export function learnLayout(corrections: Corrections, document: Document): VendorLayout | null {
  const sheet = arrange(document)
  const before = understand(document, { today: anyDay })
  const vendorTaxId = corrections.vendor_vat ?? before.vendor_vat
  if (vendorTaxId === null || vendorTaxId === undefined) return null
  const anchors: Anchor[] = []
  for (const field of learned) {
    const value = corrections[field]
    if (value === undefined || value === before[field]) continue
    if (value === null) anchors.push({ field, kind: 'never' })
    else if (constant.has(field)) anchors.push({ field, kind: 'constant', value })
    else {
      const tokens = findValue(sheet, field, value)
      if (tokens !== null) anchors.push({ field, kind: 'place', ...locate(sheet, tokens) })
    }
  }
  return anchors.length === 0 ? null : { vendorTaxId, anchors }
}
