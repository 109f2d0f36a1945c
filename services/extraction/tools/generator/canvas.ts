import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import fontkit from '@pdf-lib/fontkit'
import { degrees, PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from 'pdf-lib'

export type FontFamily =
  | 'helvetica'
  | 'times'
  | 'courier'
  | 'roboto'
  | 'open-sans'
  | 'lato'
  | 'montserrat'
  | 'pt-serif'
  | 'space-mono'
  | 'barlow-condensed'
  | 'merriweather'

export type Color = readonly [r: number, g: number, b: number]

export interface TextStyle {
  size: number
  bold?: boolean
  color?: Color
  align?: 'left' | 'right' | 'center'
  /** Extra points between letters. */
  spacing?: number
}

/** A page under the pen: points from the top left, y downwards; `y` of a text is the top of its line. */
export interface Canvas {
  widthPt: number
  heightPt: number
  pageCount: () => number
  addPage: () => void
  text: (x: number, y: number, text: string, style: TextStyle) => void
  /** Reads upwards, as registry lines in left margins do. */
  upwards: (x: number, y: number, text: string, style: TextStyle) => void
  rule: (x0: number, y0: number, x1: number, y1: number, thickness?: number, color?: Color) => void
  box: (x: number, y: number, width: number, height: number, paint: { fill?: Color; stroke?: Color }) => void
  width: (text: string, style: TextStyle) => number
  /** Breaks a text into lines that fit. */
  wrap: (text: string, widthPt: number, style: TextStyle) => string[]
  save: () => Promise<Uint8Array>
}

const standard: Partial<Record<FontFamily, readonly [StandardFonts, StandardFonts]>> = {
  helvetica: [StandardFonts.Helvetica, StandardFonts.HelveticaBold],
  times: [StandardFonts.TimesRoman, StandardFonts.TimesRomanBold],
  courier: [StandardFonts.Courier, StandardFonts.CourierBold],
}
const black: Color = [0, 0, 0]
const require = createRequire(import.meta.url)

export interface CanvasOptions {
  widthPt?: number
  heightPt?: number
  font: FontFamily
}

export async function createCanvas({ widthPt = 595.28, heightPt = 841.89, font }: CanvasOptions): Promise<Canvas> {
  const document = await PDFDocument.create()
  document.setCreationDate(new Date(0))
  document.setModificationDate(new Date(0))
  const [regular, bold] = await loadFonts(document, font)
  let page: PDFPage = document.addPage([widthPt, heightPt])
  const fontOf = (style: TextStyle): PDFFont => (style.bold ? bold : regular)
  const width = (text: string, style: TextStyle): number =>
    fontOf(style).widthOfTextAtSize(text, style.size) + (style.spacing ?? 0) * Math.max(0, text.length - 1)
  const paint = (color: Color = black) => rgb(color[0], color[1], color[2])

  const text = (x: number, y: number, content: string, style: TextStyle): void => {
    if (content === '') return
    const shift =
      style.align === 'right' ? width(content, style) : style.align === 'center' ? width(content, style) / 2 : 0
    const options = { size: style.size, font: fontOf(style), color: paint(style.color) }
    const baseline = heightPt - y - style.size * 0.8
    if (style.spacing === undefined) {
      page.drawText(content, { x: x - shift, y: baseline, ...options })
      return
    }
    let at = x - shift
    for (const sign of content) {
      page.drawText(sign, { x: at, y: baseline, ...options })
      at += width(sign, { ...style, spacing: 0 }) + style.spacing
    }
  }

  return {
    widthPt,
    heightPt,
    pageCount: () => document.getPageCount(),
    addPage: () => {
      page = document.addPage([widthPt, heightPt])
    },
    text,
    upwards: (x, y, content, style) => {
      const options = { size: style.size, font: fontOf(style), color: paint(style.color), rotate: degrees(90) }
      page.drawText(content, { x, y: heightPt - y, ...options })
    },
    rule: (x0, y0, x1, y1, thickness = 0.6, color = black) => {
      page.drawLine({
        start: { x: x0, y: heightPt - y0 },
        end: { x: x1, y: heightPt - y1 },
        thickness,
        color: paint(color),
      })
    },
    box: (x, y, boxWidth, height, { fill, stroke }) => {
      page.drawRectangle({
        x,
        y: heightPt - y - height,
        width: boxWidth,
        height,
        ...(fill === undefined ? {} : { color: paint(fill) }),
        ...(stroke === undefined ? {} : { borderColor: paint(stroke), borderWidth: 0.7 }),
      })
    },
    width,
    wrap: (content, widthLimit, style) => wrap(content, (line) => width(line, style) <= widthLimit),
    save: () => document.save({ useObjectStreams: true }),
  }
}

async function loadFonts(document: PDFDocument, family: FontFamily): Promise<readonly [PDFFont, PDFFont]> {
  const names = standard[family]
  if (names !== undefined) return [await document.embedFont(names[0]), await document.embedFont(names[1])]
  document.registerFontkit(fontkit)
  const load = async (weight: number): Promise<PDFFont> => {
    const file = require.resolve(`@fontsource/${family}/files/${family}-latin-${weight}-normal.woff`)
    return document.embedFont(await readFile(file), { subset: true })
  }
  return [await load(400), await load(700)]
}

function wrap(content: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of content.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && !fits(longer)) {
      lines.push(line)
      line = word
    } else line = longer
  }
  if (line !== '') lines.push(line)
  return lines
}
