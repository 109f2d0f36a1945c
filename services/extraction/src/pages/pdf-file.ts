import { fail } from '@asiento/proto/errors'
import { type Pdfium, pdfium, withText } from './pdfium.ts'

/** An open PDF. Everything read through it is dead after the call that opened it returns. */
export interface PdfFile {
  engine: Pdfium
  document: number
  pageCount: number
}

/** FPDF_ERR_* of fpdfview.h. */
const passwordError = 4
const securityError = 5

/**
 * Opens a PDF, hands it to `use`, and frees all its memory.
 *
 * Fails with FILE_TYPE_INVALID, whose detail says why, when it is encrypted, broken or without pages. PDFs that are
 * encrypted with an empty user password open like any other (they are readable by everybody).
 */
export async function withPdf<T>(bytes: Uint8Array, use: (file: PdfFile) => Promise<T> | T): Promise<T> {
  const engine = await pdfium()
  const pointer = engine._malloc(bytes.length)
  if (pointer === 0) fail('FILE_TYPE_INVALID', { detail: 'The PDF is too large to be opened.' })
  engine.HEAPU8.set(bytes, pointer)
  let document = 0
  try {
    document = withText(engine, '', (empty) => engine._FPDF_LoadMemDocument(pointer, bytes.length, empty))
    if (document === 0) refuse(engine._FPDF_GetLastError(), bytes)
    const pageCount = engine._FPDF_GetPageCount(document)
    if (pageCount <= 0) fail('FILE_TYPE_INVALID', { detail: 'The PDF has no pages.' })
    return await use({ engine, document, pageCount })
  } finally {
    if (document !== 0) engine._FPDF_CloseDocument(document)
    engine._free(pointer)
  }
}

function refuse(code: number, bytes: Uint8Array): never {
  if (code === passwordError || code === securityError) {
    fail('FILE_TYPE_INVALID', { detail: 'The PDF is encrypted: it needs a password to be read.' })
  }
  const tail = Buffer.from(bytes.subarray(Math.max(0, bytes.length - 2048))).toString('latin1')
  fail('FILE_TYPE_INVALID', {
    detail: tail.includes('%%EOF') ? 'The PDF is corrupt and cannot be opened.' : 'The PDF is truncated.',
  })
}
