import { type Cents, eurosText, scaled } from '@asiento/proto/money'
import { textOf, type XmlTree } from '../parse/tree.ts'

/** A rule or sum that a document breaks. */
export interface Finding {
  /** Of annex II of Orden HAP/1650/2015 (`6f`); null for a sum that the annex does not check. */
  rule: string | null
  severity: 'error' | 'warning'
  /** Path of local names from the root, lines counted from 1: `Invoices/Invoice/Items/InvoiceLine[3]/TotalCost`. */
  field: string
  /** What the document says there. */
  value: string
  message: string
}

export type Emit = (finding: Finding) => void

/** An amount of a document: its cents, and whether it really has no more than two decimals. */
export interface StatedAmount {
  cents: Cents
  exact: boolean
  text: string
}

const plain = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/

/** Reads an amount; null where there is none or it is no number. */
export function statedAmount(text: string | undefined): StatedAmount | null {
  if (text === undefined) return null
  const match = plain.exec(text)
  if (match !== null) {
    const fraction = match[3] ?? ''
    const magnitude = Number(match[2]) * 100 + Number(fraction.length === 1 ? `${fraction}0` : fraction)
    return { cents: match[1] === '-' && magnitude !== 0 ? -magnitude : magnitude, exact: true, text }
  }
  return slowAmount(text.trim(), text)
}

function slowAmount(trimmed: string, text: string): StatedAmount | null {
  try {
    const value = scaled(trimmed)
    const exact = value % 1_000_000n === 0n
    const magnitude = value < 0n ? -value : value
    const cents = Number((magnitude * 2n + 1_000_000n) / 2_000_000n)
    if (!Number.isSafeInteger(cents)) return null
    return { cents: value < 0n && cents !== 0 ? -cents : cents, exact, text }
  } catch {
    return null
  }
}

export const amountAt = (node: XmlTree | undefined, ...names: string[]): StatedAmount | null =>
  statedAmount(textOf(node, ...names))

/** A decimal in units of 1e-8; null where there is none. */
export function decimalAt(node: XmlTree | undefined, ...names: string[]): bigint | null {
  const text = textOf(node, ...names)
  if (text === undefined) return null
  try {
    return quickScaled(text) ?? scaled(text)
  } catch {
    return null
  }
}

/** The usual decimals, short enough to be exact as integers of JavaScript. */
function quickScaled(text: string): bigint | null {
  if (text.length > 14 || !simple.test(text)) return null
  const dot = text.indexOf('.')
  if (dot < 0) return BigInt(Number(text) * 1e8)
  const decimals = text.length - dot - 1
  return BigInt(Number(text.slice(0, dot)) * 1e8 + Number(text.slice(dot + 1)) * 10 ** (8 - decimals))
}

const simple = /^\d{1,7}(\.\d{1,8})?$/

/** A sum that must hold: names the field, what it says and what it must be. */
export const unequal = (
  field: string,
  stated: StatedAmount,
  expected: Cents,
  why: string,
): Pick<Finding, 'field' | 'value' | 'message'> => ({
  field,
  value: stated.text,
  message: `${field.split('/').at(-1)} is ${stated.text} and must be ${eurosText(expected)}: ${why}.`,
})
