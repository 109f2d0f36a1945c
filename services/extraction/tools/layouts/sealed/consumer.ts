import { addDays } from '../document.ts'
import { day, eur, ibanOf, lineTable, loose, num, page, pct, safe } from '../html.ts'
import type { Layout } from '../layout.ts'

export const consumerSealed: readonly Layout[] = [
  {
    id: 'telecom-summary',
    wish: () => ({
      trade: 'telecom',
      lines: [5, 12],
      wholeQuantities: true,
      due: true,
      iban: 'masked',
      payment: ['domiciliacion'],
      vendor: { names: ['Telecom', 'Comunicaciones'] },
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc, chance) => {
      const head = `<div class="two"><div style="font-size:20pt;color:#0a7">${safe(doc.vendor.name.split(' ')[0] ?? '')}</div><div class="r" style="font-size:7pt">${safe(doc.vendor.name)}<br>${doc.vendor.street}. ${doc.vendor.postal} ${doc.vendor.city}<br>CIF ${doc.vendor.vat}</div></div>`
      return page(
        '.box{background:#f2f2f2;padding:4mm;margin:4mm 0}.big{font-size:22pt;color:#0a7}.d td{border-bottom:1px solid #ddd}',
        `${head}<div class="two"><div class="box" style="width:80mm"><b>Datos de la factura</b><br>N.º de factura: ${doc.number}<br>Fecha de emisión: ${day(doc.date, 'es')}<br>Periodo de facturación: ${day(addDays(doc.date, -31), 'd/m/y')} - ${day(addDays(doc.date, -1), 'd/m/y')}<br>N.º de cliente: ${chance.digits(9)}<br>Fecha de cargo: ${doc.due === null ? '' : day(doc.due, 'es')}</div><div style="padding-top:10mm;width:80mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>NIF: ${doc.buyer?.vat}</div></div>
        <div class="box"><div class="two"><div><b>Total a pagar</b><br>(IVA incluido)</div><div class="big">${eur(doc.total)} €</div></div></div>
        <p><b>Resumen de tu factura</b></p><table class="d"><tr><td>Total (base imponible)</td><td class="r">${eur(doc.base)} €</td></tr>${doc.rates.map((row) => `<tr><td>IVA (${row.rate}%)</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr class="b"><td>Total factura</td><td class="r">${eur(doc.total)} €</td></tr></table>
        <p>Forma de pago: domiciliación bancaria. Entidad: BANCO SANTANDER. Cuenta: ${ibanOf(doc)}</p><p style="font-size:7pt">Atención al cliente 1${chance.digits(3)}. Puedes reclamar en el plazo de un mes desde la recepción. ${doc.vendor.registry}</p>
        <div style="break-before:page">${head}<h3>Detalle de conceptos</h3>${lineTable(
          doc,
          [
            { head: 'Concepto', left: true, cell: (line) => line.text },
            { head: 'Importe (sin IVA)', cell: (line) => `${eur(line.cents)} €` },
          ],
          'd',
        )}<table class="b"><tr><td>Total conceptos</td><td class="r">${eur(doc.base)} €</td></tr></table></div>`,
      )
    },
  },
  {
    id: 'roll-restaurant',
    wish: () => ({
      trade: 'bar',
      kind: 'simplified',
      buyer: null,
      withTax: true,
      wholeQuantities: true,
      lines: [2, 9],
      iban: 'never',
      payment: ['efectivo', 'tarjeta', null],
    }),
    hidesInLines: ['tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:8.5pt "DejaVu Sans Mono"}@page{margin:4mm}.c{text-align:center}td,th{padding:0 2px;font-weight:normal}hr{border:0;border-top:1px dashed}',
        `<div class="c">${safe(doc.vendor.name.toUpperCase())}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>NIF ${doc.vendor.vat}<br>Tel ${doc.vendor.phone}</div><hr>FACTURA SIMPLIFICADA<br>Núm: ${doc.number}<br>${day(doc.date, 'd/m/y')} ${chance.int(12, 23)}:${chance.int(10, 59)}  Mesa ${chance.int(1, 30)}<br>Le atendió: PACO<hr>
        ${lineTable(doc, [
          { head: 'Ud', left: true, cell: (line) => String(line.quantity) },
          { head: 'Artículo', left: true, cell: (line) => line.text.toUpperCase() },
          { head: 'Pvp', cell: (line) => num(line.price) },
          { head: 'Imp', cell: (line) => eur(line.cents) },
        ])}<hr>
        <table><tr style="font-size:13pt"><td>TOTAL</td><td class="r">${eur(doc.total)}€</td></tr></table><hr><table><tr><td>Base</td><td>%</td><td>Cuota</td></tr>${doc.rates.map((row) => `<tr><td>${eur(row.base)}</td><td>${row.rate},00</td><td>${eur(row.quota)}</td></tr>`).join('')}</table>${doc.payment === 'tarjeta' ? `Tarjeta ${eur(doc.total)}` : doc.payment === 'efectivo' ? `Efectivo ${eur(Math.ceil(doc.total / 1000) * 1000)}<br>Cambio ${eur(Math.ceil(doc.total / 1000) * 1000 - doc.total)}` : ''}<div class="c">IVA INCLUIDO<br>GRACIAS POR SU VISITA</div>`,
        '80mm 190mm',
      ),
  },
  {
    id: 'hotel-folio',
    wish: (chance) => ({
      trade: 'hotel',
      lines: [2, 8],
      wholeQuantities: true,
      withTax: true,
      iban: 'never',
      payment: ['tarjeta', 'efectivo'],
      buyer: { person: chance.yes(0.4) },
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:9pt "Liberation Serif"}.lines th{border-top:1px solid;border-bottom:1px solid}',
        `<div style="text-align:center"><b style="font-size:15pt">${safe(doc.vendor.name)}</b><br>${doc.vendor.street} - ${doc.vendor.postal} ${doc.vendor.city} - Tel. ${doc.vendor.phone}<br>C.I.F. ${doc.vendor.vat}</div><br><div class="two"><div>Huésped / Guest: ${safe(doc.buyer?.name ?? '')}<br>NIF / VAT: ${doc.buyer?.vat}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</div><div>Factura / Invoice: ${doc.number}<br>Fecha / Date: ${day(doc.date, 'd/m/y')}<br>Habitación / Room: ${chance.int(101, 620)}<br>Llegada / Arrival: ${day(addDays(doc.date, -3), 'd/m/y')}<br>Salida / Departure: ${day(doc.date, 'd/m/y')}</div></div><br>
        ${lineTable(doc, [
          {
            head: 'Fecha',
            left: true,
            cell: (_line, index) => day(addDays(doc.date, Math.min(0, index - 3)), 'd/m/yy'),
          },
          { head: 'Concepto', left: true, cell: (line) => line.text },
          { head: 'Cargos', cell: (line) => eur(line.cents) },
          { head: 'Abonos', cell: () => '' },
        ])}
        <table style="width:70mm;margin:4mm 0 0 auto"><tr class="b"><td>Total cargos EUR</td><td class="r">${eur(doc.total)}</td></tr></table><table style="width:110mm;margin-top:5mm"><tr><th class="l">Impuesto</th><th class="r">Base imponible</th><th class="r">Cuota</th><th class="r">Total</th></tr>${doc.rates.map((row) => `<tr><td>IVA ${pct(row.rate)}%</td><td class="r">${eur(row.base)}</td><td class="r">${eur(row.quota)}</td><td class="r">${eur(row.base + row.quota)}</td></tr>`).join('')}</table><p>Pagado: ${doc.payment === 'tarjeta' ? 'VISA' : 'Efectivo'} ${eur(doc.total)} EUR</p>`,
      ),
  },
  {
    id: 'subscription-en',
    wish: () => ({
      trade: 'cloud',
      lines: [1, 4],
      wholeQuantities: true,
      due: true,
      iban: 'never',
      payment: ['tarjeta', null],
    }),
    hidesInLines: [],
    render: (doc) =>
      page(
        'body{font:9.5pt "DejaVu Sans";color:#222}h1{font-size:18pt}.g td{color:#666;padding:1px 8px 1px 0}.lines{margin-top:6mm}.lines th{font-weight:normal;color:#777;border-bottom:1px solid #ccc}',
        `<h1>Invoice</h1><table class="g" style="width:auto"><tr><td>Invoice number</td><td>${doc.number}</td></tr><tr><td>Date of issue</td><td>${day(doc.date, 'en')}</td></tr><tr><td>Date due</td><td>${doc.due === null ? '' : day(doc.due, 'en')}</td></tr></table><br><div class="two"><div><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>Spain<br>ES VAT ES${doc.vendor.vat}</div><div style="width:80mm"><b>Bill to</b><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>Spain<br>ES VAT ES${doc.buyer?.vat}</div></div>
        <p style="font-size:15pt"><b>€${eur(doc.total, 'dot')} due ${doc.due === null ? '' : day(doc.due, 'en')}</b></p>
        ${lineTable(doc, [
          { head: 'Description', left: true, cell: (line) => line.text },
          { head: 'Qty', cell: (line) => String(line.quantity) },
          { head: 'Unit price', cell: (line) => `€${num(line.price, 2, 'dot')}` },
          { head: 'Tax', cell: (line) => `${line.rate}%` },
          { head: 'Amount', cell: (line) => `€${eur(line.cents, 'dot')}` },
        ])}
        <table style="width:85mm;margin:4mm 0 0 auto"><tr><td>Subtotal</td><td class="r">€${eur(doc.base, 'dot')}</td></tr><tr><td>Total excluding tax</td><td class="r">€${eur(doc.base, 'dot')}</td></tr>${doc.rates.map((row) => `<tr><td>VAT - Spain (${row.rate}% on €${eur(row.base, 'dot')})</td><td class="r">€${eur(row.quota, 'dot')}</td></tr>`).join('')}<tr><td>Total</td><td class="r">€${eur(doc.total, 'dot')}</td></tr><tr class="b"><td>Amount due</td><td class="r">€${eur(doc.total, 'dot')}</td></tr></table>${doc.payment === 'tarjeta' ? '<p>Payment method: Visa card ending in 4242</p>' : ''}`,
      ),
  },
  {
    id: 'goods-returned',
    wish: () => ({
      trade: 'office',
      kind: 'corrective',
      lines: [1, 6],
      wholeQuantities: true,
      due: false,
      iban: 'never',
      payment: [null],
    }),
    hidesInLines: ['tax_rate'],
    render: (doc, chance) =>
      page(
        '.lines th{border-bottom:2px solid #c00}h1{color:#c00;font-size:15pt}',
        `<div class="two"><div><h1>FACTURA DE ABONO</h1>Número: <b>${doc.number}</b><br>Fecha: ${day(doc.date, 'd/m/y')}<br>Rectifica la factura ${chance.digits(6)} de ${day(addDays(doc.date, -20), 'd/m/y')}<br>Motivo: devolución de mercancía</div><div class="r"><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.vat}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}</div></div><br><div style="border:1px solid;padding:3mm;width:90mm;margin-left:auto">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>CIF: ${doc.buyer?.vat}</div><br>
        ${lineTable(doc, [
          { head: 'Referencia', left: true, cell: (line) => line.ref },
          { head: 'Artículo', left: true, cell: (line) => line.text },
          { head: 'Cant.', cell: (line) => loose(line.quantity) },
          { head: 'PVP', cell: (line) => loose(line.price, 2) },
          { head: 'Neto', cell: (line) => eur(line.cents) },
        ])}
        <table style="margin-top:8mm"><tr><th class="r">Base</th><th class="r">IVA</th><th class="r">Cuota</th><th class="r">Total abono</th></tr>${doc.rates.map((row, index) => `<tr><td class="r">${eur(row.base)}</td><td class="r">${row.rate}%</td><td class="r">${eur(row.quota)}</td><td class="r b">${index === doc.rates.length - 1 ? `${eur(doc.total)} €` : ''}</td></tr>`).join('')}</table>`,
      ),
  },
]
