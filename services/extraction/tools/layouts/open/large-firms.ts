import { day, eur, ibanOf, lineTable, loose, num, page, safe } from '../html.ts'
import type { Layout } from '../layout.ts'

/** Utilities, shops and firms whose programs print many documents a day. */
export const largeFirmsOpen: readonly Layout[] = [
  {
    id: 'water-bill',
    wish: () => ({
      trade: 'power',
      lines: [2, 5],
      due: true,
      iban: 'masked',
      payment: ['domiciliacion'],
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:8.5pt "Liberation Sans"}h3{background:#0077b6;color:#fff;padding:1mm 2mm;margin:4mm 0 1mm;font-size:9pt}.big{font-size:16pt;color:#0077b6}',
        `<div class="two"><div><b style="font-size:14pt;color:#0077b6">${safe(doc.vendor.name)}</b></div><div style="width:85mm;padding-top:12mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</div></div><div class="two"><div style="width:85mm"><h3>DATOS DE LA FACTURA</h3>Nº factura: ${doc.number}<br>Fecha de emisión: ${day(doc.date, 'd/m/y')}<br>Periodo facturado: 01/${day(doc.date, 'm/y')} a ${day(doc.date, 'd/m/y')}<br>Fecha de cargo: ${doc.due === null ? '' : day(doc.due, 'd/m/y')}<div class="big">TOTAL: ${eur(doc.total)} €</div></div><div style="width:85mm"><h3>DATOS DEL CONTRATO</h3>Titular: ${safe(doc.buyer?.name ?? '')}<br>NIF titular: ${doc.buyer?.vat}<br>Nº de contrato: ${chance.digits(9)}<br>Dirección de suministro: ${doc.buyer?.street}<br>Contador nº ${chance.digits(8)}<br>Lectura anterior: ${chance.int(100, 400)} m³ &nbsp; Lectura actual: ${chance.int(401, 700)} m³</div></div><h3>DETALLE DE LA FACTURACIÓN</h3><table class="lines"><tr><th class="l">Concepto</th><th class="r">Importe</th></tr>${doc.lines.map((line) => `<tr><td>${line.text}</td><td class="r">${eur(line.cents)} €</td></tr>`).join('')}</table><table style="margin-top:2mm">${doc.rates.map((row) => `<tr><td>IVA ${row.rate}% sobre ${eur(row.base)} €</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr class="b"><td>TOTAL IMPORTE FACTURA</td><td class="r">${eur(doc.total)} €</td></tr></table><h3>FORMA DE PAGO</h3>Domiciliación bancaria. ${ibanOf(doc)}<p style="font-size:6.5pt;margin-top:15mm">${safe(doc.vendor.name)}. ${doc.vendor.street}, ${doc.vendor.postal} ${doc.vendor.city}. ${doc.vendor.registry} CIF ${doc.vendor.vat}</p>`,
      ),
  },
  {
    id: 'supermarket-roll',
    wish: () => ({
      trade: 'food',
      kind: 'simplified',
      buyer: null,
      lines: [3, 14],
      withTax: true,
      wholeQuantities: true,
      iban: 'never',
      payment: ['tarjeta', 'efectivo'],
    }),
    hidesInLines: ['tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:8pt "Liberation Mono"}@page{margin:4mm}p{text-align:center;margin:1mm 0}',
        `<p><b>${safe(doc.vendor.name.toUpperCase())}</b><br>${doc.vendor.street.toUpperCase()}<br>${doc.vendor.postal} ${doc.vendor.city.toUpperCase()}<br>TELÉFONO: ${doc.vendor.phone}<br>NIF ${doc.vendor.vat}</p><p>${day(doc.date, 'd/m/y')} 19:${chance.int(10, 59)} OP: ${chance.digits(6)}</p><p>FACTURA SIMPLIFICADA: ${doc.number}</p><table><tr><th class="l">Descripción</th><th class="r">P. Unit</th><th class="r">Importe</th></tr>${doc.lines.map((line) => `<tr><td>${line.quantity} ${line.text.toUpperCase()}</td><td class="r">${num(line.price)}</td><td class="r">${eur(line.cents)}</td></tr>`).join('')}</table><table><tr class="b"><td>TOTAL (€)</td><td class="r">${eur(doc.total)}</td></tr><tr><td>${doc.payment === 'tarjeta' ? 'TARJETA BANCARIA' : 'EFECTIVO'}</td><td class="r">${eur(doc.total)}</td></tr></table><table style="margin-top:2mm"><tr><th class="l">IVA</th><th class="r">BASE IMPONIBLE (€)</th><th class="r">CUOTA (€)</th></tr>${doc.rates.map((row) => `<tr><td>${row.rate}%</td><td class="r">${eur(row.base)}</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr><td>TOTAL</td><td class="r">${eur(doc.base)}</td><td class="r">${eur(doc.quotas)}</td></tr></table>${doc.payment === 'tarjeta' ? `<p>TARJ. BANCARIA: **** **** **** ${chance.digits(4)}<br>N.C: ${chance.digits(9)} AUT: ${chance.digits(6)}</p>` : ''}<p>SE ADMITEN DEVOLUCIONES CON TICKET</p>`,
        '80mm 260mm',
      ),
  },
  {
    id: 'footer-company',
    wish: () => ({
      trade: 'office',
      lines: [1, 10],
      due: true,
      lineDiscounts: true,
      iban: 'always',
      payment: ['transferencia'],
    }),
    render: (doc, chance) =>
      page(
        'body{font:9pt "Liberation Sans"}.foot{position:fixed;bottom:0;left:0;right:0;font-size:6.5pt;color:#555;display:flex;gap:8mm}.lines{margin:6mm 0}.lines th{background:#222;color:#fff}',
        `<svg width="120" height="40"><rect width="120" height="40" rx="8" fill="#c33"/></svg><div style="margin-top:8mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>${doc.buyer?.province}</div><h2>Factura</h2><table style="width:110mm"><tr><td>Número de documento</td><td>${doc.number}</td></tr><tr><td>Fecha de documento</td><td>${day(doc.date, 'd.m.y')}</td></tr><tr><td>Número de cliente</td><td>${chance.digits(7)}</td></tr><tr><td>Su NIF</td><td>${doc.buyer?.vat}</td></tr><tr><td>Vencimiento</td><td>${doc.due === null ? '' : day(doc.due, 'd.m.y')}</td></tr></table>
        ${lineTable(doc, [
          { head: 'Pos', left: true, cell: (_line, index) => String((index + 1) * 10) },
          { head: 'Material', left: true, cell: (line) => line.ref },
          { head: 'Texto', left: true, cell: (line) => line.text },
          { head: 'Ctd.', cell: (line) => loose(line.quantity) },
          { head: 'PVP', cell: (line) => loose(line.price, 2) },
          { head: 'Dto. %', cell: (line) => (line.discount ? num(line.discount) : '') },
          { head: 'IVA', cell: (line) => `${line.rate}%` },
          { head: 'Neto EUR', cell: (line) => eur(line.cents) },
        ])}
        <table style="width:80mm;margin-left:auto"><tr><td>Suma neta</td><td class="r">${eur(doc.base)}</td></tr>${doc.rates.map((row) => `<tr><td>${row.rate},00% IVA sobre ${eur(row.base)}</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr class="b"><td>Importe final EUR</td><td class="r">${eur(doc.total)}</td></tr></table><div class="foot"><div>${safe(doc.vendor.name)}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}</div><div>Tel. ${doc.vendor.phone}<br>${doc.vendor.mail}<br>NIF: ${doc.vendor.vat}</div><div>Pago por transferencia<br>IBAN ${ibanOf(doc)}</div></div>`,
      ),
  },
  {
    id: 'phone-bill',
    wish: () => ({
      trade: 'telecom',
      lines: [2, 6],
      due: true,
      iban: 'masked',
      payment: ['domiciliacion'],
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:9pt "DejaVu Sans"}.card{background:#f3f0fa;padding:4mm;width:80mm}h4{margin:5mm 0 1mm;border-bottom:1px solid #639}',
        `<div class="two"><div class="card"><b>Tu factura</b><br>Nº de factura<br>${doc.number}<br>Fecha de emisión<br>${day(doc.date, 'es')}<br>Se cargará el ${doc.due === null ? '' : day(doc.due, 'es')}<br>Importe a pagar<br><span style="font-size:16pt">${eur(doc.total)} €</span></div><div style="width:80mm"><b>${safe(doc.buyer?.name ?? '')}</b><br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>NIF/CIF: ${doc.buyer?.vat}<br>Nº de cliente: ${chance.digits(8)}</div></div><h4>Resumen de tu factura</h4><table>${doc.lines.map((line) => `<tr><td>${line.text}</td><td class="r">${eur(line.cents)} €</td></tr>`).join('')}<tr><td>Importe total (base imponible)</td><td class="r">${eur(doc.base)} €</td></tr>${doc.rates.map((row) => `<tr><td>Impuestos: IVA (${row.rate}%)</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr class="b"><td>Total a pagar</td><td class="r">${eur(doc.total)} €</td></tr></table><h4>Datos de pago</h4>Domiciliación en cuenta ${ibanOf(doc)}<br>Ref. mandato ${chance.digits(12)}<p style="font-size:6pt">${safe(doc.vendor.name)}, ${doc.vendor.street}, ${doc.vendor.postal} ${doc.vendor.city}. C.I.F. ${doc.vendor.vat}. ${doc.vendor.registry}</p>`,
      ),
  },
  {
    id: 'online-shop',
    wish: (chance) => ({
      trade: 'office',
      lines: [1, 5],
      withTax: true,
      wholeQuantities: true,
      iban: 'never',
      payment: ['tarjeta', null],
      buyer: { person: chance.yes(0.6) },
    }),
    hidesInLines: ['tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:9pt "Liberation Sans";color:#222}.lines{margin:8mm 0}.lines td{border-bottom:1px solid #ddd;padding:2mm}',
        `<div class="two"><div><b style="font-size:13pt">${safe(doc.vendor.name)}</b><br>${doc.vendor.street}, ${doc.vendor.postal} ${doc.vendor.city}<br>NIF: ${doc.vendor.vat}</div><div class="r">Factura ${doc.number}<br>Pedido #${chance.digits(5)}<br>${day(doc.date, 'es')}</div></div><div class="two" style="margin-top:8mm"><div style="width:80mm"><b>Facturar a</b><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>${doc.buyer?.province}<br>España<br>${doc.buyer?.vat}</div><div style="width:80mm"><b>Enviar a</b><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>España</div></div>
        ${lineTable(doc, [
          { head: 'Cant.', left: true, cell: (line) => `${line.quantity} ×` },
          { head: 'Artículo', left: true, cell: (line) => line.text },
          { head: 'Precio', cell: (line) => `€${num(line.price)}` },
          { head: 'Total', cell: (line) => `€${eur(line.cents)}` },
        ])}
        <table style="width:80mm;margin-left:auto"><tr><td>Subtotal (sin IVA)</td><td class="r">€${eur(doc.base)}</td></tr>${doc.rates.map((row) => `<tr><td>IVA ${row.rate}%</td><td class="r">€${eur(row.quota)}</td></tr>`).join('')}<tr class="b"><td>Total (IVA incl.)</td><td class="r">€${eur(doc.total)}</td></tr></table>${doc.payment === 'tarjeta' ? `<p>Pagado con Visa terminada en ${chance.digits(4)}</p>` : ''}`,
      ),
  },
  {
    id: 'courier',
    wish: () => ({
      trade: 'transport',
      lines: [4, 26],
      due: true,
      iban: 'always',
      payment: ['domiciliacion'],
      wholeQuantities: true,
    }),
    hidesInLines: ['unit_price', 'tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:8pt "Liberation Sans"}@page{size:A4 landscape}.lines{margin:4mm 0}.lines th{background:#fc0}.k td{padding:0.5mm 2mm}',
        `<div class="two"><div><b style="font-size:14pt">${safe(doc.vendor.name)}</b><br>${doc.vendor.street} · ${doc.vendor.postal} ${doc.vendor.city} · NIF ${doc.vendor.vat}</div><table class="k" style="width:90mm"><tr><td>FACTURA</td><td>${doc.number}</td></tr><tr><td>FECHA</td><td>${day(doc.date, 'd/m/y')}</td></tr><tr><td>CLIENTE</td><td>${chance.digits(5)}</td></tr><tr><td>VENCIMIENTO</td><td>${doc.due === null ? '' : day(doc.due, 'd/m/y')}</td></tr></table></div><p><b>${safe(doc.buyer?.name ?? '')}</b><br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>NIF: ${doc.buyer?.vat}</p>
        ${lineTable(doc, [
          { head: 'Fecha', left: true, cell: () => day(doc.date, 'd/m/yy') },
          { head: 'Albarán', left: true, cell: () => chance.digits(10) },
          { head: 'Servicio', left: true, cell: (line) => line.text },
          { head: 'Bultos', cell: (line) => String(line.quantity) },
          { head: 'Kilos', cell: () => String(chance.int(1, 90)) },
          { head: 'Importe', cell: (line) => eur(line.cents) },
        ])}
        <table style="width:120mm;margin-left:auto"><tr><th class="r">Total portes</th><th class="r">Base imponible</th><th class="r">% IVA</th><th class="r">IVA</th><th class="r">Total EUR</th></tr><tr>${doc.rates.map((row) => `<td class="r">${eur(doc.linesSum)}</td><td class="r">${eur(row.base)}</td><td class="r">${num(row.rate)}</td><td class="r">${eur(row.quota)}</td>`).join('')}<td class="r">${eur(doc.total)}</td></tr></table><p>Recibo domiciliado en ${ibanOf(doc)}</p>`,
      ),
  },
]
