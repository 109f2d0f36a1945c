import { fail } from '@asiento/proto/errors'
import type { Document, Page, ReadingWarning } from '../domain/page.ts'
import { choosePages, limits } from './limits.ts'
import type { Reader } from './open-document.ts'
import { readEmbeddedXml } from './pdf-attachments.ts'
import { type PdfFile, withPdf } from './pdf-file.ts'
import type { ReadOptions } from './read-document.ts'
import { type PdfPageReading, readPdfPage } from './read-pdf-page.ts'

/** Reads a PDF: its text where it has real text, by OCR where a page is a picture or its text layer is nonsense. */
export function readPdf(bytes: Uint8Array, options: ReadOptions): Promise<Reader> {
  return withPdf(bytes, async (file) => {
    const warnings: ReadingWarning[] = []
    const indexes = choosePages(file.pageCount, limits.textPagesMax)
    if (indexes.length < file.pageCount) warnings.push(leftOut(file.pageCount - indexes.length))
    const readings = indexes.map((index) => readPdfPage(file, index) ?? broken(index, warnings))
    const rasters: Reader['rasters'] = new Map()
    const pages = await recognizePictures({ file, options, warnings, rasters }, readings.filter(isRead))
    if (pages.length === 0) fail('FILE_TYPE_INVALID', { detail: 'The PDF has no readable page.' })
    const embeddedXml = readEmbeddedXml(file)
    const document: Document = {
      format: 'pdf',
      engine: engineOf(pages),
      pageCount: file.pageCount,
      pages,
      ...(embeddedXml === undefined ? {} : { embeddedXml }),
      warnings,
    }
    return { document, rasters }
  })
}

const leftOut = (count: number): ReadingWarning => ({
  code: 'pages_left_out',
  message: `${count} pages in the middle of the document were not read.`,
})

function broken(index: number, warnings: ReadingWarning[]): undefined {
  warnings.push({ code: 'page_unreadable', message: `Page ${index + 1} is broken.`, page: index + 1 })
  return undefined
}

const isRead = (reading: PdfPageReading | undefined): reading is PdfPageReading => reading !== undefined

interface Run {
  file: PdfFile
  options: ReadOptions
  warnings: ReadingWarning[]
  rasters: Reader['rasters']
}

/** Pictures of pages that are kept for a second look: about 6 MB each. */
const rastersMax = 8

async function recognizePictures(run: Run, readings: readonly PdfPageReading[]): Promise<Page[]> {
  const { file, options, warnings, rasters } = run
  const wanted = readings.filter(({ layer }) => layer === 'image' || layer === 'nonsense')
  if (wanted.length === 0) return readings.map(({ page }) => page)
  const max = options.ocrPagesMax ?? limits.ocrPagesMax
  const chosen = new Set(choosePages(wanted.length, max, 4).map((at) => wanted[at]))
  if (chosen.size < wanted.length) warnings.push(leftOut(wanted.length - chosen.size))
  if (chosen.size === 0) return readings.map(({ page }) => page)
  const { recognizePdfPage } = await import('./recognize-pdf-page.ts')
  const pages: Page[] = []
  for (const reading of readings) {
    if (!chosen.has(reading)) {
      pages.push(reading.page)
      continue
    }
    const { page, recognized } = await recognizePdfPage(file, reading, warnings)
    pages.push(page)
    if (recognized !== undefined && rasters.size < rastersMax) rasters.set(page.index, recognized)
  }
  return pages
}

function engineOf(pages: readonly Page[]): Document['engine'] {
  const ocr = pages.filter(({ source }) => source === 'ocr').length
  if (ocr === 0) return 'text'
  return ocr === pages.length ? 'ocr' : 'mixed'
}
