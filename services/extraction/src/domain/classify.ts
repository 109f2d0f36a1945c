import type { DocumentType, TaxType } from '@asiento/proto/schemas/extraction-result'
import type { Sheet } from './layout.ts'
import { fold } from './text.ts'

export interface Classified {
  type: DocumentType
  language: string | null
  currency: string | null
  taxType: Exclude<TaxType, 'RE'>
  /** Words of the document speak of these. */
  surcharge: boolean
  withholding: boolean
  simplified: boolean
}

const invoiceWords = /\b(?:factura|facturas|invoice|faktura|fra|ticket|tiquet|minuta|tique|f a c t u r a)\b/
const others: readonly { type: DocumentType; words: RegExp }[] = [
  { type: 'proforma', words: /\bpro-?\s?forma\b/ },
  { type: 'delivery_note', words: /\b(?:albaran|albara|nota de entrega|delivery note|packing list|albarana)\b/ },
  { type: 'quote', words: /\b(?:presupuesto|pressupost|orzamento|oferta|cotizacion|quote|quotation|aurrekontua)\b/ },
  {
    type: 'order',
    words: /\b(?:pedido|orden de compra|purchase order|comanda|hoja de pedido|confirmacion de pedido)\b/,
  },
  {
    type: 'bank_letter',
    words:
      /\b(?:extracto|extracto de cuenta|saldo disponible|aviso de cargo|bank statement|justificante de transferencia|extracte|movimientos de la cuenta|adeudo por domiciliacion|certificado de titularidad|nota informativa)\b/,
  },
  { type: 'receipt', words: /\b(?:recibo|justificante de pago|rebut|comprobante|receipt)\b/ },
]

/** What kind of document it is, by its titles: large or early text that names it. */
export function classify(sheet: Sheet): Classified {
  const first = sheet.document.pages[0]
  const cells = sheet.cells.filter((cell) => cell.page === first?.index)
  const all = fold(sheet.cells.map((cell) => cell.text).join(' \n '))
  const sizes = cells.map((cell) => cell.size).sort((a, b) => a - b)
  const body = sizes[Math.floor(sizes.length / 2)] ?? 10
  const titles = cells
    .filter((cell) => cell.tokens.length <= 8 && (cell.size > 1.15 * body || cell.y1 < 0.35 * (first?.heightPt ?? 842)))
    .map((cell) => ({
      text: fold(cell.text).replace(/^(?:[a-z] ){4,}[a-z]\b/, (spaced) => spaced.replace(/ /g, '')),
      size: cell.size,
    }))
  const invoiceTitle = Math.max(
    0,
    ...titles
      .filter((title) => invoiceWords.test(title.text) && !/pro-?\s?forma|no es (?:una )?factura/.test(title.text))
      .map((title) => title.size),
  )
  let type: DocumentType = 'invoice'
  for (const other of others) {
    const size = Math.max(
      0,
      ...titles.filter((title) => startsWith(title.text, other.words)).map((title) => title.size),
    )
    const stronger =
      invoiceTitle === 0 || size > 1.25 * invoiceTitle || (other.type === 'proforma' && size >= invoiceTitle)
    if (
      size > 0 &&
      stronger &&
      (invoiceTitle === 0 ? !/\bn(?:o|um)\.? (?:de )?factura|factura (?:no|num)/.test(all) : true)
    ) {
      type = other.type
      break
    }
  }
  if (titles.some((title) => /^(?:factura|fra\.?|invoice|faktura) ?pro-? ?forma|^pro-? ?forma/.test(title.text)))
    type = 'proforma'
  if (
    type === 'invoice' &&
    titles.some((title) =>
      /^(?:contrato de|contracte d|aviso de (?:pago|cobro)|recordatorio de pago|reclamacion de)/.test(title.text),
    ) &&
    invoiceTitle === 0
  )
    type = 'bank_letter'
  if (
    type === 'invoice' &&
    /no (?:tiene validez|valida) como factura|este documento no es (?:una )?factura|sin validez (?:fiscal|como factura)/.test(
      all,
    )
  )
    type = 'proforma'
  const simplified = /factura simplificada|\bticket\b|\btiquet\b|\btique\b/.test(all)
  if (type === 'invoice') {
    if (
      /\brectificativ|\bfactura de abono|\bnota de abono|\bcredit note|\bzuzentzaile|factura rectificada|\babono\b/.test(
        titles.map((title) => title.text).join(' \n '),
      )
    )
      type = 'corrective'
    else if (simplified) type = 'simplified'
  }
  return {
    type,
    language: languageOf(all),
    currency: currencyOf(all),
    taxType:
      /\bigic\b|indirecto canario/.test(all) && !/\biva\b \d/.test(all)
        ? 'IGIC'
        : /\bipsi\b/.test(all)
          ? 'IPSI'
          : 'IVA',
    surcharge: /recargo|equivalencia|\brec\.? ?eq|\br\.? ?e\.?\b|recarrec|errekargu/.test(all),
    withholding: /irpf|i\.r\.p\.f|retencio|\bret\b|retenz|pfez|atxikip|withhold/.test(all),
    simplified,
  }
}

