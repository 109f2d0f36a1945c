import type { TableCell } from 'pdfmake/interfaces.js'
import { day, eur, num, spaced } from '../html.ts'
import type { Layout } from '../layout.ts'
import { iban as makeIban } from '../party.ts'
import { carriedTables, right } from './carried-tables.ts'
import { goods } from './goods.ts'
import { made } from './pdfmake.ts'

/** Two languages side by side, English figures, and an account that is not for this invoice. */
export const bilingualSealed4: readonly Layout[] = [
  {
    id: 's4-bilingual-two-accounts',
    wish: () => ({
      trade: goods.agency,
      lines: [3, 46],
      wholeQuantities: true,
      due: true,
      iban: 'always',
      payment: ['transferencia'],
    }),
    own: (doc, chance) => {
      doc.number = `INV-${doc.date.slice(0, 4)}-${chance.digits(4)}`
    },
    render: async (doc, chance) => {
      const { vendor, buyer } = doc
      const money = (cents: number): string => `€ ${eur(cents, 'dot')}`
      const date = (iso: string): string => {
        const [, month = '', number = ''] = /^(\w+) (\d+)/.exec(day(iso, 'en')) ?? []
        return `${number} ${month.slice(0, 3)} ${iso.slice(0, 4)}`
      }
      const pair = (name: string, value: string, bold = false): TableCell[] => [
        { text: name, bold },
        right(value, bold),
      ]
      return made({
        defaultStyle: { font: 'Roboto', fontSize: 9, lineHeight: 1.05 },
        pageMargins: [44, 50, 44, 60],
        footer: (page, pages) => ({ text: `${page} / ${pages}`, alignment: 'center', fontSize: 7, margin: [0, 20] }),
        content: [
          {
            columns: [
              [
                { text: 'FACTURA / INVOICE', fontSize: 16, bold: true },
                {
                  margin: [0, 8, 20, 0],
                  table: {
                    widths: ['*', 'auto'],
                    body: [
                      pair('N.º factura / Invoice No.', doc.number, true),
                      pair('Fecha / Date', date(doc.date)),
                      pair('Vencimiento / Due date', date(doc.due ?? doc.date)),
                      pair('Pedido / PO', `45${chance.digits(8)}`),
                    ],
                  },
                  layout: 'noBorders',
                },
              ],
              {
                width: 220,
                alignment: 'right',
                stack: [
                  { text: vendor.name, bold: true },
                  vendor.street,
                  `${vendor.postal} ${vendor.city}, España / Spain`,
                  `NIF / VAT ES${vendor.vat}`,
                  vendor.mail,
                ],
              },
            ],
          },
          { text: 'Cliente / Bill to', color: '#777', margin: [0, 14, 0, 2] },
          { text: buyer?.name ?? '', bold: true },
          `${buyer?.street}, ${buyer?.postal} ${buyer?.city}`,
          `NIF / VAT ${buyer?.vat}`,
          ...carriedTables({
            lines: doc.lines,
            perPage: 20,
            heads: ['#', 'Descripción / Description', 'Cant. / Qty', 'Precio / Price', 'IVA / VAT', 'Importe / Amount'],
            widths: [20, '*', 48, 56, 36, 66],
            row: (line, index) => [
              String(index + 1),
              line.text,
              right(num(line.quantity, 2, 'dot')),
              right(num(line.price, 2, 'dot')),
              right(`${line.rate}%`),
              right(eur(line.cents, 'dot')),
            ],
            words: ['Suma y sigue / Carried forward', 'Suma anterior / Brought forward'],
            money: (cents) => eur(cents, 'dot'),
          }),
          {
            unbreakable: true,
            stack: [
              {
                columns: [
                  { width: '*', text: '' },
                  {
                    width: 250,
                    table: {
                      widths: ['*', 'auto'],
                      body: [
                        pair('Base imponible / Net amount', money(doc.base)),
                        ...doc.rates.map((row) => pair(`IVA / VAT ${row.rate}%`, money(row.quota))),
                        pair('TOTAL / Amount due', money(doc.total), true),
                      ],
                    },
                  },
                ],
              },
              { text: 'Pago por transferencia / Payment by bank transfer', bold: true, margin: [0, 14, 0, 2] },
              `Cuenta para esta factura / Pay this invoice to: ${spaced(doc.iban ?? '')}`,
              {
                text: `No use para esta factura la cuenta de depósitos / Deposits only, not for this invoice: ${spaced(makeIban(chance))}`,
                fontSize: 7,
                color: '#666',
              },
            ],
          },
        ],
      })
    },
  },
]
