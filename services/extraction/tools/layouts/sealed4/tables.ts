import { addDays } from '../document.ts'
import { day, eur, loose, num, pct, spaced } from '../html.ts'
import type { Layout } from '../layout.ts'
import { carriedTables, heads, right } from './carried-tables.ts'
import { goods } from './goods.ts'
import { made } from './pdfmake.ts'

/** pdfmake: words set one by one in tables that go over pages, with sums carried from one to the next. */
export const tablesSealed4: readonly Layout[] = [
  {
    id: 's4-wholesale-instalments',
    wish: () => ({
      trade: goods.cashAndCarry,
      lines: [18, 64],
      lineDiscounts: true,
      surcharge: true,
      iban: 'masked',
      payment: ['domiciliacion'],
    }),
    own: (doc, chance) => {
      doc.number = `VEN/${doc.date.slice(0, 4)}/${chance.digits(6)}`
    },
    // Three dates, none of them first among equals.
    unasked: ['due_date'],
    render: async (doc, chance) => {
      const { vendor, buyer } = doc
      const client = chance.digits(5)
      const health = chance.digits(5)
      const part = Math.floor(doc.total / 3)
      const parts = [part, part, doc.total - 2 * part]
      return made({
        defaultStyle: { font: 'Helvetica', fontSize: 8, lineHeight: 1.15 },
        pageMargins: [36, 150, 36, 60],
        header: (page, pages) => ({
          margin: [36, 30, 36, 0],
          columns: [
            [
              { text: vendor.name, bold: true, fontSize: 13 },
              `${vendor.street}\n${vendor.postal} ${vendor.city} (${vendor.province})\nC.I.F. ${vendor.vat}   R.G.S.E.A.A. 40.${health}/M`,
              { text: `Cliente ${client}`, margin: [0, 8, 0, 0] },
              `${buyer?.name}\n${buyer?.street}\n${buyer?.postal} ${buyer?.city}\nN.I.F. ${buyer?.vat}`,
            ],
            {
              width: 190,
              table: {
                widths: ['*', '*'],
                body: [
                  ['Factura', right(doc.number, true)],
                  ['Fecha', right(day(doc.date, 'd/m/yy'), true)],
                  ['Hoja', right(`${page} de ${pages}`)],
                  ['Ruta / Agente', right('14 / 07')],
                ],
              },
            },
          ],
        }),
        footer: { text: vendor.registry, fontSize: 6, alignment: 'center', margin: [0, 30, 0, 0] },
        content: [
          ...carriedTables({
            lines: doc.lines,
            perPage: 26,
            heads: ['Código', 'Descripción', 'Cajas', 'Cant.', 'Precio', '% Dto', '% IVA', 'Importe'],
            widths: [44, '*', 28, 36, 40, 34, 30, 54],
            row: (line, index) => [
              line.ref,
              line.text,
              right(String((index % 4) + 1)),
              right(loose(line.quantity)),
              right(num(line.price, line.price < 0.5 ? 3 : 2)),
              right(line.discount === 0 ? '' : num(line.discount, 1)),
              right(num(line.rate, 0)),
              right(eur(line.cents)),
            ],
            words: ['Suma y sigue', 'Suma anterior'],
          }),
          {
            unbreakable: true,
            stack: [
              {
                table: {
                  widths: ['*', 40, '*', 40, '*', '*'],
                  body: [
                    heads(['Base imponible', '% IVA', 'Cuota IVA', '% R.E.', 'Cuota R.E.', 'Suma'], 0),
                    ...doc.rates.map((row) => [
                      right(eur(row.base)),
                      right(num(row.rate)),
                      right(eur(row.quota)),
                      right(num(row.surchargeRate)),
                      right(eur(row.surcharge)),
                      right(eur(row.base + row.quota + row.surcharge)),
                    ]),
                  ],
                },
              },
              {
                text: `TOTAL FACTURA   ${eur(doc.total)} €`,
                bold: true,
                fontSize: 12,
                alignment: 'right',
                margin: [0, 8],
              },
              { text: 'Forma de pago: recibo domiciliado a 30, 60 y 90 días', bold: true },
              `Domiciliación: ${doc.iban?.slice(0, 4)} ${doc.iban?.slice(4, 8)} **** **** **** ${doc.iban?.slice(-4)}`,
              {
                margin: [0, 6],
                table: {
                  body: [
                    ['Vencimientos', ...[30, 60, 90].map((days) => right(day(addDays(doc.date, days), 'd/m/yy')))],
                    ['Importes', ...parts.map((cents) => right(eur(cents)))],
                  ],
                },
              },
            ],
          },
        ],
      })
    },
  },
  {
    id: 's4-catalan-cellar',
    wish: () => ({
      trade: goods.cellar,
      lines: [14, 48],
      globalDiscount: true,
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'domiciliacion'],
    }),
    own: (doc, chance) => {
      doc.number = `${doc.date.slice(2, 4)}/F/${chance.digits(5)}`
    },
    render: async (doc, chance) => {
      const { vendor, buyer } = doc
      return made({
        defaultStyle: { font: 'Times', fontSize: 9.5, lineHeight: 1.1 },
        pageMargins: [48, 48, 48, 70],
        footer: (page, pages) => ({
          columns: [`${vendor.registry}`, { text: `Pàgina ${page} de ${pages}`, alignment: 'right', width: 70 }],
          fontSize: 6.5,
          margin: [48, 30, 48, 0],
        }),
        content: [
          { text: vendor.name, fontSize: 18, bold: true, color: '#5c1a2b' },
          `${vendor.street} – ${vendor.postal} ${vendor.city}`,
          `NIF ${vendor.vat} – Tel. ${vendor.phone} – ${vendor.mail}`,
          {
            margin: [0, 16, 0, 4],
            columns: [
              [
                { text: 'Dades de facturació', color: '#888', fontSize: 8 },
                { text: buyer?.name ?? '', bold: true },
                buyer?.street ?? '',
                `${buyer?.postal} ${buyer?.city}`,
                `NIF ${buyer?.vat}`,
              ],
              [
                { text: `Factura núm. ${doc.number}`, bold: true, fontSize: 12 },
                `Data: ${day(doc.date, 'ca')}`,
                `Venciment: ${day(doc.due ?? doc.date, 'ca')}`,
                `Albarà ${chance.digits(6)} del ${day(addDays(doc.date, -chance.int(1, 9)), 'd/m/y')}`,
                `Codi de client ${chance.digits(4)}`,
              ],
            ],
          },
          ...carriedTables({
            lines: doc.lines,
            perPage: 22,
            heads: ['Article', 'Lot', 'Quantitat', 'Preu', 'IVA', 'Import'],
            widths: ['*', 60, 50, 50, 34, 62],
            row: (line) => [
              line.text,
              `L${chance.digits(5)}`,
              right(loose(line.quantity)),
              right(`${num(line.price)} €`),
              right(`${pct(line.rate)}%`),
              right(`${eur(line.cents)} €`),
            ],
            words: ['Suma i segueix', 'Suma de la pàgina anterior'],
          }),
          {
            unbreakable: true,
            columns: [
              { width: '*', text: '' },
              {
                width: 280,
                table: {
                  widths: ['*', 40, 60],
                  body: [
                    ['Import brut', '', right(`${eur(doc.linesSum)} €`)],
                    ...(doc.discount === 0
                      ? []
                      : [
                          ['Descompte comercial', right(`${pct(doc.discountRate)}%`), right(`-${eur(doc.discount)} €`)],
                        ]),
                    ...doc.rates.flatMap((row) => [
                      ['Base imposable', '', right(`${eur(row.base)} €`)],
                      ['Quota IVA', right(`${pct(row.rate)}%`), right(`${eur(row.quota)} €`)],
                    ]),
                    [{ text: 'Total factura', bold: true }, '', right(`${eur(doc.total)} €`, true)],
                  ],
                },
                layout: 'noBorders',
              },
            ],
          },
          {
            margin: [0, 12, 0, 0],
            text:
              doc.payment === 'transferencia'
                ? `Forma de pagament: transferència bancària al compte ${spaced(doc.iban ?? '')}`
                : 'Forma de pagament: rebut domiciliat',
          },
        ],
      })
    },
  },
]
