import type { Document, Page, Word } from '../../src/domain/page.ts'

/** A page as text: every row a string; runs of two or more blanks keep their place, as columns do on paper. */
export function documentOf(...pages: string[][]): Document {
  return {
    format: 'pdf',
    engine: 'text',
    pageCount: pages.length,
    pages: pages.map(pageOf),
    warnings: [],
  }
}

const columns = 110
const rowsPerPage = 70

function pageOf(rows: string[], index: number): Page {
  const words: Word[] = []
  for (const [line, row] of rows.entries()) {
    for (const match of row.matchAll(/\S+/g)) {
      const x0 = 0.05 + (0.9 * match.index) / columns
      const y0 = 0.04 + (0.92 * line) / rowsPerPage
      const x1 = x0 + (0.9 * match[0].length) / columns
      words.push({ text: match[0], confidence: 1, fontSize: 9, line, x0, y0, x1, y1: y0 + 0.011 })
    }
  }
  return { index, widthPt: 595, heightPt: 842, source: 'text', words, rules: [] }
}

/** An ordinary invoice to change one thing of. */
export const plainInvoice: readonly string[] = [
  'Talleres Aneto, S.L.',
  'C/ Mayor, 12, 2º B',
  '22001 Huesca',
  'CIF B22334459',
  '',
  'Factura nº: F-2025/0107                          Cliente:',
  'Fecha: 12/03/2025                                Ferretería Osca, S.A.',
  'Vencimiento: 11/04/2025                          NIF A50112234',
  '                                                 Paseo Independencia, 4',
  '                                                 50001 Zaragoza',
  '',
  'Descripción                                  Cantidad        Precio         Importe',
  'Cambio de aceite                                    2         45,00           90,00',
  'Filtro de aire                                      1         10,50           10,50',
  'Mano de obra (h)                                 3,50         40,00          140,00',
  '',
  '                                             Base imponible               240,50 €',
  '                                             IVA 21 %                      50,51 €',
  '                                             Total factura                291,01 €',
  '',
  'Forma de pago: transferencia a ES91 2100 0418 4502 0005 1332',
]
