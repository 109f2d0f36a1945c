import type { Raster } from '../pages/pdf-raster.ts'
import type { OcrWord } from './ocr-engine.ts'

/** Side of the squares in which ink without words is looked for, in inches. */
const cellInches = 0.02
const darkMax = 140

export interface Area {
  left: number
  top: number
  right: number
  bottom: number
}

interface InkCells {
  ink: Uint8Array
  columns: number
  rows: number
  size: number
}

/** Inches; `ink` is the share of dark squares: rules and pictures have more than print, specks less. */
export interface Shape {
  /** Blanks up to this long do not part what belongs together. */
  gap: number
  height: readonly [min: number, max: number]
  width: readonly [min: number, max: number]
  ink: readonly [min: number, max: number]
}

/** Frames (pixels) of ink of a shape where no word was found, from the top. */
export function findLostInk(raster: Raster, words: readonly OcrWord[], dpi: number, shape: Shape): Area[] {
  const cells = inkCells(raster, Math.max(3, Math.round(dpi * cellInches)))
  cover(cells, words.filter(isReal))
  return findAreas(cells, dpi, shape)
}

/** Signs guessed into a part of the page that was not understood hide the print there. */
const isReal = ({ text, confidence }: OcrWord): boolean => confidence > 0.2 && /[\p{L}\p{N}€%]/u.test(text)

function inkCells({ data, width, height }: Raster, size: number): InkCells {
  const columns = Math.floor(width / size)
  const rows = Math.floor(height / size)
  const ink = new Uint8Array(columns * rows)
  for (let row = 0; row < rows; row += 1) {
    for (let y = row * size; y < (row + 1) * size; y += 2) {
      const from = y * width
      const to = row * columns
      for (let column = 0; column < columns; column += 1) {
        if (ink[to + column] === 1) continue
        for (let x = column * size; x < (column + 1) * size; x += 2) {
          if ((data[from + x] ?? 255) < darkMax) {
            ink[to + column] = 1
            break
          }
        }
      }
    }
  }
  return { ink, columns, rows, size }
}

/** Takes the ink of words, and what hangs a little out of their boxes, off the map. */
function cover({ ink, columns, rows, size }: InkCells, words: readonly OcrWord[]): void {
  for (const { left, top, width, height } of words) {
    const margin = Math.max(size, 0.25 * height)
    const x0 = Math.max(0, Math.floor((left - margin) / size))
    const x1 = Math.min(columns - 1, Math.floor((left + width + margin) / size))
    const y1 = Math.min(rows - 1, Math.floor((top + height + margin) / size))
    for (let y = Math.max(0, Math.floor((top - margin) / size)); y <= y1; y += 1)
      ink.fill(0, y * columns + x0, y * columns + x1 + 1)
  }
}

function findAreas(cells: InkCells, dpi: number, shape: Shape): Area[] {
  const { ink, columns, size } = cells
  const gap = Math.round((shape.gap * dpi) / size)
  const seen = new Uint8Array(ink.length)
  const areas: Area[] = []
  for (let seed = 0; seed < ink.length; seed += 1) {
    if (ink[seed] !== 1 || seen[seed] === 1) continue
    const frame: Area = { left: columns, top: Number.MAX_SAFE_INTEGER, right: 0, bottom: 0 }
    let count = 0
    const stack = [seed]
    seen[seed] = 1
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      count += 1
      const x = at % columns
      const y = (at - x) / columns
      frame.left = Math.min(frame.left, x)
      frame.right = Math.max(frame.right, x)
      frame.top = Math.min(frame.top, y)
      frame.bottom = Math.max(frame.bottom, y)
      for (let row = -1; row <= 1; row += 1) {
        const from = (y + row) * columns
        for (let column = Math.max(0, x - gap); column <= Math.min(columns - 1, x + gap); column += 1) {
          const next = from + column
          if (next < 0 || next >= ink.length || ink[next] !== 1 || seen[next] === 1) continue
          seen[next] = 1
          stack.push(next)
        }
      }
    }
    const width = frame.right - frame.left + 1
    const height = frame.bottom - frame.top + 1
    const share = count / (width * height)
    const within = (value: number, [min, max]: readonly [number, number]): boolean => value >= min && value <= max
    const inches = size / dpi
    if (within(height * inches, shape.height) && within(width * inches, shape.width) && within(share, shape.ink)) {
      areas.push({
        left: frame.left * size,
        top: frame.top * size,
        right: (frame.right + 1) * size,
        bottom: (frame.bottom + 1) * size,
      })
    }
  }
  return areas
}
