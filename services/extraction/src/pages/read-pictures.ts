import type { Word } from '../domain/page.ts'
import { type OcrWord, recognize } from '../images/ocr-engine.ts'
import type { Picture } from './pdf-drawing.ts'
import { withPdf } from './pdf-file.ts'
import { type Raster, renderPage } from './pdf-raster.ts'
import { readPdfPage } from './read-pdf-page.ts'

const dpi = 250
/** Pictures smaller than this (points) hold no text that can be read. */
const widthMinPt = 50
const heightMinPt = 12
const picturesMax = 4

/**
 * Recognizes the text in the pictures of a page that has text of its own: letterheads are often drawn, and with them the
 * issuer's name and tax id. Takes about half a second a picture, so ask only when something is missing. Boxes are in
 * units of the whole page; an empty list for a page without pictures.
 *
 * @param pageIndex from 0. Fails like reading.
 */
export function readPictures(bytes: Uint8Array, pageIndex: number): Promise<Word[]> {
  return withPdf(bytes, async (file) => {
    const reading = readPdfPage(file, pageIndex)
    const pictures = reading?.drawing.pictures.filter(isReadable).slice(0, picturesMax) ?? []
    if (reading === undefined || pictures.length === 0) return []
    const raster = await renderPage(file, pageIndex, { dpi })
    // A page turned upright by its text is drawn as it was: its boxes would not fit.
    if (raster === undefined || raster.width > raster.height !== reading.frame.widthPt > reading.frame.heightPt)
      return []
    const scale = raster.width / reading.frame.widthPt
    const words: Word[] = []
    for (const { box } of pictures) {
      const left = Math.max(0, Math.floor(box[0] * scale))
      const top = Math.max(0, Math.floor(box[1] * scale))
      const part = cut(raster, left, top, Math.ceil(box[2] * scale), Math.ceil(box[3] * scale))
      const read = await recognize(part, { dpi, segmentation: 'sparse' })
      const firstLine = 10_000 + words.length
      words.push(...read.filter(isLikely).map((word) => place(word, { left, top, raster, firstLine })))
    }
    return words
  })
}

const isReadable = ({ box: [x0, y0, x1, y1] }: Picture): boolean => x1 - x0 >= widthMinPt && y1 - y0 >= heightMinPt

const isLikely = ({ text, confidence }: OcrWord): boolean => confidence > 0.5 && /[\p{L}\p{N}]{2}/u.test(text)

function cut({ data, width, height }: Raster, left: number, top: number, right: number, bottom: number): Raster {
  const partWidth = Math.max(1, Math.min(width, right) - left)
  const partHeight = Math.max(1, Math.min(height, bottom) - top)
  const part = new Uint8Array(partWidth * partHeight)
  for (let row = 0; row < partHeight; row += 1) {
    const from = (top + row) * width + left
    part.set(data.subarray(from, from + partWidth), row * partWidth)
  }
  return { data: part, width: partWidth, height: partHeight }
}

interface Origin {
  left: number
  top: number
  raster: Raster
  firstLine: number
}

function place(word: OcrWord, { left, top, raster, firstLine }: Origin): Word {
  return {
    text: word.text.normalize('NFC'),
    x0: (left + word.left) / raster.width,
    y0: (top + word.top) / raster.height,
    x1: Math.min(1, (left + word.left + word.width) / raster.width),
    y1: Math.min(1, (top + word.top + word.height) / raster.height),
    confidence: word.confidence,
    fontSize: (word.height * 72) / dpi,
    line: firstLine + word.line,
  }
}
