import { addDays } from '../document.ts'
import { day, eur, loose, num, spaced } from '../html.ts'
import type { Layout } from '../layout.ts'
import { goods } from './goods.ts'
import { openPen } from './pen.ts'

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
/** The comma above, as in `1.234'56`. */
const raised = (cents: number): string => eur(cents).replace(',', "'")

/** Text systems and word processors: sentences, kerned words, hardly a table. */
export const lettersSealed4: readonly Layout[] = [
  {
    id: 's4-tex-professional',
    wish: (chance) => ({
      trade: goods.drawings,
      person: true,
      lines: [1, 4],
      irpf: [15, 15, 7],
      wholeQuantities: true,
      due: true,
      iban: 'always',
      payment: ['transferencia'],
      buyer: { person: chance.yes(0.15), public: chance.yes(0.5) },
    }),
    own: (doc, chance) => {
      doc.number = `${doc.date.slice(0, 4)}-${String(chance.int(1, 180)).padStart(3, '0')}`
    },
    hidesInLines: ['tax_rate'],
    render: async (doc, chance) => {
      const pen = await openPen({ face: 'pt-serif', producer: 'pdfTeX-1.40.25', ink: { size: 10.5, way: 'unspaced' } })
      const { vendor, buyer } = doc
      const to = (x: number, y: number, text: string, bold = false): void =>
        pen.say(x, y, text, { align: 'right', bold })
      to(520, 90, `${vendor.name}`, true)
      to(520, 104, 'Arquitecto, colegiado n.º 12 874')
      to(520, 118, vendor.street)
      to(520, 132, `${vendor.postal} ${vendor.city}`)
      to(520, 146, `nif ${vendor.vat}`)
      pen.say(75, 190, buyer?.name ?? '', { bold: true })
      pen.say(75, 204, buyer?.street ?? '')
      pen.say(75, 218, `${buyer?.postal} ${buyer?.city}`)
      pen.say(75, 232, `nif ${buyer?.vat}`)
      to(520, 270, `${vendor.city}, ${day(doc.date, 'es')}`)
      pen.say(75, 300, `Factura ${doc.number}`, { bold: true, size: 14 })
      let y = 330
      const intro = `Expediente ${chance.digits(4)}/${chance.digits(2)}. Honorarios profesionales devengados por los trabajos que se relacionan, conforme a la hoja de encargo suscrita el ${day(addDays(doc.date, -140), 'es')} y visada con el número ${chance.digits(7)}.`
      for (const line of pen.wrap(intro, 445)) {
        pen.say(75, y, line)
        y += 14
      }
      y += 16
      pen.rule(75, y - 11, 520, y - 11, 0.9)
      pen.say(75, y, 'Concepto')
      to(400, y, 'Cant.')
      to(455, y, 'Precio')
      to(520, y, 'Importe')
      pen.rule(75, y + 5, 520, y + 5, 0.4)
      y += 18
      for (const line of doc.lines) {
        pen.say(75, y, line.text)
        to(400, y, loose(line.quantity))
        to(455, y, num(line.price, 2, 'blank'))
        to(520, y, eur(line.cents, 'blank'))
        y += 15
      }
      pen.rule(75, y - 8, 520, y - 8, 0.9)
      y += 12
      for (const [text, cents, bold] of [
        ['Base imponible', doc.base, false],
        ...doc.rates.map((row) => [`iva al ${row.rate} %`, row.quota, false] as const),
        [`Retención irpf (${loose(doc.irpfRate)} %)`, -doc.irpf, false],
        ['Total a percibir (€)', doc.total, true],
      ] as const) {
        to(430, y, text, bold)
        to(520, y, eur(cents, 'blank'), bold)
        y += 15
      }
      y += 26
      const close = `El pago se efectuará mediante transferencia bancaria a la cuenta ${spaced(doc.iban ?? '')} antes del ${day(doc.due ?? doc.date, 'es')}, indicando el número de factura.`
      for (const line of pen.wrap(close, 445)) {
        pen.say(75, y, line)
        y += 14
      }
      pen.say(297, 800, '1/1', { align: 'center', size: 8 })
      return pen.save()
    },
  },
  {
    id: 's4-court-suplidos',
    wish: () => ({
      trade: goods.court,
      person: true,
      lines: [1, 4],
      irpf: [15],
      suplidos: true,
      wholeQuantities: true,
      iban: 'transfer',
      payment: ['transferencia', 'cheque'],
      buyer: {},
    }),
    own: (doc, chance) => {
      doc.number = `${chance.int(10, 990)}/${doc.date.slice(2, 4)}`
    },
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: async (doc, chance) => {
      const pen = await openPen({ face: 'times', producer: 'Microsoft® Word 2016', ink: { size: 11, way: 'words' } })
      const { vendor, buyer } = doc
      pen.say(297, 80, vendor.name.toUpperCase(), { align: 'center', bold: true, size: 15 })
      pen.say(297, 96, 'PROCURADOR DE LOS TRIBUNALES', { align: 'center', size: 9 })
      pen.say(297, 110, `${vendor.street} · ${vendor.postal} ${vendor.city} · N.I.F. ${vendor.vat}`, {
        align: 'center',
        size: 9,
      })
      pen.say(75, 160, `MINUTA-FACTURA NÚM. ${doc.number}`, { bold: true })
      pen.say(75, 182, `Fecha de emisión: ${day(doc.date, 'es')}`)
      pen.say(75, 198, `Cliente: ${buyer?.name}`)
      pen.say(75, 214, `N.I.F.: ${buyer?.vat}`)
      pen.say(75, 230, `Domicilio: ${buyer?.street}, ${buyer?.postal} ${buyer?.city}`)
      pen.say(
        75,
        254,
        `Juzgado de Primera Instancia núm. ${chance.int(1, 30)} de ${buyer?.city}. Autos ${chance.int(10, 1900)}/2023. Cuantía: ${raised(chance.int(300_000, 9_000_000))} €`,
        { size: 9 },
      )
      let y = 290
      const row = (text: string, value: string, bold = false): void => {
        pen.say(75, y, text, { bold })
        const from = 80 + pen.wide(text, { bold })
        const until = 512 - pen.wide(value, { bold })
        pen.say(from, y, '.'.repeat(Math.max(0, Math.floor((until - from) / pen.wide('.')))))
        pen.say(520, y, value, { align: 'right', bold })
        y += 18
      }
      pen.say(75, y, 'DERECHOS Y HONORARIOS', { bold: true, size: 10 })
      y += 18
      for (const line of doc.lines) row(line.text, raised(line.cents))
      row('Suma (base imponible)', raised(doc.base))
      for (const rate of doc.rates) row(`I.V.A. ${rate.rate} %`, raised(rate.quota))
      row(`Retención I.R.P.F. ${loose(doc.irpfRate)} %`, `- ${raised(doc.irpf)}`)
      if (doc.suplidos.length > 0) {
        y += 8
        pen.say(75, y, 'SUPLIDOS (art. 78.Tres.3º Ley 37/1992, no sujetos)', { bold: true, size: 10 })
        y += 18
        for (const paid of doc.suplidos) row(paid.text, raised(paid.cents))
        row('Total suplidos', raised(sum(doc.suplidos.map(({ cents }) => cents))))
      }
      y += 8
      row('TOTAL MINUTA, EUROS', raised(doc.total), true)
      y += 30
      const way =
        doc.payment === 'transferencia'
          ? `Ruego abono por transferencia en IBAN ${doc.iban}.`
          : `Ruego remitan cheque nominativo a nombre de ${vendor.name}.`
      pen.say(75, y, way)
      pen.say(75, y + 60, `Fdo.: ${vendor.name}`)
      return pen.save()
    },
  },
  {
    id: 's4-reverse-charge',
    wish: () => ({
      trade: goods.scrap,
      lines: [1, 7],
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'cheque'],
    }),
    own: (doc, chance) => {
      doc.number = `ISP-${doc.date.slice(0, 4)}-${chance.digits(4)}`
    },
    render: async (doc, chance) => {
      const pen = await openPen({ producer: 'ReportLab PDF Library', ink: { size: 9, way: 'kerned' } })
      const { vendor, buyer } = doc
      pen.box(40, 40, 515, 62, 0.92)
      pen.say(52, 62, vendor.name, { bold: true, size: 14, fit: 490 })
      pen.say(52, 78, `${vendor.street}, ${vendor.postal} ${vendor.city} (${vendor.province})`)
      pen.say(52, 91, `CIF: ${vendor.vat}   NIMA ${chance.digits(10)}   Gestor de residuos G${chance.digits(4)}`)
      pen.say(40, 130, 'Cliente', { size: 7 })
      pen.say(330, 130, 'Documento', { size: 7 })
      pen.say(40, 143, buyer?.name ?? '', { bold: true, fit: 280 })
      pen.say(40, 155, `${buyer?.street}`)
      pen.say(40, 167, `${buyer?.postal} - ${buyer?.city}`)
      pen.say(40, 179, `CIF: ${buyer?.vat}`)
      pen.say(330, 143, `Factura número ${doc.number}`, { bold: true })
      pen.say(330, 155, `Fecha factura ${day(doc.date, 'abbr').toUpperCase()}`)
      pen.say(330, 167, `Vencimiento ${day(doc.due ?? doc.date, 'abbr').toUpperCase()}`)
      pen.say(330, 179, `Ticket báscula ${chance.digits(6)}  Tara ${chance.int(7000, 15_000)} kg`)
      pen.rule(40, 205, 555, 205)
      for (const [x, text] of [
        [370, 'Peso / Uds.'],
        [430, '€/ud.'],
        [475, '% IVA'],
        [555, 'Importe €'],
      ] as const)
        pen.say(x, 217, text, { align: 'right', bold: true })
      pen.say(40, 217, 'Material', { bold: true })
      pen.rule(40, 222, 555, 222)
      for (const [index, line] of doc.lines.entries()) {
        const y = 238 + index * 16
        pen.say(40, y, line.text)
        pen.say(370, y, num(line.quantity), { align: 'right' })
        pen.say(430, y, num(line.price, 3), { align: 'right' })
        pen.say(475, y, '0', { align: 'right' })
        pen.say(555, y, eur(line.cents), { align: 'right' })
      }
      const y = 400
      pen.rule(330, y - 14, 555, y - 14)
      for (const [index, [text, value]] of [
        ['Base imponible', eur(doc.base)],
        ['IVA 0 % (inversión del sujeto pasivo)', eur(0)],
        ['TOTAL FACTURA', `${eur(doc.total)} EUR`],
      ].entries()) {
        pen.say(470, y + index * 16, text ?? '', { align: 'right', bold: index === 2 })
        pen.say(555, y + index * 16, value ?? '', { align: 'right', bold: index === 2 })
      }
      pen.say(
        40,
        470,
        'Operación con inversión del sujeto pasivo, art. 84.Uno.2º.c) de la Ley 37/1992. El destinatario liquidará la cuota',
        { size: 8 },
      )
      pen.say(40, 481, 'al tipo general del 21 %.', { size: 8 })
      pen.say(
        40,
        505,
        doc.payment === 'transferencia' ? `Pago: transferencia  ${spaced(doc.iban ?? '')}` : 'Pago: cheque nominativo',
      )
      return pen.save()
    },
  },
]
