import type { Figure } from './figures.ts'
import { type ColumnMeaning, columnLabels } from './labels.ts'
import { boxOf, type Cell, type Row, type Sheet, type Token } from './layout.ts'
import { findLabels } from './lexicon.ts'

/** A column of the table of lines: what it holds and from where to where it reaches. */
export interface Column {
  meaning: ColumnMeaning | 'unknown'
  heading: string
  from: number
  to: number
}

interface Heading {
  meaning: Column['meaning']
  text: string
  x0: number
  x1: number
}

/** The cells of a row (and of a second heading line right below) that head columns of a table of lines, or null. */
export function headingsOf(sheet: Sheet, row: Row, figureOf: ReadonlyMap<Token, Figure>): Cell[] | null {
  if (row.cells.length < 1 || row.cells.length > 16) return null
  if ((row.cells[0]?.tokens[0]?.turned ?? 0) !== 0) return null
  const cells: Cell[] = []
  const meanings = new Set<string>()
  let matched = 0
  let all = 0
  for (const cell of row.cells) {
    const labels = findLabels(cell.tokens, columnLabels)
    if (labels.length === 0) continue
    if (cell.tokens.some((token) => figureOf.get(token) !== undefined && (figureOf.get(token)?.decimals ?? 0) > 0))
      return null
    cells.push(cell)
    for (const label of labels) {
      meanings.add(label.meaning)
      matched += label.to - label.from
    }
    all += cell.tokens.filter((token) => token.bare !== '').length
  }
  const counted = meanings.has('quantity') || meanings.has('price')
  const named = meanings.has('description')
  const valued = meanings.has('amount') || meanings.has('grossAmount')
  const enough = (valued && (named || counted)) || (named && counted && meanings.has('price'))
  if (!enough || meanings.size < 2 || matched < all * 0.55) return null
  if (cells.length < 2 && meanings.size < 3) return null
  const left = Math.min(...cells.map((cell) => cell.x0))
  const right = Math.max(...cells.map((cell) => cell.x1))
  // a heading that no list has may stand over the amounts, or over the descriptions
  const last = valued ? right : Math.max(right, ...row.cells.filter(isHeading).map((cell) => cell.x1))
  const start = named ? left : Math.min(left, ...row.cells.filter(isHeading).map((cell) => cell.x0))
  const between = row.cells.filter((cell) => cell.x0 >= start - 1 && cell.x1 <= last + 1)
  return [...between, ...secondLine(sheet, row, between)]
}

const isHeading = (cell: Cell): boolean => cell.tokens.length <= 3 && !/\d/.test(cell.text)

/** `Precio` over `unitario`: cells of words only, right below a heading and narrower than the gap to the next. */
function secondLine(sheet: Sheet, row: Row, cells: readonly Cell[]): Cell[] {
  const next = sheet.rows[row.index + 1]
  if (next === undefined || next.page !== row.page || next.y0 - row.y1 > 0.6 * (row.y1 - row.y0)) return []
  const below = next.cells.filter((cell) =>
    cells.some((head) => Math.min(head.x1, cell.x1) - Math.max(head.x0, cell.x0) > 0),
  )
  const plain = below.every(
    (cell) => cell.tokens.length <= 2 && !/\d/.test(cell.text) && findLabels(cell.tokens, columnLabels).length > 0,
  )
  return plain && below.length === next.cells.length ? below : []
}

/** Finds where each column ends by the widest strip, between two headings, that no word of the body crosses. */
export function columnsOf(
  headings: readonly Cell[],
  body: readonly Token[][],
  figureOf: ReadonlyMap<Token, Figure>,
): Column[] {
  const heads = mergedHeadings(headings)
  const words = body.flat()
  const spans = words.map((token) => figureOf.get(token) ?? token)
  const columns: Column[] = []
  let from = Number.NEGATIVE_INFINITY
  for (const [index, head] of heads.entries()) {
    const next = heads[index + 1]
    const to = next === undefined ? Number.POSITIVE_INFINITY : river(head, next, spans)
    columns.push({ meaning: head.meaning, heading: head.text, from, to })
    from = to
  }
  return withDescription(columns, words, figureOf)
}

function mergedHeadings(cells: readonly Cell[]): Heading[] {
  const heads: Heading[] = []
  for (const cell of cells) {
    const labels = findLabels(cell.tokens, columnLabels).filter(
      (label, index, all) => index === 0 || !isBesideLabel(cell, all[index - 1]?.to ?? 0, label.from),
    )
    if (labels.length === 0) {
      heads.push({ meaning: 'unknown', text: cell.text, x0: cell.x0, x1: cell.x1 })
      continue
    }
    for (const [index, label] of labels.entries()) {
      // words that no label takes belong to the label before them
      const to = labels[index + 1]?.from ?? cell.tokens.length
      const from = index === 0 ? 0 : label.from
      const box = boxOf(cell.tokens.slice(from, to))
      const text = cell.tokens
        .slice(from, to)
        .map((token) => token.text)
        .join(' ')
      const above = heads.find((head) => overlap(head, box) > 0.5 * Math.min(head.x1 - head.x0, box.x1 - box.x0))
      if (above === undefined) heads.push({ meaning: label.meaning, text, x0: box.x0, x1: box.x1 })
      else {
        above.x0 = Math.min(above.x0, box.x0)
        above.x1 = Math.max(above.x1, box.x1)
        above.text += ` ${text}`
        if (above.meaning === 'unknown') above.meaning = label.meaning
        if (above.meaning === 'amount' && label.meaning === 'price') above.meaning = 'price'
      }
    }
  }
  return heads.sort((a, b) => a.x0 - b.x0)
}

