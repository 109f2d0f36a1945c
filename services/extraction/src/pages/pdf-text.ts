import type { Glyph } from './glyphs-to-words.ts'
import type { PdfFile } from './pdf-file.ts'
import { applyBox, applyX, applyY, type Matrix, type PageFrame, type Rect } from './pdf-page.ts'
import type { Pdfium } from './pdfium.ts'
import { plainSign } from './signs.ts'

export interface PageText {
  /** Visible glyphs in drawing order, blanks included. */
  glyphs: Glyph[]
  /** Signs for which the font does not say what letter they are. */
  unmapped: number
  /** Signs drawn in the invisible mode: the text layer that scanning software puts under its image. */
  invisible: number
}

/** More signs than any page of an invoice holds; what comes after them is not read. */
export const signsPerPageMax = 60_000

/** Below this many points text is a trick, not print. */
const fontSizeMinPt = 1.2

interface Style {
  fontSize: number
  bold: boolean
  invisible: boolean
}

/** Reads the visible text of an open page. Text outside the page's visible area is left out. */
export function readText(file: PdfFile, page: number, frame: PageFrame): PageText {
  const { engine } = file
  const text = engine._FPDFText_LoadPage(page)
  if (text === 0) return { glyphs: [], unmapped: 0, invisible: 0 }
  const scratch = engine._malloc(48)
  try {
    return collect(engine, text, frame, scratch)
  } finally {
    engine._free(scratch)
    engine._FPDFText_ClosePage(text)
  }
}

/** The direction in which most of the page's text runs: a page printed sideways is to be turned before it is read. */
export function dominantRotation(glyphs: readonly Glyph[]): Glyph['rotation'] {
  const counts = { 0: 0, 90: 0, 180: 0, 270: 0 }
  for (const glyph of glyphs) counts[glyph.rotation] += 1
  const turns = [90, 180, 270] as const
  return turns.find((rotation) => counts[rotation] > 0.6 * glyphs.length && counts[rotation] > 40) ?? 0
}

function collect(engine: Pdfium, text: number, frame: PageFrame, scratch: number): PageText {
  const count = Math.min(engine._FPDFText_CountChars(text), signsPerPageMax)
  const styles = new Map<number, Style>()
  const fonts = new Map<number, boolean>()
  const glyphs: Glyph[] = []
  let unmapped = 0
  let invisible = 0
  for (let index = 0; index < count; index += 1) {
    const code = engine._FPDFText_GetUnicode(text, index)
    const generated = engine._FPDFText_IsGenerated(text, index) === 1
    if (generated) continue
    const object = engine._FPDFText_GetTextObject(text, index)
    let style = styles.get(object)
    if (style === undefined) {
      style = readStyle(engine, text, index, object, fonts)
      styles.set(object, style)
    }
    if (style.invisible) {
      invisible += 1
      continue
    }
    const sign = code === 0 ? '\ufffd' : plainSign(String.fromCodePoint(code <= 0x10ffff ? code : 0xfffd))
    if (sign === '') continue
    if (isUnmapped(code) || (sign !== ' ' && engine._FPDFText_HasUnicodeMapError(text, index) === 1)) unmapped += 1
    const glyph = placeGlyph(engine, text, index, sign, style, frame, scratch)
    if (glyph !== undefined) for (const one of split(glyph)) glyphs.push(one)
  }
  return { glyphs, unmapped, invisible }
}

const isUnmapped = (code: number): boolean =>
  code === 0 || code === 0xfffd || (code >= 0xe000 && code <= 0xf8ff) || (code < 0x20 && ![9, 10, 13].includes(code))

/** A ligature gives way to its letters, side by side in its box. */
function split(glyph: Glyph): Glyph[] {
  const letters = [...glyph.sign]
  if (letters.length < 2) return [glyph]
  const step = (glyph.x1 - glyph.x0) / letters.length
  return letters.map((sign, index) => ({
    ...glyph,
    sign,
    x0: glyph.x0 + step * index,
    x1: glyph.x0 + step * (index + 1),
  }))
}

function readStyle(engine: Pdfium, text: number, index: number, object: number, fonts: Map<number, boolean>): Style {
  const matrix = engine._malloc(24)
  engine._FPDFPageObj_GetMatrix(object, matrix)
  const c = engine.HEAPF32[(matrix >> 2) + 2] ?? 0
  const d = engine.HEAPF32[(matrix >> 2) + 3] ?? 1
  engine._free(matrix)
  const scale = Math.hypot(c, d) || 1
  const font = engine._FPDFTextObj_GetFont(object)
  let bold = fonts.get(font)
  if (bold === undefined) {
    bold = font !== 0 && isBold(engine, font)
    fonts.set(font, bold)
  }
  const mode = engine._FPDFTextObj_GetTextRenderMode(object)
  return {
    fontSize: engine._FPDFText_GetFontSize(text, index) * scale,
    bold: bold || mode === 2,
    invisible: mode === 3 || mode === 7 || isTransparent(engine, object),
  }
}

function isBold(engine: Pdfium, font: number): boolean {
  const name = readUtf8(engine, (buffer, size) => engine._FPDFFont_GetBaseFontName(font, buffer, size))
  return /bold|black|heavy|negrita|semib|demi/i.test(name) || engine._FPDFFont_GetWeight(font) >= 600
}

function readUtf8(engine: Pdfium, call: (buffer: number, size: number) => number): string {
  const size = call(0, 0)
  if (size <= 1 || size > 1024) return ''
  const pointer = engine._malloc(size)
  call(pointer, size)
  const name = Buffer.from(engine.HEAPU8.subarray(pointer, pointer + size - 1)).toString('utf8')
  engine._free(pointer)
  return name
}

