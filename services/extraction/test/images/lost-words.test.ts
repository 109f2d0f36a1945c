import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { rereadDoubtfulWords, withoutDoubles } from '../../src/images/doubtful-words.ts'
import { readLostLines } from '../../src/images/lost-lines.ts'
import { readLostNumbers } from '../../src/images/lost-numbers.ts'
import type { OcrWord } from '../../src/images/ocr-engine.ts'
import { sidewaysLines } from '../../src/images/sideways-lines.ts'
import type { Raster } from '../../src/pages/pdf-raster.ts'

const dpi = 250
let page: Raster
beforeAll(async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1400" height="700"><rect width="100%" height="100%" fill="#fff"/>
<rect x="100" y="400" width="1200" height="3" fill="#000"/><rect x="900" y="450" width="300" height="200" fill="#222"/>
<g font-family="Liberation Sans" font-size="34"><text x="120" y="120">NIF F48370787</text><text x="120" y="240">Nota de entrega</text></g></svg>`
  const { data, info } = await sharp(Buffer.from(svg)).flatten().toColourspace('b-w').raw().toBuffer({
    resolveWithObject: true,
  })
  page = { data, width: info.width, height: info.height }
})

const word = (text: string, left: number, top: number, width: number, confidence = 0.9): OcrWord => ({
  text,
  confidence,
  left,
  top,
  width,
  height: 28,
  line: 0,
  lineHeight: 30,
})

describe('lines without words', () => {
  it('are read where recognition left them out; rules and pictures are none', async () => {
    const found = await readLostLines(page, [word('NIF', 118, 94, 60), word('F48370787', 195, 94, 190)], dpi)
    expect(found.map(({ text }) => text)).toEqual(['Nota', 'de', 'entrega'])
    for (const { top } of found) expect(Math.abs(top - 215)).toBeLessThan(8)
  }, 30_000)

  it('are read where only a sign of no sense stands', async () => {
    const junk = word('—', 100, 200, 400, 0.4)
    const found = await readLostLines(page, [word('NIF', 118, 94, 60), word('F48370787', 195, 94, 190), junk], dpi)
    expect(found.map(({ text }) => text)).toContain('entrega')
  }, 30_000)
})

describe('numbers without words', () => {
  it('are read where they stand in a row of print, single digits in one of amounts', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1400" height="500"><rect width="100%" height="100%" fill="#fff"/>
<g font-family="Liberation Sans" font-size="34"><text x="120" y="120">Resma</text><text x="700" y="120">4</text><text x="1000" y="120">12,50</text>
<text x="120" y="180">Sobres</text><text x="700" y="180">1</text><text x="1000" y="180">6,12</text><text x="700" y="400">7</text>
<text x="120" y="300">Factura</text><text x="700" y="300">1</text></g></svg>`
    const { data, info } = await sharp(Buffer.from(svg)).flatten().toColourspace('b-w').raw().toBuffer({
      resolveWithObject: true,
    })
    const table = { data, width: info.width, height: info.height }
    const words = [
      word('Resma', 118, 94, 110),
      word('12,50', 1000, 94, 90),
      word('Sobres', 118, 154, 110),
      word('0,75', 1200, 154, 80),
    ]
    words.push(word('Factura', 118, 274, 120))
    const found = await readLostNumbers(table, words, dpi)
    expect(found.map(({ text, left }) => [text, Math.round(left / 100)])).toEqual([
      ['4', 7],
      ['1', 7],
      ['6,12', 10],
    ])
    expect(found.map(({ top }) => top)).toEqual([94, 154, 154])
  }, 30_000)
})

describe('lines up the margin', () => {
  it('are told by words that are taller than wide, from the bottom upwards', () => {
    const tall = (text: string, top: number, line: number): OcrWord => ({
      ...word(text, 40, top, 20),
      height: 12 * text.length,
      line,
    })
    const words = [
      ...[tall('Inscrita', 900, 1), tall('Registro', 760, 1), tall('Mercantil', 620, 1)],
      ...[tall('Tomo', 100, 2), tall('2041', 180, 2), tall('folio', 260, 2)],
      ...[word('Importe', 400, 300, 120), word('total', 540, 300, 90), word('bruto', 640, 300, 90)],
    ]
    expect(sidewaysLines(words)).toEqual(
      new Map([
        [1, 270],
        [2, 90],
      ]),
    )
  })
})

describe('doubtful words', () => {
  it('are what a second look at them alone shows', async () => {
    const [nif, id] = await rereadDoubtfulWords(
      page,
      [word('NIF', 118, 94, 60, 0.2), word('48370787', 182, 94, 206, 0.2)],
      dpi,
    )
    expect(id?.text).toBe('F48370787')
    expect(id?.confidence).toBeGreaterThan(0.7)
    // without digits nothing is at stake
    expect(nif).toMatchObject({ text: 'NIF', confidence: 0.2 })
  }, 30_000)

  it('keep their text where the cut shows something else', async () => {
    const elsewhere = word('1.234,50', 118, 214, 230, 0.2)
    expect(await rereadDoubtfulWords(page, [elsewhere], dpi)).toEqual([elsewhere])
  }, 30_000)

  it('count once when recognition gives them twice, as the surer one', () => {
    const words = [word('999828100', 100, 50, 180, 0.1), word('99982810Q', 102, 51, 179, 0.8), word('NIF', 20, 50, 60)]
    expect(withoutDoubles(words).map(({ text }) => text)).toEqual(['99982810Q', 'NIF'])
  })
})
