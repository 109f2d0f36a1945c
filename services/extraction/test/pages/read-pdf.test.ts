import { degrees, rgb } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../src/pages/read-document.ts'
import { makePdf, pageOf, rawPdf, stream } from './pdf-fixtures.ts'

const textOf = async (bytes: Uint8Array): Promise<string> => {
  const document = await readDocument(bytes)
  return document.pages.flatMap(({ words }) => words.map(({ text }) => text)).join(' ')
}

describe('reading digital PDFs', () => {
  it('gives words with boxes in fractions of the page from its top left corner', async () => {
    const bytes = await makePdf(({ page, font, bold }) => {
      page.drawText('Factura 2026/0042', { x: 59.5, y: 757.8, font, size: 10 })
      page.drawText('TOTAL 1.234,56 €', { x: 297.5, y: 84.2, font: bold, size: 12 })
    })
    const document = await readDocument(bytes, { filename: 'a.pdf' })
    const words = document.pages[0]?.words ?? []
    expect(document).toMatchObject({ format: 'pdf', engine: 'text', pageCount: 1, warnings: [] })
    expect(words.map(({ text }) => text)).toEqual(['Factura', '2026/0042', 'TOTAL', '1.234,56', '€'])
    expect(words[0]).toMatchObject({ confidence: 1, bold: false })
    expect(words[0]?.x0).toBeCloseTo(0.1, 2)
    expect(words[0]?.y1).toBeCloseTo(0.102, 2)
    expect(words[2]).toMatchObject({ bold: true, fontSize: 12 })
    expect(words[2]?.y0).toBeGreaterThan(0.88)
  })

  it.each([
    [90, 842, 595],
    [180, 595, 842],
    [270, 842, 595],
  ])('turns a page as its /Rotate %i says', async (rotate, width, height) => {
    const bytes = pageOf('BT /F1 10 Tf 100 600 Td (Factura) Tj ET', '[0 0 595 842]', `/Rotate ${rotate}`)
    const [page] = (await readDocument(bytes)).pages
    expect(page).toMatchObject({ widthPt: width, heightPt: height })
    expect(page?.words[0]).toMatchObject({ text: 'Factura', rotation: rotate })
  })

  it('turns a page upright whose text runs sideways', async () => {
    const bytes = await makePdf(({ page, font }) => {
      for (let row = 0; row < 12; row += 1)
        page.drawText(`Concepto ${row} importe 12,00`, {
          x: 100 + row * 20,
          y: 100,
          font,
          size: 10,
          rotate: degrees(90),
        })
    })
    const [page] = (await readDocument(bytes)).pages
    expect(page).toMatchObject({ widthPt: 842, heightPt: 595 })
    expect(page?.words.every(({ rotation }) => rotation === undefined)).toBe(true)
    expect(page?.words.slice(0, 4).map(({ text }) => text)).toEqual(['Concepto', '0', 'importe', '12,00'])
  })

  it.each([90, 180, 270])('keeps a number with narrow figures together where text runs at %i degrees', async (turn) => {
    const bytes = await makePdf(({ page, font }) => {
      for (let row = 0; row < 4; row += 1)
        page.drawText('Total 1.141,11', { x: 200 + row * 30, y: 400, font, size: 10, rotate: degrees(turn) })
    })
    const [page] = (await readDocument(bytes)).pages
    expect(page?.words.map(({ text }) => text)).toEqual(Array(4).fill(['Total', '1.141,11']).flat())
  })

  it('leaves out what a reader of the page does not see', async () => {
    const content = [
      'BT /F1 10 Tf 50 700 Td (Visible) Tj ET',
      'BT 3 Tr /F1 10 Tf 50 650 Td (Invisible) Tj ET',
      'BT 0 Tr /F1 10 Tf 50 2000 Td (Outside) Tj ET',
      'BT /F1 0.3 Tf 50 600 Td (Minute) Tj ET',
    ].join('\n')
    expect(await textOf(pageOf(content))).toBe('Visible')
  })

  it('finds drawn lines and the edges of boxes', async () => {
    const bytes = await makePdf(({ page, font }) => {
      page.drawText('Factura de prueba', { x: 50, y: 700, font, size: 10 })
      page.drawLine({ start: { x: 50, y: 421 }, end: { x: 545, y: 421 }, thickness: 1 })
      page.drawRectangle({ x: 100, y: 100, width: 200, height: 50, borderColor: rgb(0, 0, 0), borderWidth: 1 })
    })
    const rules = (await readDocument(bytes)).pages[0]?.rules ?? []
    const line = rules.find(({ y0 }) => Math.abs(y0 - 0.5) < 0.01)
    expect(line).toMatchObject({ direction: 'horizontal' })
    expect(line?.x0).toBeCloseTo(50 / 595, 2)
    expect(rules.filter(({ direction, x0 }) => direction === 'vertical' && x0 > 0.1)).toHaveLength(2)
  })

  it('reads filled form fields and free text annotations', async () => {
    const bytes = await makePdf(({ page, document }) => {
      const field = document.getForm().createTextField('numero')
      field.setText('A-2026 77')
      field.addToPage(page, { x: 100, y: 500, width: 200, height: 20 })
    })
    const words = (await readDocument(bytes)).pages[0]?.words ?? []
    expect(words.filter(({ origin }) => origin === 'field').map(({ text }) => text)).toEqual(['A-2026', '77'])
    expect(words[0]?.x0).toBeCloseTo(100 / 595, 2)
  })

  it('finds the XML invoice that is attached to a PDF', async () => {
    const xml = '<?xml version="1.0"?><rsm:CrossIndustryInvoice xmlns:rsm="urn:x"/>'
    const bytes = await makePdf(async ({ page, font, document }) => {
      page.drawText('Factura', { x: 50, y: 700, font, size: 10 })
      await document.attach(Buffer.from('nothing of interest'), 'notes.txt', {})
      await document.attach(Buffer.from(xml), 'factur-x.xml', { mimeType: 'text/xml' })
    })
    const { embeddedXml } = await readDocument(bytes)
    expect(embeddedXml?.name).toBe('factur-x.xml')
    expect(Buffer.from(embeddedXml?.bytes ?? []).toString()).toBe(xml)
  })

  it('gives the same document for the same bytes', async () => {
    const bytes = await makePdf(({ page, font }) =>
      page.drawText('Factura 1 total 12,10', { x: 50, y: 700, font, size: 9 }),
    )
    expect(await readDocument(bytes)).toEqual(await readDocument(bytes))
  })

  it('reads a page whose media box does not start at zero', async () => {
    const bytes = pageOf('BT /F1 10 Tf 150 500 Td (Factura) Tj ET', '[100 100 400 600]')
    const word = (await readDocument(bytes)).pages[0]?.words[0]
    expect(word?.x0).toBeCloseTo(50 / 300, 2)
    expect(word?.y1).toBeCloseTo(100 / 500, 1)
  })

  it('recognizes a page whose fonts name the wrong letters', async () => {
    const rows = [
      'Factura de prueba con texto correcto',
      'Base imponible cien euros exactos',
      'Fecha de emision y vencimiento',
      'Total a pagar por transferencia',
    ]
    // The sheet shows the text; the font's ToUnicode says that every letter is the one after the next.
    const ranges = '1 beginbfrange <21> <7d> <4E00> endbfrange'
    const toUnicode = `/CIDInit /ProcSet findresource begin begincmap /CMapName /X def 1 begincodespacerange <00> <ff> endcodespacerange ${ranges} endcmap end`
    const content = rows.map((row, index) => `BT /F1 16 Tf 60 ${700 - index * 40} Td (${row}) Tj ET`).join('\n')
    const bytes = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
      stream(content),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 6 0 R >>',
      stream(toUnicode),
    ])
    const document = await readDocument(bytes)
    expect(document.engine).toBe('ocr')
    expect(document.warnings.map(({ code }) => code)).toContain('text_layer_replaced')
    const words = document.pages[0]?.words.map(({ text }) => text) ?? []
    expect(words).toEqual(expect.arrayContaining(['Factura', 'imponible', 'transferencia']))
  }, 30_000)
})
