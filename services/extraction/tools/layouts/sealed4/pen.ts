import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import fontkit from '@pdf-lib/fontkit'
import {
  beginText,
  degrees,
  endText,
  PDFArray,
  PDFDocument,
  type PDFFont,
  type PDFName,
  PDFNumber,
  PDFOperator,
  PDFOperatorNames,
  type PDFPage,
  rgb,
  StandardFonts,
  setFillingRgbColor,
  setFontAndSize,
  setTextMatrix,
  showText,
} from 'pdf-lib'

/**
 * How a producer shows a text: `run` in one piece, `words` one by one, `glyphs` one letter at a time, `kerned` as one array
 * with corrections between pieces of words, `unspaced` as TeX does, where a blank is only a movement.
 */
export type Way = 'run' | 'words' | 'glyphs' | 'kerned' | 'unspaced'
type Face = 'helvetica' | 'times' | 'courier' | 'pt-serif' | 'lato' | 'roboto'

export interface Ink {
  size?: number
  bold?: boolean
  align?: 'left' | 'right' | 'center'
  way?: Way
  color?: readonly [number, number, number]
  /** Shrinks what is wider, as fields that hold long names do. */
  fit?: number
  /** Reads upwards. */
  up?: boolean
}

export interface PenOptions {
  face?: Face
  producer: string
  /** Points. */
  size?: readonly [width: number, height: number]
  /** Lower left corner of the media box. */
  origin?: readonly [x: number, y: number]
  /** What is drawn when no other ink is given. */
  ink?: Ink
}

/** Writes straight into content streams; points from the top left of the page, `y` is the base line of a text. */
export interface Pen {
  document: PDFDocument
  page: () => PDFPage
  addPage: () => void
  say: (x: number, y: number, text: string, ink?: Ink) => void
  /** Width in points. */
  wide: (text: string, ink?: Ink) => number
  wrap: (text: string, widthPt: number, ink?: Ink) => string[]
  rule: (x0: number, y0: number, x1: number, y1: number, thickness?: number) => void
  box: (x: number, y: number, width: number, height: number, grey?: number) => void
  save: () => Promise<Uint8Array>
}

const standard: Partial<Record<Face, readonly [StandardFonts, StandardFonts]>> = {
  helvetica: [StandardFonts.Helvetica, StandardFonts.HelveticaBold],
  times: [StandardFonts.TimesRoman, StandardFonts.TimesRomanBold],
  courier: [StandardFonts.Courier, StandardFonts.CourierBold],
}
const require = createRequire(import.meta.url)
export const a4 = [595.28, 841.89] as const

