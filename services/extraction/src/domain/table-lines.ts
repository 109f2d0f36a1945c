import { checkLine } from './check-lines.ts'
import type { Figure } from './figures.ts'
import { withoutComma } from './labelled-amounts.ts'
import { type Row, type Token, textOf } from './layout.ts'
import type { Column } from './line-columns.ts'
import type { PrintedLine } from './printed-line.ts'

/** References below a line: of a delivery, an order, or `ASIN: B09…`, the article's own. */
const skippedText =
  /^(?:albar[aá]n|alb\.|n[ºo°] ?albar|pedido|s\/pedido|su pedido|obra:|fecha albar|comanda|asin\b|sku\b|ean\b|isbn\b|c[oó]digo\b|ref\.|referencia\b|n[ºo°] de serie|lote\b|entrega n?[ºo°]? ?\d|delivery\b)/i
const asideText =
  /\b(?:pasa a (?:la )?p[áa]gina|p[áa]gina siguiente|p[áa]gina anterior|suma y sigue|suma anterior|sigue en|viene de|p[áa]gina \d|p[áa]g\.? ?\d|suma i segueix)\b/i

/** The lines of a table: its rows of numbers, with the words around them. */
export function linesOf(
  body: readonly Row[],
  inside: readonly Token[][],
  columns: readonly Column[],
  figureOf: Map<Token, Figure>,
): PrintedLine[] {
  const lines: (PrintedLine & { y: number; words: { row: number; y: number; tokens: readonly Token[] }[] })[] = []
  const loose: { row: Row; tokens: Token[] }[] = []
  for (const [index, row] of body.entries()) {
    const tokens = inside[index] ?? []
    const line = lineOf(row, tokens, columns, figureOf)
    if (line === null) loose.push({ row, tokens })
    else
      lines.push({
        ...line,
        y: (row.y0 + row.y1) / 2,
        words: [{ row: row.index, y: row.y0, tokens: line.descriptionTokens }],
      })
  }
  for (const { row, tokens } of loose) {
    const text = textOf(tokens)
    if (skippedText.test(text) && /\d/.test(text)) continue
    if (asideText.test(text)) continue
    if (takeProduct(lines, row, tokens, figureOf)) continue
    const y = (row.y0 + row.y1) / 2
    const height = Math.max(6, row.y1 - row.y0)
    const near = lines
      .filter((line) => line.page === row.page && Math.abs(line.y - y) < 3.2 * height + 6)
      .sort((a, b) => distance(a.y, y) - distance(b.y, y))[0]
    const described = tokens.filter((token) => columnAt(columns, token)?.meaning === 'description')
    // `TOMATE PERA KG` over `1,210 kg   2,19 €/kg   2,65`: the row below has no words of its own
    const below = lines.find((line) => line.row === row.index + 1 && line.page === row.page)
    if (described.length > 0 && below !== undefined && isMeasure(below, figureOf)) {
      below.words = [{ row: row.index, y: row.y0, tokens: described }]
      continue
    }
    if (described.length > 0) near?.words.push({ row: row.index, y: row.y0, tokens: described })
  }
  for (const line of lines) restoreCommas(line)
  withoutCarried(lines)
  return lines.map(({ y: _y, words, ...line }) => {
    // a code alone in the row of the numbers, over the words: it stands for itself
    const worded = words.filter(
      (part) => part.tokens.length !== 1 || !/^[A-Z]{0,3}\d{5,}$/.test(part.tokens[0]?.text ?? ''),
    )
    const parts = worded.length > 0 ? worded : words
    const tokens = parts.sort((a, b) => a.y - b.y).flatMap((part) => part.tokens)
    return { ...line, descriptionTokens: tokens, description: textOf(tokens).trim() }
  })
}

/**
 * Removes sums among the lines: rows with nothing but an amount that the lines so far, or those since the last such sum
 * (`Suma mano de obra:`), add up to.
 */
