import type { Page, ReadingWarning } from '../domain/page.ts'
import { lowQuality } from '../images/read-image.ts'
import { type RecognizedPage, recognizePage } from '../images/recognize-page.ts'
import type { Picture } from './pdf-drawing.ts'
import type { PdfFile } from './pdf-file.ts'
import { renderPage } from './pdf-raster.ts'
import type { PdfPageReading } from './read-pdf-page.ts'

/** Resolution at which pages without a picture of their own are drawn: text as outlines, garbled fonts. */
const drawnDpi = 250
const dpiMax = 300

/** Recognizes a page of a PDF that is a picture, or whose text layer is nonsense. The old page where nothing is read. */
export async function recognizePdfPage(
  file: PdfFile,
  reading: PdfPageReading,
  warnings: ReadingWarning[],
): Promise<{ page: Page; recognized?: RecognizedPage }> {
  const { index } = reading.page
  const dpi = drawingDpi(reading)
  const raster = await renderPage(file, index, { dpi })
  if (raster === undefined) {
    warnings.push({ code: 'page_unreadable', message: `Page ${index + 1} cannot be drawn.`, page: index + 1 })
    return { page: reading.page }
  }
  const actualDpi = (raster.width * 72) / pageWidth(reading, raster.width > raster.height)
  const recognized = await recognizePage(raster, { index, dpi: actualDpi })
  if (recognized.page.quality?.low === true) warnings.push(lowQuality(index + 1))
  if (reading.layer === 'nonsense') {
    warnings.push({
      code: 'text_layer_replaced',
      message: `The text of page ${index + 1} is not what is printed; it was read from its picture.`,
      page: index + 1,
    })
  }
  return { page: recognized.page, recognized }
}

/** The frame may have been turned upright by its text; the drawing is not. */
function pageWidth({ frame }: PdfPageReading, landscape: boolean): number {
  const long = Math.max(frame.widthPt, frame.heightPt)
  const short = Math.min(frame.widthPt, frame.heightPt)
  return landscape ? long : short
}

/** A scan is drawn at its own resolution, so that its pixels arrive as they are. */
function drawingDpi({ drawing, frame }: PdfPageReading): number {
  const dots = drawing.pictures.map(pictureDpi).filter((value) => Number.isFinite(value) && value > 40)
  const largest = drawing.pictures.some(
    ({ box: [x0, y0, x1, y1] }) => (x1 - x0) * (y1 - y0) > 0.3 * frame.widthPt * frame.heightPt,
  )
  if (dots.length === 0 || !largest) return drawnDpi
  return Math.min(dpiMax, Math.max(...dots))
}

const pictureDpi = ({ widthPx, matrix }: Picture): number => (widthPx * 72) / Math.hypot(matrix[0], matrix[1])