export async function openPen({
  face = 'helvetica',
  producer,
  size = a4,
  origin = [0, 0],
  ink: usual = {},
}: PenOptions): Promise<Pen> {
  const document = await PDFDocument.create({ updateMetadata: false })
  document.setProducer(producer)
  document.setCreationDate(new Date(0))
  const [regular, bold] = await loadFaces(document, face)
  const addPage = (): PDFPage => {
    const added = document.addPage([size[0], size[1]])
    added.setMediaBox(origin[0], origin[1], size[0], size[1])
    keys = [added.node.newFontDictionary(regular.name, regular.ref), added.node.newFontDictionary(bold.name, bold.ref)]
    return added
  }
  let keys: [PDFName, PDFName]
  let page = addPage()
  const down = (y: number): number => origin[1] + size[1] - y
  const all = (ink: Ink): Ink & { size: number } => ({ size: 9, ...usual, ...ink })
  const fontOf = (ink: Ink): PDFFont => (ink.bold ? bold : regular)
  // Letter by letter: the width that pdf-lib gives for a whole text counts a kerning that `Tj` does not do.
  const wide = (text: string, ink: Ink = {}): number =>
    [...text].reduce((sum, sign) => sum + fontOf(all(ink)).widthOfTextAtSize(sign, all(ink).size), 0)

  const say = (x: number, y: number, text: string, given: Ink = {}): void => {
    if (text === '') return
    const asked = all(given)
    const ink = { ...asked, size: asked.size * Math.min(1, (asked.fit ?? Infinity) / wide(text, asked)) }
    const font = fontOf(ink)
    const length = wide(text, ink)
    const [red, green, blue] = ink.color ?? [0, 0, 0]
    const back = ink.align === 'right' ? length : ink.align === 'center' ? length / 2 : 0
    const put = (along: number, ...shown: PDFOperator[]): void => {
      const [cos, sin] = ink.up ? [0, 1] : [1, 0]
      page.pushOperators(
        beginText(),
        setFillingRgbColor(red, green, blue),
        setFontAndSize(ink.bold ? keys[1] : keys[0], ink.size),
        setTextMatrix(cos, sin, -sin, cos, origin[0] + x + cos * (along - back), down(y) + sin * (along - back)),
        ...shown,
        endText(),
      )
    }
    const way = ink.way ?? 'run'
    if (way === 'run') put(0, showText(font.encodeText(text)))
    else if (way === 'kerned' || way === 'unspaced') put(0, shownArray(document, font, text, way))
    else {
      const pieces = way === 'glyphs' ? [...text] : text.split(/(?<= )/)
      let along = 0
      for (const piece of pieces) {
        if (piece.trim() !== '') put(along, showText(font.encodeText(piece.trimEnd())))
        along += wide(piece, ink)
      }
    }
  }

  return {
    document,
    page: () => page,
    addPage: () => {
      page = addPage()
    },
    say,
    wide,
    wrap: (text, widthPt, ink) => {
      const lines: string[] = []
      for (const word of text.split(' ')) {
        const longer = `${lines.at(-1) ?? ''} ${word}`.trim()
        if (lines.length > 0 && wide(longer, ink) <= widthPt) lines[lines.length - 1] = longer
        else lines.push(word)
      }
      return lines
    },
    rule: (x0, y0, x1, y1, thickness = 0.6) =>
      page.drawLine({
        start: { x: origin[0] + x0, y: down(y0) },
        end: { x: origin[0] + x1, y: down(y1) },
        thickness,
      }),
    box: (x, y, width, height, grey) =>
      page.drawRectangle({
        x: origin[0] + x,
        y: down(y + height),
        width,
        height,
        rotate: degrees(0),
        ...(grey === undefined ? { borderColor: rgb(0, 0, 0), borderWidth: 0.6 } : { color: rgb(grey, grey, grey) }),
      }),
    save: () => document.save(),
  }
}

/** One TJ: pieces of words with small corrections between them; a blank of TeX is a movement of its width. */
function shownArray(document: PDFDocument, font: PDFFont, text: string, way: 'kerned' | 'unspaced'): PDFOperator {
  const array = PDFArray.withContext(document.context)
  const blank = -Math.round(font.widthOfTextAtSize(' ', 1000))
  const pieces = way === 'unspaced' ? text.split(/( )|(?<=[AVTPFo])(?=[a-z,.])/) : text.split(/(?<=.{3})(?=.)/)
  for (const [index, piece] of pieces.filter((part) => part !== undefined && part !== '').entries()) {
    if (way === 'unspaced' && piece === ' ') array.push(PDFNumber.of(blank))
    else {
      if (index > 0) array.push(PDFNumber.of([12, -9, 18, -4][index % 4] ?? 0))
      array.push(font.encodeText(piece))
    }
  }
  return PDFOperator.of(PDFOperatorNames.ShowTextAdjusted, [array])
}

async function loadFaces(document: PDFDocument, face: Face): Promise<readonly [PDFFont, PDFFont]> {
  const names = standard[face]
  if (names !== undefined) return [await document.embedFont(names[0]), await document.embedFont(names[1])]
  document.registerFontkit(fontkit)
  const load = async (weight: number): Promise<PDFFont> => {
    const file = require.resolve(`@fontsource/${face}/files/${face}-latin-${weight}-normal.woff`)
    return document.embedFont(await readFile(file), { subset: true })
  }
  return [await load(400), await load(700)]
}
