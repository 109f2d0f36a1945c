import { AppError, fail } from '@asiento/proto/errors'
import { type Pdfium, pdfium, retirePdfium, withText } from './pdfium.ts'

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
  try {
    const result = await open(engine, bytes, use)
    retirePdfium(engine, false)
    return result
  } catch (error) {
    const faulted = !(error instanceof AppError)
    retirePdfium(engine, faulted)
    if (!isEngineFault(error)) throw error
    return fail('FILE_TYPE_INVALID', { detail: 'The PDF is corrupt or too complex to be read.', cause: error })
  }
}

/** WebAssembly's RuntimeError has no type here; a RangeError is memory that could not be taken. */
const isEngineFault = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError')

async function open<T>(engine: Pdfium, bytes: Uint8Array, use: (file: PdfFile) => Promise<T> | T): Promise<T> {
  const pointer = engine._malloc(bytes.length)
  if (pointer === 0) fail('FILE_TYPE_INVALID', { detail: 'The PDF is too large to be opened.' })
  let document = 0
  let faulted = false
  try {
    engine.HEAPU8.set(bytes, pointer)
    document = withText(engine, '', (empty) => engine._FPDF_LoadMemDocument(pointer, bytes.length, empty))
    if (document === 0) refuse(engine._FPDF_GetLastError(), bytes)
    const pageCount = engine._FPDF_GetPageCount(document)
    if (pageCount <= 0) fail('FILE_TYPE_INVALID', { detail: 'The PDF has no pages.' })
    return await use({ engine, document, pageCount })
  } catch (error) {
    faulted = !(error instanceof AppError)
    throw error
  } finally {
    // After a fault the engine's memory is in an unknown state: freeing could fault again and hide the cause.
    if (!faulted) {
      if (document !== 0) engine._FPDF_CloseDocument(document)
      engine._free(pointer)
    }
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
