import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDocument, reread } from '../../src/pages/open-document.ts'
import { withPdf } from '../../src/pages/pdf-file.ts'
import { type Raster, renderPage } from '../../src/pages/pdf-raster.ts'
import { readDocument } from '../../src/pages/read-document.ts'
import { readPictures } from '../../src/pages/read-pictures.ts'
import { renderPagePng } from '../../src/pages/render-page.ts'
import { makePdf } from '../pages/pdf-fixtures.ts'

const rows = [
  ['Suministros Axioma, S.L.', 'FACTURA'],
  ['C/ de la Estación, 14', 'Número: F2026-00417'],
  ['28015 Madrid', 'Fecha: 14/03/2026'],
  ['NIF: B12345674', ''],
  ['Descripción', 'Importe'],
  ['Revisión de instalación eléctrica', '1.234,50'],
  ['Desplazamiento y pequeño material', '86,20'],
  ['Base imponible', '1.320,70'],
  ['IVA 21%', '277,35'],
  ['Total factura', '1.598,05'],
] as const
const expected = [
  'FACTURA',
  'F2026-00417',
  '14/03/2026',
  'B12345674',
  '1.234,50',
  '86,20',
  '1.320,70',
  '277,35',
  '1.598,05',
  'eléctrica',
]

let page: Raster
beforeAll(async () => {
  const bytes = await makePdf(({ page: sheet, font }) => {
    rows.forEach(([left, right], index) => {
      sheet.drawText(left, { x: 60, y: 770 - index * 34, font, size: 11 })
      sheet.drawText(right, { x: 370, y: 770 - index * 34, font, size: 11 })
    })
  })
  page = (await withPdf(bytes, (file) => renderPage(file, 0, { dpi: 200 }))) ?? {
    data: new Uint8Array(),
    width: 0,
    height: 0,
  }
})

const picture = () => sharp(page.data, { raw: { width: page.width, height: page.height, channels: 1 } })

async function missing(bytes: Uint8Array): Promise<string[]> {
  const { pages } = await readDocument(bytes)
  const words = new Set(pages.flatMap(({ words }) => words.map(({ text }) => text)))
  return expected.filter((text) => !words.has(text))
}

/** Darker to one side, like a page under a lamp. */
async function shaded(): Promise<Uint8Array> {
  const data = Uint8Array.from(page.data)
  for (let y = 0; y < page.height; y += 1) {
    for (let x = 0; x < page.width; x += 1) {
      const at = y * page.width + x
      data[at] = 20 + ((data[at] ?? 0) / 255) * (70 + 150 * (x / page.width))
    }
  }
  return sharp(data, { raw: { width: page.width, height: page.height, channels: 1 } })
    .jpeg({ quality: 80 })
    .toBuffer()
}

/** The sheet on a dark table, a little turned. */
async function onTable(): Promise<Uint8Array> {
  const sheet = await picture().rotate(4, { background: '#3a332c' }).png().toBuffer()
  return sharp(sheet)
    .extend({ top: 180, bottom: 160, left: 200, right: 220, background: '#3a332c' })
    .jpeg({ quality: 85 })
    .toBuffer()
}

