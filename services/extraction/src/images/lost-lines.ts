import type { Raster } from '../pages/pdf-raster.ts'
import { type Area, findLostInk, type Shape } from './lost-ink.ts'
import { type OcrWord, recognize } from './ocr-engine.ts'

const line: Shape = { gap: 0.16, height: [0.055, 0.34], width: [0.3, 100], ink: [0.18, 0.9] }
const confidenceMin = 0.6
const linesMax = 10
/** Lines read here are numbered beyond those of the first reading. */
const firstLine = 10_000

/**
 * Reads lines of print that the search for the blocks of a page left out: ink in the shape of a line where no word was
 * found. Costs nothing where all ink has its words; at most ten lines are read.
 */
export async function readLostLines(raster: Raster, words: readonly OcrWord[], dpi: number): Promise<OcrWord[]> {
  const lines = findLostInk(raster, words, dpi, line).slice(0, linesMax)
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
