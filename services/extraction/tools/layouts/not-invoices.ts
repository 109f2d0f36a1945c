import type { Chance } from './chance.ts'
import { type Doc, makeDoc } from './document.ts'
import { day, eur, ibanOf, lineTable, loose, num, page, safe } from './html.ts'

/** Documents that are no invoice: what they are, and how they look. */
export interface NoInvoice {
  id: string
  render: (chance: Chance) => string
}

const goods = (chance: Chance): Doc =>
  makeDoc(chance, { trade: chance.pick(['hardware', 'food', 'office']), lines: [2, 9], iban: 'always' })
const heads = (doc: Doc, title: string): string =>
  `<div class="two"><div><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>CIF ${doc.vendor.vat}</div><div><h2>${title}</h2>Nº ${doc.number}<br>Fecha: ${day(doc.date, 'd/m/y')}</div></div><p>Cliente: ${safe(doc.buyer?.name ?? '')}<br>NIF ${doc.buyer?.vat}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</p>`
const priced = (doc: Doc): string =>
  `${lineTable(doc, [
    { head: 'Descripción', left: true, cell: (line) => line.text },
    { head: 'Cantidad', cell: (line) => loose(line.quantity) },
    { head: 'Precio', cell: (line) => loose(line.price, 2) },
    { head: 'Importe', cell: (line) => eur(line.cents) },
  ])}<table style="width:70mm;margin-left:auto"><tr><td>Base imponible</td><td class="r">${eur(doc.base)}</td></tr><tr><td>IVA</td><td class="r">${eur(doc.quotas)}</td></tr><tr class="b"><td>Total</td><td class="r">${eur(doc.total)} €</td></tr></table>`
const counted = (doc: Doc): string =>
  lineTable(doc, [
    { head: 'Código', left: true, cell: (line) => line.ref },
    { head: 'Descripción', left: true, cell: (line) => line.text },
    { head: 'Cantidad', cell: (line) => loose(line.quantity) },
  ])

