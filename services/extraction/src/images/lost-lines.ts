import type { Raster } from '../pages/pdf-raster.ts'
import { type OcrWord, recognize } from './ocr-engine.ts'

/** Side of the squares in which ink without words is looked for, in inches. */
const cellInches = 0.02
const darkMax = 140
/** Blanks between words up to this long do not part a line. */
const gapInches = 0.16
const lineInches = { heightMin: 0.055, heightMax: 0.34, widthMin: 0.3 } as const
/** Share of dark squares in a line of print; rules and pictures have more, specks less. */
const inkShare = { least: 0.18, most: 0.9 } as const
const confidenceMin = 0.6
const linesMax = 10
/** Lines read here are numbered beyond those of the first reading. */
const firstLine = 10_000

interface Area {
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

/**
 * Reads lines of print that the search for the blocks of a page left out: ink in the shape of a line where no word was
 * found. Costs nothing where all ink has its words; at most ten lines are read.
 */
export async function readLostLines(raster: Raster, words: readonly OcrWord[], dpi: number): Promise<OcrWord[]> {
  const cells = inkCells(raster, Math.max(3, Math.round(dpi * cellInches)))
  cover(cells, words.filter(isReal))
  const lines = findLines(cells, dpi).slice(0, linesMax)
  const found: OcrWord[] = []
  for (const [index, area] of lines.entries()) {
    const margin = Math.round(dpi * 0.035)
    const part = cut(raster, area, margin)
    const read = await recognize(part.raster, { dpi, segmentation: 'line' })
    if (meanConfidence(read) < confidenceMin || !read.some(({ text }) => /[\p{L}\p{N}]{2}/u.test(text))) continue
    for (const word of read) {
      found.push({ ...word, left: word.left + part.left, top: word.top + part.top, line: firstLine + index })
    }
  }
  return found
}

/** By sign: an ordinal or a dash that is doubtful does not spoil the line it stands in. */
function meanConfidence(words: readonly OcrWord[]): number {
  const signs = words.reduce((sum, { text }) => sum + text.length, 0)
  return words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0) / Math.max(1, signs)
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

/** Frames of ink in the shape of a line of print, from the top. */
function findLines(cells: InkCells, dpi: number): Area[] {
  const { ink, columns, size } = cells
  const gap = Math.round((gapInches * dpi) / size)
  const seen = new Uint8Array(ink.length)
  const lines: Area[] = []
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
    const heightInches = (height * size) / dpi
    if (
      heightInches >= lineInches.heightMin &&
      heightInches <= lineInches.heightMax &&
      (width * size) / dpi >= lineInches.widthMin &&
      share >= inkShare.least &&
      share <= inkShare.most
    ) {
      lines.push({
        left: frame.left * size,
        top: frame.top * size,
        right: (frame.right + 1) * size,
        bottom: (frame.bottom + 1) * size,
      })
    }
  }
  return lines
}

function cut(
  { data, width, height }: Raster,
  area: Area,
  margin: number,
): { raster: Raster; left: number; top: number } {
  const left = Math.max(0, area.left - margin)
  const top = Math.max(0, area.top - margin)
  const right = Math.min(width, area.right + margin)
  const bottom = Math.min(height, area.bottom + margin)
  const part = new Uint8Array((right - left) * (bottom - top))
  for (let row = top; row < bottom; row += 1)
    part.set(data.subarray(row * width + left, row * width + right), (row - top) * (right - left))
  return { raster: { data: part, width: right - left, height: bottom - top }, left, top }
}
