import type { Document } from '../domain/page.ts'
import type { Reader } from '../pages/open-document.ts'
import type { Format } from '../pages/sniff.ts'
import { decode } from './decode.ts'
import { recognizePage } from './recognize-page.ts'

/** Reads an image of one page. Fails with FILE_TYPE_INVALID when it is broken or too large. */
export async function readImage(bytes: Uint8Array, format: Exclude<Format, 'pdf'>): Promise<Reader> {
  const { page, raster, dpi } = await recognizePage(await decode(bytes), { index: 0, photo: true })
  const document: Document = {
    format,
    engine: 'ocr',
    pageCount: 1,
    pages: [page],
    warnings: page.quality?.low === true ? [lowQuality(1)] : [],
  }
  return { document, rasters: new Map([[0, { raster, dpi }]]) }
}

export const lowQuality = (page: number): Document['warnings'][number] => ({
  code: 'low_quality_image',
  message: `The picture of page ${page} is of low quality: amounts read from it should be checked.`,
  page,
})
