import { checkIban } from '@asiento/proto/iban'
import { type Cents, cents, euros, percentOf } from '@asiento/proto/money'
import type { Extraction, ExtractionWarning } from '@asiento/proto/schemas/extraction-result'
import { checkTaxId } from '@asiento/proto/tax-id'
import { arrange, type Sheet, type Token, textOf, unitBox } from '../domain/layout.ts'
import { findValue } from '../domain/layout-anchors.ts'
import type { Document } from '../domain/page.ts'
import { taxRates } from '../domain/tax-rates.ts'
import { type Proposal, type ProposedField, proposedFields } from './proposal.ts'

/** Read by a model and found on the page: good, but nothing that was measured. */
const acceptedConfidence = 0.8
/** A value that was read with at least this much is not up for debate. */
const firmConfidence = 0.9

const amountFields = ['subtotal', 'tax', 'irpf_amount', 'total'] as const
type AmountField = (typeof amountFields)[number]
const isAmount = (field: ProposedField): field is AmountField => (amountFields as readonly string[]).includes(field)

interface Accepted {
  value: string | number
  tokens: Token[]
}

/**
 * Takes from a proposal what the page bears out: a text that is printed there, a tax id or IBAN whose check digits hold,
 * amounts that are all printed and whose sum and rate hold to the cent. Firm values stay; the rest changes nothing but a
 * warning `llm_rejected`.
 */
export function acceptProposal(given: { document: Document; extraction: Extraction; proposal: Proposal }): Extraction {
  const { document, extraction, proposal } = given
  const sheet = arrange(document)
  const open = proposedFields.filter((field) => isOpen(extraction, field))
  const asked = open.filter((field) => proposal[field] != null && proposal[field] !== extraction[field])
  if (asked.length === 0) return extraction
  const amounts = provenAmounts(sheet, extraction, proposal, open)
  const accepted = new Map<ProposedField, Accepted>(amounts)
  for (const field of asked) {
    const found = isAmount(field) ? null : printedText(sheet, field, String(proposal[field]))
    if (found !== null) accepted.set(field, found)
  }
  const refused = asked.filter((field) => !accepted.has(field))
  return withAccepted(sheet, extraction, accepted, refused)
}

function isOpen(extraction: Extraction, field: ProposedField): boolean {
  if (extraction[field] === null) return true
  if (extraction.warnings.some((warning) => warning.field === field)) return true
  if (isAmount(field) && extraction.warnings.some(({ code }) => code === 'amounts_mismatch')) return true
  return (extraction.field_evidence[field]?.confidence ?? 0) < firmConfidence
}

/** What the page itself prints is taken, never the model's spelling of it. */
function printedText(sheet: Sheet, field: Exclude<ProposedField, AmountField>, proposed: string): Accepted | null {
  const tokens = findValue(sheet, field, proposed)
  if (tokens === null) return null
  if (field === 'invoice_date' || field === 'due_date') return { value: proposed, tokens }
  const printed = textOf(tokens).replace(/^[\s:#]+|[\s,;:]+$/g, '')
  if (field === 'iban') {
    const { valid, value } = checkIban(printed)
    return valid ? { value, tokens } : null
  }
  if (field === 'vendor_vat' || field === 'buyer_vat') {
    const { valid, value } = checkTaxId(printed)
    return valid ? { value, tokens } : null
  }
  return printed === '' ? null : { value: printed, tokens }
}

/** The amounts all together or none: every one printed, base + tax + withholding = total, and tax a rate of the base. */
function provenAmounts(
  sheet: Sheet,
  extraction: Extraction,
  proposal: Proposal,
  open: readonly ProposedField[],
): [AmountField, Accepted][] {
  const centsOf = (field: AmountField): Cents | null => {
    const value = open.includes(field) ? (proposal[field] ?? extraction[field]) : extraction[field]
    return value === null ? null : cents(value)
  }
  const [base, tax, total] = [centsOf('subtotal'), centsOf('tax'), centsOf('total')]
  if (base === null || tax === null || total === null) return []
  const withheld = -Math.abs(centsOf('irpf_amount') ?? 0) * Math.sign(base || 1)
  if (base + tax + withheld !== total || !isTaxOf(tax, base)) return []
  const proven: Record<AmountField, Cents> = { subtotal: base, tax, irpf_amount: withheld, total }
  const found: [AmountField, Accepted][] = []
  for (const field of amountFields) {
    if (proven[field] === 0 && field === 'irpf_amount') continue
    const tokens = findValue(sheet, field, euros(proven[field]))
    if (tokens === null) return []
    if (open.includes(field)) found.push([field, { value: euros(proven[field]), tokens }])
  }
  return found
}

const isTaxOf = (tax: Cents, base: Cents): boolean =>
  Object.values(taxRates)
    .flat()
    .some((rate) => Number(rate) > 0 && Math.abs(percentOf(base, rate) - tax) <= 1)

/** What a better value of its field settles. */
const settling = new Set<string>(['missing_field', 'amounts_mismatch', 'tax_id_invalid', 'iban_invalid'])

function withAccepted(
  sheet: Sheet,
  extraction: Extraction,
  accepted: ReadonlyMap<ProposedField, Accepted>,
  refused: readonly ProposedField[],
): Extraction {
  const values = Object.fromEntries([...accepted].map(([field, { value }]) => [field, value]))
  const evidence = Object.fromEntries(
    [...accepted].map(([field, { tokens }]) => [
      field,
      {
        page: (tokens[0]?.page ?? 0) + 1,
        bbox: unitBox(sheet, tokens),
        text: textOf(tokens),
        confidence: acceptedConfidence,
      },
    ]),
  )
  const changed = (field: ProposedField): boolean =>
    accepted.has(field) && accepted.get(field)?.value !== extraction[field]
  const settled = (warning: ExtractionWarning): boolean => {
    if (warning.code === 'no_invoice_found') return accepted.has('total')
    const field = proposedFields.find((name) => name === warning.field)
    return field !== undefined && settling.has(warning.code) && changed(field)
  }
  const left = extraction.warnings.filter((warning) => !settled(warning))
  const warnings = refused.length === 0 ? left : [...left, rejected(refused)]
  const better = left.length < extraction.warnings.length && left.length === 0
  return {
    ...extraction,
    ...values,
    field_evidence: { ...extraction.field_evidence, ...evidence },
    warnings,
    confidence_score: better ? Math.max(extraction.confidence_score, acceptedConfidence) : extraction.confidence_score,
  }
}

/** The warning for values that the page does not bear out; without fields, for an answer that was no answer. */
export const rejected = (fields: readonly ProposedField[]): ExtractionWarning => ({
  code: 'llm_rejected',
  message:
    fields.length === 0
      ? 'The answer of the language model could not be used.'
      : `Proposed by the language model and not borne out by the document: ${fields.join(', ')}.`,
})
