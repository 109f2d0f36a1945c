import { cents } from '@asiento/proto/money'
import type { Extraction, ExtractionWarning } from '@asiento/proto/schemas/extraction-result'
import { type Sheet, textOf, unitBox } from './layout.ts'
import { type Anchor, type LearnedField, readAnchor, type VendorLayout } from './layout-anchors.ts'
import type { Document } from './page.ts'

export interface LayoutInput {
  document: Document
  sheet: Sheet
  layouts: readonly VendorLayout[]
}

/** Reads the fields that corrections taught from where they stand on this vendor's documents. */
export function applyLayout(draft: Extraction, { document, sheet, layouts }: LayoutInput): Extraction {
  const fitting = layouts.filter((layout) => belongs(layout, draft, sheet))
  if (fitting.length === 0) return draft
  const result: Extraction = { ...draft, field_evidence: { ...draft.field_evidence } }
  const done = new Set<LearnedField>()
  for (const anchor of fitting.flatMap((layout) => layout.anchors)) {
    // the newest correction of a field wins
    if (!done.has(anchor.field) && applyAnchor(result, anchor, sheet)) done.add(anchor.field)
  }
  if (done.size === 0) return draft
  void document
  return settled(result, done)
}

/** The vendor was read, or its corrected tax id is printed on the document. */
function belongs(layout: VendorLayout, draft: Extraction, sheet: Sheet): boolean {
  if (draft.vendor_vat === layout.vendorTaxId) return true
  if (!layout.anchors.some((anchor) => anchor.field === 'vendor_vat')) return false
  return sheet.cells.some((cell) =>
    cell.text
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
      .includes(layout.vendorTaxId),
  )
}

function applyAnchor(result: Extraction, anchor: Anchor, sheet: Sheet): boolean {
  const target = result as unknown as Record<string, unknown>
  if (anchor.kind === 'never') {
    target[anchor.field] = null
    delete result.field_evidence[anchor.field]
    return true
  }
  if (anchor.kind === 'constant') {
    target[anchor.field] = anchor.value
    return true
  }
  const read = readAnchor(sheet, anchor)
  if (read === null) return false
  const known = read.value === target[anchor.field]
  target[anchor.field] = read.value
  const page = (read.tokens[0]?.page ?? 0) + 1
  if (!known)
    result.field_evidence[anchor.field] = {
      page,
      bbox: unitBox(sheet, read.tokens),
      text: textOf(read.tokens),
      confidence: read.labelled ? 0.93 : 0.8,
    }
  return true
}

/** Warnings that the learned values settle go, and the score follows. */
function settled(result: Extraction, done: ReadonlySet<LearnedField>): Extraction {
  const { subtotal, tax, total, irpf_amount } = result
  const holds =
    subtotal !== null &&
    tax !== null &&
    total !== null &&
    cents(subtotal) + cents(tax) + cents(irpf_amount ?? 0) === cents(total)
  const gone = (warning: ExtractionWarning) =>
    (warning.code === 'missing_field' &&
      done.has(warning.field as LearnedField) &&
      result[warning.field as LearnedField] !== null) ||
    (warning.code === 'amounts_mismatch' &&
      holds &&
      ['subtotal', 'tax', 'total', 'irpf_amount'].some(
        (field) => field === warning.field && done.has(field as LearnedField),
      )) ||
    (warning.code === 'not_an_invoice' &&
      done.has('document_type') &&
      ['invoice', 'simplified', 'corrective'].includes(result.document_type))
  const warnings = result.warnings.filter((warning) => !gone(warning))
  const score =
    warnings.length < result.warnings.length &&
    !warnings.some(
      (warning) =>
        warning.code === 'missing_field' || warning.code === 'amounts_mismatch' || warning.code === 'no_invoice_found',
    )
      ? Math.max(result.confidence_score, 0.85)
      : result.confidence_score
  return { ...result, warnings, confidence_score: score }
}
