import type { Extraction } from '@asiento/proto/schemas/extraction-result'
import measuredTable from './data/confidence.json' with { type: 'json' }
import type { Token } from './layout.ts'
import type { Document } from './page.ts'
import type { Reading, UnderstandContext } from './reading.ts'
import { mandatory } from './warnings-of.ts'

export interface Confident {
  reading: Reading
  document: Document
  context: UnderstandContext
}

/** Measured accuracies, made by `tools/train/confidence.ts`. */
const table: Readonly<Record<string, number>> = measuredTable.accuracy

const clamp = (value: number): number => Math.round(Math.min(0.99, Math.max(0.01, value)) * 1000) / 1000
const amountFields = new Set(['subtotal', 'tax', 'total', 'irpf_amount', 'irpf_rate', 'declared_tax_rate'])

const guessedBelow = 0.6
const doubtfulMax = 0.85

/** The probability that a value is right, from how it was found. */
export function fieldConfidence(
  field: string,
  score: number,
  tokens: readonly Token[],
  { reading }: Confident,
): number {
  const ocr = tokens.some((token) => token.ocr)
  const read = ocr ? Math.min(...tokens.map((token) => token.confidence)) : 1
  if (amountFields.has(field)) {
    if (reading.amounts.proof === 'unique' && reading.amounts.mismatches.length === 0) return clamp(ocr ? 0.97 : 0.99)
    return clamp(
      (reading.amounts.proof === 'ambiguous' ? 0.75 : 0.6) * (reading.amounts.mismatches.length > 0 ? 0.8 : 1),
    )
  }
  const told = /^(?:vendor|buyer)_/.test(field) ? partyLimit(reading) : 1
  const measured = table[strengthKey(field, score, ocr, read)]
  const base = score >= 3 ? 0.97 : score >= 2 ? 0.92 : score >= 1 ? 0.75 : 0.5
  // layouts never seen fail where there is neither label nor form; how often it is right on known ones tells little
  const known = !ocr && score < 2 ? 0.85 : 1
  const doubtful = (ocr && isGuessed(field, read, tokens)) || isCutShort(field, tokens) ? doubtfulMax : 1
  return clamp(Math.min(told, known, doubtful, measured ?? (ocr ? base * (0.6 + 0.4 * read) : base)))
}

/**
 * Signs that recognition guessed spoil a value, however good the place it stands at; check digits vouch for themselves.
 * A number of one or two signs is as often a part of another one.
 */
const isGuessed = (field: string, read: number, tokens: readonly Token[]): boolean =>
  (read < guessedBelow && !/_vat$|^iban$/.test(field)) ||
  (field === 'invoice_number' && tokens.map(({ text }) => text).join('').length < 3)

/**
 * A name, street or town that ends with a dash or an article goes on somewhere else, as do a street without its number
 * and half of a legal form.
 */
function isCutShort(field: string, tokens: readonly Token[]): boolean {
  const last = tokens.at(-1)?.text ?? ''
  if (!/_(?:name|address|city)$/.test(field)) return false
  if (/^sociedad$/i.test(last) || /^(?:limitada|an[oó]nima)$/i.test(tokens[0]?.text ?? '')) return true
  return /^[-–]$|^(?:del?|la|las|los|el|y|e|i)$/.test(last) || (field.endsWith('_address') && /^\D+,$/.test(last))
}

/**
 * No value of a party is surer than it is whose it is: two tax ids that only their order tells apart are in doubt, and
 * one alone on an ordinary invoice.
 */
function partyLimit({ parties: { vendor, buyer, margin }, kind }: Reading): number {
  if (vendor.taxId !== null && buyer.taxId !== null) return margin < 1.5 ? 0.75 : 1
  // one id alone on an ordinary invoice may be either's
  return kind.type === 'simplified' || margin > 4 ? 1 : 0.75
}

/** Field, source and strength of a value, as the measured table names them: `vendor_name ocr 3 high`. */
export function strengthKey(field: string, score: number, ocr: boolean, read: number): string {
  const name = field.replace(/\[\d+\]/, '')
  const strength = Math.max(0, Math.min(5, Math.floor(score)))
  return `${name} ${ocr ? 'ocr' : 'text'} ${strength}${ocr ? (read >= 0.9 ? ' high' : ' low') : ''}`
}

/** The document's score with its caps: one mandatory field missing at most 0.89, two 0.69, no invoice 0.2. */
export function documentConfidence(draft: Extraction, { reading, document }: Confident): number {
  if (draft.warnings.some((warning) => warning.code === 'no_invoice_found' || warning.code === 'not_an_invoice'))
    return 0.2
  const missing = mandatory.filter((field) => draft[field] === null).length
  let score = 1
  for (const field of mandatory) {
    const confidence = draft.field_evidence[field]?.confidence
    if (confidence !== undefined) score = Math.min(score, confidence)
  }
  if (reading.amounts.proof !== 'unique') score = Math.min(score, 0.85)
  if (draft.warnings.some((warning) => warning.code === 'amounts_mismatch')) score = Math.min(score, 0.6)
  if (
    draft.warnings.some(
      (warning) =>
        warning.code === 'tax_id_invalid' || warning.code === 'iban_invalid' || warning.code === 'date_implausible',
    )
  )
    score = Math.min(score, 0.75)
  if (document.pages.some((page) => page.quality?.low === true)) score = Math.min(score, 0.85)
  if (missing === 1) score = Math.min(score, 0.89)
  if (missing >= 2) score = Math.min(score, 0.69) - 0.05 * (missing - 2)
  return clamp(score)
}
