import type { OcrWord } from './ocr-engine.ts'

const signsMin = 3
const wordsMin = 3
const tallMin = 1.3
const shareMin = 0.7

export type Sideways = 90 | 270

/**
 * Lines that run up or down the margin of an upright page, by their number: recognition reads them rightly, but says so
 * only by words that are taller than wide. 270 for those read from the bottom upwards.
 */
export function sidewaysLines(words: readonly OcrWord[]): Map<number, Sideways> {
  const result = new Map<number, Sideways>()
  for (const [line, ofLine] of Map.groupBy(words, (word) => word.line)) {
    const long = ofLine.filter(({ text }) => text.length >= signsMin)
    const tall = long.filter(({ width, height }) => height > tallMin * width)
    const [first, last] = [ofLine[0], ofLine.at(-1)]
    if (first === undefined || last === undefined) continue
    if (long.length < wordsMin || tall.length < shareMin * long.length) continue
    result.set(line, first.top > last.top ? 270 : 90)
  }
  return result
}
