import type { Rule } from '../domain/page.ts'
import type { PdfFile } from './pdf-file.ts'
import { applyBox, applyX, applyY, type Matrix, multiply, type PageFrame, type Rect } from './pdf-page.ts'
import type { Pdfium } from './pdfium.ts'

/** One picture on a page, in points from the top left of the seen page. */
export interface Picture {
  object: number
  box: Rect
  widthPx: number
  heightPx: number
  /** The whole placement, for a picture that is to be shown as it lies on the page. */
  matrix: Matrix
}

export interface Drawing {
  rules: Rule[]
  pictures: Picture[]
  /** Other painted shapes; text turned into outlines is hundreds of them. */
  shapes: number
}

/** Objects looked at per page; a drawing with more (a map, a QR code of rectangles) is no table. */
const objectsMax = 6000
const depthMax = 4
const segmentsMax = 400
const rulesMax = 3000

/** FPDF_PAGEOBJ_* */
const pathType = 2
const imageType = 3
const formType = 5

interface Walk {
  engine: Pdfium
  frame: PageFrame
  scratch: number
  objects: number
  drawing: Drawing
}

/** Finds drawn lines, edges of boxes and pictures on an open page. */
export function readDrawing(file: PdfFile, page: number, frame: PageFrame): Drawing {
  const { engine } = file
  const drawing: Drawing = { rules: [], pictures: [], shapes: 0 }
  const walk: Walk = { engine, frame, scratch: engine._malloc(48), objects: 0, drawing }
  try {
    const count = engine._FPDFPage_CountObjects(page)
    for (let index = 0; index < count && walk.objects < objectsMax; index += 1) {
      visit(walk, engine._FPDFPage_GetObject(page, index), frame.matrix, 0)
    }
  } finally {
    engine._free(walk.scratch)
  }
  return drawing
}

function visit(walk: Walk, object: number, matrix: Matrix, depth: number): void {
  walk.objects += 1
  const { engine } = walk
  const type = engine._FPDFPageObj_GetType(object)
  if (type === pathType) visitPath(walk, object, matrix)
  else if (type === imageType) visitImage(walk, object, matrix)
  else if (type === formType && depth < depthMax) {
    const inner = multiply(matrix, readMatrix(walk, object))
    const count = engine._FPDFFormObj_CountObjects(object)
    for (let index = 0; index < count && walk.objects < objectsMax; index += 1) {
      visit(walk, engine._FPDFFormObj_GetObject(object, index), inner, depth + 1)
    }
  }
}

function readMatrix({ engine, scratch }: Walk, object: number): Matrix {
  if (engine._FPDFPageObj_GetMatrix(object, scratch) !== 1) return [1, 0, 0, 1, 0, 0]
  const at = scratch >> 2
  const value = (offset: number): number => engine.HEAPF32[at + offset] ?? 0
  return [value(0), value(1), value(2), value(3), value(4), value(5)]
}

function visitImage(walk: Walk, object: number, matrix: Matrix): void {
  const { engine, scratch, drawing } = walk
  const placed = multiply(matrix, readMatrix(walk, object))
  engine._FPDFImageObj_GetImagePixelSize(object, scratch, scratch + 4)
  drawing.pictures.push({
    object,
    box: applyBox(placed, 0, 0, 1, 1),
    widthPx: engine.HEAPU32[scratch >> 2] ?? 0,
    heightPx: engine.HEAPU32[(scratch + 4) >> 2] ?? 0,
    matrix: placed,
  })
}

function visitPath(walk: Walk, object: number, matrix: Matrix): void {
  const { engine, scratch, drawing } = walk
  const at = scratch >> 2
  engine._FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12)
  const [left, bottom, right, top] = [0, 1, 2, 3].map((offset) => engine.HEAPF32[at + offset] ?? 0)
  const box = applyBox(matrix, left ?? 0, bottom ?? 0, right ?? 0, top ?? 0)
  const [x0, y0, x1, y1] = box
  if (x1 - x0 < 6 && y1 - y0 < 6) {
    drawing.shapes += 1
    return
  }
  if (addThin(walk, box)) return
  engine._FPDFPath_GetDrawMode(object, scratch, scratch + 4)
  const fills = engine.HEAP32[at] !== 0
  const strokes = engine.HEAP32[at + 1] === 1
  if (!fills && !strokes) return
  const segments = engine._FPDFPath_CountSegments(object)
  drawing.shapes += 1
  if (segments <= segmentsMax) addSegments(walk, object, multiply(matrix, readMatrix(walk, object)), segments)
}

/** A long thin area is a line however it was painted. */
function addThin(walk: Walk, [x0, y0, x1, y1]: Rect): boolean {
  const width = x1 - x0
  const height = y1 - y0
  if (height <= 3 && width >= 6) addRule(walk, x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, 'horizontal')
  else if (width <= 3 && height >= 6) addRule(walk, (x0 + x1) / 2, y0, (x0 + x1) / 2, y1, 'vertical')
  else return false
  return true
}

function addSegments(walk: Walk, path: number, matrix: Matrix, count: number): void {
  const { engine, scratch } = walk
  let [startX, startY, x, y] = [0, 0, 0, 0]
  for (let index = 0; index < count; index += 1) {
    const segment = engine._FPDFPath_GetPathSegment(path, index)
    engine._FPDFPathSegment_GetPoint(segment, scratch, scratch + 4)
    const px = engine.HEAPF32[scratch >> 2] ?? 0
    const py = engine.HEAPF32[(scratch + 4) >> 2] ?? 0
    const nextX = applyX(matrix, px, py)
    const nextY = applyY(matrix, px, py)
    const type = engine._FPDFPathSegment_GetType(segment)
    if (type === 2) [startX, startY] = [nextX, nextY]
    else if (type === 0) addLine(walk, x, y, nextX, nextY)
    if (engine._FPDFPathSegment_GetClose(segment) === 1) addLine(walk, nextX, nextY, startX, startY)
    x = nextX
    y = nextY
  }
}

function addLine(walk: Walk, x0: number, y0: number, x1: number, y1: number): void {
  const width = Math.abs(x1 - x0)
  const height = Math.abs(y1 - y0)
  if (width >= 6 && height < 0.02 * width + 0.3) {
    addRule(walk, Math.min(x0, x1), (y0 + y1) / 2, Math.max(x0, x1), (y0 + y1) / 2, 'horizontal')
  } else if (height >= 6 && width < 0.02 * height + 0.3) {
    addRule(walk, (x0 + x1) / 2, Math.min(y0, y1), (x0 + x1) / 2, Math.max(y0, y1), 'vertical')
  }
}

function addRule(walk: Walk, x0: number, y0: number, x1: number, y1: number, direction: Rule['direction']): void {
  const { widthPt, heightPt } = walk.frame
  const { rules } = walk.drawing
  const outside = x1 < 0 || y1 < 0 || x0 > widthPt || y0 > heightPt
  if (outside || rules.length >= rulesMax) return
  const unit = (value: number, size: number): number => Math.min(1, Math.max(0, Math.round((value / size) * 1e5) / 1e5))
  rules.push({
    x0: unit(x0, widthPt),
    y0: unit(y0, heightPt),
    x1: unit(x1, widthPt),
    y1: unit(y1, heightPt),
    direction,
  })
}