function isTransparent(engine: Pdfium, object: number): boolean {
  const color = engine._malloc(16)
  const known = engine._FPDFPageObj_GetFillColor(object, color, color + 4, color + 8, color + 12) === 1
  const alpha = engine.HEAPU32[(color + 12) >> 2] ?? 255
  engine._free(color)
  return known && alpha < 8
}

function placeGlyph(
  engine: Pdfium,
  text: number,
  index: number,
  sign: string,
  style: Style,
  frame: PageFrame,
  scratch: number,
): Glyph | undefined {
  const angle = engine._FPDFText_GetCharAngle(text, index)
  const rotation = seenRotation(angle, frame.matrix)
  if (rotation === undefined || style.fontSize < fontSizeMinPt) return undefined
  const upward = Math.abs(Math.sin(angle)) > 0.7
  const place = { text, index, rotation, upward, fontSize: style.fontSize, scratch }
  const [x0, y0, x1, y1] =
    Math.abs(Math.sin(angle)) < 0.01 && Math.cos(angle) > 0
      ? looseBox(engine, place, frame)
      : turnedBox(engine, place, frame)
  const middleX = (x0 + x1) / 2
  const middleY = (y0 + y1) / 2
  const outside = middleX < 0 || middleY < 0 || middleX > frame.widthPt || middleY > frame.heightPt
  if (outside || Number.isNaN(middleX + middleY)) return undefined
  return { sign, x0, y0, x1, y1, fontSize: style.fontSize, bold: style.bold, rotation }
}

interface Place {
  text: number
  index: number
  rotation: Glyph['rotation']
  /** In the page's own space it runs up or down. */
  upward: boolean
  fontSize: number
  scratch: number
}

/** The loose box has the font's height, so that words of one line agree; PDFium knows it for unturned text only. */
function looseBox(engine: Pdfium, place: Place, frame: PageFrame): Rect {
  const { text, index, scratch } = place
  const at = scratch >> 2
  engine._FPDFText_GetLooseCharBox(text, index, scratch)
  const left = engine.HEAPF32[at] ?? 0
  const top = engine.HEAPF32[at + 1] ?? 0
  const right = engine.HEAPF32[at + 2] ?? 0
  const bottom = engine.HEAPF32[at + 3] ?? 0
  if (right <= left || top <= bottom) return turnedBox(engine, place, frame)
  return applyBox(frame.matrix, left, bottom, right, top)
}

const ascent = 0.8
const descent = 0.2

/**
 * Of turned text: along the line from the glyph's origin as far as it advances, across it the font's height about the
 * baseline. The advance is the length of PDFium's loose box, which lies elsewhere. Where it tells none the ink counts,
 * which leaves gaps around narrow figures.
 */
function turnedBox(
  engine: Pdfium,
  { text, index, rotation, upward, fontSize, scratch }: Place,
  frame: PageFrame,
): Rect {
  const wide = scratch >> 3
  engine._FPDFText_GetLooseCharBox(text, index, scratch)
  const [looseLeft, looseTop, looseRight, looseBottom] = [0, 1, 2, 3].map((at) => engine.HEAPF32[(scratch >> 2) + at])
  const advance = upward ? (looseTop ?? 0) - (looseBottom ?? 0) : (looseRight ?? 0) - (looseLeft ?? 0)
  engine._FPDFText_GetCharOrigin(text, index, scratch, scratch + 8)
  const originX = engine.HEAPF64[wide] ?? 0
  const originY = engine.HEAPF64[wide + 1] ?? 0
  const x = applyX(frame.matrix, originX, originY)
  const y = applyY(frame.matrix, originX, originY)
  engine._FPDFText_GetCharBox(text, index, scratch, scratch + 8, scratch + 16, scratch + 24)
  const [left, right, bottom, top] = [0, 1, 2, 3].map((offset) => engine.HEAPF64[wide + offset] ?? 0)
  const [x0, y0, x1, y1] = applyBox(frame.matrix, left ?? 0, bottom ?? 0, right ?? 0, top ?? 0)
  const above = ascent * fontSize
  const below = descent * fontSize
  const ink = rotation === 0 || rotation === 180 ? x1 - x0 : y1 - y0
  if (advance > 0.9 * ink && advance < 2.2 * fontSize) {
    if (rotation === 0) return [x, y - above, x + advance, y + below]
    if (rotation === 180) return [x - advance, y - below, x, y + above]
    return rotation === 90 ? [x - below, y, x + above, y + advance] : [x - above, y - advance, x + below, y]
  }
  if (rotation === 0) return [x0, y - above, x1, y + below]
  if (rotation === 180) return [x0, y - below, x1, y + above]
  return rotation === 90 ? [x - below, y0, x + above, y1] : [x - above, y0, x + below, y1]
}

/** Degrees clockwise as seen, to the nearest quarter turn; `undefined` for slanted text such as a watermark. */
function seenRotation(angle: number, matrix: Matrix): Glyph['rotation'] | undefined {
  const dx = Math.cos(angle)
  // PDFium counts a glyph's angle clockwise, against the direction of its own y axis.
  const dy = -Math.sin(angle)
  const degrees = (Math.atan2(matrix[1] * dx + matrix[3] * dy, matrix[0] * dx + matrix[2] * dy) * 180) / Math.PI
  const quarter = Math.round(degrees / 90)
  if (Math.abs(degrees - quarter * 90) > 8) return undefined
  const turns = [0, 90, 180, 270] as const
  return turns[((quarter % 4) + 4) % 4]
}
