import { StandardFonts, TextAlignment } from 'pdf-lib'
import { day, eur, loose, num } from '../html.ts'
import type { Layout } from '../layout.ts'
import { goods } from './goods.ts'
import { openPen } from './pen.ts'

const rows = 9

/** Forms to be filled in: the page holds the names, the fields hold the values. */
export const formsSealed4: readonly Layout[] = [
  {
    id: 's4-acroform-exempt',
    wish: (chance) => ({
      trade: goods.courses,
      lines: [1, rows],
      wholeQuantities: true,
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'cheque', 'domiciliacion'],
      buyer: { public: chance.yes(0.3) },
    }),
    own: (doc, chance) => {
      doc.number = `${chance.int(1, 450)}-${doc.date.slice(0, 4)}`
    },
    hidesInLines: ['tax_rate'],
    render: async (doc, chance) => {
      const pen = await openPen({ producer: 'Adobe LiveCycle Designer 11.0', ink: { size: 7.5 } })
      const form = pen.document.getForm()
      const font = await pen.document.embedFont(StandardFonts.Helvetica)
      const field = (
        x: number,
        y: number,
        width: number,
        name: string,
        value: string,
        side = TextAlignment.Left,
      ): void => {
        const made = form.createTextField(name)
        made.setText(value)
        made.setAlignment(side)
        made.addToPage(pen.page(), { x, y: 841.89 - y, width, height: 15, borderWidth: 0.4, font })
        made.setFontSize(8.5)
      }
      const named = (x: number, y: number, width: number, label: string, value: string): void => {
        pen.say(x, y - 18, label)
        field(x, y, width, label.replace(/\W+/g, '_') + x + y, value)
      }
      const { vendor, buyer } = doc
      // Tab order of whoever drew the form: sums, lines, parties.
      const right = TextAlignment.Right
      pen.say(360, 600, 'Suma / Base imponible')
      field(465, 604, 90, 'base', eur(doc.base), right)
      pen.say(360, 620, 'IVA (exento = 0)              %')
      field(432, 624, 24, 'tipo', '0', right)
      field(465, 624, 90, 'cuota', eur(0), right)
      pen.say(360, 640, 'TOTAL A PAGAR €', { bold: true, size: 9 })
      field(465, 644, 90, 'total', eur(doc.total), right)
      for (const [x, text] of [
        [40, 'CONCEPTO'],
        [340, 'UDS.'],
        [395, 'PRECIO'],
        [465, 'IMPORTE'],
      ] as const)
        pen.say(x, 372, text, { bold: true })
      for (let row = 0; row < rows; row += 1) {
        const line = doc.lines[row]
        const y = 394 + row * 19
        field(40, y, 290, `c${row}`, line?.text ?? '')
        field(340, y, 45, `u${row}`, line === undefined ? '' : loose(line.quantity), right)
        field(395, y, 60, `p${row}`, line === undefined ? '' : num(line.price), right)
        field(465, y, 90, `i${row}`, line === undefined ? '' : eur(line.cents), right)
      }
      pen.say(40, 60, 'FACTURA', { bold: true, size: 20 })
      pen.say(40, 76, 'Modelo normalizado para actividades de enseñanza. Rellénese en el ordenador.')
      named(330, 80, 110, 'N.º de factura', doc.number)
      named(450, 80, 105, 'Fecha de expedición', day(doc.date, 'd/m/y'))
      pen.say(40, 112, 'A) DATOS DEL EXPEDIDOR', { bold: true, size: 9 })
      named(40, 148, 300, 'Apellidos y nombre o razón social', vendor.name)
      named(350, 148, 90, 'NIF', vendor.vat)
      named(450, 148, 105, 'Teléfono', vendor.phone)
      named(40, 186, 300, 'Domicilio', vendor.street)
      named(350, 186, 60, 'C.P.', vendor.postal)
      named(420, 186, 135, 'Municipio', vendor.city)
      pen.say(40, 218, 'B) DATOS DEL DESTINATARIO', { bold: true, size: 9 })
      named(40, 254, 300, 'Apellidos y nombre o razón social', buyer?.name ?? '')
      named(350, 254, 90, 'NIF', buyer?.vat ?? '')
      named(450, 254, 105, 'Expediente', `FOR-${chance.digits(4)}/${chance.digits(2)}`)
      named(40, 292, 300, 'Domicilio', buyer?.street ?? '')
      named(350, 292, 60, 'C.P.', buyer?.postal ?? '')
      named(420, 292, 135, 'Municipio', buyer?.city ?? '')
      pen.say(40, 340, 'C) DETALLE', { bold: true, size: 9 })
      pen.say(40, 668, 'Operación exenta de IVA, artículo 20.Uno.9º de la Ley 37/1992.')
      pen.say(40, 690, 'D) FORMA DE PAGO (márquese una)', { bold: true, size: 9 })
      for (const [index, [way, text]] of (
        [
          ['transferencia', 'Transferencia'],
          ['cheque', 'Cheque nominativo'],
          ['domiciliacion', 'Adeudo domiciliado'],
        ] as const
      ).entries()) {
        const box = form.createCheckBox(`pago_${way}`)
        box.addToPage(pen.page(), { x: 40 + index * 130, y: 841.89 - 714, width: 10, height: 10, borderWidth: 0.6 })
        if (doc.payment === way) box.check()
        pen.say(56 + index * 130, 712, text)
      }
      named(40, 752, 300, 'IBAN (solo transferencia)', doc.iban ?? '')
      named(350, 752, 90, 'Vencimiento', doc.due === null ? '' : day(doc.due, 'd/m/y'))
      return pen.save()
    },
  },
]