function withoutCarried(lines: PrintedLine[]): void {
  let sum = 0
  let section = 0
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]
    if (line === undefined) break
    const bare = line.quantity === null && line.price === null && index > 0
    const carried = bare && index >= 2 && line.total?.cents === sum
    const summed =
      bare && line.total?.cents === section && /^(?:suma|subtotal|sub-total|total)\b/i.test(line.description)
    if (carried || summed) {
      lines.splice(index, 1)
      index -= 1
      section = 0
    } else {
      sum += line.total?.cents ?? 0
      section += line.total?.cents ?? 0
    }
  }
}

/** Puts decimal commas back that OCR lost, where only then quantity × price gives the total. */
function restoreCommas(line: PrintedLine): void {
  if (checkLine(line).holds === true) return
  const options = <K extends 'quantity' | 'price' | 'total'>(key: K) => {
    const figure = line[key]
    const other = figure === null ? null : withoutComma(figure)
    return other === null ? [figure] : [figure, other]
  }
  for (const total of options('total')) {
    for (const price of options('price')) {
      for (const quantity of options('quantity')) {
        const candidate = { ...line, total, price, quantity }
        if (checkLine(candidate).holds !== true) continue
        line.total = total
        line.price = price
        line.quantity = quantity
        return
      }
    }
  }
}

/** `3 x 46,00` in a row of its own: quantity and price of the line above whose total it gives. */
function takeProduct(lines: PrintedLine[], row: Row, tokens: readonly Token[], figureOf: Map<Token, Figure>): boolean {
  const figures = [...new Set(tokens.map((token) => figureOf.get(token)).filter((figure) => figure !== undefined))]
  const [quantity, price] = figures
  const others = tokens.filter((token) => !figureOf.has(token) && token.bare !== '')
  const crossed = tokens.some((token) => /^[x×*@]$/i.test(token.text))
  if (quantity === undefined || price === undefined || figures.length > 3 || !crossed || others.length > 4) return false
  const line = lines.findLast((candidate) => candidate.row < row.index && candidate.page <= row.page)
  if (line === undefined || line.quantity !== null || line.price !== null || line.total === null) return false
  const discount = figures[2] ?? null
  if (checkLine({ ...line, quantity, price, discount }).holds !== true) return false
  line.quantity = quantity
  line.price = price
  line.discount = discount
  return true
}

/** A number with its unit, and no words. */
const isMeasure = (
  { words, quantity }: { words: readonly { tokens: readonly Token[] }[]; quantity: Figure | null },
  figureOf: ReadonlyMap<Token, Figure>,
): boolean => {
  const tokens = words.flatMap((part) => part.tokens)
  const rest = tokens.filter((token) => !figureOf.has(token))
  return (
    rest.length > 0 &&
    (rest.length < tokens.length || quantity !== null) &&
    rest.every((token) => /^(?:[x×*@a]|kgs?|g|gr|l|lts?|uds?|m|€(?:\/\w+)?)?$/.test(token.bare))
  )
}

/** Descriptions go on below their amounts more often than they begin above them. */
const distance = (lineY: number, y: number): number => (y > lineY ? y - lineY : (lineY - y) * 1.15)

const columnAt = (columns: readonly Column[], token: Token): Column | undefined => {
  const x = (token.x0 + token.x1) / 2
  return columns.find((column) => x >= column.from && x < column.to)
}

/** A number at the end of a description may reach into the column of quantities: the one whose product holds wins. */
function quantityAmong(
  figures: readonly (Figure | undefined)[],
  { price, total, discount }: Pick<PrintedLine, 'price' | 'total' | 'discount'>,
): Figure | null {
  const distinct = [...new Set(figures)].filter((figure) => figure !== undefined)
  // of packages and kilos without a price the first are what was sold
  const first = distinct[0] ?? null
  if (distinct.length < 2 || price === null || total === null) return first
  return distinct.find((quantity) => productHolds({ quantity, price, total, discount, taxRate: null })) ?? first
}

/** `servicio los días 4 y 11   240,69`: a whole number that strays into the column of prices is none beside a price. */
function priceAmong(figures: readonly (Figure | undefined)[], fallback: Figure | null): Figure | null {
  if (fallback === null || fallback.decimals > 0) return fallback
  return figures.findLast((figure) => figure !== undefined && figure.decimals > 0 && !figure.percent) ?? fallback
}

