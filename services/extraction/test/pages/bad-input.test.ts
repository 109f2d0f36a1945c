import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../src/pages/read-document.ts'
import { renderPagePng } from '../../src/pages/render-page.ts'
import { formBomb, makePdf, pageOf, rawPdf } from './pdf-fixtures.ts'

const good = Buffer.from(pageOf('BT /F1 12 Tf 50 700 Td (Factura 2026/1) Tj ET'))
const catalog = '<< /Type /Catalog /Pages 2 0 R >>'
const hex = (byte: string): string => byte.repeat(32)
const encrypted = rawPdf(
  [
    catalog,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
    `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <${hex('ab')}> /U <${hex('cd')}> >>`,
  ],
  '/Root 1 0 R /Encrypt 4 0 R /ID [<0123456789abcdef0123456789abcdef> <0123456789abcdef0123456789abcdef>]',
)

/** A PNG that declares its size and holds next to nothing. */
function declaredPng(width: number, height: number): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([magic, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(64)))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

describe('bad input ends with its own error', () => {
  it.each([
    ['encrypted', encrypted, /encrypted/],
    ['cut off at its end', good.subarray(0, good.length - 250), /truncated/],
    ['cut off after its head', good.subarray(0, 100), /truncated/],
    ['without pages', rawPdf([catalog, '<< /Type /Pages /Kids [] /Count 0 >>']), /no pages/],
    [
      'whose page tree is a circle',
      rawPdf([catalog, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 100000000 >>']),
      /no pages|no readable/,
    ],
  ])('refuses a PDF %s', async (_name, bytes, detail) => {
    await expect(readDocument(bytes)).rejects.toMatchObject({
      code: 'FILE_TYPE_INVALID',
      detail: expect.stringMatching(detail),
    })
  })

  it.each([
    ['an image of 50,000 x 50,000 declared pixels', declaredPng(50_000, 50_000), 'a.png'],
    ['a truncated PNG', declaredPng(100, 100), 'a.png'],
    ['a JPEG of nothing but its head', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46]), 'a.jpg'],
    ['a WebP of nothing but its head', Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'), 'a.webp'],
  ])('refuses %s at once', async (_name, bytes, filename) => {
    const before = process.cpuUsage()
    await expect(readDocument(bytes, { filename })).rejects.toMatchObject({ code: 'FILE_TYPE_INVALID' })
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000)
  })

  it('says that a picture has too many pixels', async () => {
    await expect(readDocument(declaredPng(50_000, 50_000))).rejects.toMatchObject({
      detail: expect.stringContaining('pixels'),
    })
  })

  it('reads an empty page as a page without words', async () => {
    const document = await readDocument(pageOf(''))
    expect(document).toMatchObject({ engine: 'text', pageCount: 1, pages: [{ words: [] }] })
  })

  it('reads text on a page of a square kilometre and draws it small', async () => {
    const bytes = pageOf('BT /F1 12 Tf 50 700 Td (Factura 2026/1) Tj ET', '[0 0 2834645 2834645]')
    const document = await readDocument(bytes)
    expect(document.pages[0]?.words.map(({ text }) => text)).toEqual(['Factura', '2026/1'])
    const png = Buffer.from(await renderPagePng(bytes, 0, { sidePx: 400 }))
    expect(png.readUInt32BE(16)).toBe(400)
  })

  it('reads the first and the last of 5,000 pages and says what it left out', async () => {
    const bytes = await makePdf(({ page, document, font }) => {
      page.drawText('Hoja 1', { x: 50, y: 700, font, size: 10 })
      for (let number = 2; number <= 5000; number += 1) {
        document.addPage([595, 842]).drawText(`Hoja ${number}`, { x: 50, y: 700, font, size: 10 })
      }
    })
    const document = await readDocument(bytes)
    expect(document.pageCount).toBe(5000)
    expect(document.pages).toHaveLength(300)
    expect(document.pages[0]?.words[1]?.text).toBe('1')
    expect(document.pages.at(-1)?.words[1]?.text).toBe('5000')
    expect(document.warnings.map(({ code }) => code)).toEqual(['pages_left_out'])
  }, 30_000)

  it('refuses a drawing that would take all memory, and goes on with the next document', async () => {
    await expect(readDocument(formBomb(8))).rejects.toMatchObject({ code: 'FILE_TYPE_INVALID' })
    const next = await readDocument(good)
    expect(next.pages[0]?.words[0]?.text).toBe('Factura')
  }, 60_000)
})
