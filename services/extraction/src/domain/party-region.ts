import { amountLabels, columnLabels, dateLabels, numberLabels, type PartyMeaning } from './labels.ts'
import { type Cell, oncePerCell, overlapX, type Sheet, type Token } from './layout.ts'
import { findLabels, labelAt } from './lexicon.ts'
import { partyLabelOf } from './party-label.ts'

/** The cells around a place that belong to one party, from top to bottom, and the label that heads them. */
export interface PartyRegion {
  cells: Cell[]
  /** What a label above, left of, or inside the region says whose data these are. */
  label: PartyMeaning | null
  labelCell: Cell | null
  /** The label is one that means either side, by what the other is called. */
  relative: boolean
  /** Tokens of labels inside the region. */
  labelTokens: Set<Token>
}

/** Grows a region from a cell, up and down along aligned cells, until a wide gap or another part of the document. */
export function regionAround(sheet: Sheet, start: Cell, blocked: ReadonlySet<number>): PartyRegion {
  const region: PartyRegion = { cells: [start], label: null, labelCell: null, relative: false, labelTokens: new Set() }
  const inside = partyLabelOf(start)
  if (inside !== null) {
    region.label = inside.meaning
    region.relative = inside.relative
    region.labelCell = start
    for (const token of inside.tokens) region.labelTokens.add(token)
  }
  if (inside === null) growUp(sheet, region, blocked)
  growDown(sheet, region, blocked)
  if (region.label === null) labelFromLeft(sheet, region, start)
  return region
}

/**
 * A block of ids and contact data alone (`Nº teléfono`, `CIF/NIF`) belongs to the name and address that stand one blank
 * row above it.
 */
export function widened(sheet: Sheet, region: PartyRegion, blocked: ReadonlySet<number>): PartyRegion {
  const top = region.cells[0]
  if (top === undefined || region.label !== null || isAddressed(region)) return region
  const above = neighbour(sheet, top, -1, blocked)
  if (above === null || top.y0 - above.y1 > 2.8 * top.size || Math.abs(above.x0 - top.x0) > 1.2 * top.size)
    return region
  if (partyLabelOf(above) !== null || isOtherPart(above)) return region
  const upper = regionAround(sheet, above, blocked)
  if (!isAddressed(upper) || upper.cells.some((cell) => /(?<!\d)\d{7,8}(?!\d)/.test(cell.text.replace(/[ .-]/g, ''))))
    return region
  const below = region.cells.filter((cell) => !upper.cells.includes(cell))
  return {
    ...upper,
    cells: [...upper.cells, ...below],
    labelTokens: new Set([...upper.labelTokens, ...region.labelTokens]),
  }
}

/** One of its cells has five digits and a place. */
export const isAddressed = (region: PartyRegion): boolean => region.cells.some(hasPostal)

const hasPostal = (cell: Cell): boolean =>
  /(?:^|[ (])(?:E-)?\d{5}(?:[ ),]|$)/.test(cell.text) &&
  /\p{L}{3}/u.test(cell.text) &&
  !/tomo|folio|hoja|inscri|\p{L}{4,}: ?\d{5}$/iu.test(cell.text)

function growUp(sheet: Sheet, region: PartyRegion, blocked: ReadonlySet<number>): void {
  for (let steps = 0; steps < 8; steps += 1) {
    const top = region.cells[0]
    if (top === undefined) return
    const above = neighbour(sheet, top, -1, blocked)
    if (above === null) return
    const label = partyLabelOf(above)
    const gap = top.y0 - above.y1
    if (label !== null) {
      if (gap > 2.6 * top.size) return
      region.label = label.meaning
      region.relative = label.relative
      region.labelCell = above
      for (const token of label.tokens) region.labelTokens.add(token)
      const value = label.alone ? rightOf(sheet, above) : above
      if (value !== null) region.cells.unshift(value)
      return
    }
    const limit = (above.size > 1.15 * top.size ? 1.7 : 1.15) * Math.max(top.size, 0.7 * above.size)
    if (gap > limit || isOtherPart(above) || isOthersValue(sheet, above)) return
    // the line of the sender over an address in a window
    if (hasPostal(above) && region.cells.some(hasPostal)) return
    region.cells.unshift(above)
  }
}

/** `D./Dña.:   Irene Lozano`: what stands right of a label that is a cell of its own. */
function rightOf(sheet: Sheet, label: Cell): Cell | null {
  const next = sheet.rows[label.row]?.cells.find((cell) => cell.x0 >= label.x1)
  if (next === undefined || !/:$/.test(label.text) || next.x0 - label.x1 > 4 * label.size) return null
  return next
}

function growDown(sheet: Sheet, region: PartyRegion, blocked: ReadonlySet<number>): void {
  for (let steps = 0; steps < 8; steps += 1) {
    const bottom = region.cells.at(-1)
    if (bottom === undefined) return
    const below = neighbour(sheet, bottom, 1, blocked)
    if (below === null) return
    const gap = below.y0 - bottom.y1
    if (gap > 1.15 * Math.max(below.size, 0.7 * bottom.size)) return
    if (partyLabelOf(below) !== null || isOtherPart(below) || isOthersValue(sheet, below)) return
    region.cells.push(below)
  }
}

