import type { Glyph } from './glyphs-to-words.ts'
import type { Drawing } from './pdf-drawing.ts'
import type { PageFrame } from './pdf-page.ts'
import type { PageText } from './pdf-text.ts'

/**
 * What a page's text layer is good for.
 *
 * - `real`: read it.
 * - `image`: the page is a picture with no text, or only the invisible text of scanning software: recognize it.
 * - `nonsense`: the text is there but its letters are not those on the paper: recognize it.
 * - `empty`: nothing to be read either way.
 */
export type TextLayer = 'real' | 'image' | 'nonsense' | 'empty'

/** Pictures that cover this share of the page make it a scan, when there is hardly text. */
const pictureShareMin = 0.35
const scanSignsMax = 60

export function judgeTextLayer(text: PageText, drawing: Drawing, frame: PageFrame): TextLayer {
  const signs = text.glyphs.filter((glyph) => glyph.sign !== ' ')
  const share = pictureShare(drawing, frame)
  const outlined = drawing.shapes > 300
  if (signs.length === 0) return share > 0.02 || outlined || text.invisible > 0 ? 'image' : 'empty'
  if (signs.length < scanSignsMax && (share > pictureShareMin || drawing.shapes > 500)) return 'image'
  if (isNonsense(signs, text)) return 'nonsense'
  return 'real'
}

/** Share of the page that pictures cover, counted on a coarse grid so that strips and layers count once. */
export function pictureShare(drawing: Drawing, frame: PageFrame): number {
  const cells = 20
  let covered = 0
  for (let row = 0; row < cells; row += 1) {
    for (let column = 0; column < cells; column += 1) {
      const x = ((column + 0.5) / cells) * frame.widthPt
      const y = ((row + 0.5) / cells) * frame.heightPt
      if (drawing.pictures.some(({ box: [x0, y0, x1, y1] }) => x >= x0 && x <= x1 && y >= y0 && y <= y1)) covered += 1
    }
  }
  return covered / (cells * cells)
}

/** Words that hardly any invoice lacks, in the languages of Spain and those of its neighbours; without accents. */
const commonWords = new Set(
  `factura fecha total iva importe base imponible cliente numero nif cif euros euro de la el en por para con calle
  precio cantidad descripcion concepto pago vencimiento telefono iban spain espana data client quantitat preu adreca
  import nom numero rebut carrer enderezo prezo cantidade rua faktura data guztira zenbatekoa bezeroa kalea invoice
  date amount tax vat price quantity description due bill to of the and facture montant tva prix quantite rechnung
  datum betrag menge preis mwst und der die fattura prezzo importo quantita fatura preco valor contribuinte del los las
  al un una igic irpf ref articulo unidad unidades subtotal descuento forma transferencia domicilio cp tel email www
  com es http https pagina page`.split(/\s+/),
)

/**
 * True when the letters cannot be those on the paper: too many without a meaning, or text in which neither a common
 * word nor a natural share of vowels and digits is found. Short texts get the benefit of the doubt.
 */
function isNonsense(signs: readonly Glyph[], text: PageText): boolean {
  if (text.unmapped > 0.3 * signs.length && text.unmapped > 10) return true
  const odd = signs.filter(({ sign }) => !/[\p{Script=Latin}\p{N}\p{P}\p{Sc}+=<>|~^°ºª§©®™²³×·•■□▪]/u.test(sign)).length
  if (odd > 0.4 * signs.length && signs.length > 30) return true
  const letters = signs.filter(({ sign }) => /\p{L}/u.test(sign))
  if (letters.length < 60) return false
  if (hasCommonWord(text.glyphs)) return false
  const vowels = letters.filter(({ sign }) => /[aeiouáéíóúàèìòùäëïöü]/iu.test(sign)).length / letters.length
  const digits = signs.filter(({ sign }) => /\d/.test(sign)).length / signs.length
  return vowels < 0.28 || vowels > 0.62 || digits < 0.01
}

/** Two different common words of three letters or more, or one of five. */
function hasCommonWord(glyphs: readonly Glyph[]): boolean {
  const found = new Set<string>()
  const flat = glyphs.map(({ sign }) => sign).join('')
  const plain = flat.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  for (const [word] of plain.matchAll(/[a-z]{3,}/g)) {
    if (!commonWords.has(word)) continue
    if (word.length >= 5) return true
    found.add(word)
    if (found.size >= 2) return true
  }
  return /factura|invoice|importe|total/.test(plain.replace(/[^a-z]/g, ''))
}
