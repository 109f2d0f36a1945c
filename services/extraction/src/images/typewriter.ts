import type { OcrWord } from './ocr-engine.ts'

/**
 * Every sign of such a font is as wide as 0.6 of its size (Courier, Liberation Mono, most printers' own). A little less
 * is reckoned with, so that a blank between two narrow signs stays within the font's size.
 */
const pitchPerSize = 0.56
/** Of a box, the part of the first and last sign's room that is no ink, in signs. */
const bearing = 0.25
const signsMin = 4
const wordsMin = 12
/** Median deviation of the signs' widths from their median: up to 0.03 in such fonts, from 0.06 in all others. */
const deviationMax = 0.045

/**
 * Sizes of the words' font in pixels where the page is printed with signs of one width, else undefined. The height of
 * the ink says too little there: blanks are wide beside it, and rows would fall apart into cells.
 */
export function typewriterSizes(words: readonly OcrWord[]): number[] | undefined {
  const pitches = words.map(({ text, width }) => width / Math.max(1, text.length - bearing))
  const long = pitches.filter((_, index) => /^[\p{L}\p{N}]+$/u.test(words[index]?.text ?? '') && isLong(words[index]))
  if (long.length < wordsMin) return undefined
  const usual = median(long)
  if (median(long.map((pitch) => Math.abs(pitch / usual - 1))) > deviationMax) return undefined
  return words.map((word, index) => {
    const own = pitches[index] ?? usual
    // headings are larger; single signs are as narrow as their ink
    const pitch = isLong(word) && own > 1.15 * usual ? own : usual
    return pitch / pitchPerSize
  })
}

const isLong = (word: OcrWord | undefined): boolean => (word?.text.length ?? 0) >= signsMin

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
