import type { Document } from '../domain/page.ts'
import { openDocument } from './open-document.ts'

export interface ReadOptions {
  /** As uploaded; its extension must agree with the content. */
  filename?: string
  /** Pages that may be recognized by OCR; the default of `limits` when absent. 0 reads text only. */
  ocrPagesMax?: number
}

/**
 * Reads a PDF or image into words with boxes. The same bytes and options give the same document.
 *
 * Fails with INVALID_INPUT (empty), FILE_CONTENT_MISMATCH, FILE_TYPE_INVALID (unknown format, encrypted, corrupt,
 * truncated, no pages, too many pixels). It is synchronous for long stretches and may be made to spin by a hostile
 * file: run it in a worker thread that is ended after a time limit.
 */
export async function readDocument(bytes: Uint8Array, options: ReadOptions = {}): Promise<Document> {
  return (await openDocument(bytes, options)).document
}
