import type { Raster } from '../pages/pdf-raster.ts'

export interface Trimmed {
  raster: Raster
  left: number
  top: number
}

const step = 3
const darkMax = 150
const marginPx = 40
/** Sampled dark points in a row or column that are more than a speck. */
const pointsMin = 3

/** Cuts empty margins off a page, since recognition takes time by the pixel. Nearly empty pages stay as they are. */
export function trim(raster: Raster): Trimmed {
  const { data, width, height } = raster
  const rows = new Uint32Array(Math.ceil(height / step))
  const columns = new Uint32Array(Math.ceil(width / step))
  for (let y = 0; y < height; y += step) {
    for (let x = 0; x < width; x += step) {
      if ((data[y * width + x] ?? 255) > darkMax) continue
      rows[y / step] = (rows[y / step] ?? 0) + 1
      columns[x / step] = (columns[x / step] ?? 0) + 1
    }
  }
  const [top, bottom] = span(rows, height)
  const [left, right] = span(columns, width)
  const partWidth = right - left
  const partHeight = bottom - top
  if (partWidth < 200 || partHeight < 200 || partWidth * partHeight > 0.9 * width * height)
    return { raster, left: 0, top: 0 }
  const part = new Uint8Array(partWidth * partHeight)
  for (let row = 0; row < partHeight; row += 1) {
    const from = (top + row) * width + left
    part.set(data.subarray(from, from + partWidth), row * partWidth)
  }
  return { raster: { data: part, width: partWidth, height: partHeight }, left, top }
}

function span(counts: Uint32Array, size: number): [from: number, to: number] {
  const first = counts.findIndex((count) => count >= pointsMin)
  const last = counts.findLastIndex((count) => count >= pointsMin)
  if (first < 0) return [0, size]
  return [Math.max(0, first * step - marginPx), Math.min(size, (last + 1) * step + marginPx)]
}
