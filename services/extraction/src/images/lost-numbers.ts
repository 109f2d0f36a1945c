import sharp from 'sharp'
import type { Raster } from '../pages/pdf-raster.ts'
import { type Area, findLostInk, type Shape } from './lost-ink.ts'
import { type OcrWord, recognize } from './ocr-engine.ts'

/** From a single 1 to an amount in millions. */
const number: Shape = { gap: 0.05, height: [0.05, 0.25], width: [0.02, 1.1], ink: [0.2, 1] }
const isNumber = /^[-+]?\d[\d.,]*(?:€|%)?-?$/
const confidenceMin = 0.6
const numbersMax = 80
/**
 * Numbers in one line of the composed picture; height of that line and gaps between its numbers, in pixels. With gaps of
 * the height itself, recognition doubles digits at their edges (`6,12` → `6,712`).
 */
const perLine = 20
const heightPx = 46
const gapPx = 110
/** Lines read here are numbered beyond those of the page and of {@link readLostLines}. */
const firstLine = 15_000

interface Lost extends Area {
  /** The word whose row the number stands in. */
  beside: OcrWord
}

/**
 * Reads numbers that the search for the columns of a page left out: ink of their size, without a word, in a row of print.
 * They are set side by side in one line each twenty and read together, since single digits are most of them.
 */
export async function readLostNumbers(raster: Raster, words: readonly OcrWord[], dpi: number): Promise<OcrWord[]> {
  const lost = findLostInk(raster, words, dpi, number)
    .flatMap((area) => inRow(area, words))
    .slice(0, numbersMax)
  const found: OcrWord[] = []
  for (let from = 0; from < lost.length; from += perLine) {
    found.push(...(await readTogether(raster, lost.slice(from, from + perLine), firstLine + found.length)))
  }
  return found
}

/** A number is about as tall as the print of its row and not taller. */
function inRow(area: Area, words: readonly OcrWord[]): Lost[] {
  const middle = (area.top + area.bottom) / 2
  const height = area.bottom - area.top
  let beside: OcrWord | undefined
  for (const word of words) {
    if (word.confidence < 0.5 || word.text.length < 2 || !/[\p{L}\p{N}]{2}/u.test(word.text)) continue
    if (Math.abs(word.top + word.height / 2 - middle) > 0.35 * word.height) continue
    if (height < 0.5 * word.height || height > 1.9 * word.height || word.height > word.width * 2) continue
    if (beside === undefined || /\d[.,]\d/.test(word.text)) beside = word
  }
  return beside === undefined ? [] : [{ ...area, beside }]
}

async function readTogether(raster: Raster, lost: readonly Lost[], line: number): Promise<OcrWord[]> {
  const parts = await Promise.all(lost.map((one) => cut(raster, one)))
  const places: { from: number; to: number }[] = []
  let width = gapPx
  for (const part of parts) {
    places.push({ from: width, to: width + part.width })
    width += part.width + gapPx
  }
  const height = Math.max(...parts.map((part) => part.height)) + 24
  const data = new Uint8Array(width * height).fill(255)
  parts.forEach((part, index) => {
    const left = places[index]?.from ?? 0
    for (let row = 0; row < part.height; row += 1)
      data.set(part.data.subarray(row * part.width, (row + 1) * part.width), (row + 12) * width + left)
  })
  const read = await recognize({ data, width, height }, { dpi: 300, segmentation: 'line' })
  return lost.flatMap((one, index): OcrWord[] => {
    const place = places[index] ?? { from: 0, to: 0 }
    const own = read.filter(({ left, width: wide }) => {
      const middle = left + wide / 2
      return middle > place.from - gapPx / 2 && middle < place.to + gapPx / 2
    })
    const text = own.map((word) => word.text).join('')
    const confidence = Math.min(1, ...own.map((word) => word.confidence))
    const plain = /^[lI|]$/.test(text) ? '1' : text
    if (own.length === 0 || confidence < confidenceMin || !isNumber.test(plain)) return []
    const { left, right, beside } = one
    // a stroke of a drawn line looks like a single 1: only a row of amounts has such numbers
    if (plain.length === 1 && !/\d[.,]\d/.test(beside.text)) return []
    const { top, height: tall, lineHeight } = beside
    return [{ text: plain, confidence, left, top, width: right - left, height: tall, line: line + index, lineHeight }]
  })
}

/** The number with the height of its row, so that all stand on one line, enlarged to the height that is read best. */
async function cut({ data, width, height }: Raster, { left, right, beside }: Lost): Promise<Raster> {
  const margin = Math.round(0.15 * beside.height)
  const x0 = Math.max(0, left - margin)
  const x1 = Math.min(width, right + margin)
  const y0 = Math.max(0, beside.top - margin)
  const y1 = Math.min(height, beside.top + beside.height + margin)
  const part = new Uint8Array((x1 - x0) * (y1 - y0))
  for (let row = y0; row < y1; row += 1)
    part.set(data.subarray(row * width + x0, row * width + x1), (row - y0) * (x1 - x0))
  const factor = heightPx / (y1 - y0)
  const { data: pixels, info } = await sharp(part, { raw: { width: x1 - x0, height: y1 - y0, channels: 1 } })
    .resize({ width: Math.max(1, Math.round((x1 - x0) * factor)), height: heightPx, fit: 'fill', kernel: 'cubic' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: pixels, width: info.width, height: info.height }
}