describe('reading pictures', () => {
  it.each([
    ['a clean PNG', () => picture().png().toBuffer()],
    ['a WebP', () => picture().webp({ quality: 80 }).toBuffer()],
    ['a CMYK JPEG', () => picture().toColourspace('cmyk').jpeg({ quality: 90 }).toBuffer()],
    ['a JPEG that its EXIF data turn', () => picture().rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer()],
    ['a page on its side', () => picture().rotate(90).jpeg().toBuffer()],
    ['a page on its other side', () => picture().rotate(270).jpeg().toBuffer()],
    ['a page on its head', () => picture().rotate(180).jpeg().toBuffer()],
    ['a slanted page', () => picture().rotate(3.2, { background: '#ffffff' }).jpeg().toBuffer()],
    ['a page half in shadow', shaded],
    ['a photograph with the table around the sheet', onTable],
    ['a page at 110 dpi', () => picture().resize({ width: 910 }).png().toBuffer()],
  ])(
    'reads %s',
    async (_name, make) => {
      expect(await missing(await make())).toEqual([])
    },
    30_000,
  )

  it('gives the same words for the same bytes', async () => {
    const bytes = await picture().jpeg({ quality: 70 }).toBuffer()
    expect(await readDocument(bytes)).toEqual(await readDocument(bytes))
  }, 30_000)

  it('reads a PDF that holds only a picture, and draws the page as the boxes lie on it', async () => {
    const jpeg = await picture().rotate(180).jpeg({ quality: 85 }).toBuffer()
    const bytes = await makePdf(async ({ page: sheet, document }) => {
      sheet.drawImage(await document.embedJpg(jpeg), { x: 0, y: 0, width: 595, height: 842 })
    })
    const document = await readDocument(bytes)
    expect(document).toMatchObject({ engine: 'ocr', pages: [{ source: 'ocr', quality: { turnedDegrees: 180 } }] })
    expect(await missing(bytes)).toEqual([])
    const total = document.pages[0]?.words.find(({ text }) => text === '1.598,05')
    const png = sharp(await renderPagePng(bytes, 0))
    const { width, height } = await png.metadata()
    const box = {
      left: Math.floor((total?.x0 ?? 0) * width),
      top: Math.floor((total?.y0 ?? 0) * height),
      width: 40,
      height: 12,
    }
    const { channels } = await png.extract(box).stats()
    expect(channels[0]?.min).toBeLessThan(90)
  }, 60_000)

  it('reads mixed documents page by page', async () => {
    const png = await picture().png().toBuffer()
    const bytes = await makePdf(async ({ page: sheet, document, font }) => {
      sheet.drawText('Factura con texto de verdad y un anexo escaneado en la segunda página', {
        x: 50,
        y: 700,
        font,
        size: 10,
      })
      document.addPage([595, 842]).drawImage(await document.embedPng(png), { x: 0, y: 0, width: 595, height: 842 })
    })
    const document = await readDocument(bytes)
    expect(document.engine).toBe('mixed')
    expect(document.pages.map(({ source }) => source)).toEqual(['text', 'ocr'])
  }, 30_000)

  it('warns of a picture too poor to trust', async () => {
    const bytes = await picture().resize({ width: 560 }).blur(1.1).jpeg({ quality: 25 }).toBuffer()
    const { warnings } = await readDocument(bytes)
    expect(warnings.map(({ code }) => code)).toEqual(['low_quality_image'])
  }, 30_000)

  it('reads an amount a second time from its place', async () => {
    const reader = await openDocument(await picture().png().toBuffer())
    const total = reader.document.pages[0]?.words.find(({ text }) => text === '1.598,05')
    if (total === undefined) throw new Error('the total was not read')
    expect(await reread(reader, 0, total, { digitsOnly: true })).toMatchObject({ text: '1.598,05' })
  }, 30_000)

  it('finds nothing on a picture without text', async () => {
    const blank = await sharp({ create: { width: 900, height: 1200, channels: 3, background: '#d8d8d8' } })
      .jpeg()
      .toBuffer()
    const { pages } = await readDocument(blank)
    expect(pages[0]?.words).toEqual([])
  }, 30_000)
})

describe('reading the pictures of a page of text', () => {
  it('finds the issuer in a drawn letterhead, where it stands on the page', async () => {
    const head = await sharp(page.data, { raw: { width: page.width, height: page.height, channels: 1 } })
      .extract({ left: 0, top: 0, width: page.width, height: Math.floor(page.height * 0.22) })
      .png()
      .toBuffer()
    const bytes = await makePdf(async ({ page: sheet, document, font }) => {
      sheet.drawImage(await document.embedPng(head), { x: 0, y: 842 - 0.22 * 842, width: 595, height: 0.22 * 842 })
      for (let row = 0; row < 10; row += 1)
        sheet.drawText(`Concepto ${row} de la factura 12,00`, { x: 60, y: 500 - row * 20, font, size: 10 })
    })
    const words = await readPictures(bytes, 0)
    expect(words.map(({ text }) => text)).toEqual(expect.arrayContaining(['Suministros', 'B12345674']))
    expect(words.every(({ y1 }) => y1 < 0.23)).toBe(true)
  }, 30_000)
})
