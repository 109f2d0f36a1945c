import type { Raster } from '../pages/pdf-raster.ts'
import type { PaperMap } from './ink.ts'

export interface PaperFigures {
  /** Mean brightness of the paper, 0–255. */
  mean: number
  /** Difference of its brightest and darkest parts. */
  spread: number
}

export function paperFigures({ level }: PaperMap): PaperFigures {
  let sum = 0
  const sorted = [...level].sort((a, b) => a - b)
  for (const value of sorted) sum += value
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 255
  return { mean: sum / Math.max(1, sorted.length), spread: at(0.95) - at(0.05) }
}

/**
 * True where the paper is white everywhere already. Recognition parts paper from ink by one threshold for the page: with
 * grey paper beside areas that are white, such as a letterhead that was turned into dark print, it takes paper for ink.
 */
export const isWhite = ({ mean, spread }: PaperFigures): boolean => mean > 247 && spread < 8

/** Divides by the paper's brightness, so that paper is white everywhere and ink as dark as it is against its paper. */
export function flatten({ data, width, height }: Raster, { level, columns, rows, cell }: PaperMap): Raster {
  const result = new Uint8Array(data.length)
  const gain = new Float32Array(width)
  for (let y = 0; y < height; y += 1) {
    const v = Math.min(rows - 1.001, Math.max(0, y / cell - 0.5))
    const row = Math.floor(v)
    const fy = v - row
    if (y % 4 === 0) rowGain(gain, { level, columns, row, nextRow: Math.min(rows - 1, row + 1), fy, cell, width })
    const from = y * width
    for (let x = 0; x < width; x += 1) {
      result[from + x] = Math.min(255, (data[from + x] ?? 255) * (gain[x] ?? 1))
    }
  }
  return { data: result, width, height }
}

interface RowGain {
  level: Float32Array
  columns: number
  row: number
  nextRow: number
  fy: number
  cell: number
  width: number
}

/** What to multiply each pixel of a row by; the paper a little below its level is white already, which drops grain. */
function rowGain(gain: Float32Array, { level, columns, row, nextRow, fy, cell, width }: RowGain): void {
  for (let x = 0; x < width; x += 1) {
    const u = Math.min(columns - 1.001, Math.max(0, x / cell - 0.5))
    const column = Math.floor(u)
    const fx = u - column
    const next = Math.min(columns - 1, column + 1)
    const top = (level[row * columns + column] ?? 255) * (1 - fx) + (level[row * columns + next] ?? 255) * fx
    const bottom = (level[nextRow * columns + column] ?? 255) * (1 - fx) + (level[nextRow * columns + next] ?? 255) * fx
    gain[x] = 262 / Math.max(40, top * (1 - fy) + bottom * fy)
  }
}
