import type { Box, Document } from '../domain/page.ts'
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
