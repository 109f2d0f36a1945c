import { degrees } from 'pdf-lib'
import { addDays } from '../document.ts'
import { day, eur, loose, num, spaced } from '../html.ts'
import type { Layout } from '../layout.ts'
import { goods } from './goods.ts'
import { a4, openPen } from './pen.ts'

/** Report designers: every field stands for itself, and the order in the file is not that of the page. */
export const fieldsSealed4: readonly Layout[] = [
  {
    id: 's4-crystal-fields',
    wish: () => ({
      trade: goods.plumbing,
      lines: [3, 16],
      lineDiscounts: true,
      surcharge: true,
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'domiciliacion'],
    }),
    own: (doc, chance) => {
      doc.number = `FV${doc.date.slice(2, 4)}/${chance.digits(6)}`
    },
    hidesInLines: ['tax_rate'],
    render: async (doc, chance) => {
      const pen = await openPen({ producer: 'Powered By Crystal', ink: { size: 8.5 } })
      const to = (x: number, y: number, text: string, bold = false): void =>
        pen.say(x, y, text, { align: 'right', bold })
      // Foot first: values, then their names.
      to(560, 742, `${eur(doc.total)} €`, true)
      for (const [index, rate] of doc.rates.entries()) {
        const y = 706 + index * 12
        to(420, y, eur(rate.surcharge))
        to(355, y, rate.surchargeRate === 0 ? '' : num(rate.surchargeRate))
        to(305, y, eur(rate.quota))
        to(235, y, num(rate.rate))
        to(185, y, eur(rate.base))
        to(110, y, eur(rate.base))
      }
      for (const [x, text] of [
        [110, 'Importe bruto'],
        [185, 'Base imponible'],
        [235, '% I.V.A.'],
        [305, 'Cuota I.V.A.'],
        [355, '% R.E.'],
        [420, 'Cuota R.E.'],
      ] as const)
        to(x, 692, text, true)
      pen.say(450, 742, 'Total factura', { bold: true })
      // Lines column by column.
      for (const [index, line] of doc.lines.entries()) to(560, 312 + index * 21, eur(line.cents))
      for (const [index, line] of doc.lines.entries())
        to(490, 312 + index * 21, line.discount === 0 ? '' : `${num(line.discount)} %`)
      for (const [index, line] of doc.lines.entries())
        to(440, 312 + index * 21, num(line.price, line.price < 1 ? 3 : 2))
      for (const [index, line] of doc.lines.entries()) to(370, 312 + index * 21, num(line.quantity))
      for (const [index, line] of doc.lines.entries()) pen.say(40, 312 + index * 21, line.ref)
      for (const [index, line] of doc.lines.entries()) pen.say(108, 312 + index * 21, line.text)
      pen.box(36, 280, 528, 16, 0.88)
      for (const [x, text] of [
        [560, 'Importe'],
        [490, 'Dto.'],
        [440, 'Precio'],
        [370, 'Cantidad'],
      ] as const)
        to(x, 291, text, true)
      pen.say(108, 291, 'Descripción', { bold: true })
      pen.say(40, 291, 'Artículo', { bold: true })
      // Names of the head, then what belongs to them.
      for (const [index, text] of ['Número', 'Fecha', 'Cliente', 'N.I.F.', 'Su pedido'].entries())
        pen.say(40, 178 + index * 15, text)
      for (const [index, text] of [
        doc.number,
        day(doc.date, 'd/m/y'),
        chance.digits(6),
        doc.buyer?.vat ?? '',
        `PC-${chance.digits(5)}`,
      ].entries())
        pen.say(110, 178 + index * 15, text, { bold: index < 2 })
      for (const [index, text] of [
        doc.buyer?.province ?? '',
        `${doc.buyer?.postal}   ${doc.buyer?.city}`,
        doc.buyer?.street ?? '',
        doc.buyer?.name ?? '',
      ].entries())
        pen.say(310, 224 - index * 14, text, { fit: 246 })
      pen.box(300, 164, 262, 70)
      pen.say(36, 760, 'Forma de pago:')
      pen.say(36, 774, 'Vencimiento:')
      pen.say(110, 774, doc.due === null ? '' : `${day(doc.due, 'd/m/y')}`)
      pen.say(
        110,
        760,
        doc.payment === 'transferencia'
          ? `Transferencia a ${spaced(doc.iban ?? '')}`
          : 'Recibo domiciliado en su banco',
      )
      pen.say(560, 150, 'FACTURA', { align: 'right', bold: true, size: 16 })
      pen.say(560, 100, `${doc.vendor.postal} ${doc.vendor.city}`, { align: 'right' })
      pen.say(560, 88, doc.vendor.street, { align: 'right' })
      pen.say(560, 112, `CIF: ${doc.vendor.vat} - Tel.: ${doc.vendor.phone}`, { align: 'right' })
      pen.say(560, 70, doc.vendor.name, { align: 'right', bold: true, size: 13 })
      pen.say(22, 640, doc.vendor.registry, { size: 6, up: true })
      return pen.save()
    },
  },
  {
    id: 's4-glyphs-retail',
    wish: (chance) => ({
      trade: goods.bookshop,
      lines: [1, 9],
      withTax: true,
      wholeQuantities: true,
      iban: 'never',
      payment: ['tarjeta', 'efectivo'],
      ...(chance.yes(0.4) ? { kind: 'simplified' as const, buyer: null } : {}),
    }),
    own: (doc, chance) => {
      doc.number = `T${chance.digits(2)}-${chance.digits(7)}`
    },
    hides: ['vendor_city'],
    render: async (doc, chance) => {
      const pen = await openPen({
        face: 'roboto',
        producer: 'TCPDF 6.6.5 (http://www.tcpdf.org)',
        size: [419.53, 595.28],
        ink: { size: 8, way: 'glyphs' },
      })
      const { vendor, buyer } = doc
      pen.say(210, 40, vendor.name, { align: 'center', bold: true, size: 12, fit: 380 })
      pen.say(210, 54, `${vendor.street} · Tel. ${vendor.phone}`, { align: 'center' })
      pen.say(210, 66, `NIF ${vendor.vat}`, { align: 'center' })
      pen.say(30, 96, doc.kind === 'simplified' ? 'FACTURA SIMPLIFICADA' : 'FACTURA', { bold: true, size: 11 })
      pen.say(30, 112, `Nº ${doc.number}`)
      pen.say(
        30,
        124,
        `${day(doc.date, 'd/m/y')}  ${chance.int(10, 20)}:${chance.int(10, 59)}  Caja ${chance.int(1, 4)}  Operador ${chance.digits(3)}`,
      )
      if (buyer !== null) {
        const said = [buyer.name, buyer.street, `${buyer.postal} ${buyer.city}`, `NIF ${buyer.vat}`]
        for (const [index, text] of said.flatMap((text) => pen.wrap(text, 155)).entries())
          pen.say(235, 82 + index * 11, text)
      }
      pen.rule(30, 146, 390, 146)
      for (const [x, text] of [
        [258, 'Uds'],
        [306, 'PVP'],
        [338, 'IVA'],
        [390, 'Total'],
      ] as const)
        pen.say(x, 158, text, { align: 'right', bold: true })
      pen.say(30, 158, 'Artículo', { bold: true })
      pen.rule(30, 163, 390, 163)
      let y = 176
      for (const line of doc.lines) {
        pen.say(30, y, line.text)
        pen.say(258, y, loose(line.quantity), { align: 'right' })
        pen.say(306, y, num(line.price), { align: 'right' })
        pen.say(338, y, `${line.rate}%`, { align: 'right' })
        pen.say(390, y, eur(line.cents), { align: 'right' })
        pen.say(30, y + 9, `EAN ${chance.digits(13)}`, { size: 6, color: [0.5, 0.5, 0.5] })
        y += 22
      }
      pen.rule(30, y, 390, y)
      pen.say(30, y + 18, 'TOTAL (IVA incluido)', { bold: true, size: 11 })
      pen.say(390, y + 18, `${eur(doc.total)} €`, { align: 'right', bold: true, size: 11 })
      y += 34
      if (doc.payment === 'efectivo') {
        const given = Math.ceil(doc.total / 5000) * 5000
        pen.say(30, y, 'Efectivo entregado')
        pen.say(390, y, eur(given), { align: 'right' })
        pen.say(30, y + 11, 'Cambio')
        pen.say(390, y + 11, eur(given - doc.total), { align: 'right' })
      } else pen.say(30, y, `Tarjeta VISA **** **** **** ${chance.digits(4)}   Aut. ${chance.digits(6)}`)
      y += 30
      for (const [x, text] of [
        [100, 'Tipo'],
        [200, 'Base'],
        [290, 'Cuota'],
      ] as const)
        pen.say(x, y, text, { align: 'right', bold: true })
      for (const [index, rate] of doc.rates.entries()) {
        pen.say(100, y + 12 + index * 11, `${num(rate.rate)}%`, { align: 'right' })
        pen.say(200, y + 12 + index * 11, eur(rate.base), { align: 'right' })
        pen.say(290, y + 12 + index * 11, eur(rate.quota), { align: 'right' })
      }
      pen.say(210, 570, 'Cambios y devoluciones: 15 días con este documento', { align: 'center', size: 7 })
      return pen.save()
    },
  },
  {
    id: 's4-rotated-cropped',
    wish: () => ({
      trade: goods.pallets,
      lines: [2, 10],
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'domiciliacion', null],
    }),
    own: (doc, chance) => {
      doc.number = `${doc.date.slice(0, 4)}${chance.digits(5)}`
    },
    hidesInLines: ['tax_rate'],
    render: async (doc, chance) => {
      // A sheet of the print shop: 40 points of bleed around, its own marks outside the crop box, stored on its side.
      const wide = a4[1] + 80
      const high = a4[0] + 80
      const pen = await openPen({
        producer: 'iText 2.1.7 by 1T3XT',
        size: [high, wide],
        origin: [-40, 300],
        ink: { size: 8.5, up: true },
      })
      const page = pen.page()
      page.setCropBox(0, 340, a4[0], a4[1])
      page.setRotation(degrees(90))
      // What reads along the upright page lies along x; `up` turned by the page becomes level.
      const say = (
        x: number,
        y: number,
        text: string,
        ink: { bold?: boolean; size?: number; align?: 'right'; fit?: number } = {},
      ): void => pen.say(40 + y, wide - 40 - x, text, ink)
      pen.say(20, wide - 60, `Pliego ${chance.digits(4)}  CMYK  ${day(doc.date, 'iso')}  Total planchas 4`, { size: 6 })
      const { vendor, buyer } = doc
      say(40, 50, vendor.name, { bold: true, size: 15, fit: 500 })
      say(40, 66, `${vendor.street} - ${vendor.postal} ${vendor.city}`)
      say(40, 78, `CIF ${vendor.vat} - Licencia OT-${chance.digits(7)} - ${vendor.mail}`)
      say(560, 50, 'Factura de portes', { bold: true, size: 13 })
      say(560, 70, `Factura: ${doc.number}`)
      say(560, 82, `Fecha: ${day(doc.date, 'd.m.y')}`)
      if (doc.due !== null) say(560, 94, `Vto.: ${day(doc.due, 'd.m.y')}`)
      say(560, 112, buyer?.name ?? '', { bold: true, fit: 245 })
      say(560, 124, buyer?.street ?? '')
      say(560, 136, `${buyer?.postal} ${buyer?.city} (${buyer?.province})`)
      say(560, 148, `CIF/NIF ${buyer?.vat}`)
      const y0 = 180
      for (const [x, text] of [
        [40, 'Fecha'],
        [105, 'Carta porte'],
        [180, 'Matrícula'],
        [250, 'Servicio'],
      ] as const)
        say(x, y0, text, { bold: true })
      for (const [x, text] of [
        [600, 'Kg'],
        [670, 'Uds.'],
        [735, 'Precio'],
        [805, 'Importe'],
      ] as const)
        say(x, y0, text, { bold: true, align: 'right' })
      for (const [index, line] of doc.lines.entries()) {
        const y = y0 + 18 + index * 17
        say(40, y, day(addDays(doc.date, -chance.int(1, 28)), 'd.m.y'))
        say(105, y, `CP${chance.digits(6)}`)
        say(180, y, `${chance.digits(4)} ${chance.pick(['LKD', 'MBC', 'JRT'])}`)
        say(250, y, line.text)
        say(600, y, num(chance.int(200, 23_900), 0), { align: 'right' })
        say(670, y, loose(line.quantity), { align: 'right' })
        say(735, y, num(line.price), { align: 'right' })
        say(805, y, eur(line.cents), { align: 'right' })
      }
      const y1 = 430
      say(690, y1, 'Base imponible', { align: 'right' })
      say(805, y1, eur(doc.base), { align: 'right' })
      for (const [index, rate] of doc.rates.entries()) {
        say(690, y1 + 14 + index * 14, `I.V.A. ${num(rate.rate)} %`, { align: 'right' })
        say(805, y1 + 14 + index * 14, eur(rate.quota), { align: 'right' })
      }
      say(690, y1 + 46, 'Total a pagar', { bold: true, align: 'right', size: 11 })
      say(805, y1 + 46, `${eur(doc.total)} €`, { bold: true, align: 'right', size: 11 })
      if (doc.payment === 'transferencia') say(40, y1 + 46, `Ingreso por transferencia: ${spaced(doc.iban ?? '')}`)
      if (doc.payment === 'domiciliacion') say(40, y1 + 46, 'Se girará recibo domiciliado')
      say(40, 560, vendor.registry, { size: 6 })
      return pen.save()
    },
  },
]