const startsWith = (text: string, words: RegExp): boolean => {
  const at = words.exec(text)
  return at !== null && at.index <= 3 && !/factura|invoice/.test(text)
}

const languageWords: Readonly<Record<string, readonly string[]>> = {
  es: [
    'fecha',
    'cliente',
    'cantidad',
    'precio',
    'importe',
    'descripcion',
    'concepto',
    'vencimiento',
    'forma',
    'pago',
    'numero',
    'unidades',
    'imponible',
    'pagar',
    'domicilio',
    'el',
    'los',
    'del',
    'con',
    'emision',
  ],
  ca: [
    'data',
    'client',
    'quantitat',
    'preu',
    'import',
    'descripcio',
    'concepte',
    'venciment',
    'pagament',
    'unitats',
    'imposable',
    'amb',
    'els',
    'dades',
    'adreca',
    'emissio',
    'a pagar',
    'quota',
    'per',
  ],
  gl: [
    'data',
    'cliente',
    'cantidade',
    'prezo',
    'importe',
    'descricion',
    'concepto',
    'vencemento',
    'pagamento',
    'unidades',
    'impoñible',
    'enderezo',
    'do',
    'da',
    'pago',
    'cota',
    'emision',
    'numero da factura',
    'con',
  ],
  eu: [
    'data',
    'bezeroa',
    'kopurua',
    'prezioa',
    'zenbatekoa',
    'kontzeptua',
    'mugaeguna',
    'ordainketa',
    'oinarria',
    'bez',
    'guztira',
    'faktura',
    'helbidea',
    'deskribapena',
    'igorlea',
    'zenbakia',
    'epemuga',
  ],
  en: [
    'date',
    'customer',
    'quantity',
    'price',
    'amount',
    'description',
    'due',
    'payment',
    'invoice',
    'net',
    'vat',
    'total',
    'bill',
    'to',
    'unit',
    'bank',
    'number',
    'terms',
  ],
}

function languageOf(text: string): string | null {
  const counts = new Map<string, number>()
  for (const word of text.split(/[^\p{L}]+/u)) counts.set(word, (counts.get(word) ?? 0) + 1)
  let best: string | null = null
  let bestCount = 2
  for (const [language, words] of Object.entries(languageWords)) {
    const count = words.reduce((total, word) => total + Math.min(3, counts.get(fold(word)) ?? 0), 0)
    if (count > bestCount) {
      best = language
      bestCount = count
    }
  }
  return best
}

function currencyOf(text: string): string | null {
  const euros = (text.match(/€|\beur\b|\beuros?\b/g) ?? []).length
  const dollars = (text.match(/\busd\b|us\$|\$/g) ?? []).length
  const pounds = (text.match(/\bgbp\b|£/g) ?? []).length
  if (dollars > euros && dollars > 1) return 'USD'
  if (pounds > euros && pounds > 1) return 'GBP'
  return 'EUR'
}
