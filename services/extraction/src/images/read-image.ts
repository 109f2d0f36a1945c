import type { Document } from '../domain/page.ts'
import type { ReadOptions } from '../pages/read-document.ts'
import type { Format } from '../pages/sniff.ts'

export async function readImage(
  _bytes: Uint8Array,
  format: Exclude<Format, 'pdf'>,
  _options: ReadOptions,
): Promise<Document> {
  return { format, engine: 'ocr', pageCount: 1, pages: [], warnings: [] }
}
