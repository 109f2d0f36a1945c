import sharp from 'sharp'
import { addDays, type Doc } from '../document.ts'
import { day, eur, loose, num, safe } from '../html.ts'
import type { Layout } from '../layout.ts'
import { goods } from './goods.ts'
import { ebcdic, makeGrid } from './grid.ts'
import { openPen } from './pen.ts'

/** A credit has its sign behind the figure. */
const behind = (cents: number): string => (cents < 0 ? `${eur(-cents)}-` : eur(cents))
const settled: Record<string, string> = {
  domiciliacion: 'RECIBO DOMICILIADO',
  transferencia: 'TRANSFERENCIA BANCARIA',
  cheque: 'CHEQUE NOMINATIVO',
  efectivo: 'CONTADO EFECTIVO',
}
const paid = (doc: Doc): string => settled[doc.payment ?? ''] ?? ''

/** Spool files and matrix printers: rows of fixed columns, one run a row. */
export const impactSealed4: readonly Layout[] = [
  {
    id: 's4-spool-132',
    wish: () => ({
      trade: goods.plumbing,
      lines: [12, 44],
      lineDiscounts: true,
      due: true,
      iban: 'always',
      payment: ['domiciliacion'],
    }),
    own: (doc, chance) => {
      doc.number = `${chance.int(1, 9)}/${chance.digits(7)}`
    },
    hidesInLines: ['tax_rate'],
    render: async (doc, chance) => {
      const pen = await openPen({ face: 'courier', producer: 'IBM i Infoprint Server', size: [841.89, 595.28] })
      const perPage = 24
      const pages = Math.ceil(doc.lines.length / perPage)
      const client = chance.digits(6)
      const route = `REPRESENTANTE: ${chance.digits(2)}     RUTA: ${chance.digits(3)}`
      let carried = 0
      for (let sheet = 0; sheet < pages; sheet += 1) {
        if (sheet > 0) pen.addPage()
        const grid = makeGrid(132)
        grid.at(0, 0, ebcdic(doc.vendor.name))
        grid.to(0, 131, `PGM: FV4012R   HOJA: ${sheet + 1}`)
        grid.at(1, 0, ebcdic(`${doc.vendor.street}   ${doc.vendor.postal} ${doc.vendor.city}`))
        grid.at(2, 0, ebcdic(`N.I.F. ES${doc.vendor.vat}   TELF. ${doc.vendor.phone}`))
        grid.at(1, 84, 'F A C T U R A')
        grid.at(4, 0, `NUM. FACTURA: ${doc.number}`)
        grid.at(5, 0, `FECHA.......: ${day(doc.date, 'd/m/y')}`)
        grid.at(6, 0, `CLIENTE.....: ${client}     ${route}`)
        const buyer = doc.buyer
        grid.at(4, 70, ebcdic(buyer?.name ?? ''))
        grid.at(5, 70, ebcdic(buyer?.street ?? ''))
        grid.at(6, 70, ebcdic(`${buyer?.postal} ${buyer?.city}`))
        grid.at(7, 70, `NIF: ${buyer?.vat}`)
        grid.at(9, 0, '='.repeat(131))
        grid.at(10, 0, 'ARTICULO      DESCRIPCION')
        for (const [column, head] of [
          [72, 'CANTIDAD'],
          [88, 'PRECIO'],
          [98, 'DTO.'],
          [114, 'NETO UNIT.'],
          [131, 'IMPORTE'],
        ] as const)
          grid.to(10, column, head)
        grid.at(11, 0, '='.repeat(131))
        let row = 12
        if (sheet > 0) {
          grid.at(row, 14, 'SUMA ANTERIOR')
          grid.to(row, 131, behind(carried))
          row += 1
        }
        for (const [index, line] of doc.lines.slice(sheet * perPage, (sheet + 1) * perPage).entries()) {
          if (index % 9 === 0) {
            grid.at(
              row,
              14,
              `** ALBARAN ${chance.digits(6)} DE ${day(addDays(doc.date, -chance.int(1, 12)), 'd/m/y')} S/PEDIDO ${chance.digits(5)}`,
            )
            row += 1
          }
          grid.at(row, 0, line.ref)
          grid.at(row, 14, ebcdic(line.text))
          grid.to(row, 72, num(line.quantity))
          grid.to(row, 88, num(line.price, 4))
          grid.to(row, 98, line.discount === 0 ? '' : num(line.discount))
          grid.to(row, 114, num((line.price * (100 - line.discount)) / 100, 4))
          grid.to(row, 131, behind(line.cents))
          carried += line.cents
          row += 1
        }
        if (sheet < pages - 1) {
          grid.at(42, 14, 'SUMA Y SIGUE')
          grid.to(42, 131, behind(carried))
        } else {
          grid.at(42, 0, '-'.repeat(131))
          grid.at(43, 0, 'IMPORTE BRUTO     % IVA    BASE IMPONIBLE       CUOTA IVA')
          for (const [index, rate] of doc.rates.entries()) {
            if (index === 0) grid.to(44, 13, eur(doc.linesSum))
            grid.to(44 + index, 23, num(rate.rate))
            grid.to(44 + index, 41, eur(rate.base))
            grid.to(44 + index, 57, eur(rate.quota))
          }
          grid.at(43, 96, 'TOTAL FACTURA')
          grid.to(44, 131, `${eur(doc.total)} EUR`)
          grid.at(48, 0, `F. PAGO: ${paid(doc)}   VENCIMIENTO: ${doc.due === null ? '' : day(doc.due, 'd/m/y')}`)
          grid.at(49, 0, `CUENTA DE CARGO: ${doc.iban ?? ''}`)
        }
        grid.at(51, 0, ebcdic(doc.vendor.registry.slice(0, 130)))
        grid.print(pen, { x: 60, y: 40, pitch: 10, size: 9 })
      }
      return pen.save()
    },
  },
  {
    id: 's4-preprinted-form',
    wish: () => ({
      trade: goods.cashAndCarry,
      lines: [3, 15],
      surcharge: true,
      due: true,
      iban: 'never',
      payment: ['domiciliacion', 'efectivo', 'cheque'],
    }),
    own: (doc, chance) => {
      doc.number = String(chance.int(10_000, 99_999))
    },
    hidesInLines: ['tax_rate'],
    render: async (doc, chance) => {
      const pen = await openPen({ face: 'courier', producer: 'PrintServer 3.1', ink: { size: 9.5 } })
      const paper = await pen.document.embedPng(await formPaper(doc))
      pen.page().drawImage(paper, { x: 0, y: 0, width: 595.28, height: 841.89 })
      const to = (x: number, y: number, text: string): void => pen.say(x, y, text, { align: 'right' })
      // The program prints from the foot upwards: it knows the sums before it opens the form.
      for (const [index, rate] of doc.rates.entries()) {
        const y = 718 + index * 13
        to(120, y, eur(rate.base))
        to(165, y, num(rate.rate))
        to(235, y, eur(rate.quota))
        to(278, y, num(rate.surchargeRate))
        to(345, y, eur(rate.surcharge))
      }
      pen.say(548, 732, eur(doc.total), { align: 'right', bold: true, size: 12 })
      pen.say(52, 792, paid(doc))
      pen.say(330, 792, doc.due === null ? '' : day(doc.due, 'd-m-y'))
      pen.say(300, 135, ebcdic(doc.buyer?.name ?? ''), { fit: 250 })
      pen.say(300, 149, ebcdic(doc.buyer?.street ?? ''))
      pen.say(300, 163, ebcdic(`${doc.buyer?.postal} ${doc.buyer?.city}`))
      pen.say(300, 177, ebcdic(doc.buyer?.province ?? ''))
      pen.say(52, 232, chance.digits(5))
      pen.say(150, 232, doc.buyer?.vat ?? '')
      pen.say(290, 232, doc.number)
      pen.say(400, 232, day(doc.date, 'd-m-y'))
      pen.say(520, 232, '1')
      for (const [index, line] of doc.lines.entries()) {
        const y = 284 + index * 24
        pen.say(46, y, line.ref)
        pen.say(118, y, ebcdic(line.text))
        to(385, y, loose(line.quantity))
        to(460, y, num(line.price))
        to(550, y, eur(line.cents))
      }
      return pen.save()
    },
  },
  {
    id: 's4-continuous-80',
    wish: () => ({
      trade: goods.farm,
      lines: [4, 22],
      globalDiscount: true,
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'cheque'],
      wholeQuantities: true,
    }),
    own: (doc, chance) => {
      doc.number = `${chance.pick(['A', 'B', 'C'])}-${chance.int(100, 9999)}`
    },
    hidesInLines: ['tax_rate'],
    render: async (doc, chance) => {
      const pen = await openPen({ face: 'courier', producer: 'GnuCOBOL 2.2 / txt2pdf', size: [684, 792] })
      const grid = makeGrid(80)
      grid.at(0, 0, ebcdic(doc.vendor.name))
      grid.at(1, 0, ebcdic(doc.vendor.street))
      grid.at(2, 0, ebcdic(`${doc.vendor.postal} ${doc.vendor.city} (${doc.vendor.province})`))
      grid.at(
        3,
        0,
        ebcdic(
          `CIF ${doc.vendor.vat.slice(0, 1)}-${doc.vendor.vat.slice(1)}  TEL.${doc.vendor.phone.replaceAll(' ', '')}`,
        ),
      )
      grid.at(5, 24, `+${'-'.repeat(54)}+`)
      for (const [index, text] of [
        doc.buyer?.name ?? '',
        doc.buyer?.street ?? '',
        `${doc.buyer?.postal} ${doc.buyer?.city}`,
        `NIF ${doc.buyer?.vat}`,
      ].entries())
        grid.at(6 + index, 24, `| ${ebcdic(text).padEnd(52)} |`)
      grid.at(10, 24, `+${'-'.repeat(54)}+`)
      grid.at(
        12,
        0,
        `FACTURA ${doc.number}    FECHA ${day(doc.date, 'd-m-yy')}    COD.CLI. ${chance.digits(4)}    ZONA ${chance.digits(2)}`,
      )
      grid.at(14, 0, 'CANT. CONCEPTO                                        PRECIO        IMPORTE')
      grid.at(15, 0, '-'.repeat(79))
      let row = 16
      for (const [index, line] of doc.lines.entries()) {
        if (index % 5 === 0) {
          grid.at(row, 6, `s/albaran ${chance.digits(5)} del ${day(addDays(doc.date, -chance.int(1, 20)), 'd-m-yy')}`)
          row += 1
        }
        grid.to(row, 5, loose(line.quantity))
        grid.at(row, 6, ebcdic(line.text))
        grid.to(row, 62, num(line.price, 2, 'plain'))
        grid.to(row, 77, eur(line.cents, 'plain'))
        row += 1
      }
      row += 1
      grid.at(row, 50, 'SUMA')
      grid.to(row, 77, eur(doc.linesSum, 'plain'))
      if (doc.discount !== 0) {
        grid.at(row + 1, 50, `DTO. ${num(doc.discountRate)} %`)
        grid.to(row + 1, 77, `${eur(doc.discount, 'plain')}-`)
        row += 1
      }
      for (const rate of doc.rates) {
        grid.at(row + 1, 28, `BASE ${eur(rate.base, 'plain')}`)
        grid.at(row + 1, 50, `IVA ${num(rate.rate)} %`)
        grid.to(row + 1, 77, eur(rate.quota, 'plain'))
        row += 1
      }
      grid.to(row + 1, 77, '============')
      grid.at(row + 2, 50, 'TOTAL EUROS')
      grid.to(row + 2, 77, eur(doc.total, 'plain'))
      grid.at(row + 4, 0, `PAGO: ${paid(doc)} A ${doc.due === null ? '' : day(doc.due, 'd-m-yy')}`)
      if (doc.iban !== null)
        grid.at(row + 5, 0, `BANCO: ${doc.iban.slice(0, 4)}-${(doc.iban.slice(4).match(/.{4}/g) ?? []).join('-')}`)
      grid.print(pen, { x: 88, y: 60, pitch: 12, size: 10.6 })
      for (let hole = 0; hole < 22; hole += 1) for (const x of [14, 656]) pen.box(x, 14 + hole * 36, 12, 12, 0.85)
      return pen.save()
    },
  },
]

