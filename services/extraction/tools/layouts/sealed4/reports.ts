import { addDays } from '../document.ts'
import { day, eur, loose, num, spaced } from '../html.ts'
import type { Layout } from '../layout.ts'
import { goods } from './goods.ts'
import { openPen } from './pen.ts'

/** Report engines: a utility with its meter, a credit in two columns, a workshop under IGIC. */
export const reportsSealed4: readonly Layout[] = [
  {
    id: 's4-water-utility',
    wish: () => ({
      trade: goods.water,
      lines: [3, 6],
      wholeQuantities: true,
      decimals: 4,
      due: true,
      iban: 'always',
      payment: ['domiciliacion'],
      buyer: { person: true },
    }),
    own: (doc, chance) => {
      doc.number = `${doc.date.slice(0, 4)}${chance.digits(2)}F${chance.digits(8)}`
    },
    render: async (doc, chance) => {
      const pen = await openPen({
        face: 'lato',
        producer: 'JasperReports Library 6.20.0',
        ink: { size: 8, way: 'words' },
      })
      const { vendor, buyer } = doc
      const to = (x: number, y: number, text: string, bold = false): void =>
        pen.say(x, y, text, { align: 'right', bold })
      const from = addDays(doc.date, -68)
      const until = addDays(doc.date, -7)
      // The bands: foot, chart, detail, head.
      pen.say(
        297,
        815,
        `${vendor.name} · CIF ${vendor.vat} · Domicilio social: ${vendor.street}, ${vendor.postal} ${vendor.city}`,
        { align: 'center', size: 6.5 },
      )
      pen.say(297, 824, vendor.registry, { align: 'center', size: 6 })
      pen.say(40, 640, 'Histórico de consumos (m3) e importes', { bold: true })
      for (let bar = 0; bar < 6; bar += 1) {
        const used = chance.int(8, 60)
        const month = addDays(doc.date, -68 - bar * 61)
        pen.box(48 + bar * 62, 730 - used, 26, used, 0.7)
        pen.say(61 + bar * 62, 726 - used, String(used), { align: 'center', size: 7 })
        pen.say(61 + bar * 62, 740, `${month.slice(5, 7)}/${month.slice(2, 4)}`, { align: 'center', size: 7 })
        pen.say(61 + bar * 62, 750, `${eur(chance.int(1500, 12_000))} €`, { align: 'center', size: 7 })
      }
      const y0 = 360
      for (const [x, text] of [
        [310, 'Cantidad'],
        [390, 'Precio €'],
        [440, 'IVA'],
        [555, 'Importe €'],
      ] as const)
        to(x, y0, text, true)
      pen.say(40, y0, 'Conceptos facturados', { bold: true })
      pen.rule(40, y0 + 4, 555, y0 + 4)
      for (const [index, line] of doc.lines.entries()) {
        const y = y0 + 18 + index * 14
        pen.say(40, y, line.text)
        to(310, y, loose(line.quantity))
        to(390, y, num(line.price, 4))
        to(440, y, `${line.rate}%`)
        to(555, y, eur(line.cents))
      }
      const y1 = y0 + 130
      for (const [index, row] of doc.rates.entries()) {
        to(470, y1 + index * 13, `IVA ${row.rate}% sobre ${eur(row.base)}`)
        to(555, y1 + index * 13, eur(row.quota))
      }
      to(470, y1 - 14, 'Suma de bases imponibles')
      to(555, y1 - 14, eur(doc.base))
      to(470, y1 + 32, 'TOTAL IMPORTE FACTURA', true)
      to(555, y1 + 32, `${eur(doc.total)} €`, true)
      pen.say(40, y1 + 70, 'Facturas pendientes a esta fecha: 0,00 €. Próxima lectura prevista:')
      pen.say(285, y1 + 70, day(addDays(doc.date, 54), 'd/m/y'))
      // Meter.
      const last = chance.int(300, 4000)
      pen.box(40, 262, 515, 62)
      for (const [index, [name, value]] of [
        ['Contador', `${chance.digits(2)}ML${chance.digits(6)}`],
        ['Periodo', `${day(from, 'd/m/y')} - ${day(until, 'd/m/y')}`],
        ['Lectura anterior', `${num(last, 0)} (real)`],
        ['Lectura actual', `${num(last + chance.int(5, 60), 0)} (real)`],
      ].entries()) {
        pen.say(50 + index * 128, 280, name ?? '', { size: 7 })
        pen.say(50 + index * 128, 294, value ?? '', { bold: true })
      }
      pen.say(
        50,
        314,
        `Dirección de suministro: ${buyer?.street}, ${buyer?.city}   Póliza ${chance.digits(8)}   Uso doméstico`,
      )
      pen.box(300, 60, 255, 66, 0.93)
      pen.say(312, 78, 'Importe total', { bold: true })
      to(545, 78, `${eur(doc.total)} €`, true)
      pen.say(312, 94, 'Fecha de cargo en cuenta')
      to(545, 94, day(doc.due ?? doc.date, 'd/m/y'))
      pen.say(312, 110, 'Domiciliado en')
      to(545, 110, spaced(doc.iban ?? ''))
      pen.say(40, 66, vendor.name, { bold: true, size: Math.min(14, 480 / vendor.name.length) })
      pen.say(40, 84, `Factura nº ${doc.number}`)
      pen.say(40, 96, `Fecha de emisión ${day(doc.date, 'd/m/y')}`)
      pen.say(300, 160, buyer?.name ?? '', { size: 10 })
      pen.say(300, 174, buyer?.street ?? '', { size: 10 })
      pen.say(300, 188, `${buyer?.postal} ${buyer?.city}`, { size: 10 })
      pen.say(40, 174, `Titular del contrato: ${buyer?.name}`)
      pen.say(40, 186, `NIF del titular: ${buyer?.vat}`)
      pen.say(40, 220, 'Atención al cliente 900 100 482 (24 h) · Averías 900 102 994', { size: 7 })
      return pen.save()
    },
  },
  {
    id: 's4-corrective-textile',
    wish: () => ({
      trade: goods.fabrics,
      kind: 'corrective',
      lines: [1, 5],
      wholeQuantities: true,
      iban: 'never',
      payment: ['transferencia', null],
    }),
    own: (doc, chance) => {
      doc.number = `R${doc.date.slice(2, 4)}/${String(chance.int(1, 400)).padStart(4, '0')}`
    },
    hidesInLines: ['tax_rate'],
    render: async (doc, chance) => {
      const pen = await openPen({ face: 'lato', producer: 'FPDF 1.86', ink: { size: 9 } })
      const { vendor, buyer } = doc
      const before = addDays(doc.date, -chance.int(9, 70))
      const to = (x: number, y: number, text: string, bold = false): void =>
        pen.say(x, y, text, { align: 'right', bold })
      pen.say(40, 60, 'FACTURA RECTIFICATIVA', { bold: true, size: 17 })
      pen.say(
        40,
        80,
        `Rectifica la factura F${before.slice(2, 4)}/${chance.digits(4)} de ${day(before, 'd/m/y')} por importe de ${eur(chance.int(120_000, 900_000))} €`,
      )
      pen.say(40, 93, 'Motivo: devolución de género (art. 80.Uno LIVA). Rectificación por diferencias.')
      // Two columns of names and values, the values of both after all names.
      for (const [index, text] of ['Emisor', 'NIF', 'Dirección', 'Población'].entries())
        for (const x of [40, 310])
          pen.say(x, 130 + index * 14, index === 0 && x === 310 ? 'Receptor' : text, {
            size: 8,
            color: [0.4, 0.4, 0.4],
          })
      for (const [x, party] of [
        [95, vendor],
        [365, buyer],
      ] as const) {
        for (const [index, text] of [
          party?.name ?? '',
          party?.vat ?? '',
          party?.street ?? '',
          `${party?.postal} ${party?.city}`,
        ].entries())
          pen.say(x, 130 + index * 14, text, {
            bold: index === 0,
            size: index === 0 ? Math.min(9, 330 / text.length) : 9,
          })
      }
      pen.say(40, 208, 'Nº rectificativa', { size: 8, color: [0.4, 0.4, 0.4] })
      pen.say(140, 208, 'Fecha', { size: 8, color: [0.4, 0.4, 0.4] })
      pen.say(40, 221, doc.number, { bold: true })
      pen.say(140, 221, day(doc.date, 'd/m/y'), { bold: true })
      const y0 = 255
      pen.box(40, y0 - 12, 515, 17, 0.9)
      pen.say(44, y0, 'Artículo devuelto', { bold: true })
      to(360, y0, 'Unidades', true)
      to(440, y0, 'Precio', true)
      to(550, y0, 'Importe', true)
      for (const [index, line] of doc.lines.entries()) {
        const y = y0 + 19 + index * 16
        pen.say(44, y, line.text)
        to(360, y, loose(line.quantity))
        to(440, y, num(line.price))
        to(550, y, eur(line.cents))
      }
      const y1 = 400
      for (const [index, [text, cents]] of (
        [
          ['Base imponible', doc.base],
          ...doc.rates.map((row) => [`Cuota IVA ${row.rate}%`, row.quota] as const),
          ['Total a su favor', doc.total],
        ] as const
      ).entries()) {
        to(440, y1 + index * 16, text, index > 1)
        to(550, y1 + index * 16, `${eur(cents)} €`, index > 1)
      }
      pen.say(
        40,
        480,
        doc.payment === 'transferencia'
          ? 'El abono se realizará por transferencia a su cuenta habitual en 10 días.'
          : 'Este abono queda a cuenta de próximas facturas.',
      )
      pen.say(40, 800, `${vendor.registry}`, { size: 6.5 })
      return pen.save()
    },
  },
]
