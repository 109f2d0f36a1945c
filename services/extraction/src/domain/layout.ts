import { liftLabels } from './labels-below.ts'
import type { Box, Document, Page, Word } from './page.ts'
import { bare } from './text.ts'
import { isLeader, type Part, partsOf } from './word-parts.ts'

/**
 * Words put into rows and cells. Coordinates are points from the top left of their page, so that distances are real.
 */

/** A word (or a part of one that a missing blank glued together), with the form that labels are compared in. */
export interface Token extends Box {
  text: string
  bare: string
  page: number
  size: number
  bold: boolean
  confidence: number
  /** True where the text comes from OCR, so that look-alike signs may be confused. */
  ocr: boolean
  /** Clockwise degrees; 0 for ordinary text. Turned tokens have their box turned so that they read left to right. */
  turned: number
  /** Index in the sheet's tokens. */
  index: number
  row: number
  cell: number
  /** Where it really stands, when it was moved so that a label below its value stands above it. */
  printed?: Box
}

/** Tokens of one row without a wide gap between them. */
export interface Cell extends Box {
  tokens: Token[]
  text: string
  page: number
  size: number
  row: number
  index: number
}

/** Cells that stand on one baseline, from left to right. */
export interface Row extends Box {
  cells: Cell[]
  page: number
  index: number
}

export interface Sheet {
  document: Document
  tokens: Token[]
  cells: Cell[]
  rows: Row[]
}

/** A page with more words than this is read only up to it: no invoice has them, and work stays bounded. */
const tokensMax = 40_000
/** A gap wider than this many font sizes separates two cells. */
const cellGap = 0.95
/** After a colon a smaller gap does: `Población:   06821 Mérida`. */
const labelGap = 0.5

/** Arranges a document. Work is n log n in its words. */
export function arrange(document: Document): Sheet {
  const pages = document.pages.map(tokensOf)
  const sheet = inRows(document, pages)
  return liftLabels(sheet) ? inRows(document, pages) : sheet
}

function inRows(document: Document, pages: readonly Token[][]): Sheet {
  const sheet: Sheet = { document, tokens: [], cells: [], rows: [] }
  for (const tokens of pages) {
    for (const turned of [0, 90, 180, 270]) {
      const group = tokens.filter((token) => token.turned === turned)
      if (group.length > 0 && sheet.tokens.length < tokensMax) addRows(sheet, group)
    }
  }
  return sheet
}

function tokensOf(page: Page): Token[] {
  const tokens: Token[] = []
  for (const word of page.words) {
    if (tokens.length >= tokensMax) break
    for (const part of partsOf(word.text))
      if (!isLeader(word.text.slice(part.from, part.to))) tokens.push(tokenOf(page, word, part))
  }
  return tokens
}

function tokenOf(page: Page, word: Word, part: Part): Token {
  const text = word.text.slice(part.from, part.to)
  const length = word.text.length
  const turned = word.rotation ?? 0
  const box = inkBox(turnedBox(page, word, turned), word, page.source === 'ocr')
  const step = (box.x1 - box.x0) / length
  return {
    text,
    bare: bare(text),
    page: page.index,
    size: word.fontSize > 0 ? word.fontSize : Math.max(1, box.y1 - box.y0),
    bold: word.bold ?? false,
    confidence: word.confidence,
    ocr: page.source === 'ocr',
    turned,
    index: 0,
    row: 0,
    cell: 0,
    x0: box.x0 + step * part.from,
    x1: box.x0 + step * part.to,
    y0: box.y0,
    y1: box.y1,
  }
}

/** Some fonts declare signs far taller than they are; such boxes would overlap the rows above and below. */
function inkBox(box: Box, word: Word, ocr: boolean): Box {
  const height = box.y1 - box.y0
  if (ocr || word.fontSize <= 0 || height <= 1.2 * word.fontSize) return box
  const cut = (height - 1.15 * word.fontSize) / 2
  return { ...box, y0: box.y0 + cut, y1: box.y1 - cut }
}

function turnedBox(page: Page, box: Box, turned: number): Box {
  const x0 = box.x0 * page.widthPt
  const x1 = box.x1 * page.widthPt
  const y0 = box.y0 * page.heightPt
  const y1 = box.y1 * page.heightPt
  if (turned === 90) return { x0: y0, x1: y1, y0: page.widthPt - x1, y1: page.widthPt - x0 }
  if (turned === 270) return { x0: page.heightPt - y1, x1: page.heightPt - y0, y0: x0, y1: x1 }
  if (turned === 180)
    return { x0: page.widthPt - x1, x1: page.widthPt - x0, y0: page.heightPt - y1, y1: page.heightPt - y0 }
  return { x0, x1, y0, y1 }
}

