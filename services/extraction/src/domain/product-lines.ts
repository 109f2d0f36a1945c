import { checkLine } from './check-lines.ts'
import { type Figure, isMoney } from './figures.ts'
import { type Row, type Sheet, textOf } from './layout.ts'
import type { PlainLines } from './plain-lines.ts'
import type { PrintedLine } from './printed-line.ts'

const figuresMax = 8

interface Product {
  row: Row
  quantity: Figure
  price: Figure
  total: Figure
}

/**
 * Lines of a form whose headings are not in the text (preprinted paper): rows of words whose numbers are a quantity, a
 * price and their product, and rows with numbers at the same places. A product by one proves nothing by itself.
 */
export function readProductLines(sheet: Sheet, figures: readonly Figure[]): PlainLines {
  const byRow = new Map<number, Figure[]>()
  for (const figure of figures) byRow.set(figure.row, [...(byRow.get(figure.row) ?? []), figure])
  const products = sheet.rows.flatMap((row) => productsIn(row, byRow.get(row.index) ?? []))
  const proven = products.find(({ quantity }) => Number(quantity.decimal) !== 1)
  if (proven === undefined) return { lines: [], rows: new Set() }
  const rows = new Map<number, Product>()
  for (const product of products) if (standsUnder(product, proven)) rows.set(product.row.index, product)
  return { lines: [...rows.values()].map(lineOf), rows: new Set(rows.keys()) }
}

function productsIn(row: Row, figures: readonly Figure[]): Product[] {
  const words = row.cells.some((cell) => cell.tokens.some((token) => /[a-z]{3}/.test(token.bare)))
  const total = figures.findLast((figure) => isMoney(figure) && figure.decimals === 2)
  if (!words || total === undefined || figures.length < 3 || figures.length > figuresMax) return []
  const factors = figures.filter((figure) => figure.x1 <= total.x0 && !figure.percent)
  return factors.flatMap((quantity) =>
    factors.flatMap((price) =>
      price !== quantity &&
      price.decimals >= 2 &&
      checkLine({ quantity, price, total, discount: null, taxRate: null }).holds === true
        ? [{ row, quantity, price, total }]
        : [],
    ),
  )
}

/** Its numbers end, or begin, where those of another row do. */
const standsUnder = (product: Product, other: Product): boolean =>
  (['quantity', 'price', 'total'] as const).every((key) => {
    const size = product[key].tokens[0]?.size ?? 10
    return (
      Math.abs(product[key].x1 - other[key].x1) < 0.5 * size || Math.abs(product[key].x0 - other[key].x0) < 0.5 * size
    )
  })

function lineOf({ row, quantity, price, total }: Product): PrintedLine {
  const numbers = new Set([quantity, price, total].flatMap((figure) => figure.tokens))
  const cells = row.cells
    .map((cell) => cell.tokens.filter((token) => !numbers.has(token) && token.x1 <= total.x0))
    .filter((tokens) => tokens.length > 0)
  // a code that stands apart from the words
  const described = cells.length > 1 && !/\p{L}{3}/u.test(textOf(cells[0] ?? [])) ? cells.slice(1) : cells
  const tokens = described.flat()
  return {
    description: textOf(tokens),
    descriptionTokens: tokens,
    quantity,
    price,
    discount: null,
    taxRate: null,
    total,
    page: row.page,
    row: row.index,
  }
}
