import type { Page, Rule, Word } from '../domain/page.ts'
import type { Raster } from '../pages/pdf-raster.ts'
import { densestSquare } from './densest-square.ts'
import { rereadDoubtfulWords, withoutDoubles } from './doubtful-words.ts'
import { readLostLines } from './lost-lines.ts'
import { readLostNumbers } from './lost-numbers.ts'
import { type OcrWord, recognize } from './ocr-engine.ts'
import { findRules } from './picture-rules.ts'
import { type Prepared, type PrepareOptions, prepare } from './prepare.ts'
import { repairWords } from './repair-words.ts'
import { sidewaysLines } from './sideways-lines.ts'
import { type QuarterTurn, turnQuarters } from './straighten.ts'
import { trim } from './trim.ts'
import { typewriterSizes } from './typewriter.ts'

export interface RecognizedPage {
  page: Page
  /** The picture that the boxes refer to: upright, deskewed, evenly lit. For a second reading of its parts. */
  raster: Raster
  dpi: number
}

export interface RecognizePageOptions extends PrepareOptions {
  index: number
  /** Of the page in its document; a photograph's size follows from its picture. */
  widthPt?: number
}

/** Below this mean confidence a page may stand on its head. */
const doubtfulConfidence = 0.62
const lowConfidence = 0.72

/** Recognizes the words on a picture of one page, which may be turned, slanted and badly lit. */
export async function recognizePage(source: Raster, options: RecognizePageOptions): Promise<RecognizedPage> {
  const prepared = await prepare(source, options)
  let turned: QuarterTurn = prepared.sideways ? await chooseQuarter(prepared) : 0
  let raster = turnQuarters(prepared.raster, turned)
  let words = await recognizeTrimmed(raster, prepared.dpi)
  if (meanConfidence(words) < doubtfulConfidence && words.length > 0) {
    const upsideDown = turnQuarters(raster, 180)
    const others = await recognizeTrimmed(upsideDown, prepared.dpi)
    if (weight(others) > 1.3 * weight(words)) {
      words = others
      raster = upsideDown
      turned = turned === 0 ? 180 : turned === 90 ? 270 : 90
    }
  }
  words = withoutDoubles([...words, ...(await readLostLines(raster, words, prepared.dpi))])
  words = [...words, ...(await readLostNumbers(raster, words, prepared.dpi))]
  words = await rereadDoubtfulWords(raster, words, prepared.dpi)
  return { page: toPage(words, { prepared, raster, turned, options }), raster, dpi: prepared.dpi }
}

async function recognizeTrimmed(raster: Raster, dpi: number): Promise<OcrWord[]> {
  const part = trim(raster)
  const words = await recognize(part.raster, { dpi })
  return words.map((word) => ({ ...word, left: word.left + part.left, top: word.top + part.top }))
}

/** Whether and how a page lies on its side: reads a part of it all three ways. */
async function chooseQuarter({ raster, dpi }: Prepared): Promise<0 | 90 | 270> {
  const part = densestSquare(raster)
  let best: { turn: 0 | 90 | 270; weight: number } = { turn: 0, weight: -1 }
  for (const turn of [90, 270, 0] as const) {
    const read = weight(await recognize(turnQuarters(part, turn), { dpi, segmentation: 'block' }))
    if (read > best.weight) best = { turn, weight: read }
  }
  return best.turn
}

/** How much was read and how surely. */
const weight = (words: readonly OcrWord[]): number =>
  words.reduce((sum, { text, confidence }) => sum + (text.length > 2 ? text.length * confidence ** 2 : 0), 0)

function meanConfidence(words: readonly OcrWord[]): number {
  const signs = words.reduce((sum, { text }) => sum + text.length, 0)
  return signs === 0 ? 0 : words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0) / signs
}

interface Outcome {
  prepared: Prepared
  raster: Raster
  turned: QuarterTurn
  options: RecognizePageOptions
}

function toPage(words: readonly OcrWord[], { prepared, raster, turned, options }: Outcome): Page {
  const confidence = round(meanConfidence(words))
  const { contrast, sharpness, sourceDpi } = prepared
  const low = (words.length > 0 && confidence < lowConfidence) || sourceDpi < 110 || contrast < 0.15
  const scale = options.widthPt === undefined ? 72 / prepared.dpi : options.widthPt / raster.width
  const sizes = typewriterSizes(words)
  const turnedLines = sidewaysLines(words)
  const read = words.flatMap((word, index) => {
    const rotation = turnedLines.get(word.line)
    if (rotation === undefined) return toWord(word, raster, prepared.dpi, sizes?.[index])
    return toWord(word, raster, prepared.dpi, word.width * 1.3).map((upright) => ({ ...upright, rotation }))
  })
  const kept = repairWords(asTallAsTheirLine(read))
  return {
    index: options.index,
    widthPt: raster.width * scale,
    heightPt: raster.height * scale,
    source: 'ocr',
    words: kept,
    rules: findRules(raster).filter((rule) => !runsThroughWords(rule, kept)),
    quality: {
      dpi: Math.round(sourceDpi),
      turnedDegrees: turned,
      skewDegrees: round(prepared.skewDegrees),
      contrast: round(contrast),
      sharpness: round(sharpness),
      confidence,
      low,
    },
  }
}

/** A dash or a dot is as tall as its ink; it belongs to the row of the word beside it. */
function asTallAsTheirLine(words: readonly Word[]): Word[] {
  return words.map((word, index) => {
    if (/[\p{L}\p{N}]/u.test(word.text)) return word
    const beside = [words[index - 1], words[index + 1]].find(
      (other) => other?.line === word.line && /[\p{L}\p{N}]/u.test(other.text),
    )
    if (beside === undefined) return word
    const across = word.rotation === undefined ? { y0: beside.y0, y1: beside.y1 } : { x0: beside.x0, x1: beside.x1 }
    return { ...word, ...across, fontSize: beside.fontSize }
  })
}

/** Letters that touch look like a line, but a line does not run through the middle of words. */
function runsThroughWords({ x0, x1, y0, direction }: Rule, words: readonly Word[]): boolean {
  if (direction === 'vertical') return false
  let covered = 0
  for (const word of words) {
    const height = word.y1 - word.y0
    if (y0 < word.y0 + 0.15 * height || y0 > word.y1 - 0.1 * height) continue
    covered += Math.max(0, Math.min(x1, word.x1) - Math.max(x0, word.x0))
  }
  return covered > 0.5 * (x1 - x0)
}

/** Drawn lines are sometimes read as signs of their own, or as a sign at the edge of a word. */
function toWord(
  { text, confidence, left, top, width, height, line, lineHeight }: OcrWord,
  raster: Raster,
  dpi: number,
  sizePx = Math.min(lineHeight, height * 1.6),
): Word[] {
  const bare = text.replace(/^[|_¦]+|[|_¦]+$/g, '').replace(/[’‘`´]/g, "'")
  if (bare === '' || (/^[^\p{L}\p{N}€$%]+$/u.test(bare) && confidence < 0.4)) return []
  const unit = (value: number, size: number): number => Math.min(1, Math.max(0, Math.round((value / size) * 1e5) / 1e5))
  return [
    {
      text: bare.normalize('NFC'),
      x0: unit(left, raster.width),
      y0: unit(top, raster.height),
      x1: unit(left + width, raster.width),
      y1: unit(top + height, raster.height),
      confidence: round(confidence),
      fontSize: round((sizePx * 72) / dpi),
      line,
    },
  ]
}

const round = (value: number): number => Math.round(value * 1000) / 1000
