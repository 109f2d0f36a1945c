import type { PdfFile } from './pdf-file.ts'
import type { Pdfium } from './pdfium.ts'

/** Grey pixels, one byte each, row by row from the top. */
export interface Raster {
  data: Uint8Array
  width: number
  height: number
}

/** Largest side and area of a drawn page: A4 at 600 dpi fits, a page of a square kilometre is drawn small. */
const sidePxMax = 5000
const areaPxMax = 16_000_000

/** FPDFBitmap_Gray, and the flags FPDF_ANNOT, FPDF_GRAYSCALE, FPDF_PRINTING. */
const grayFormat = 1
const flags = 0x01 | 0x08 | 0x800

/** Draws a page with its annotations and form fields on white. `undefined` when the page is broken. */
export async function renderPage(file: PdfFile, index: number, { dpi }: { dpi: number }): Promise<Raster | undefined> {
  const { engine, document } = file
  const page = engine._FPDF_LoadPage(document, index)
  if (page === 0) return undefined
  try {
    const widthPt = engine._FPDF_GetPageWidthF(page)
    const heightPt = engine._FPDF_GetPageHeightF(page)
    if (!(widthPt > 0 && heightPt > 0)) return undefined
    const { width, height } = pixelSize(widthPt, heightPt, dpi)
    return draw(engine, page, width, height)
  } finally {
    engine._FPDF_ClosePage(page)
  }
}

/** Pixels of a page at a resolution, within the limits. */
export function pixelSize(widthPt: number, heightPt: number, dpi: number): { width: number; height: number } {
  const side = Math.max(widthPt, heightPt)
  const scale = Math.min(dpi / 72, sidePxMax / side, Math.sqrt(areaPxMax / (widthPt * heightPt)))
  return { width: Math.max(1, Math.round(widthPt * scale)), height: Math.max(1, Math.round(heightPt * scale)) }
}

function draw(engine: Pdfium, page: number, width: number, height: number): Raster | undefined {
  const bitmap = engine._FPDFBitmap_CreateEx(width, height, grayFormat, 0, 0)
  if (bitmap === 0) return undefined
  try {
    engine._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff)
    engine._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
    const stride = engine._FPDFBitmap_GetStride(bitmap)
    const start = engine._FPDFBitmap_GetBuffer(bitmap)
    if (stride === width) return { data: engine.HEAPU8.slice(start, start + width * height), width, height }
    const data = new Uint8Array(width * height)
    for (let row = 0; row < height; row += 1) {
      data.set(engine.HEAPU8.subarray(start + row * stride, start + row * stride + width), row * width)
    }
    return { data, width, height }
  } finally {
    engine._FPDFBitmap_Destroy(bitmap)
  }
}
