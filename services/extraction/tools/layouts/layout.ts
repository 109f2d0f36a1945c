import type { Chance } from './chance.ts'
import type { Doc, Wish } from './document.ts'

/** One way in which some program prints its invoices. */
export interface Layout {
  id: string
  wish: (chance: Chance) => Wish
  /** What this company does its own way (its numbers, its address); before the truth is taken, amounts stay. */
  own?: (doc: Doc, chance: Chance) => void
  /** The document as HTML for the browser, or its own PDF; figures and dates as that program prints them. */
  render: (doc: Doc, chance: Chance) => string | Promise<Uint8Array>
  /** Fields of the truth that this layout does not print. */
  hides?: readonly string[]
  /** Fields that more than one value answers, such as the date of a payment in parts: left out of the truth. */
  unasked?: readonly string[]
  /** Cells of the lines that it does not print. */
  hidesInLines?: readonly ('quantity' | 'unit_price' | 'tax_rate')[]
}
