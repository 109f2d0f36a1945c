import { percentOf } from '@asiento/proto/money'
import { addDays } from '../document.ts'
import { day, eur, loose, num } from '../html.ts'
import type { Layout } from '../layout.ts'
import { goods } from './goods.ts'
import { openPen } from './pen.ts'

/** Sheets with more on them than the invoice: a second copy, and works counted from their beginning. */
export const sheetsSealed4: readonly Layout[] = [
  {
    id: 's4-original-and-copy',
    wish: () => ({
      trade: goods.fabrics,
      lines: [2, 13],
      lineDiscounts: true,
      due: true,
      iban: 'transfer',
      wholeQuantities: true,
      payment: ['transferencia', 'cheque', 'domiciliacion'],
    }),
    own: (doc, chance) => {
      doc.number = `${chance.int(1, 9)}${chance.digits(5)}`
    },
    hidesInLines: ['tax_rate'],
    render: async (doc, chance) => {
      const pen = await openPen({ producer: 'Amyuni PDF Converter version 4.5', ink: { size: 9, way: 'kerned' } })
      const { vendor, buyer } = doc
      const client = chance.digits(6)
      const note = chance.digits(5)
      for (const copy of ['ORIGINAL', 'COPIA - SIN VALOR CONTABLE']) {
        if (copy !== 'ORIGINAL') pen.addPage()
        const to = (x: number, y: number, text: string, bold = false): void =>
          pen.say(x, y, text, { align: 'right', bold })
        pen.say(555, 40, copy, { align: 'right', size: 7 })
        pen.say(320, 78, buyer?.name ?? '', { size: 10, fit: 235 })
        pen.say(320, 92, buyer?.street ?? '', { size: 10 })
        pen.say(320, 106, `${buyer?.postal}-${buyer?.city}`, { size: 10 })
        pen.say(320, 120, (buyer?.province ?? '').toUpperCase(), { size: 10 })
        // One run with blanks between what are five cells.
        pen.box(40, 160, 515, 32)
        let names = ''
        for (const [index, value] of [doc.number, day(doc.date, 'd-m-yy'), client, buyer?.vat ?? '', note].entries()) {
          pen.say(48 + pen.wide(names, { size: 8 }), 186, value, { bold: true })
          names += `${['Factura', 'Fecha', 'Cliente', 'N.I.F.', 'Albarán'][index]}${' '.repeat(28)}`
        }
        pen.say(48, 172, names.trimEnd(), { size: 8 })
        pen.say(40, 222, 'Ref.', { bold: true })
        pen.say(105, 222, 'Modelo', { bold: true })
        to(350, 222, 'Prendas', true)
        to(415, 222, 'P.V.', true)
        to(470, 222, 'Dto', true)
        to(555, 222, 'Total', true)
        for (const [index, line] of doc.lines.entries()) {
          const y = 240 + index * 16
          pen.say(40, y, line.ref)
          pen.say(105, y, line.text)
          to(350, y, loose(line.quantity))
          to(415, y, num(line.price))
          to(470, y, line.discount === 0 ? '--' : `${line.discount}%`)
          to(555, y, eur(line.cents))
        }
        to(350, 474, `Total prendas ${loose(doc.lines.reduce((sum, line) => sum + line.quantity, 0))}`)
        for (const [index, row] of doc.rates.entries()) {
          to(150, 510 + index * 13, eur(row.base))
          to(215, 510 + index * 13, `${row.rate},00`)
          to(300, 510 + index * 13, eur(row.quota))
        }
        to(150, 496, 'B. Imponible', true)
        to(215, 496, '%IVA', true)
        to(300, 496, 'Imp. IVA', true)
        to(470, 510, 'TOTAL EUROS', true)
        to(555, 510, eur(doc.total), true)
        if (doc.iban !== null) {
          pen.say(40, 560, 'Transferencia a:')
          for (const [index, part] of ['IBAN', 'Entidad', 'Oficina', 'DC', 'Cuenta'].entries())
            pen.say(130 + index * 54, 548, part, { size: 6.5 })
          const parts = [4, 8, 12, 14, 24].map((end, index) => doc.iban?.slice([0, 4, 8, 12, 14][index], end) ?? '')
          for (const [index, part] of parts.entries()) pen.say(130 + index * 54, 560, part)
        } else pen.say(40, 560, doc.payment === 'cheque' ? 'Pago mediante cheque' : 'Giro domiciliado')
        pen.say(40, 576, `Vto. ${doc.due === null ? '' : day(doc.due, 'd-m-yy')}`)
        // Who sells stands at the foot.
        pen.rule(40, 770, 555, 770)
        pen.say(297, 784, vendor.name, { align: 'center', bold: true, size: 12 })
        pen.say(
          297,
          796,
          `${vendor.street} · ${vendor.postal} ${vendor.city} · CIF ES-${vendor.vat} · ${vendor.phone}`,
          { align: 'center', size: 8 },
        )
        pen.say(297, 806, vendor.registry, { align: 'center', size: 6 })
      }
      return pen.save()
    },
  },
  {
    id: 's4-works-certificate',
    wish: () => ({
      trade: 'building',
      lines: [2, 8],
      due: true,
      guarantee: true,
      iban: 'always',
      payment: ['transferencia'],
      buyer: { public: true },
    }),
    own: (doc, chance) => {
      doc.number = `CERT-${String(chance.int(2, 14)).padStart(2, '0')}/${doc.date.slice(0, 4)}`
    },
    hidesInLines: ['tax_rate'],
    render: async (doc, chance) => {
      const pen = await openPen({
        face: 'roboto',
        producer: 'Aspose.PDF for .NET 23.4',
        ink: { size: 8.5, way: 'words' },
      })
      const { vendor, buyer } = doc
      const to = (x: number, y: number, text: string, bold = false): void =>
        pen.say(x, y, text, { align: 'right', bold })
      pen.say(40, 56, 'Factura por certificación de obra', { bold: true, size: 14 })
      pen.say(
        40,
        74,
        `Obra: Rehabilitación de fachada y cubierta. Expte. ${chance.digits(3)}/${chance.digits(4)}. Lote 2`,
      )
      for (const [index, [name, value]] of [
        ['Contratista', vendor.name],
        ['CIF', vendor.vat],
        ['Domicilio', vendor.street],
        ['', `${vendor.postal} ${vendor.city} (${vendor.province})`],
      ].entries()) {
        pen.say(40, 104 + index * 13, name ?? '', { color: [0.45, 0.45, 0.45] })
        pen.say(100, 104 + index * 13, value ?? '', { bold: index === 0, fit: 280 })
      }
      for (const [index, [name, value]] of [
        ['Promotor', buyer?.name],
        ['CIF', buyer?.vat],
        ['Domicilio', buyer?.street],
        ['', `${buyer?.postal} ${buyer?.city}`],
      ].entries()) {
        pen.say(40, 164 + index * 13, name ?? '', { color: [0.45, 0.45, 0.45] })
        pen.say(100, 164 + index * 13, value ?? '', { bold: index === 0, fit: 280 })
      }
      pen.say(390, 104, `Factura: ${doc.number}`, { bold: true })
      pen.say(390, 117, `Fecha: ${day(doc.date, 'es')}`)
      pen.say(390, 130, `Inicio de obra: ${day(addDays(doc.date, -chance.int(90, 300)), 'd/m/y')}`)
      pen.say(390, 143, `Vencimiento: ${day(doc.due ?? doc.date, 'es')}`)
      pen.rule(40, 232, 555, 232, 1)
      for (const [x, text] of [
        [385, 'Medición'],
        [460, 'Precio'],
        [555, 'Importe'],
      ] as const)
        to(x, 244, text, true)
      pen.say(40, 244, 'Unidad de obra ejecutada en el mes', { bold: true })
      pen.rule(40, 249, 555, 249)
      let y = 264
      for (const [index, line] of doc.lines.entries()) {
        pen.say(40, y, `${String(index + 1).padStart(2, '0')}.${chance.digits(2)}`)
        for (const [row, text] of pen.wrap(line.text, 130).entries()) pen.say(84, y + row * 11, text)
        to(385, y, num(line.quantity))
        to(460, y, num(line.price))
        to(555, y, eur(line.cents))
        y += 11 * pen.wrap(line.text, 130).length + 6
      }
      const before = chance.int(400_000, 9_000_000)
      y = 520
      // Money of other months, in small letters beside the sums of this one.
      for (const [index, [text, cents]] of (
        [
          ['Ejecutado a origen', before + doc.base],
          ['Certificaciones anteriores', before],
          ['Presupuesto de adjudicación', before * 3],
        ] as const
      ).entries()) {
        pen.say(40, y + index * 13, text, { size: 7.5 })
        pen.say(220, y + index * 13, eur(cents), { size: 7.5, align: 'right' })
      }
      const rows: [string, string, boolean][] = [
        ['Base imponible de esta certificación', eur(doc.base), false],
        ...doc.rates.map((row): [string, string, boolean] => [`IVA ${row.rate} %`, eur(row.quota), false]),
        ['TOTAL FACTURA', `${eur(doc.total)} €`, true],
      ]
      if (doc.guarantee !== 0) {
        rows.push([`Retención de garantía 5 % s/ ${eur(doc.base)}`, `-${eur(percentOf(doc.base, 5))}`, false])
        rows.push(['Líquido a abonar ahora', `${eur(doc.total - doc.guarantee)} €`, false])
      }
      for (const [index, [text, value, bold]] of rows.entries()) {
        to(460, y + index * 15, text, bold)
        to(555, y + index * 15, value, bold)
      }
      pen.say(40, 640, `Transferencia a ${doc.iban}`)
      pen.say(40, 690, 'El contratista', { size: 7 })
      pen.say(220, 690, 'La dirección facultativa', { size: 7 })
      pen.say(420, 690, 'Conforme, el promotor', { size: 7 })
      return pen.save()
    },
  },
]
