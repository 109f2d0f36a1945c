import type { Raster } from '../pages/pdf-raster.ts'

/** Side of the squares that a page is judged by, in inches: less than the height of a line of print. */
const cellInches = 0.045
const darkMax = 160
/** White letters leave at least this share of a filled area dark. */
const darkShareMin = 0.58
const widthMinInches = 0.7
const heightMinInches = 0.11
/** Share of its frame that a band fills; letters of a headline and drawings fill less. */
const filledMin = 0.72
/** Letters differ at least so much from the ground they stand on. */
const contrastMin = 35
/** Blurred edge of a filled area. */
const seamPx = 3

interface Cells {
  dark: Uint8Array
  columns: number
  rows: number
  size: number
}

interface Band {
  left: number
  top: number
  right: number
  bottom: number
}

/**
 * Turns light print on filled areas (letterheads, headings of tables) into dark print on white, in place: recognition
 * takes such areas for pictures and loses them together with the text beside them. The page must be deskewed.
 */
export function invertDarkBands(raster: Raster, dpi: number): void {
  const cells = darkCells(raster, Math.max(5, Math.round(dpi * cellInches)))
  for (const band of findBands(cells)) {
    const width = band.right - band.left + 1
    const height = band.bottom - band.top + 1
    const tallEnough = height * cells.size >= heightMinInches * dpi && width * cells.size >= widthMinInches * dpi
    if (tallEnough && filledShare(cells, band) >= filledMin) invert(raster, cells, band)
  }
}

function darkCells({ data, width, height }: Raster, size: number): Cells {
  const columns = Math.ceil(width / size)
  const rows = Math.ceil(height / size)
  const dark = new Uint8Array(columns * rows)
  for (let row = 0; row < rows; row += 1) {
    const bottom = Math.min(height, (row + 1) * size)
    for (let column = 0; column < columns; column += 1) {
      const right = Math.min(width, (column + 1) * size)
      let count = 0
      let seen = 0
      for (let y = row * size; y < bottom; y += 2) {
        for (let x = column * size; x < right; x += 2) {
          seen += 1
          if ((data[y * width + x] ?? 255) < darkMax) count += 1
        }
      }
      if (count >= darkShareMin * seen) dark[row * columns + column] = 1
    }
  }
  return { dark, columns, rows, size }
}

/** The frames of dark cells that touch, cells of letters in between included. */
function findBands({ dark, columns, rows }: Cells): Band[] {
  const seen = new Uint8Array(dark.length)
  const bands: Band[] = []
  for (let seed = 0; seed < dark.length; seed += 1) {
    if (dark[seed] !== 1 || seen[seed] === 1) continue
    const band: Band = { left: columns, top: rows, right: 0, bottom: 0 }
    const stack = [seed]
    seen[seed] = 1
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const x = at % columns
      const y = (at - x) / columns
      band.left = Math.min(band.left, x)
      band.right = Math.max(band.right, x)
      band.top = Math.min(band.top, y)
      band.bottom = Math.max(band.bottom, y)
      for (const next of [x > 0 ? at - 1 : -1, x < columns - 1 ? at + 1 : -1, at - columns, at + columns]) {
        if (next < 0 || next >= dark.length || dark[next] !== 1 || seen[next] === 1) continue
        seen[next] = 1
        stack.push(next)
      }
    }
    bands.push(band)
  }
  return bands
}

/** Of the frame, row by row from the first to the last dark cell: large letters are holes in it. */
function filledShare({ dark, columns }: Cells, { left, top, right, bottom }: Band): number {
  let count = 0
  for (let row = top; row <= bottom; row += 1) {
    const from = row * columns
    const first = dark.subarray(from + left, from + right + 1).indexOf(1)
    const last = dark.subarray(from + left, from + right + 1).lastIndexOf(1)
    let inRow = 0
    for (let column = left; column <= right; column += 1) inRow += dark[from + column] ?? 0
    // a frame around a table has dark cells at both ends of its rows and nothing between them
    if (first >= 0) count += inRow > 0.4 * (last - first + 1) ? last - first + 1 : inRow
  }
  return count / ((right - left + 1) * (bottom - top + 1))
}

function invert(raster: Raster, { size }: Cells, band: Band): void {
  const { data, width, height } = raster
  const left = Math.max(0, (band.left - 1) * size)
  const right = Math.min(width, (band.right + 2) * size)
  const top = Math.max(0, (band.top - 1) * size)
  const bottom = Math.min(height, (band.bottom + 2) * size)
  const { ground, print } = levels(raster, { left: band.left * size, top: band.top * size, right, bottom }, band, size)
  const range = print - ground
  const lighten = (at: number): void => {
    const lightness = range < contrastMin ? 0 : ((data[at] ?? ground) - ground) / range
    data[at] = Math.round(255 * (1 - Math.min(1, Math.max(0, lightness * 1.25 - 0.2))))
  }
  let last: [from: number, to: number] | undefined
  for (let x0 = left; x0 < right; ) {
    // the band ends somewhere within its outermost cells
    const inner = x0 >= (band.left + 1) * size && x0 + size <= band.right * size
    const x1 = Math.min(right, x0 + (inner ? size : 1))
    let [from, to] = darkRows(raster, { left: x0, right: x1, top, bottom })
    if (from < to) last = [from, to]
    // a stem of bold print takes up most of its strip; the band is as tall there as it is beside it
    else if (inner && last !== undefined) [from, to] = last
    for (let x = x0; x < x1; x += 1) {
      for (let y = from; y < to; y += 1) lighten(y * width + x)
      if (from >= to) continue
      for (let y = Math.max(0, from - seamPx); y < from; y += 1) data[y * width + x] = 255
      for (let y = to; y < Math.min(height, to + seamPx); y += 1) data[y * width + x] = 255
    }
    x0 = x1
  }
}

/** Brightness of the filled ground and of the print on it. */
function levels(
  { data, width, height }: Raster,
  { left, top }: Band,
  band: Band,
  size: number,
): { ground: number; print: number } {
  const histogram = new Uint32Array(256)
  let count = 0
  const bottom = Math.min(height, (band.bottom + 1) * size)
  const right = Math.min(width, (band.right + 1) * size)
  for (let y = top + (size >> 1); y < bottom - (size >> 1); y += 2) {
    for (let x = left + (size >> 1); x < right - (size >> 1); x += 2) {
      const value = data[y * width + x] ?? 0
      histogram[value] = (histogram[value] ?? 0) + 1
      count += 1
    }
  }
  const at = (share: number): number => {
    let seen = 0
    for (let value = 0; value < 256; value += 1) {
      seen += histogram[value] ?? 0
      if (seen >= share * count) return value
    }
    return 255
  }
  return { ground: at(0.45), print: at(0.985) }
}

/** The rows of a strip between the first and the last that are mostly dark; none where few are. */
function darkRows({ data, width }: Raster, { left, right, top, bottom }: Band): [from: number, to: number] {
  const isDark = (y: number): boolean => {
    let count = 0
    for (let x = left; x < right; x += 1) if ((data[y * width + x] ?? 255) < darkMax) count += 1
    return count > 0.5 * (right - left)
  }
  let from = top
  while (from < bottom && !isDark(from)) from += 1
  let to = bottom
  while (to > from && !isDark(to - 1)) to -= 1
  let count = 0
  for (let y = from; y < to; y += 1) if (isDark(y)) count += 1
  return count > 0.5 * (to - from) ? [from, to] : [top, top]
}
