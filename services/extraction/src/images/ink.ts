import type { Raster } from '../pages/pdf-raster.ts'

/** A small black-and-white picture of a page for measuring it: 1 is ink. */
export interface InkMap {
  ink: Uint8Array
  width: number
  height: number
  /** Pixels of the raster per pixel of the map. */
  scale: number
}

/** A coarse map of the paper's brightness: one value per square of `cell` pixels. */
export interface PaperMap {
  level: Float32Array
  columns: number
  rows: number
  cell: number
}

const mapSide = 1100
const cellsPerSide = 40

/** Estimates how bright the paper is everywhere: the bright end of each cell, smoothed over its neighbours. */
export function measurePaper({ data, width, height }: Raster): PaperMap {
  const cell = Math.max(8, Math.ceil(Math.max(width, height) / cellsPerSide))
  const columns = Math.ceil(width / cell)
  const rows = Math.ceil(height / cell)
  const raw = new Float32Array(columns * rows)
  const histogram = new Uint32Array(256)
  const step = Math.max(1, Math.floor(cell / 20))
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      histogram.fill(0)
      let count = 0
      const yEnd = Math.min(height, (row + 1) * cell)
      const xEnd = Math.min(width, (column + 1) * cell)
      for (let y = row * cell; y < yEnd; y += step) {
        for (let x = column * cell; x < xEnd; x += step) {
          const value = data[y * width + x] ?? 255
          histogram[value] = (histogram[value] ?? 0) + 1
          count += 1
        }
      }
      raw[row * columns + column] = percentile(histogram, count * 0.8)
    }
  }
  return { level: lift(raw, columns, rows), columns, rows, cell }
}

function percentile(histogram: Uint32Array, rank: number): number {
  let seen = 0
  for (let value = 0; value < 256; value += 1) {
    seen += histogram[value] ?? 0
    if (seen >= rank) return value
  }
  return 255
}

/** A cell under a photo or a dark band borrows the paper of its surroundings; then everything is smoothed. */
function lift(raw: Float32Array, columns: number, rows: number): Float32Array {
  const wide = around(raw, columns, rows, 3, (values) => values[Math.floor(values.length * 0.6)] ?? 255)
  const lifted = raw.map((value, index) => ((wide[index] ?? value) - value > 45 ? (wide[index] ?? value) : value))
  return around(lifted, columns, rows, 1, (values) => values.reduce((sum, value) => sum + value, 0) / values.length)
}

function around(
  source: Float32Array,
  columns: number,
  rows: number,
  reach: number,
  merge: (sorted: number[]) => number,
): Float32Array {
  const result = new Float32Array(source.length)
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const values: number[] = []
      for (let y = Math.max(0, row - reach); y <= Math.min(rows - 1, row + reach); y += 1) {
        for (let x = Math.max(0, column - reach); x <= Math.min(columns - 1, column + reach); x += 1) {
          values.push(source[y * columns + x] ?? 255)
        }
      }
      result[row * columns + column] = merge(values.sort((a, b) => a - b))
    }
  }
  return result
}

/** Marks what is clearly darker than the paper around it, at reduced size. */
export function inkMap(raster: Raster, paper: PaperMap): InkMap {
  const { data, width, height } = raster
  const scale = Math.max(1, Math.ceil(Math.max(width, height) / mapSide))
  const mapWidth = Math.floor(width / scale)
  const mapHeight = Math.floor(height / scale)
  const ink = new Uint8Array(mapWidth * mapHeight)
  for (let y = 0; y < mapHeight; y += 1) {
    const sourceRow = y * scale * width
    const paperRow = Math.floor((y * scale) / paper.cell) * paper.columns
    for (let x = 0; x < mapWidth; x += 1) {
      const level = paper.level[paperRow + Math.floor((x * scale) / paper.cell)] ?? 255
      let darkest = 255
      for (let dy = 0; dy < scale; dy += 1) {
        const value = data[sourceRow + dy * width + x * scale] ?? 255
        if (value < darkest) darkest = value
      }
      if (darkest < level * 0.68) ink[y * mapWidth + x] = 1
    }
  }
  return { ink, width: mapWidth, height: mapHeight, scale }
}
