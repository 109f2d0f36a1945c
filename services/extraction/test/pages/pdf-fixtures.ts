import { PDFDocument, type PDFFont, type PDFPage, StandardFonts } from 'pdf-lib'

export interface FixturePage {
  page: PDFPage
  font: PDFFont
  bold: PDFFont
  document: PDFDocument
}

/** A PDF whose pages are drawn by the callers; A4 unless a size is given. */
export async function makePdf(
  draw: (fixture: FixturePage) => void | Promise<void>,
  size: [number, number] = [595, 842],
): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  const bold = await document.embedFont(StandardFonts.HelveticaBold)
  await draw({ page: document.addPage(size), font, bold, document })
  return document.save()
}

/** A PDF written by hand from the bodies of its objects (from 1), for files that no library would make. */
export function rawPdf(objects: readonly string[], trailer = '/Root 1 0 R'): Uint8Array {
  let file = '%PDF-1.7\n'
  const offsets: number[] = []
  objects.forEach((body, index) => {
    offsets.push(file.length)
    file += `${index + 1} 0 obj\n${body}\nendobj\n`
  })
  const start = file.length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  file += `trailer\n<< /Size ${objects.length + 1} ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}

export const stream = (content: string, dictionary = ''): string =>
  `<< /Length ${content.length} ${dictionary} >>\nstream\n${content}\nendstream`

const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'

/** One page with the given content stream; /F1 is Helvetica. */
export const pageOf = (content: string, mediaBox = '[0 0 595 842]', extra = ''): Uint8Array =>
  rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox ${mediaBox} /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> ${extra} >>`,
    stream(content),
    helvetica,
  ])

/** Forms that draw one another ten times each: ten to the power of `depth` drawings in a few hundred bytes. */
export function formBomb(depth: number): Uint8Array {
  const forms = Array.from({ length: depth }, (_, level) => {
    const last = level === depth - 1
    const content = last ? 'BT /F1 9 Tf 50 700 Td (boom) Tj ET ' : '/X Do '.repeat(10)
    const next = last ? '/Font << /F1 4 0 R >>' : `/XObject << /X ${6 + level + 1} 0 R >>`
    return stream(content, `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << ${next} >>`)
  })
  return rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /XObject << /X 6 0 R >> >> >>',
    helvetica,
    stream('/X Do '.repeat(10)),
    ...forms,
  ])
}