/** The nearest aligned cell above or below. */
function neighbour(sheet: Sheet, cell: Cell, direction: 1 | -1, blocked: ReadonlySet<number>): Cell | null {
  let rows = 0
  for (let index = cell.row + direction; index >= 0 && index < sheet.rows.length && rows < 7; index += direction) {
    const row = sheet.rows[index]
    if (row === undefined || row.page !== cell.page) return null
    rows += 1
    const aligned = row.cells
      .filter(
        (other) =>
          !blocked.has(other.index) &&
          sameTurn(other, cell) &&
          isAligned(other, cell) &&
          direction * (other.y0 + other.y1 - cell.y0 - cell.y1) > cell.size,
      )
      .sort((a, b) => alignment(a, cell) - alignment(b, cell))[0]
    if (aligned !== undefined) return aligned
  }
  return null
}

const sameTurn = (a: Cell, b: Cell): boolean => (a.tokens[0]?.turned ?? 0) === (b.tokens[0]?.turned ?? 0)

const alignment = (a: Cell, b: Cell): number =>
  Math.min(Math.abs(a.x0 - b.x0), Math.abs(a.x1 - b.x1) + 0.5, Math.abs((a.x0 + a.x1 - b.x0 - b.x1) / 2) + 1)

function isAligned(a: Cell, b: Cell): boolean {
  const overlap = overlapX(a, b)
  if (overlap <= 0) return false
  const size = Math.max(a.size, b.size)
  if (alignment(a, b) <= 1.2 * size) return true
  return overlap > 0.6 * Math.min(a.x1 - a.x0, b.x1 - b.x0) && Math.max(a.x1 - a.x0, b.x1 - b.x0) > 25 * size
}

/** A date, a number, headings of a table, payment, a line drawn with signs: not part of a party. */
export const isOtherPart = oncePerCell((cell: Cell): boolean => {
  if (/^[-=_*.\s]{5,}$/.test(cell.text)) return true
  const start = Math.max(
    0,
    cell.tokens.findIndex((token) => token.bare !== ''),
  )
  const date = labelAt(cell.tokens, start, dateLabels)
  if (date !== null && date.meaning !== 'other' && cell.tokens.length <= 9 && /\d/.test(cell.text)) return true
  if (date !== null && date.to >= cell.tokens.length && date.words.join(' ').length > 3) return true
  const number = labelAt(cell.tokens, start, numberLabels)
  if (number?.meaning === 'invoice' && (/\d/.test(cell.text) || number.to >= cell.tokens.length)) return true
  const amount = labelAt(cell.tokens, start, amountLabels)
  if (
    amount !== null &&
    amount.meaning !== 'included' &&
    amount.meaning !== 'ofBase' &&
    amount.to >= cell.tokens.length - 1 &&
    amount.meaning !== 'aside'
  )
    return true
  const columns = findLabels(cell.tokens, columnLabels)
  if (
    columns.length >= 2 &&
    columns.reduce((total, label) => total + label.to - label.from, 0) >= cell.tokens.length * 0.7
  )
    return true
  return otherPart.test(cell.text)
})

const otherPart =
  /^(?:pago|payment|forma de pago|pagament|ordainketa|observaciones|notas|banco|iban|concepto|descripci[oó]n|persona de contacto|contacto)\b/i

/** `Banco   CaixaBank`: the value of a label, left of it, that begins another part. */
function isOthersValue(sheet: Sheet, cell: Cell): boolean {
  const before = sheet.rows[cell.row]?.cells.findLast((other) => other.x1 <= cell.x0)
  if (before === undefined || cell.x0 - before.x1 > 14 * cell.size || /\d/.test(before.text)) return false
  return before.tokens.length <= 4 && otherPart.test(before.text)
}

/**
 * `Cliente   Tiendas Almirante`: the label stands left of a cell of the region. Left of a cell below the start
 * (`Vendedor   Marisa L.` under the issuer's data) it begins something else.
 */
function labelFromLeft(sheet: Sheet, region: PartyRegion, start: Cell): void {
  const at = region.cells.indexOf(start)
  for (const [index, cell] of region.cells.entries()) {
    const row = sheet.rows[cell.row]
    const before = row?.cells.filter((other) => other.x1 <= cell.x0).at(-1)
    if (before === undefined || cell.x0 - before.x1 > 14 * Math.min(cell.size, before.size)) continue
    const label = partyLabelOf(before)
    if (label?.alone !== true) continue
    if (index > at) {
      region.cells = region.cells.slice(0, index)
      return
    }
    region.label = label.meaning
    region.relative = label.relative
    region.labelCell = before
    region.cells = region.cells.slice(index)
    return
  }
}
