import type { Raster } from '../pages/pdf-raster.ts'

const cellsPerSide = 16
const step = 4
const darkMax = 140
/** Cells fuller than this hold pictures or filled areas, not print. */
const inkMax = 0.5

/** The square of half the page's shorter side that holds most print: enough to tell which way up the page stands. */
export function densestSquare({ data, width, height }: Raster): Raster {
  const cell = Math.max(step, Math.floor(Math.min(width, height) / cellsPerSide))
  const columns = Math.floor(width / cell)
  const rows = Math.floor(height / cell)
  const print = new Float32Array(columns * rows)
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const share = inkShare({ data, width, height }, column * cell, row * cell, cell)
      print[row * columns + column] = share > inkMax ? 0 : share
    }
  }
  const reach = cellsPerSide / 2
  let best = { left: 0, top: 0, sum: -1 }
  for (let top = 0; top + reach <= rows; top += 1) {
    for (let left = 0; left + reach <= columns; left += 1) {
      let sum = 0
      for (let row = top; row < top + reach; row += 1) {
        for (let column = left; column < left + reach; column += 1) sum += print[row * columns + column] ?? 0
      }
      if (sum > best.sum) best = { left, top, sum }
    }
  }
  const side = reach * cell
  const part = new Uint8Array(side * side)
  for (let row = 0; row < side; row += 1) {
    const from = (best.top * cell + row) * width + best.left * cell
    part.set(data.subarray(from, from + side), row * side)
  }
  return { data: part, width: side, height: side }
}

function inkShare({ data, width }: Raster, left: number, top: number, side: number): number {
  let dark = 0
  let seen = 0
  for (let y = top; y < top + side; y += step) {
    for (let x = left; x < left + side; x += step) {
      seen += 1
      if ((data[y * width + x] ?? 255) < darkMax) dark += 1
    }
  }
  return dark / seen
}