/** The box of a token in 0–1 page units, as the page is looked at. */
export function unitBox(sheet: Sheet, tokens: readonly Token[]): [number, number, number, number] {
  const first = tokens[0]
  const page = first && sheet.document.pages.find((candidate) => candidate.index === first.page)
  if (first === undefined || page === undefined) return [0, 0, 0, 0]
  const box = boxOf(tokens.map((token) => token.printed ?? token))
  const w = page.widthPt
  const h = page.heightPt
  const upright =
    first.turned === 90
      ? { x0: w - box.y1, x1: w - box.y0, y0: box.x0, y1: box.x1 }
      : first.turned === 270
        ? { x0: box.y0, x1: box.y1, y0: h - box.x1, y1: h - box.x0 }
        : first.turned === 180
          ? { x0: w - box.x1, x1: w - box.x0, y0: h - box.y1, y1: h - box.y0 }
          : box
  const unit = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 1e4) / 1e4
  return [unit(upright.x0 / w), unit(upright.y0 / h), unit(upright.x1 / w), unit(upright.y1 / h)]
}

export function boxOf(boxes: readonly Box[]): Box {
  let x0 = Number.POSITIVE_INFINITY
  let y0 = Number.POSITIVE_INFINITY
  let x1 = Number.NEGATIVE_INFINITY
  let y1 = Number.NEGATIVE_INFINITY
  for (const box of boxes) {
    if (box.x0 < x0) x0 = box.x0
    if (box.y0 < y0) y0 = box.y0
    if (box.x1 > x1) x1 = box.x1
    if (box.y1 > y1) y1 = box.y1
  }
  return { x0, y0, x1, y1 }
}

const middle = (box: Box) => (box.y0 + box.y1) / 2

function addRows(sheet: Sheet, tokens: Token[]): void {
  const sorted = [...tokens].sort((a, b) => middle(a) - middle(b) || a.x0 - b.x0)
  const open: { tokens: Token[]; y: number; size: number }[] = []
  const lines: { tokens: Token[]; y: number; size: number }[] = []
  for (const token of sorted) {
    const y = middle(token)
    while (open.length > 0 && y - (open[0]?.y ?? 0) > 60) open.shift()
    let best: (typeof open)[number] | undefined
    let bestDistance = Number.POSITIVE_INFINITY
    for (const line of open) {
      const distance = Math.abs(y - line.y)
      if (
        distance <= 0.38 * Math.min(token.size, line.size) + 0.06 * Math.max(token.size, line.size) &&
        distance < bestDistance
      ) {
        best = line
        bestDistance = distance
      }
    }
    if (best === undefined) {
      const line = { tokens: [token], y, size: token.size }
      open.push(line)
      lines.push(line)
    } else {
      best.tokens.push(token)
      const count = Math.min(best.tokens.length, 8)
      best.y += (y - best.y) / count
      best.size += (token.size - best.size) / count
    }
  }
  lines.sort((a, b) => a.y - b.y)
  for (const line of lines) addRow(sheet, line.tokens)
}

function addRow(sheet: Sheet, tokens: Token[]): void {
  tokens.sort((a, b) => a.x0 - b.x0)
  const groups: Token[][] = []
  let current: Token[] = []
  for (const token of tokens) {
    const last = current.at(-1)
    if (
      last !== undefined &&
      token.x0 - last.x1 >
        (/[:]$/.test(last.text) ? labelGap : cellGap) *
          Math.max(4, Math.min(token.size, last.size) * 0.5 + 0.5 * Math.max(token.size, last.size))
    ) {
      groups.push(current)
      current = []
    }
    current.push(token)
  }
  groups.push(current)
  const rowIndex = sheet.rows.length
  const cells: Cell[] = []
  for (const group of groups) {
    const cellIndex = sheet.cells.length
    for (const token of group) {
      token.index = sheet.tokens.length
      token.row = rowIndex
      token.cell = cellIndex
      sheet.tokens.push(token)
    }
    const cell: Cell = {
      ...boxOf(group),
      tokens: group,
      text: textOf(group),
      page: group[0]?.page ?? 0,
      size: Math.max(...group.slice(0, 50).map((token) => token.size)),
      row: rowIndex,
      index: cellIndex,
    }
    sheet.cells.push(cell)
    cells.push(cell)
  }
  sheet.rows.push({ ...boxOf(cells), cells, page: tokens[0]?.page ?? 0, index: rowIndex })
}

/** Tokens as text: blanks between words, none between the parts of one. */
export function textOf(tokens: readonly Token[]): string {
  let text = ''
  let last: Token | undefined
  for (const token of tokens) {
    const glued = last !== undefined && last.row === token.row && Math.abs(token.x0 - last.x1) < 0.02
    text += last === undefined || glued ? token.text : ` ${token.text}`
    last = token
  }
  return text
}

/** Length of the horizontal overlap of two boxes, negative when they are apart. */
export const overlapX = (a: Box, b: Box): number => Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0)
/** Length of the vertical overlap of two boxes, negative when they are apart. */
export const overlapY = (a: Box, b: Box): number => Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0)

/** Remembers what a pure question about a cell was answered; regions ask the same one of a cell many times. */
export function oncePerCell<Answer>(ask: (cell: Cell) => Answer): (cell: Cell) => Answer {
  const known = new WeakMap<Cell, { answer: Answer }>()
  return (cell) => {
    const before = known.get(cell)
    if (before !== undefined) return before.answer
    const answer = ask(cell)
    known.set(cell, { answer })
    return answer
  }
}
