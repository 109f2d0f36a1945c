import { checkLine } from './check-lines.ts'
import type { Figure } from './figures.ts'
import type { Token } from './layout.ts'
import type { Column } from './line-columns.ts'

const rowsMax = 40
const columnsMax = 10

/**
 * Which columns hold quantity, price and amount where their headings do not say it or say it wrongly (`Peso kg`,
 * `Viajes`, `Porte`; `A origen`, `Anterior`, `Actual`): the three whose products hold in most rows, at least three
 * quarters of those that print all three and twice as many as under the headings' own meanings. Other columns are
 * returned as they are.
 */
export function withProvenRoles(
  columns: readonly Column[],
  body: readonly (readonly Token[])[],
  figureOf: ReadonlyMap<Token, Figure>,
): Column[] {
  const numeric = columns.filter((column) => roles.has(column.meaning)).slice(0, columnsMax)
  if (numeric.length < 3 || !numeric.some((column) => column.meaning === 'unknown')) return [...columns]
  const rows = body.slice(0, rowsMax).map((tokens) => numeric.map((column) => figureIn(column, tokens, figureOf)))
  const discounts = body.slice(0, rowsMax).map((tokens) => {
    const column = columns.find((other) => other.meaning === 'discount')
    return column === undefined ? null : figureIn(column, tokens, figureOf)
  })
  const holding = (quantity: number, price: number, total: number): { held: number; told: number } => {
    let held = 0
    let told = 0
    for (const [index, figures] of rows.entries()) {
      const line = {
        quantity: figures[quantity] ?? null,
        price: figures[price] ?? null,
        total: figures[total] ?? null,
        discount: discounts[index] ?? null,
        taxRate: null,
      }
      if (line.quantity === null || line.price === null || line.total === null || line.total.decimals !== 2) continue
      told += 1
      if (checkLine(line).holds === true) held += 1
    }
    return { held, told }
  }
  const at = (meaning: Column['meaning']) => numeric.findIndex((column) => column.meaning === meaning)
  const stated = holding(at('quantity'), at('price'), at('amount')).held
  let best: { quantity: number; price: number; total: number; held: number; named: number } | null = null
  for (let total = 0; total < numeric.length; total += 1)
    for (let price = 0; price < total; price += 1)
      for (let quantity = 0; quantity < total; quantity += 1) {
        if (quantity === price) continue
        const { held, told } = holding(quantity, price, total)
        if (held < 0.75 * told || held === 0 || held <= 2 * stated) continue
        const named =
          Number(numeric[quantity]?.meaning === 'quantity') +
          Number(numeric[price]?.meaning === 'price') +
          Number(numeric[total]?.meaning === 'amount')
        // one product proves little where the headings contradict it
        if (held === 1 && named === 0) continue
        if (best === null || held > best.held || (held === best.held && named > best.named))
          best = { quantity, price, total, held, named }
      }
  if (best === null) return [...columns]
  const chosen = new Map<Column | undefined, Column['meaning']>([
    [numeric[best.quantity], 'quantity'],
    [numeric[best.price], 'price'],
    [numeric[best.total], 'amount'],
  ])
  return columns.map((column) => {
    const meaning = chosen.get(column)
    if (meaning !== undefined) return { ...column, meaning }
    return counted.has(column.meaning) ? { ...column, meaning: 'unknown' } : column
  })
}

const roles = new Set<Column['meaning']>(['unknown', 'unit', 'quantity', 'price', 'amount', 'grossAmount'])
const counted = new Set<Column['meaning']>(['quantity', 'price', 'amount'])

function figureIn(column: Column, tokens: readonly Token[], figureOf: ReadonlyMap<Token, Figure>): Figure | null {
  const found = tokens.findLast((token) => {
    const x = (token.x0 + token.x1) / 2
    return x >= column.from && x < column.to && figureOf.get(token)?.percent === false
  })
  return found === undefined ? null : (figureOf.get(found) ?? null)
}
