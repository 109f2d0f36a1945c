import sharp from 'sharp'
import type { Page, Word } from '../domain/page.ts'
import type { Raster } from '../pages/pdf-raster.ts'
import { type OcrWord, recognize } from './ocr-engine.ts'

/** Finer than the first reading, so that points, commas and single digits that were lost have another chance. */
const dpiAgain = 250
const confidenceMin = 0.5
const amount = /^[-+]?\d{1,3}(?:\.\d{3})*,\d{2,4}(?:€|%)?-?$|^[-+]?\d+,\d{2,4}(?:€|%)?-?$/
const number = /^[-+]?\d[\d.,]*(?:€|%)?-?$/

/**
 * Reads the part of a page where its amounts stand a second time, at another size and without the idea of a page's
 * blocks, and takes numbers from it: those that were not seen before, and those that are printed as numbers should be
 * where the first reading is not. Words stay as they were; the page itself when there is nothing to gain.
 */
export async function readNumbersAgain({ raster, dpi }: { raster: Raster; dpi: number }, page: Page): Promise<Page> {
  const zone = amountZone(page)
  if (zone === undefined) return page
  const top = Math.max(0, Math.floor(zone.y0 * raster.height))
  const bottom = Math.min(raster.height, Math.ceil(zone.y1 * raster.height))
  const factor = dpi < dpiAgain - 10 ? dpiAgain / dpi : 200 / dpi
  const part = await enlarge(raster, top, bottom, factor)
  const read = await recognize(part, { dpi: dpi * factor, segmentation: 'block' })
  const words = page.words.map((word) => word)
  for (const found of read) {
    const word = place(found, { raster, top, factor })
    if (word !== undefined) merge(words, word)
  }
  return { ...page, words }
}

/** From a little above the first amount to a little below the last. */
function amountZone({ words }: Page): { y0: number; y1: number } | undefined {
  const rows = words.filter(({ text, rotation }) => rotation === undefined && /\d[.,]\d{2}(?!\d)/.test(text))
  if (rows.length === 0) return undefined
  const height = Math.max(...rows.map(({ y0, y1 }) => y1 - y0))
  const y0 = Math.min(...rows.map((row) => row.y0)) - 4 * height
  return { y0, y1: Math.max(...rows.map((row) => row.y1)) + 4 * height }
}

async function enlarge({ data, width }: Raster, top: number, bottom: number, factor: number): Promise<Raster> {
  const rows = data.subarray(top * width, bottom * width)
  const { data: pixels, info } = await sharp(rows, { raw: { width, height: bottom - top, channels: 1 } })
    .resize({
      width: Math.round(width * factor),
      height: Math.max(1, Math.round((bottom - top) * factor)),
      fit: 'fill',
      kernel: factor > 1 ? 'cubic' : 'lanczos3',
    })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: pixels, width: info.width, height: info.height }
}

function place(
  { text, confidence, left, top, width, height }: OcrWord,
  at: { raster: Raster; top: number; factor: number },
): Omit<Word, 'fontSize' | 'line'> | undefined {
  const plain = text.replace(/^[|[\]_]+|[|[\]_]+$/g, '')
  if (!number.test(plain) || confidence < confidenceMin) return undefined
  const unit = (value: number): number => Math.min(1, Math.max(0, Math.round(value * 1e5) / 1e5))
  const { raster, factor } = at
  return {
    text: plain,
    confidence: Math.round(confidence * 1000) / 1000,
    x0: unit(left / factor / raster.width),
    x1: unit((left + width) / factor / raster.width),
    y0: unit((top / factor + at.top) / raster.height),
    y1: unit(((top + height) / factor + at.top) / raster.height),
  }
}

const digitsOf = (text: string): string => text.replace(/\D/g, '')

/** Puts a number of the second reading among the words of the first, in place. */
function merge(words: Word[], found: Omit<Word, 'fontSize' | 'line'>): void {
  const middle = (found.y0 + found.y1) / 2
  const covered = words.flatMap((word, index) => {
    const shared = Math.min(word.x1, found.x1) - Math.max(word.x0, found.x0)
    const beside = word.y0 < middle && word.y1 > middle
    return beside && shared > 0.3 * Math.min(word.x1 - word.x0, found.x1 - found.x0) ? [index] : []
  })
  const old = covered.flatMap((index) => words[index] ?? [])
  const [first] = old
  if (first === undefined) {
    const neighbour = nearest(words, found, middle)
    if (neighbour !== undefined) words.push({ ...found, fontSize: neighbour.fontSize, line: neighbour.line })
    return
  }
  // A number within a longer text (a reference, a date, a description) is part of that text.
  if (old.some(({ x0, x1 }) => x1 - x0 > 1.6 * (found.x1 - found.x0))) return
  if (!isBetter(found, old)) return
  words.splice(covered[0] ?? 0, 1, { ...first, ...found, y0: first.y0, y1: first.y1 })
  for (const index of covered.slice(1).reverse()) words.splice(index, 1)
}

function isBetter(found: Omit<Word, 'fontSize' | 'line'>, old: readonly Word[]): boolean {
  const text = old.map((word) => word.text).join('')
  if (text === found.text) return false
  const confidence = Math.min(...old.map((word) => word.confidence))
  if (amount.test(found.text)) {
    if (!amount.test(text)) return confidence < 0.85 || digitsOf(text) === digitsOf(found.text)
    return found.confidence > confidence + 0.12
  }
  return !amount.test(text) && confidence < 0.6 && found.confidence > confidence + 0.2
}

/** The word on the same row that is closest, for its line and size. */
function nearest(words: readonly Word[], found: { x0: number; x1: number }, middle: number): Word | undefined {
  let best: { word: Word; distance: number } | undefined
  for (const word of words) {
    if (word.y0 > middle || word.y1 < middle) continue
    const distance = Math.max(found.x0 - word.x1, word.x0 - found.x1)
    if (best === undefined || distance < best.distance) best = { word, distance }
  }
  return best?.word
}