/** `TOTAL LÍN`, `Preu / Precio`: words of one heading have a blank or a stroke between them, headings of two columns more. */
function isBesideLabel(cell: Cell, to: number, from: number): boolean {
  const last = cell.tokens[to - 1]
  const next = cell.tokens[from]
  if (/\p{L}\/$/u.test(last?.text ?? '') || (from === to + 1 && cell.tokens[to]?.text === '/')) return true
  return last !== undefined && next !== undefined && from === to && next.x0 - last.x1 < 0.4 * next.size
}

const overlap = (a: { x0: number; x1: number }, b: { x0: number; x1: number }): number =>
  Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0)

function river(left: Heading, right: Heading, spans: readonly { x0: number; x1: number }[]): number {
  const low = Math.floor((left.x0 + left.x1) / 2)
  const high = Math.ceil((right.x0 + right.x1) / 2)
  if (high <= low + 1) return (left.x1 + right.x0) / 2
  const crossings = new Int32Array(high - low + 2)
  for (const span of spans) {
    const from = Math.max(low, Math.floor(span.x0 + 0.5))
    const to = Math.min(high, Math.ceil(span.x1 - 0.5))
    if (to < low || from > high) continue
    crossings[from - low] = (crossings[from - low] ?? 0) + 1
    crossings[to - low + 1] = (crossings[to - low + 1] ?? 0) - 1
  }
  const middle = (left.x1 + right.x0) / 2
  let running = 0
  let best = { count: Number.POSITIVE_INFINITY, from: low, to: high }
  let current = { count: -1, from: low, to: low }
  const consider = () => {
    if (current.count < 0) return
    const wider = current.to - current.from > best.to - best.from
    if (current.count < best.count || (current.count === best.count && wider)) best = { ...current }
  }
  for (let x = low; x <= high; x += 1) {
    running += crossings[x - low] ?? 0
    if (running === current.count) current.to = x + 1
    else {
      consider()
      current = { count: running, from: x, to: x + 1 }
    }
  }
  consider()
  // where the gap between the headings lies within the strip, it is the better place
  if (middle > best.from + 1 && middle < best.to - 1) return middle
  const between = left.x1 < right.x0 && !spans.some((span) => span.x0 + 0.5 < middle && span.x1 - 0.5 > middle)
  if (between && best.count === 0) return middle
  return (best.from + best.to) / 2
}

/** A table without a heading over its descriptions: they are the column with most letters. */
function withDescription(columns: Column[], words: readonly Token[], figureOf: ReadonlyMap<Token, Figure>): Column[] {
  const letters = (column: Column) =>
    words.filter(
      (token) =>
        !figureOf.has(token) &&
        (token.x0 + token.x1) / 2 >= column.from &&
        (token.x0 + token.x1) / 2 < column.to &&
        /[a-z]{3}/.test(token.bare),
    ).length
  const richest = [...columns].sort((a, b) => letters(b) - letters(a))[0]
  if (richest === undefined || letters(richest) === 0) return columns
  const named = columns.filter((column) => column.meaning === 'description')
  if (named.some((column) => letters(column) > 0)) return columns
  // a heading that sounds like a description over numbers only
  if (named.length > 0)
    return withDescription(
      columns.map((column) => (named.includes(column) ? { ...column, meaning: 'unknown' } : column)),
      words,
      figureOf,
    )
  if (richest.meaning === 'unknown' || richest.meaning === 'code' || richest.meaning === 'unit') {
    return columns.map((column) => (column === richest ? { ...column, meaning: 'description' } : column))
  }
  // headed as a number, yet full of words: the words left of the numbers that end its rows are the descriptions
  const inside = words.filter(
    (token) => (token.x0 + token.x1) / 2 >= richest.from && (token.x0 + token.x1) / 2 < richest.to,
  )
  const last = new Map(inside.map((token) => [token.row, token]))
  for (const token of inside) if (token.x1 > (last.get(token.row)?.x1 ?? 0)) last.set(token.row, token)
  const numbers = [...last.values()].filter((token) => figureOf.has(token))
  if (numbers.length < 0.6 * last.size)
    return columns.map((column) => (column === richest ? { ...column, meaning: 'description' } : column))
  const edge = Math.min(...numbers.map((token) => figureOf.get(token)?.x0 ?? token.x0)) - 1
  if (!Number.isFinite(edge)) return columns
  return columns.flatMap((column) =>
    column === richest
      ? [
          { ...column, meaning: 'description' as const, heading: '', to: edge },
          { ...column, from: edge },
        ]
      : [column],
  )
}
