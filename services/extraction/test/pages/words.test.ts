import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Glyph, glyphsToWords } from '../../src/pages/glyphs-to-words.ts'

const advance = 0.5

interface Drawn {
  x?: number
  y?: number
  size?: number
  spacing?: number
  bold?: boolean
  rotation?: Glyph['rotation']
}

/** Signs side by side, each half its size wide. */
function draw(
  text: string,
  { x = 50, y = 100, size = 10, spacing = 0, bold = false, rotation = 0 }: Drawn = {},
): Glyph[] {
  return [...text].map((sign, index) => {
    const at = index * (size * advance + spacing)
    const [left, top] = rotation === 90 ? [x, y + at] : rotation === 270 ? [x, y - at] : [x + at, y]
    const [width, height] = rotation === 0 ? [size * advance, size] : [size, size * advance]
    return { sign, x0: left, y0: top, x1: left + width, y1: top + height, fontSize: size, bold, rotation }
  })
}

const read = (...glyphs: Glyph[]): string[] => glyphsToWords(glyphs, 595, 842).map(({ text }) => text)

describe('joining glyphs into words', () => {
  it('splits at blanks', () => {
    expect(read(...draw('Base imponible'))).toEqual(['Base', 'imponible'])
  })
  it('splits at gaps where the document draws no blanks', () => {
    expect(read(...draw('Base'), ...draw('imponible', { x: 50 + 4 * 5 + 2.6 }))).toEqual(['Base', 'imponible'])
  })
  it('joins pieces of one number that are drawn apart', () => {
    expect(read(...draw('1.234'), ...draw('Total', { y: 300 }), ...draw(',56', { x: 75.3 }))).toEqual([
      '1.234,56',
      'Total',
    ])
  })
  it('joins kerned pieces that overlap a little', () => {
    expect(read(...draw('AV'), ...draw('ALA', { x: 59.2 }))).toEqual(['AVALA'])
  })
  it.each(['FACTURA', '12345678Z', '2026'])('joins the letter-spaced %s', (text) => {
    expect(read(...draw(text, { spacing: 4 }))).toEqual([text])
  })
  it('joins a heading that is spaced with blanks', () => {
    expect(read(...draw('F A C T U R A'))).toEqual(['FACTURA'])
  })
  it('leaves single figures of neighbouring columns apart', () => {
    expect(read(...draw('1'), ...draw('2', { x: 90 }), ...draw('3', { x: 130 }))).toEqual(['1', '2', '3'])
  })
  it('counts text that is printed twice at a tiny offset once, as bold', () => {
    const words = glyphsToWords([...draw('Total'), ...draw('Total', { x: 50.3 })], 595, 842)
    expect(words.map(({ text, bold }) => [text, bold])).toEqual([['Total', true]])
  })
  it('keeps equal figures on neighbouring lines', () => {
    expect(read(...draw('11,11'), ...draw('11,11', { y: 112 }))).toEqual(['11,11', '11,11'])
  })
  it('folds an accent that is drawn as a sign of its own into its letter', () => {
    const accent = draw('´', { x: 85.5, size: 5 })
    expect(read(...draw('Direcci'), ...accent, ...draw('on', { x: 85 }))).toEqual(['Dirección'])
  })
  it('spreads the letters of a ligature, which all start where it starts', () => {
    const [f, i] = [draw('f')[0] as Glyph, draw('i')[0] as Glyph]
    const rest = draw('cha', { x: 55.8 })
    expect(read(f, { ...i, x1: 52 }, ...rest)).toEqual(['ficha'])
  })
  it.each([90, 270] as const)('reads text that runs at %i degrees', (rotation) => {
    const words = glyphsToWords(draw('Registro Mercantil', { y: 400, rotation }), 595, 842)
    expect(words.map(({ text }) => text)).toEqual(['Registro', 'Mercantil'])
    expect(words.every((word) => word.rotation === rotation)).toBe(true)
  })
  it('gives words of one phrase one line and columns different ones', () => {
    const words = glyphsToWords([...draw('Base imponible'), ...draw('100,00', { x: 400 })], 595, 842)
    expect(new Set(words.map(({ line }) => line)).size).toBe(2)
    expect(words[0]?.line).toBe(words[1]?.line)
  })
  it('gives boxes within the page for whatever is drawn', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            text: fc.string({ minLength: 1, maxLength: 12 }),
            x: fc.integer({ min: -50, max: 640 }),
            y: fc.integer({ min: -50, max: 900 }),
            size: fc.integer({ min: 2, max: 60 }),
          }),
          { maxLength: 30 },
        ),
        (parts) => {
          const words = glyphsToWords(
            parts.flatMap(({ text, ...place }) => draw(text, place)),
            595,
            842,
          )
          for (const { text, x0, y0, x1, y1 } of words) {
            expect(text).toMatch(/^\S+$/u)
            expect(0 <= x0 && x0 <= x1 && x1 <= 1 && 0 <= y0 && y0 <= y1 && y1 <= 1).toBe(true)
          }
        },
      ),
    )
  })
})
