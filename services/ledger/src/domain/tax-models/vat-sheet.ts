import type { DateRange } from '../period.ts'
import type { Sheet, TaxableEntry, TaxModelDraft } from './model.ts'
import { boxesFor, type RateBoxes } from './vat-boxes.ts'
import { type VatLine, vatLines } from './vat-lines.ts'

/** Puts a line into its boxes; false where the form has none for it. */
export type Placement = (sheet: Sheet, line: VatLine) => boolean

/**
 * Places every line of the entries of a range, by side, and says which entries the form leaves out: those that the reading
 * leaves out and those at a rate without a box.
 */
export function placeLines(
  sheet: Sheet,
  entries: readonly TaxableEntry[],
  { from, to }: DateRange,
  place: Record<VatLine['side'], Placement>,
): TaxModelDraft['leftOut'] {
  const { lines, leftOut } = vatLines(entries.filter((entry) => entry.date >= from && entry.date <= to))
  for (const line of lines) {
    if (place[line.side](sheet, line)) continue
    leftOut.push({ entryId: line.entryId, reason: `El modelo no tiene casilla para el ${line.rate} % en su fecha.` })
  }
  return leftOut
}

export type Boxes = readonly [base: string, amount?: string]

/** Adds a line to the boxes of its base and, where the form has one, of its amount. */
export function put(sheet: Sheet, line: VatLine, [base, amount]: Boxes): true {
  sheet.add(base, line.baseCents, [line.entryId])
  if (amount !== undefined) sheet.add(amount, line.amountCents, [line.entryId])
  return true
}

/** Adds a line to the boxes of its rate at its date; false where the table has none. */
export function putByRate(sheet: Sheet, line: VatLine, table: readonly RateBoxes[]): boolean {
  const boxes = boxesFor(table, line.rate, line.date)
  if (boxes === undefined) return false
  if (boxes.percent !== null) sheet.set(boxes.percent, Math.round(line.rate * 100))
  return put(sheet, line, [boxes.base, boxes.amount])
}

/** `7,5 %` */
export const percentLabel = (rate: number): string => `${String(rate).replace('.', ',')} %`
