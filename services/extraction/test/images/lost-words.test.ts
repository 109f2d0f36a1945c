import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { rereadDoubtfulWords, withoutDoubles } from '../../src/images/doubtful-words.ts'
import { readLostLines } from '../../src/images/lost-lines.ts'
import type { OcrWord } from '../../src/images/ocr-engine.ts'
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
