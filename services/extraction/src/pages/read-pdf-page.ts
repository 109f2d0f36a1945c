import type { Page } from '../domain/page.ts'
import { glyphsToWords } from './glyphs-to-words.ts'
import { type Drawing, readDrawing } from './pdf-drawing.ts'
import { readFields } from './pdf-fields.ts'
import type { PdfFile } from './pdf-file.ts'
import { type PageFrame, turnFrame, withPage } from './pdf-page.ts'
import { dominantRotation, type PageText, readText } from './pdf-text.ts'
import { judgeTextLayer, type TextLayer } from './text-layer.ts'

export interface PdfPageReading {
  page: Page
  layer: TextLayer
  drawing: Drawing
  frame: PageFrame
}

/** Reads the text and the drawn lines of one page of a PDF. `undefined` when the page itself is broken. */
export function readPdfPage(file: PdfFile, index: number): PdfPageReading | undefined {
  return withPage(file, index, (pointer, frame) => {
    const text = readText(file, pointer, frame)
    const turn = dominantRotation(text.glyphs)
    if (turn === 0) return assemble(file, { pointer, index, frame, text })
    const turned = turnFrame(frame, turn)
    return assemble(file, { pointer, index, frame: turned, text: readText(file, pointer, turned) })
  })
}

interface Parts {
  pointer: number
  index: number
  frame: PageFrame
  text: PageText
}

function assemble(file: PdfFile, { pointer, index, frame, text }: Parts): PdfPageReading {
  const drawing = readDrawing(file, pointer, frame)
  const { widthPt, heightPt } = frame
  const words = glyphsToWords(text.glyphs, widthPt, heightPt)
  const lines = (words.at(-1)?.line ?? -1) + 1
  words.push(...readFields(file, pointer, frame, lines))
  return {
    page: { index, widthPt, heightPt, source: 'text', words, rules: drawing.rules },
    layer: judgeTextLayer(text, drawing, frame),
    drawing,
    frame,
  }
}
