import type { EmbeddedXml } from '../domain/page.ts'
import type { PdfFile } from './pdf-file.ts'
import { readUtf16 } from './pdfium.ts'

const attachmentsMax = 50
export const embeddedXmlBytesMax = 10 * 1024 * 1024

/**
 * Names that the standards give to the invoice: Factur-X 1.0 / ZUGFeRD 2.x (EN 16931 CII), ZUGFeRD 1, XRechnung,
 * Order-X; Facturae and UBL files are named freely and known by their root element.
 */
const standardNames = /^(factur-x|zugferd-invoice|xrechnung|cii|ubl|facturae?)\b.*\.xml$/i
const invoiceRoot = /<(?:[\w.-]+:)?(Facturae|Invoice|CreditNote|CrossIndustryInvoice|CrossIndustryDocument)[\s>]/

/** The XML invoice attached to a PDF, if there is one: first by its standard name, else by its root element. */
export function readEmbeddedXml(file: PdfFile): EmbeddedXml | undefined {
  const { engine, document } = file
  const count = Math.min(engine._FPDFDoc_GetAttachmentCount(document), attachmentsMax)
  const found: EmbeddedXml[] = []
  for (let index = 0; index < count; index += 1) {
    const attachment = engine._FPDFDoc_GetAttachment(document, index)
    const name = readUtf16(engine, (buffer, size) => engine._FPDFAttachment_GetName(attachment, buffer, size))
    const bytes = readBytes(file, attachment)
    if (bytes !== undefined && looksLikeInvoice(bytes)) found.push({ name, bytes })
  }
  return found.find(({ name }) => standardNames.test(name)) ?? found[0]
}

function readBytes({ engine }: PdfFile, attachment: number): Uint8Array | undefined {
  const sizeAt = engine._malloc(4)
  try {
    if (engine._FPDFAttachment_GetFile(attachment, 0, 0, sizeAt) !== 1) return undefined
    const size = engine.HEAPU32[sizeAt >> 2] ?? 0
    if (size === 0 || size > embeddedXmlBytesMax) return undefined
    const buffer = engine._malloc(size)
    try {
      if (engine._FPDFAttachment_GetFile(attachment, buffer, size, sizeAt) !== 1) return undefined
      return engine.HEAPU8.slice(buffer, buffer + size)
    } finally {
      engine._free(buffer)
    }
  } finally {
    engine._free(sizeAt)
  }
}

function looksLikeInvoice(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 8192))
  const text = head[0] === 0xff && head[1] === 0xfe ? head.toString('utf16le') : head.toString('latin1')
  return invoiceRoot.test(text)
}
