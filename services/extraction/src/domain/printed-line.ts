import type { Figure } from './figures.ts'
import type { Token } from './layout.ts'

/** One line of the invoice as printed. Figures keep their place on the page. */
export interface PrintedLine {
  description: string
  descriptionTokens: Token[]
  quantity: Figure | null
  price: Figure | null
  /** Percent, or an amount when it has no percent sign and fits only so. */
  discount: Figure | null
  taxRate: Figure | null
  total: Figure | null
  page: number
  row: number
}

/** The figures of a line that its product is made of. */
export type LineFigures = Pick<PrintedLine, 'quantity' | 'price' | 'discount' | 'taxRate' | 'total'>
