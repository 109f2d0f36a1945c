import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Word } from '../../src/domain/page.ts'
import { readNumbersAgain } from '../../src/images/read-numbers.ts'
import { recognizePage } from '../../src/images/recognize-page.ts'
import { repairWords } from '../../src/images/repair-words.ts'

const wordsOf = (text: string): Word[] =>
  text.split(' ').map((part, index) => ({
    text: part,
    x0: index / 20,
    x1: index / 20 + 0.03,
    y0: 0.1,
    y1: 0.12,
    confidence: 0.5,
    fontSize: 9,
    line: 0,
  }))

describe('abbreviations that recognition spoils', () => {
  it.each([
    ['a raised o read as a star', 'N* factura', 'Nº factura'],
    ['a raised o read as a question mark', 'N? de cuenta:', 'Nº de cuenta:'],
    ['a raised o read as a digit in front of what is numbered', 'N9 de factura', 'Nº de factura'],
    ['a capital between dots read as a one', 'C.1.F.: B12345674', 'C.I.F.: B12345674'],
    ['a capital and its dot read as one letter', 'N.LF.: B12345674', 'N.I.F.: B12345674'],
    ['the tax', '1.V.A. 21,00 %', 'I.V.A. 21,00 %'],
    ['the telephone', 'T1f. 954700098', 'Tlf. 954700098'],
    ['a raised o read as a letter, in a heading of its own', 'NT', 'Nº'],
    ['a raised o read as two signs', 'Factura n9%: 24/06813', 'Factura nº: 24/06813'],
    ['a promenade', 'P* Pablo Iglesias, n9 59', 'Pº Pablo Iglesias, nº 59'],
    ['a storey', 'C/ Goya, 99, 42 planta', 'C/ Goya, 99, 4ª planta'],
    ['a storey glued to its street number', 'Avda. Luna, 80,1% B', 'Avda. Luna, 80, 1º B'],
    ['a storey and a door', 'Esc. A 37 2º', 'Esc. A 3º 2º'],
    ['an ordinal of a floor', 'Calle Sol, 165, 1* B', 'Calle Sol, 165, 1º B'],
    ['a floor and its side', 'Calle Sol, 8 - 89º dcha.', 'Calle Sol, 8 - 8º dcha.'],
    ['a raised o read as a letter, before a street number', 'Ctra. Larios, ne 43', 'Ctra. Larios, nº 43'],
    ['a raised o read as a digit, before a long number', 'Factura N2 6973411958', 'Factura Nº 6973411958'],
    ['an ampersand read as a digit', 'Ferrándiz 8 Lacasa Sociedad Limitada', 'Ferrándiz & Lacasa Sociedad Limitada'],
    ['an ampersand read as a currency', 'NOGUEIRA € DOPICO', 'NOGUEIRA & DOPICO'],
    ['strokes of a date read as points', 'Vto. 01:12;2025', 'Vto. 01/12/2025'],
    ['a stroke of a date lost', 'Fecha 17/102025', 'Fecha 17/10/2025'],
    ['dots between the parts of an address', 'Progreso, 104 : 08270 Lugo : NIF', 'Progreso, 104 · 08270 Lugo · NIF'],
    ['a pair of abbreviations', 'N.I.F./C.1.F.', 'N.I.F./C.I.F.'],
  ])('%s', (_name, read, printed) => {
    expect(
      repairWords(wordsOf(read))
        .map(({ text }) => text)
        .join(' '),
    ).toBe(printed)
  })

  it.each([
    'Nave 9',
    'N9 12',
    'IVA 21',
    'No procede',
    '15% dto',
    'A-12 N-340',
    'NT 200',
    '15 planta',
    'Calle Mayor 8 Bajo',
    'De 10:30 a 12:45',
    'CIF : B12345674',
    '99:12:2025',
    'Mayor, nave 9',
    'Cable 8 Metros',
  ])('stays as it is: %s', (text) => {
    expect(
      repairWords(wordsOf(text))
        .map((word) => word.text)
        .join(' '),
    ).toBe(text)
  })
})

describe('a second reading of the amounts of a page', () => {
  it('finds numbers that the first reading lost, and keeps the words above them', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1654" height="900"><rect width="100%" height="100%" fill="#fff"/>
      <g font-family="sans-serif" font-size="30"><text x="120" y="90">Papeles del Norte</text>
      <text x="120" y="400">Resma de papel</text><text x="900" y="400">12,50</text><text x="1300" y="400">37,50</text>
      <text x="120" y="470">Sobres</text><text x="900" y="470">8,25</text><text x="1300" y="470">16,50</text></g></svg>`
    const { data, info } = await sharp(Buffer.from(svg))
      .flatten()
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true })
    const first = await recognizePage({ data, width: info.width, height: info.height }, { index: 0, dpi: 200 })
    const lossy = { ...first.page, words: first.page.words.filter(({ text }) => text !== '37,50' && text !== '8,25') }
    const { merged, replaced } = await readNumbersAgain(first, lossy)
    for (const page of [merged, replaced]) {
      const texts = page.words.map(({ text }) => text)
      expect(texts).toEqual(expect.arrayContaining(['12,50', '37,50', '8,25', '16,50', 'Papeles']))
      expect(texts.filter((text) => text === '16,50')).toHaveLength(1)
    }
  }, 30_000)
})