/** The printed paper: the firm and the names of the boxes, a picture of 150 dots an inch. */
function formPaper(doc: Doc): Promise<Uint8Array> {
  const text = (x: number, y: number, size: number, said: string): string =>
    `<text x="${x}" y="${y}" font-size="${size}" font-family="DejaVu Sans" fill="#1b3f7a">${safe(said)}</text>`
  const box = (x: number, y: number, width: number, height: number): string =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="none" stroke="#1b3f7a" stroke-width="0.8"/>`
  const heads = (y: number, places: readonly (readonly [number, string])[]): string =>
    places.map(([x, said]) => text(x, y, 7, said)).join('')
  const { vendor } = doc
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 595.28 841.89" width="1240" height="1754"><rect width="596" height="842" fill="#fff"/>${text(42, 66, Math.min(17, 620 / vendor.name.length), vendor.name)}${text(42, 86, 9, vendor.street)}${text(42, 99, 9, `${vendor.postal} ${vendor.city} (${vendor.province})`)}${text(42, 112, 9, `C.I.F. ${vendor.vat}`)}${text(42, 125, 9, `Teléfono ${vendor.phone}`)}${text(452, 66, 20, 'FACTURA')}${box(290, 112, 266, 76)}${box(42, 206, 514, 34)}${heads(
    216,
    [
      [48, 'CLIENTE'],
      [150, 'N.I.F. CLIENTE'],
      [290, 'Nº FACTURA'],
      [400, 'FECHA'],
      [512, 'HOJA'],
    ],
  )}${box(42, 252, 514, 398)}${heads(264, [
    [48, 'REFERENCIA'],
    [120, 'DESCRIPCIÓN'],
    [340, 'CANTIDAD'],
    [425, 'PRECIO'],
    [512, 'IMPORTE'],
  ])}${box(42, 690, 320, 70)}${heads(702, [
    [50, 'BASE IMPONIBLE'],
    [142, '% IVA'],
    [190, 'CUOTA IVA'],
    [256, '% R.E.'],
    [304, 'CUOTA R.E.'],
  ])}${box(430, 690, 126, 70)}${text(450, 702, 7, 'TOTAL FACTURA (EUR)')}${box(42, 768, 514, 34)}${heads(778, [
    [48, 'FORMA DE PAGO'],
    [326, 'VENCIMIENTO'],
  ])}</svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}
