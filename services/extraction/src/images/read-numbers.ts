import sharp from 'sharp'
import type { Page, Word } from '../domain/page.ts'
import type { Raster } from '../pages/pdf-raster.ts'
import { type OcrWord, recognize } from './ocr-engine.ts'
import { repairWords } from './repair-words.ts'
import { typewriterSizes } from './typewriter.ts'

/** Finer than the first reading, so that points, commas and single digits that were lost have another chance. */
const dpiAgain = 250
const confidenceMin = 0.5
const amount = /^[-+]?\d{1,3}(?:\.\d{3})*,\d{2,4}(?:€|%)?-?$|^[-+]?\d+,\d{2,4}(?:€|%)?-?$/
const number = /^[-+]?\d[\d.,]*(?:€|%)?-?$/

export interface ReadAgain {
  /** The first reading with numbers of the second put in, and words that it had not seen. */
  merged: Page
  /** The first reading above the amounts, the second below. */
  replaced: Page
}

/**
 * Reads a page from its first amounts downwards a second time, at another size and as one block of lines: the search for
 * the columns of a page loses single digits and whole columns of tables. The words above stay as they were.
 */
export async function readNumbersAgain(
  { raster, dpi }: { raster: Raster; dpi: number },
  page: Page,
): Promise<ReadAgain> {
  const from = startOfAmounts(page)
  const top = Math.max(0, Math.floor(from * raster.height))
  const end = Math.max(from, ...page.words.map(({ y1 }) => y1))
  const bottom = Math.min(raster.height, Math.ceil(end * raster.height) + 20)
  if (bottom - top < 20) return { merged: page, replaced: page }
  const factor = dpi < dpiAgain - 10 ? dpiAgain / dpi : 200 / dpi
  const part = await enlarge(raster, top, bottom, factor)
  const read = await recognize(part, { dpi: dpi * factor, segmentation: 'block' })
  const sizes = typewriterSizes(read)
  const found = repairWords(read.flatMap((word, index) => place(word, { raster, top, factor, dpi }, sizes?.[index])))
  const words = [...page.words]
  for (const word of found) {
    if (number.test(word.text)) merge(words, word)
    else if (word.confidence > 0.7 && !words.some((other) => overlaps(other, word))) words.push(word)
  }
  const above = page.words.filter(({ y0, y1, rotation }) => rotation !== undefined || (y0 + y1) / 2 < from)
  return { merged: { ...page, words }, replaced: { ...page, words: [...above, ...found] } }
}

/** A little above the first amount, where the headings of its column stand; the top where there is none. */
function startOfAmounts({ words }: Page): number {
  const amounts = words.filter(({ text, rotation }) => rotation === undefined && /\d[.,]\d{2}(?!\d)/.test(text))
  if (amounts.length === 0) return 0
  const height = amounts.map(({ y0, y1 }) => y1 - y0).sort((a, b) => a - b)[amounts.length >> 1] ?? 0
  return Math.max(0, Math.min(...amounts.map(({ y0 }) => y0)) - 5 * height)
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

/** Lines of the second reading are numbered beyond those of the first. */
const firstLine = 20_000

function place(
  { text, confidence, left, top, width, height, line, lineHeight }: OcrWord,
  at: { raster: Raster; top: number; factor: number; dpi: number },
  sizePx = Math.min(lineHeight, height * 1.6),
): Word[] {
  const plain = text.replace(/^[|[\]_]+|[|[\]_]+$/g, '')
  if (plain === '' || confidence < (number.test(plain) ? confidenceMin : 0.3)) return []
  const unit = (value: number): number => Math.min(1, Math.max(0, Math.round(value * 1e5) / 1e5))
  const { raster, factor, dpi } = at
  return [
    {
      text: plain.normalize('NFC'),
      confidence: Math.round(confidence * 1000) / 1000,
      x0: unit(left / factor / raster.width),
      x1: unit((left + width) / factor / raster.width),
      y0: unit((top / factor + at.top) / raster.height),
      y1: unit(((top + height) / factor + at.top) / raster.height),
      fontSize: Math.round((sizePx * 72_000) / (dpi * factor)) / 1000,
      line: firstLine + line,
    },
  ]
}

function overlaps(a: Word, b: Word): boolean {
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1
}

const digitsOf = (text: string): string => text.replace(/\D/g, '')

/** Puts a number of the second reading among the words of the first, in place. */
function merge(words: Word[], found: Word): void {
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
    else words.push(found)
    return
  }
  // A number within a longer text (a reference, a date, a description) is part of that text.
  if (old.some(({ x0, x1 }) => x1 - x0 > 1.6 * (found.x1 - found.x0))) return
  if (!isBetter(found, old)) return
  words.splice(covered[0] ?? 0, 1, { ...found, line: first.line, fontSize: first.fontSize, y0: first.y0, y1: first.y1 })
  for (const index of covered.slice(1).reverse()) words.splice(index, 1)
}

function isBetter(found: Word, old: readonly Word[]): boolean {
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
