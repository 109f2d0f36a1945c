import type { Invoice } from './invoice.ts'
import type { Random } from './random.ts'

export const errorKinds = ['line', 'base', 'tax', 'rate', 'withholding', 'total'] as const
export type ErrorKind = (typeof errorKinds)[number]

export interface Planted {
  invoice: Invoice
  kind: ErrorKind
  /** Printed minus right, in cents; 0 for a rate. */
  deltaCents: number
}

/** Makes one printed figure wrong and leaves all others as they are. `undefined` where the kind does not apply. */
export function plantError(random: Random, invoice: Invoice, kind: ErrorKind): Planted | undefined {
  const deltaCents = random.pick([1, -1]) * random.pick([9, 90, 100, 270, 900, 1000, random.int(5, 4000)])
  switch (kind) {
    case 'line': {
      const at = random.int(0, invoice.lines.length - 1)
      const lines = invoice.lines.map((line, index) =>
        index === at ? { ...line, totalCents: line.totalCents + deltaCents } : line,
      )
      return { invoice: { ...invoice, lines }, kind, deltaCents }
    }
    case 'base': {
      const rates = changeFirst(invoice, (row) => ({ ...row, baseCents: row.baseCents + deltaCents }))
      return { invoice: { ...invoice, rates, subtotalCents: invoice.subtotalCents + deltaCents }, kind, deltaCents }
    }
    case 'tax': {
      if (invoice.taxCents === 0) return undefined
      const rates = changeFirst(invoice, (row) => ({ ...row, quotaCents: row.quotaCents + deltaCents }))
      return { invoice: { ...invoice, rates, taxCents: invoice.taxCents + deltaCents }, kind, deltaCents }
    }
    case 'rate': {
      const [row] = invoice.rates
      if (row === undefined || row.quotaCents === 0 || invoice.taxType !== 'IVA') return undefined
      const rate = random.pick([21, 10, 4].filter((other) => other !== row.rate))
      return {
        invoice: { ...invoice, rates: changeFirst(invoice, (first) => ({ ...first, rate })) },
        kind,
        deltaCents: 0,
      }
    }
    case 'withholding':
      if (invoice.withholdingCents === 0) return undefined
      return { invoice: { ...invoice, withholdingCents: invoice.withholdingCents + deltaCents }, kind, deltaCents }
    default:
      return { invoice: { ...invoice, totalCents: invoice.totalCents + deltaCents }, kind, deltaCents }
  }
}

const changeFirst = (
  invoice: Invoice,
  change: (row: Invoice['rates'][number]) => Invoice['rates'][number],
): Invoice['rates'] => invoice.rates.map((row, index) => (index === 0 ? change(row) : row))