const productHolds = (figures: Parameters<typeof checkLine>[0]): boolean => checkLine(figures).holds === true

function lineOf(
  row: Row,
  tokens: readonly Token[],
  columns: readonly Column[],
  figureOf: Map<Token, Figure>,
): PrintedLine | null {
  const byColumn = new Map<Column, Token[]>()
  for (const token of tokens) {
    const column = columnAt(columns, token)
    if (column === undefined) continue
    const list = byColumn.get(column) ?? []
    list.push(token)
    byColumn.set(column, list)
  }
  const figureIn = (meaning: Column['meaning']): Figure | null => {
    for (const column of [...columns].reverse()) {
      if (column.meaning !== meaning) continue
      const figures = [
        ...new Set(
          (byColumn.get(column) ?? []).map((token) => figureOf.get(token)).filter((figure) => figure !== undefined),
        ),
      ]
      const fitting = figures.filter((figure) => meaning === 'discount' || meaning === 'tax' || !figure.percent)
      const figure = meaning === 'amount' || meaning === 'grossAmount' ? fitting.at(-1) : fitting[0]
      if (figure !== undefined) return figure
    }
    return null
  }
  const total = figureIn('amount') ?? figureIn('grossAmount')
  const price = priceAmong(
    columns
      .filter((column) => column.meaning === 'price')
      .flatMap((column) => (byColumn.get(column) ?? []).map((token) => figureOf.get(token))),
    figureIn('price'),
  )
  const quantity = quantityAmong(
    columns
      .filter((column) => column.meaning === 'quantity')
      .flatMap((column) => (byColumn.get(column) ?? []).map((token) => figureOf.get(token)))
      .filter((figure) => figure !== undefined && !figure.percent),
    { price, total, discount: figureIn('discount') },
  )
  if (total === null && (quantity === null || price === null)) return null
  const descriptionTokens = columns
    .filter((column) => column.meaning === 'description')
    .flatMap((column) => byColumn.get(column) ?? [])
  const words = descriptionTokens.length > 0 ? descriptionTokens : tokens.filter((token) => !figureOf.has(token))
  const crossed = quantity === null ? crossedProduct(tokens, total, figureOf) : null
  const line = { quantity, price, discount: figureIn('discount'), taxRate: figureIn('tax'), total, ...crossed }
  const led = quantityBefore(words, line, figureOf)
  const text = led === null ? words : words.filter((token) => !led.tokens.includes(token))
  return {
    ...line,
    quantity: line.quantity ?? led,
    description: textOf(text),
    descriptionTokens: text,
    page: row.page,
    row: row.index,
  }
}

/** `1 x 489,00` in one column: the product gives the amount. */
function crossedProduct(
  tokens: readonly Token[],
  total: Figure | null,
  figureOf: ReadonlyMap<Token, Figure>,
): Pick<PrintedLine, 'quantity' | 'price'> | null {
  const at = tokens.findIndex((token) => /^[x×*]$/i.test(token.text))
  const quantity = figureOf.get(tokens[at - 1] as Token)
  const price = figureOf.get(tokens[at + 1] as Token)
  if (at < 1 || quantity === undefined || price === undefined || price === total) return null
  return productHolds({ quantity, price, total, discount: null, taxRate: null }) ? { quantity, price } : null
}

/** `6 REFRESCO COLA   14,57   87,42`: the quantity opens the description, and the product holds. */
function quantityBefore(
  words: readonly Token[],
  line: Parameters<typeof checkLine>[0],
  figureOf: ReadonlyMap<Token, Figure>,
): Figure | null {
  const [first, second] = words
  const quantity = first === undefined ? undefined : figureOf.get(first)
  if (
    quantity === undefined ||
    second === undefined ||
    quantity.percent ||
    line.quantity !== null ||
    line.price === null
  )
    return null
  return productHolds({ ...line, quantity }) ? quantity : null
}
