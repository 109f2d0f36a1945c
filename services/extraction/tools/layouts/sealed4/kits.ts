import { PDFDocument, PDFName, PDFString, StandardFonts } from 'pdf-lib'
import { addDays, type Line } from '../document.ts'
import { day, eur, loose, num, pct, spaced } from '../html.ts'
import type { Layout } from '../layout.ts'
import { goods } from './goods.ts'
import { openKit } from './kit.ts'

const euros = (cents: number): string => `${eur(cents)} €`

/** PDFKit: arrays with kerning, cells cut at their border, a summary before its detail, a stamp laid over the page. */
export const kitsSealed4: readonly Layout[] = [
  {
    id: 's4-canary-workshop',
    wish: (chance) => ({
      trade: goods.workshop,
      canary: true,
      lines: [2, 12],
      iban: 'transfer',
      payment: ['transferencia', 'efectivo', 'tarjeta'],
      buyer: { canary: true, person: chance.yes(0.3) },
    }),
    own: (doc, chance) => {
      doc.number = `OR${doc.date.slice(2, 4)}${doc.date.slice(5, 7)}-${chance.digits(4)}`
    },
    render: async (doc, chance) => {
      const kit = openKit('PDFKit 0.9.1 / Gestaller')
      const { vendor, buyer } = doc
      kit.say(555, 40, vendor.name, { bold: true, size: 15, align: 'right', fit: 500 })
      kit.say(555, 60, `${vendor.street}, ${vendor.postal} ${vendor.city}`, { align: 'right' })
      kit.say(555, 72, `NIF ${vendor.vat} · ${vendor.phone}`, { align: 'right' })
      kit.say(40, 110, `Factura de taller ${doc.number}`, { bold: true, size: 13 })
      kit.say(40, 130, `Entrada: ${day(addDays(doc.date, -chance.int(3, 20)), 'd/m/y')}`)
      kit.say(180, 130, `Presupuesto: P${chance.digits(5)}`)
      kit.say(320, 130, `Fecha factura: ${day(doc.date, 'd/m/y')}`)
      kit.say(40, 150, 'Cliente', { size: 7, color: '#777' })
      kit.say(40, 160, `${buyer?.name} - ${buyer?.vat}`, { bold: true })
      kit.say(40, 172, `${buyer?.street}, ${buyer?.postal} ${buyer?.city}`)
      kit.say(40, 188, `Equipo: bomba ${chance.pick(['Grundfos', 'Ideal', 'Espa'])} nº serie ${chance.digits(9)}`)
      kit.rule(40, 206, 555, 206)
      kit.say(40, 210, 'Código', { bold: true })
      kit.say(110, 210, 'Trabajo / material', { bold: true })
      for (const [x, text] of [
        [252, 'Cant.'],
        [340, 'Precio'],
        [430, 'IGIC'],
        [555, 'Importe'],
      ] as const)
        kit.say(x, 210, text, { bold: true, align: 'right' })
      kit.rule(40, 223, 555, 223)
      for (const [index, line] of doc.lines.entries()) {
        const y = 229 + index * 17
        kit.say(40, y, line.ref, { clip: 64 })
        kit.say(110, y, line.text, { clip: 106 })
        kit.say(252, y, loose(line.quantity), { align: 'right' })
        kit.say(340, y, num(line.price), { align: 'right' })
        kit.say(430, y, `${pct(line.rate)}%`, { align: 'right' })
        kit.say(555, y, eur(line.cents), { align: 'right' })
      }
      const y = 460
      kit.rule(300, y - 6, 555, y - 6)
      for (const [index, row] of doc.rates.entries()) {
        kit.say(300, y + index * 14, `Base ${eur(row.base)} al ${pct(row.rate)}%`)
        kit.say(555, y + index * 14, euros(row.quota), { align: 'right' })
      }
      for (const [index, [text, value]] of [
        ['Total base imponible', euros(doc.base)],
        ['Total IGIC', euros(doc.quotas)],
        ['TOTAL FACTURA', euros(doc.total)],
      ].entries()) {
        kit.say(300, y + 50 + index * 15, text ?? '', { bold: index === 2 })
        kit.say(555, y + 50 + index * 15, value ?? '', { bold: index === 2, align: 'right' })
      }
      const way =
        doc.payment === 'transferencia'
          ? `transferencia. IBAN ${spaced(doc.iban ?? '')}`
          : doc.payment === 'efectivo'
            ? 'efectivo a la retirada'
            : 'tarjeta (TPV taller)'
      kit.say(40, 590, `Forma de pago: ${way}`)
      kit.say(40, 800, `${vendor.registry}`, { size: 6 })
      return kit.save()
    },
  },
  {
    id: 's4-summary-then-detail',
    wish: () => ({
      trade: goods.alarms,
      lines: [6, 24],
      wholeQuantities: true,
      due: true,
      iban: 'always',
      payment: ['domiciliacion'],
    }),
    own: (doc, chance) => {
      doc.number = `${chance.digits(2)}/${chance.digits(6)}/${doc.date.slice(2, 4)}`
    },
    hidesInLines: ['tax_rate'],
    render: async (doc, chance) => {
      const kit = openKit('Oracle BI Publisher 12.2')
      const { vendor, buyer } = doc
      const contract = chance.digits(7)
      const registered = chance.digits(4)
      const pages = 1 + Math.ceil(doc.lines.length / 12)
      const head = (page: number): void => {
        kit.say(40, 36, vendor.name, { bold: true, size: 13, fit: 390 })
        kit.say(555, 36, `Página ${page} de ${pages}`, { align: 'right', size: 8 })
        kit.say(555, 48, `Factura ${doc.number}`, { align: 'right' })
        kit.say(555, 60, `Emisión ${day(doc.date, 'd-m-y')}`, { align: 'right' })
        kit.say(40, 54, `${vendor.street} · ${vendor.postal} ${vendor.city} · NIF ${vendor.vat}`, { size: 8 })
        kit.say(40, 814, `${vendor.registry}. Reg. DGP ${registered}`, { size: 6 })
      }
      head(1)
      for (const [index, text] of [
        buyer?.name ?? '',
        buyer?.street ?? '',
        `${buyer?.postal} ${buyer?.city}`,
        buyer?.province ?? '',
      ].entries())
        kit.say(320, 130 + index * 13, text, { size: 10, fit: 235 })
      kit.say(40, 130, `Contrato ${contract}`)
      kit.say(40, 143, `NIF cliente ${buyer?.vat}`)
      kit.say(40, 156, `Periodo ${day(addDays(doc.date, -31), 'd-m-y')} a ${day(addDays(doc.date, -1), 'd-m-y')}`)
      kit.say(40, 230, 'Resumen de su factura', { bold: true, size: 12 })
      const rows: [string, string][] = [
        ['Servicios (detalle en páginas siguientes)', euros(doc.base)],
        ...doc.rates.map((row): [string, string] => [`IVA ${pct(row.rate)} %`, euros(row.quota)]),
        ['Total a pagar', euros(doc.total)],
        ['Se cargará el', day(doc.due ?? doc.date, 'd-m-y')],
        ['En su cuenta', spaced(doc.iban ?? '')],
      ]
      for (const [index, [name, value]] of rows.entries()) {
        const bold = name === 'Total a pagar'
        kit.say(40, 254 + index * 18, name, { bold })
        kit.say(420, 254 + index * 18, value, { align: 'right', bold })
      }
      kit.say(40, 400, 'Este mes su cuota media por centro baja un 1,8 %. Límite de crédito comunicado: 6.000,00 €.', {
        size: 8,
      })
      for (let start = 0; start < doc.lines.length; start += 12) {
        kit.addPage()
        head(2 + start / 12)
        kit.say(40, 90, 'Detalle', { bold: true, size: 11 })
        kit.say(40, 108, 'Servicio', { bold: true })
        for (const [x, text] of [
          [400, 'Uds.'],
          [470, 'Tarifa'],
          [555, 'Importe'],
        ] as const)
          kit.say(x, 108, text, { bold: true, align: 'right' })
        let y = 126
        const group = doc.lines.slice(start, start + 12)
        for (let at = 0; at < group.length; at += 4) {
          const site: Line[] = group.slice(at, at + 4)
          kit.say(40, y, `Centro ${chance.digits(4)} - ${chance.pick(['Almacén', 'Oficina', 'Tienda'])}`, {
            color: '#555',
          })
          y += 15
          for (const line of site) {
            kit.say(52, y, line.text)
            kit.say(400, y, loose(line.quantity), { align: 'right' })
            kit.say(470, y, num(line.price), { align: 'right' })
            kit.say(555, y, eur(line.cents), { align: 'right' })
            y += 14
          }
          kit.say(470, y, 'Subtotal centro', { align: 'right', color: '#555' })
          kit.say(555, y, eur(site.reduce((sum, line) => sum + line.cents, 0)), { align: 'right', color: '#555' })
          y += 22
        }
      }
      return stamped(await kit.save(), [
        'REGISTRO DE ENTRADA',
        `${day(addDays(doc.date, 6), 'd/m/y')}  Núm. ${chance.digits(5)}`,
      ])
    },
  },
]

/** What the receiver's office lays over the first page as an annotation. */
async function stamped(pdf: Uint8Array, lines: readonly string[]): Promise<Uint8Array> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false })
  const { context } = document
  const font = await document.embedFont(StandardFonts.HelveticaBold)
  const shown = lines.map(
    (line, index) =>
      `BT /F 9 Tf 8 ${26 - index * 14} Td (${line.normalize('NFKD').replace(/[^\x20-\x7e]/g, '')}) Tj ET`,
  )
  const look = context.stream(`0.7 0 0 RG 0.7 0 0 rg 1 1 148 42 re S ${shown.join(' ')}`, {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, 0, 150, 44],
    Resources: { Font: { F: font.ref } },
  })
  const stamp = context.obj({
    Type: 'Annot',
    Subtype: 'Stamp',
    Rect: [400, 380, 550, 424],
    F: 4,
    Contents: PDFString.of(lines.join(' ')),
    AP: { N: context.register(look) },
  })
  document.getPage(0).node.set(PDFName.of('Annots'), context.obj([context.register(stamp)]))
  return document.save()
}
