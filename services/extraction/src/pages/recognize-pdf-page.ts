import type { Page, ReadingWarning } from '../domain/page.ts'
import type { PdfFile } from './pdf-file.ts'
import type { PdfPageReading } from './read-pdf-page.ts'

export async function recognizePdfPage(
  _file: PdfFile,
  reading: PdfPageReading,
  _warnings: ReadingWarning[],
): Promise<Page> {
  return reading.page
}
