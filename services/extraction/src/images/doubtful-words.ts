import type { Raster } from '../pages/pdf-raster.ts'
import type { OcrWord } from './ocr-engine.ts'
import { rereadRegion } from './reread.ts'

const doubtBelow = 0.7
const pointsDoubtBelow = 0.9
const signsMin = 4
const wordsMax = 12
/** A second reading counts from this confidence on, and only if it is surer than the first. */
const confidenceMin = 0.72
const gainMin = 0.08

/**
 * Reads words with digits that recognition doubts a second time, alone and enlarged: amounts, ids, dates and numbers
 * are often spoiled by their neighbours. The surer reading stays; where both agree, the greater confidence does.
 */
export async function rereadDoubtfulWords(raster: Raster, words: readonly OcrWord[], dpi: number): Promise<OcrWord[]> {
  const result: OcrWord[] = []
  let left = wordsMax
  for (const word of words) {
    if (!isDoubtful(word) || left === 0) {
      result.push(word)
      continue
    }
    left -= 1
    const box = {
      x0: word.left / raster.width,
      y0: word.top / raster.height,
      x1: (word.left + word.width) / raster.width,
      y1: (word.top + word.height) / raster.height,
    }
    const { text, confidence } = await rereadRegion(raster, box, { dpi })
    const isSurer = confidence >= confidenceMin && confidence >= word.confidence + gainMin
    result.push(isSurer && isLike(text, word.text) ? { ...word, text: text.replace(/\s/g, ''), confidence } : word)
  }
  return result
}

/** Points between digits are as often the commas of amounts and strokes of dates. */
const isDoubtful = ({ text, confidence }: OcrWord): boolean =>
  text.length >= signsMin &&
  /\d/.test(text) &&
  (confidence < doubtBelow || (confidence < pointsDoubtBelow && /\d[:;]\d/.test(text)))

/** A cut that missed the word reads as something else altogether. */
const isLike = (text: string, before: string): boolean =>
  /\d/.test(text) && Math.abs(text.replace(/\s/g, '').length - before.length) <= 2

/** Words without those that cover another, surer one: recognition now and then gives a word twice. */
export function withoutDoubles(words: readonly OcrWord[]): OcrWord[] {
  const sorted = [...words.entries()].sort(([, a], [, b]) => a.top - b.top)
  const dropped = new Set<number>()
  for (const [at, [index, word]] of sorted.entries()) {
    for (let next = at + 1; next < sorted.length; next += 1) {
      const [otherIndex, other] = sorted[next] ?? [0, word]
      if (other.top > word.top + word.height) break
      if (sharedArea(word, other) <= 0.7 * Math.max(word.width * word.height, other.width * other.height)) continue
      dropped.add(other.confidence > word.confidence ? index : otherIndex)
    }
  }
  return dropped.size === 0 ? [...words] : words.filter((_, index) => !dropped.has(index))
}

function sharedArea(a: OcrWord, b: OcrWord): number {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left)
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top)
  return Math.max(0, width) * Math.max(0, height)
}
