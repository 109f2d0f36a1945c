import { fail } from '@asiento/proto/errors'
import { withPdf } from './pdf-file.ts'
import { type Raster, renderPage } from './pdf-raster.ts'
import { readPdfPage } from './read-pdf-page.ts'
import { sniff } from './sniff.ts'

export interface RenderOptions {
  filename?: string
  /** Pixels of the longer side; 1600 when absent, at most 4000. */
  sidePx?: number
}

/**
 * A page as PNG, as the boxes of the reading lie on it: text pages as they are, pictures upright and deskewed.
 *
 * @param page from 0
 * Fails with FILE_TYPE_INVALID like reading, and NOT_FOUND for a page that the document does not have.
 */
export async function renderPagePng(bytes: Uint8Array, page: number, options: RenderOptions = {}): Promise<Uint8Array> {
  const sidePx = Math.min(4000, Math.max(100, options.sidePx ?? 1600))
  const format = sniff(bytes, options)
  const raster = format === 'pdf' ? await pdfPicture(bytes, page, sidePx) : await imagePicture(bytes, page)
  const { default: sharp } = await import('sharp')
  const { data, width, height } = raster
  return sharp(data, { raw: { width, height, channels: 1 } })
    .resize({ width: sidePx, height: sidePx, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 6 })
    .toBuffer()
}

const missing = (): never => fail('NOT_FOUND', { detail: 'The document does not have this page.' })

async function imagePicture(bytes: Uint8Array, page: number): Promise<Raster> {
  if (page !== 0) return missing()
  const { decode } = await import('../images/decode.ts')
  const { recognizePage } = await import('../images/recognize-page.ts')
  return (await recognizePage(await decode(bytes), { index: 0, photo: true })).raster
}

function pdfPicture(bytes: Uint8Array, page: number, sidePx: number): Promise<Raster> {
  return withPdf(bytes, async (file) => {
    if (page < 0 || page >= file.pageCount) return missing()
    const reading = readPdfPage(file, page)
    if (reading === undefined) return missing()
    if (reading.layer === 'image' || reading.layer === 'nonsense') {
      const { recognizePdfPage } = await import('./recognize-pdf-page.ts')
      const { recognized } = await recognizePdfPage(file, reading, [])
      if (recognized !== undefined) return recognized.raster
    }
    const { widthPt, heightPt } = reading.frame
    const raster = await renderPage(file, page, { dpi: (sidePx * 72) / Math.max(widthPt, heightPt) })
    return raster ?? missing()
  })
}
