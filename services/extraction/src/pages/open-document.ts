import type { Box, Document, Page } from '../domain/page.ts'
import type { Raster } from './pdf-raster.ts'
import type { ReadOptions } from './read-document.ts'
import { readPdf } from './read-pdf.ts'
import { sniff } from './sniff.ts'

/** A document as read, with the pictures of its recognized pages kept for a second look. */
export interface Reader {
  document: Document
  /** By page index; only pages read by OCR, and of a long document only some. */
  rasters: Map<number, { raster: Raster; dpi: number }>
}

/** Like `readDocument`, and keeps what {@link reread} needs. Fails alike. */
export async function openDocument(bytes: Uint8Array, options: ReadOptions = {}): Promise<Reader> {
  const format = sniff(bytes, options)
  if (format === 'pdf') return readPdf(bytes, options)
  const { readImage } = await import('../images/read-image.ts')
  return readImage(bytes, format)
}

/**
 * Reads a part of a recognized page again: enlarged, as one line, and with `digitsOnly` with nothing but the signs of
 * amounts allowed. `undefined` for a page of text or one whose picture is not kept.
 */
export async function reread(
  { rasters }: Reader,
  pageIndex: number,
  box: Box,
  { digitsOnly = false }: { digitsOnly?: boolean } = {},
): Promise<{ text: string; confidence: number } | undefined> {
  const kept = rasters.get(pageIndex)
  if (kept === undefined) return undefined
  const { rereadRegion } = await import('../images/reread.ts')
  return rereadRegion(kept.raster, box, { digitsOnly, dpi: kept.dpi })
}

/**
 * What a second reading of the recognized pages makes of the document (see `readNumbersAgain`), for amounts that do not
 * prove: first the words of both readings together, then the second instead of the first. Empty for pages of text. It
 * takes about as long as the part of the pages below the first amount did.
 */
export async function rereadNumbers({ document, rasters }: Reader): Promise<Document[]> {
  if (rasters.size === 0) return []
  const { readNumbersAgain } = await import('../images/read-numbers.ts')
  const merged: Page[] = []
  const replaced: Page[] = []
  for (const page of document.pages) {
    const kept = rasters.get(page.index)
    const again = kept === undefined ? undefined : await readNumbersAgain(kept, page)
    merged.push(again?.merged ?? page)
    replaced.push(again?.replaced ?? page)
  }
  return [
    { ...document, pages: merged },
    { ...document, pages: replaced },
  ]
}
