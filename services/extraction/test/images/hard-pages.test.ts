import sharp, { type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { findSheet } from '../../src/images/sheet-corners.ts'
import { readDocument } from '../../src/pages/read-document.ts'

const width = 1654
const height = 2339

/** A page of 200 dpi with a filled letterhead and a filled heading of a table. */
function banded(ground: string): Sharp {
  const rows = ['Ronda del Prado, 99', '46728 Gandia', 'NIF 37521706N', 'Fecha 04/09/2026']
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>
<rect width="100%" height="118" fill="${ground}"/>
<g font-family="Liberation Sans" font-size="27" fill="#111">
<text x="120" y="72" font-size="42" font-weight="bold" fill="#fff">Imprenta Mendizábal</text>
${rows.map((row, index) => `<text x="120" y="${190 + index * 44}">${row}</text>`).join('')}
<rect x="110" y="560" width="1430" height="46" fill="${ground}"/>
<g fill="#fff"><text x="120" y="592">Artículo</text><text x="1400" y="592">Importe</text></g>
<text x="120" y="650">Encuadernación</text><text x="1400" y="650">610,78</text>
<text x="120" y="700">Papel ahuesado</text><text x="1400" y="700">1.541,52</text></g></svg>`
  return sharp(Buffer.from(svg)).flatten({ background: '#fff' })
}

const textsOf = async (bytes: Uint8Array): Promise<string[]> =>
  (await readDocument(bytes)).pages.flatMap(({ words }) => words.map(({ text }) => text))

describe('light print on filled areas', () => {
  it.each([
    ['black', '#111111'],
    ['grey', '#6a6a6a'],
    ['blue', '#1d4f91'],
  ])(
    'is read on %s, with the dark print beside it',
    async (_name, ground) => {
      const texts = await textsOf(await banded(ground).jpeg({ quality: 85 }).toBuffer())
      expect(texts).toEqual(
        expect.arrayContaining(['Imprenta', 'Mendizábal', 'Artículo', 'Importe', 'Gandia', '37521706N', '1.541,52']),
      )
    },
    30_000,
  )

  it('is read on grey paper, with what stands below it', async () => {
    const page = await banded('#2b2f36').linear(0.72, 0).jpeg({ quality: 85 }).toBuffer()
    expect(await textsOf(page)).toEqual(
      expect.arrayContaining(['Imprenta', 'Mendizábal', 'Artículo', 'Gandia', 'Encuadernación', '610,78', '1.541,52']),
    )
  }, 30_000)

  it('belongs to the sheet in a photograph of it on a table as dark', async () => {
    const photo = await sharp(await banded('#3b4148').png().toBuffer())
      .extend({ top: 120, bottom: 140, left: 130, right: 120, background: '#3a332c' })
      .rotate(1.6, { background: '#3a332c' })
      .jpeg({ quality: 85 })
      .toBuffer()
    expect(await textsOf(photo)).toEqual(expect.arrayContaining(['Imprenta', 'Mendizábal', 'Gandia', '1.541,52']))
  }, 30_000)
})

describe('a page that lies on its side', () => {
  it('is turned upright by what is printed at its edge, however empty its middle is', async () => {
    const rows = [
      'Clínica Montesinos e Hijos',
      'Calle Severo Ochoa, 65',
      '11296 Jerez de la Frontera',
      'Cuota mensual 698,56',
    ]
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>
<g font-family="Liberation Sans" font-size="27">${rows.map((row, index) => `<text x="120" y="${140 + index * 44}">${row}</text>`).join('')}</g></svg>`
    const page = await sharp(Buffer.from(svg)).flatten({ background: '#fff' }).png().toBuffer()
    const texts = await textsOf(await sharp(page).rotate(90).png().toBuffer())
    expect(texts).toEqual(expect.arrayContaining(['Clínica', 'Montesinos', 'Jerez', '698,56']))
  }, 30_000)
})

describe('a photograph', () => {
  it('with a shadow across the sheet is pulled straight all the same', async () => {
    const sheet = await banded('#ffffff').png().toBuffer()
    const shadow = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><path d="M0 0 L${width} 0 L${width} 900 L0 1500 Z" fill="#000" opacity="0.38"/></svg>`
    const photo = await sharp(
      await sharp(sheet)
        .composite([{ input: Buffer.from(shadow) }])
        .png()
        .toBuffer(),
    )
      .linear(0.8, 0)
      .extend({ top: 90, bottom: 90, left: 90, right: 90, background: '#3c3c3c' })
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true })
    const corners = findSheet({ data: photo.data, width: photo.info.width, height: photo.info.height })
    expect(corners).toBeDefined()
    expect(Math.abs((corners?.[0][0] ?? 0) - 90)).toBeLessThan(20)
    expect(Math.abs((corners?.[2][1] ?? 0) - (height + 90))).toBeLessThan(20)
  }, 30_000)
})

describe('a page printed with signs of one width', () => {
  it('has the size of its font, so that blanks part no cells', async () => {
    const rows = [
      'Universidad de Sevilla',
      'Pasaje del Carmen, 87, bajo',
      'Servicios de diseño grafico',
      'Montaje completo sobre plano, material incluido',
      'Total 28.620,00',
    ]
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="900"><rect width="100%" height="100%" fill="#fff"/>
<g font-family="Liberation Mono" font-size="28">${rows.map((row, index) => `<text x="150" y="${120 + index * 60}">${row}</text>`).join('')}</g></svg>`
    const page = await sharp(Buffer.from(svg)).flatten().extend({ bottom: 1439, background: '#fff' }).png().toBuffer()
    const { pages } = await readDocument(page)
    const words = pages[0]?.words.filter(({ text }) => ['Universidad', 'de', 'Sevilla'].includes(text)) ?? []
    // 28 pixels at 200 dpi are 10.1 points
    for (const { fontSize } of words) {
      expect(fontSize).toBeGreaterThan(10)
      expect(fontSize).toBeLessThan(11.6)
    }
    expect(words).toHaveLength(4)
  }, 30_000)
})
