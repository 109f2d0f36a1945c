import type { PdfFile } from './pdf-file.ts'
import type { Pdfium } from './pdfium.ts'

/** Points of a page as a person sees it: turned as the page says, cropped, y downwards from the top left. */
export interface PageFrame {
  widthPt: number
  heightPt: number
  /** Of user space to the seen page: x' = a·x + c·y + e, y' = b·x + d·y + f. */
  matrix: Matrix
}

export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

const gridSize = 1_000_000

/** Opens one page, hands it to `use` and closes it. `undefined` when the page itself is broken. */
export function withPage<T>(file: PdfFile, index: number, use: (page: number, frame: PageFrame) => T): T | undefined {
  const { engine } = file
  const page = engine._FPDF_LoadPage(file.document, index)
  if (page === 0) return undefined
  try {
    const widthPt = engine._FPDF_GetPageWidthF(page)
    const heightPt = engine._FPDF_GetPageHeightF(page)
    if (!(widthPt > 0 && heightPt > 0)) return undefined
    return use(page, { widthPt, heightPt, matrix: seenMatrix(engine, page, widthPt, heightPt) })
  } finally {
    engine._FPDF_ClosePage(page)
  }
}

/** PDFium keeps the page's display matrix to itself; three points tell it. */
function seenMatrix(engine: Pdfium, page: number, widthPt: number, heightPt: number): Matrix {
  const out = engine._malloc(8)
  const reach = Math.max(widthPt, heightPt)
  const seen = (x: number, y: number): [number, number] => {
    engine._FPDF_PageToDevice(page, 0, 0, gridSize, gridSize, 0, x, y, out, out + 4)
    const deviceX = engine.HEAP32[out >> 2] ?? 0
    const deviceY = engine.HEAP32[(out + 4) >> 2] ?? 0
    return [(deviceX * widthPt) / gridSize, (deviceY * heightPt) / gridSize]
  }
  const [e, f] = seen(0, 0)
  const [ax, bx] = seen(reach, 0)
  const [cy, dy] = seen(0, reach)
  engine._free(out)
  return [(ax - e) / reach, (bx - f) / reach, (cy - e) / reach, (dy - f) / reach, e, f]
}

export const applyX = (m: Matrix, x: number, y: number): number => m[0] * x + m[2] * y + m[4]
export const applyY = (m: Matrix, x: number, y: number): number => m[1] * x + m[3] * y + m[5]

/** First `inner`, then `outer`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  return [
    outer[0] * inner[0] + outer[2] * inner[1],
    outer[1] * inner[0] + outer[3] * inner[1],
    outer[0] * inner[2] + outer[2] * inner[3],
    outer[1] * inner[2] + outer[3] * inner[3],
    applyX(outer, inner[4], inner[5]),
    applyY(outer, inner[4], inner[5]),
  ]
}

/** The upright box around a box under a matrix: [x0, y0, x1, y1]. */
export function applyBox(m: Matrix, left: number, bottom: number, right: number, top: number): Rect {
  const xa = applyX(m, left, bottom)
  const ya = applyY(m, left, bottom)
  const xb = applyX(m, right, top)
  const yb = applyY(m, right, top)
  return [Math.min(xa, xb), Math.min(ya, yb), Math.max(xa, xb), Math.max(ya, yb)]
}

export type Rect = readonly [x0: number, y0: number, x1: number, y1: number]

/** The frame of a page that is turned so that text running at `rotation` (clockwise) becomes upright. */
export function turnFrame(frame: PageFrame, rotation: 0 | 90 | 180 | 270): PageFrame {
  const { widthPt: w, heightPt: h, matrix } = frame
  switch (rotation) {
    case 90:
      return { widthPt: h, heightPt: w, matrix: multiply([0, -1, 1, 0, 0, w], matrix) }
    case 180:
      return { widthPt: w, heightPt: h, matrix: multiply([-1, 0, 0, -1, w, h], matrix) }
    case 270:
      return { widthPt: h, heightPt: w, matrix: multiply([0, 1, -1, 0, h, 0], matrix) }
    default:
      return frame
  }
}
