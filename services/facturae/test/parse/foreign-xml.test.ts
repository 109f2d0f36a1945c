import { AppError } from '@asiento/proto/errors'
import { describe, expect, it } from 'vitest'
import { buildFacturae } from '../../src/domain/build/build-facturae.ts'
import { readDocument } from '../../src/domain/parse/read-document.ts'
import { readInvoices } from '../../src/domain/parse/read-facturae.ts'
import { today } from '../support/invoices.ts'

const { xml } = buildFacturae(
  {
    vendor_name: 'Ñandú & Hijos SL',
    vendor_vat: 'B12345674',
    buyer_name: 'Clienta SA',
    buyer_vat: 'A58818501',
    invoice_number: 'F-1',
    invoice_date: '2026-03-31',
    total: 121,
    declared_tax_rate: 21,
  },
  { today },
)
const declared = `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`
const numbers = (bytes: Uint8Array) => readInvoices(readDocument(bytes).root).map((invoice) => invoice.number)
const refusal = (bytes: Uint8Array | string): string => {
  try {
    readDocument(Buffer.from(bytes))
    return 'accepted'
  } catch (error) {
    if (error instanceof AppError) return `${error.code}: ${error.detail}`
    throw error
  }
}

describe('XML that others made', () => {
  const indented = declared.replace(/></g, '>\n  <')
  it.each<[string, Uint8Array]>([
    ['indented', Buffer.from(indented)],
    ['with CRLF', Buffer.from(indented.replaceAll('\n', '\r\n'))],
    ['with a BOM', Buffer.from(`\uFEFF${declared}`)],
    ['in ISO-8859-1', Buffer.from(declared.replace('UTF-8', 'ISO-8859-1'), 'latin1')],
    ['in windows-1252', Buffer.from(declared.replace('UTF-8', 'windows-1252'), 'latin1')],
    ['in UTF-16', Buffer.from(`\uFEFF${declared.replace('UTF-8', 'UTF-16')}`, 'utf16le')],
    [
      'with another prefix',
      Buffer.from(declared.replaceAll('fe:Facturae', 'x:Facturae').replace('xmlns:fe', 'xmlns:x')),
    ],
    ['with comments', Buffer.from(declared.replace('<Parties>', '<!-- a > b --><Parties>'))],
    ['with CDATA', Buffer.from(declared.replace('Ñandú &amp; Hijos SL', '<![CDATA[Ñandú & Hijos SL]]>'))],
    [
      'with xsi:schemaLocation',
      Buffer.from(
        declared.replace(
          '<fe:Facturae',
          '<fe:Facturae xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a>b c"',
        ),
      ),
    ],
  ])('is read %s', (_name, bytes) => {
    const document = readDocument(bytes)
    const [invoice] = readInvoices(document.root)
    expect(document.schemaErrors).toEqual([])
    expect(invoice?.number).toBe('F-1')
    expect(invoice?.seller.name).toEqual({ corporateName: 'Ñandú & Hijos SL' })
  })

  it.each([
    ['a DOCTYPE', `<!DOCTYPE a>${xml}`, 'INVALID_INPUT: XML with a DOCTYPE'],
    [
      'a DOCTYPE behind a comment',
      `<?xml version="1.0"?><!-- x --><!DOCTYPE a SYSTEM "file:///etc/passwd">${xml}`,
      'INVALID_INPUT: XML with a DOCTYPE',
    ],
    [
      'an entity bomb',
      `<!DOCTYPE a [<!ENTITY x "aaaaaaaaaa"><!ENTITY y "&x;&x;&x;&x;&x;&x;&x;&x;&x;&x;"><!ENTITY z "&y;&y;&y;&y;&y;&y;">]>${xml.replace('F-1', '&z;')}`,
      'INVALID_INPUT: XML with a DOCTYPE',
    ],
    ['an undefined entity', xml.replace('F-1', '&nbsp;'), 'INVALID_INPUT: The XML is not well-formed'],
    ['other XML', '<invoice/>', 'INVALID_INPUT: The XML is no Facturae'],
    [
      'a Facturae of an unknown version',
      '<Facturae xmlns="http://www.facturae.es/Facturae/2007/v3.1/Facturae"/>',
      'INVALID_INPUT: The XML is no Facturae',
    ],
    ['text', 'hello', 'INVALID_INPUT: The XML is not well-formed'],
    ['a file cut off', declared.slice(0, 900), 'INVALID_INPUT: The XML is not well-formed'],
    ['nothing', '', 'INVALID_INPUT: The XML is empty'],
    [
      'bytes that are not of the encoding',
      Buffer.from([...Buffer.from(declared), 0xff, 0xfe]),
      'INVALID_INPUT: The XML is not in the encoding',
    ],
  ])('is refused with %s', (_name, bytes, message) => {
    expect(refusal(bytes)).toContain(message)
  })

  it('is refused above 32 MB without being parsed', () => {
    const before = process.cpuUsage()
    expect(refusal(Buffer.alloc(32 * 1024 ** 2 + 1, 'a'))).toContain('PAYLOAD_TOO_LARGE')
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
  })

  it('is read with an attachment of ten megabytes', () => {
    const data = 'A'.repeat(12_000_000)
    const document = readDocument(
      Buffer.from(
        xml.replace(
          '</Invoice></Invoices>',
          `<AdditionalData><RelatedDocuments><Attachment><AttachmentFormat>pdf</AttachmentFormat><AttachmentData>${data}</AttachmentData></Attachment></RelatedDocuments></AdditionalData></Invoice></Invoices>`,
        ),
      ),
    )
    expect(document.schemaErrors).toEqual([])
    expect(readInvoices(document.root)[0]?.attachments[0]?.data.length).toBe(12_000_000)
  })

  it('counts signatures at any depth', () => {
    const signed = xml.replace('</fe:Facturae>', '<ds:Signature></ds:Signature></fe:Facturae>')
    expect([readDocument(Buffer.from(xml)).signatures, readDocument(Buffer.from(signed)).signatures]).toEqual([0, 1])
    expect(numbers(Buffer.from(signed))).toEqual(['F-1'])
  })
})