export const noInvoices: readonly NoInvoice[] = [
  {
    id: 'delivery_note',
    render: (chance) => {
      const doc = goods(chance)
      return page('', `${heads(doc, 'ALBARÁN')}${counted(doc)}<p>Recibí conforme:</p>`)
    },
  },
  {
    id: 'delivery_note_priced',
    render: (chance) => {
      const doc = goods(chance)
      return page(
        '',
        `${heads(doc, 'Albarán de entrega')}${priced(doc)}<p>Firma y sello del cliente</p><p style="font-size:6pt">Este documento no tiene validez como factura.</p>`,
      )
    },
  },
  {
    id: 'quote',
    render: (chance) => {
      const doc = goods(chance)
      return page(
        '',
        `${heads(doc, 'PRESUPUESTO')}${priced(doc)}<p>Validez de la oferta: 30 días. Forma de pago: 50 % a la aceptación y 50 % a la entrega de la factura.</p>`,
      )
    },
  },
  {
    id: 'offer',
    render: (chance) => {
      const doc = goods(chance)
      return page(
        '',
        `${heads(doc, 'Oferta comercial')}<p>Estimados señores: en respuesta a su solicitud les remitimos nuestra mejor oferta.</p>${priced(doc)}`,
      )
    },
  },
  {
    id: 'proforma',
    render: (chance) => {
      const doc = goods(chance)
      return page('', `${heads(doc, 'FACTURA PROFORMA')}${priced(doc)}<p>IBAN ${ibanOf(doc)}</p>`)
    },
  },
  {
    id: 'order',
    render: (chance) => {
      const doc = goods(chance)
      return page(
        '',
        `${heads(doc, chance.pick(['PEDIDO A PROVEEDOR', 'PEDIDO', 'Orden de compra']))}${priced(doc)}<p>Fecha de entrega prevista: ${day(doc.date, 'd/m/y')}. Indicar nuestro nº de pedido en albarán y factura.</p>`,
      )
    },
  },
  {
    id: 'bank_letter',
    render: (chance) => {
      const doc = goods(chance)
      return page(
        '',
        `<b>BANCO ${doc.vendor.city.toUpperCase()}, S.A.</b><p class="r">${doc.vendor.city}, ${day(doc.date, 'es')}</p><p>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</p><p>Muy señores nuestros:</p><p>Les comunicamos que con fecha ${day(doc.date, 'd/m/y')} hemos adeudado en su cuenta ${ibanOf(doc)} el recibo presentado por ${safe(doc.vendor.name)} por importe de ${eur(doc.total)} €.</p><p>Saldo a su favor: ${eur(doc.total * 7)} €</p><p>Atentamente,</p>`,
      )
    },
  },
  {
    id: 'bank_statement',
    render: (chance) => {
      const doc = goods(chance)
      return page(
        '',
        `<h3>EXTRACTO DE CUENTA</h3><p>Titular: ${safe(doc.buyer?.name ?? '')} NIF ${doc.buyer?.vat}<br>IBAN ${ibanOf(doc)}</p>${lineTable(
          doc,
          [
            { head: 'Fecha', left: true, cell: () => day(doc.date, 'd/m/y') },
            { head: 'Concepto', left: true, cell: (line) => `RECIBO ${line.text}` },
            { head: 'Importe', cell: (line) => `-${eur(line.cents)}` },
            { head: 'Saldo', cell: (line) => eur(line.cents * 9) },
          ],
        )}<p>Saldo final: ${eur(doc.total * 3)} EUR</p>`,
      )
    },
  },
  {
    id: 'payroll',
    render: (chance) => {
      const doc = makeDoc(chance, { trade: 'consulting', buyer: { person: true } })
      const gross = chance.int(140_000, 300_000)
      return page(
        '',
        `<h3>RECIBO INDIVIDUAL JUSTIFICATIVO DEL PAGO DE SALARIOS</h3><div class="two"><div>Empresa: ${safe(doc.vendor.name)}<br>CIF: ${doc.vendor.vat}<br>CCC: 28/${chance.digits(9)}</div><div>Trabajador: ${safe(doc.buyer?.name ?? '')}<br>NIF: ${doc.buyer?.vat}<br>Nº afiliación S.S.: ${chance.digits(12)}</div></div><p>Periodo de liquidación: del 1 al 30 de junio de 2026</p><table><tr><th class="l">I. DEVENGOS</th><th class="r">Totales</th></tr><tr><td>Salario base</td><td class="r">${eur(gross)}</td></tr><tr><td>A. TOTAL DEVENGADO</td><td class="r">${eur(gross)}</td></tr><tr><td>II. DEDUCCIONES</td></tr><tr><td>Contingencias comunes 4,70 %</td><td class="r">${eur(gross * 0.047)}</td></tr><tr><td>I.R.P.F. 14,00 %</td><td class="r">${eur(gross * 0.14)}</td></tr><tr><td>B. TOTAL A DEDUCIR</td><td class="r">${eur(gross * 0.187)}</td></tr><tr class="b"><td>LÍQUIDO TOTAL A PERCIBIR (A-B)</td><td class="r">${eur(gross * 0.813)}</td></tr></table>`,
      )
    },
  },
  { id: 'blank', render: () => page('', '') },
  {
    id: 'book',
    render: (chance) =>
      page(
        '',
        `<p style="text-align:center">Capítulo ${chance.int(2, 30)}</p>${'<p>Al caer la tarde el maestro cerró la puerta de la escuela, contó las llaves y bajó despacio por la calle Mayor. En 1936 el pueblo tenía 1.250 vecinos, dos molinos y una sola fonda; de todo aquello no quedaba más que el nombre.</p>'.repeat(7)}<p class="r">${chance.int(20, 400)}</p>`,
      ),
  },
  {
    id: 'contract',
    render: (chance) => {
      const doc = goods(chance)
      return page(
        '',
        `<h3>CONTRATO DE ARRENDAMIENTO</h3><p>En ${doc.vendor.city}, a ${day(doc.date, 'es')}.</p><p>REUNIDOS: De una parte, ${safe(doc.vendor.name)}, con NIF ${doc.vendor.vat} y domicilio en ${doc.vendor.street}. De otra, ${safe(doc.buyer?.name ?? '')}, con NIF ${doc.buyer?.vat}.</p><p>EXPONEN: Primero.- La renta será de ${num(chance.int(400, 2000))} euros mensuales más el IVA vigente. La fianza asciende a ${num(chance.int(400, 2000))} euros. El arrendador emitirá la correspondiente factura.</p><p>CLÁUSULAS: El pago se efectuará en la cuenta ${ibanOf(doc)}.</p>`,
      )
    },
  },
  {
    id: 'reminder',
    render: (chance) => {
      const doc = goods(chance)
      return page(
        '',
        `${heads(doc, 'AVISO DE PAGO')}<p>Les recordamos que a fecha de hoy tenemos pendiente de cobro la factura ${doc.number} de fecha ${day(doc.date, 'd/m/y')} por importe de ${eur(doc.total)} €.</p><p>Rogamos transferencia a ${ibanOf(doc)}.</p>`,
      )
    },
  },
  {
    id: 'tax_form',
    render: (chance) => {
      const doc = goods(chance)
      return page(
        '',
        `<h3>Agencia Tributaria - Modelo 303</h3><p>Impuesto sobre el Valor Añadido. Autoliquidación</p><p>NIF ${doc.vendor.vat} ${safe(doc.vendor.name)}<br>Ejercicio 2026 Período 2T</p><table><tr><td>Régimen general 21,00 %</td><td class="r">${eur(doc.base)}</td><td class="r">${eur(doc.base * 0.21)}</td></tr><tr><td>Total cuota devengada</td><td></td><td class="r">${eur(doc.base * 0.21)}</td></tr><tr><td>Resultado de la autoliquidación</td><td></td><td class="r">${eur(doc.base * 0.11)}</td></tr></table>`,
      )
    },
  },
]
