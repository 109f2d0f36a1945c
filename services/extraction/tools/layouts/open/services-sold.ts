import { day, eur, ibanOf, lineTable, loose, num, page, pct, safe } from '../html.ts'
import type { Layout } from '../layout.ts'

/** What offices, workshops and shops hand over: letters, grids and slips in five languages. */
export const servicesSoldOpen: readonly Layout[] = [
  {
    id: 'gestoria',
    wish: () => ({
      trade: 'consulting',
      lines: [1, 5],
      suplidos: true,
      iban: 'masked',
      payment: ['domiciliacion'],
      wholeQuantities: true,
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:10pt "Liberation Serif"}.t{border-top:2px solid #000;border-bottom:1px solid #000;margin:6mm 0}td{padding:1mm 2mm}',
        `<div style="text-align:center"><b style="font-size:15pt">${safe(doc.vendor.name)}</b><br>${doc.vendor.street} · ${doc.vendor.postal} ${doc.vendor.city} · Telf. ${doc.vendor.phone}<br>NIF ${doc.vendor.vat}</div><div class="two" style="margin-top:8mm"><div>FACTURA NÚM. ${doc.number}<br>FECHA: ${day(doc.date, 'd-m-y')}<br>EXPEDIENTE: ${chance.digits(5)}</div><div style="width:85mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>NIF ${doc.buyer?.vat}</div></div><table class="t"><tr class="b"><td>HONORARIOS</td><td class="r">EUROS</td></tr>${doc.lines.map((line) => `<tr><td>${line.text}</td><td class="r">${eur(line.cents)}</td></tr>`).join('')}</table><table style="width:90mm;margin-left:auto"><tr><td>Total honorarios</td><td class="r">${eur(doc.base)}</td></tr>${doc.rates.map((row) => `<tr><td>${pct(row.rate)}% IVA s/honorarios</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}${doc.suplidos.map((item) => `<tr><td>Suplidos: ${item.text}</td><td class="r">${eur(item.cents)}</td></tr>`).join('')}<tr class="b"><td>TOTAL FACTURA</td><td class="r">${eur(doc.total)}</td></tr></table><p>Se cargará en su cuenta ${ibanOf(doc)}</p>`,
      ),
  },
  {
    id: 'english-seller',
    wish: () => ({
      trade: 'consulting',
      lines: [1, 4],
      due: true,
      iban: 'always',
      payment: ['transferencia'],
    }),
    render: (doc) =>
      page(
        'body{font:9.5pt "Liberation Sans"}.lines{margin:8mm 0}.lines th{border-bottom:1px solid #000}h1{font-size:22pt;font-weight:300}',
        `<div class="two"><h1>INVOICE</h1><div class="r"><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}, Spain<br>VAT No. ES${doc.vendor.vat}<br>${doc.vendor.mail}</div></div><div class="two"><div><b>Billed to</b><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}, Spain<br>VAT No. ES${doc.buyer?.vat}</div><table style="width:70mm"><tr><td>Invoice No.</td><td class="r">${doc.number}</td></tr><tr><td>Invoice Date</td><td class="r">${day(doc.date, 'en')}</td></tr><tr><td>Due Date</td><td class="r">${doc.due === null ? '' : day(doc.due, 'en')}</td></tr></table></div>
        ${lineTable(doc, [
          { head: 'Description', left: true, cell: (line) => line.text },
          { head: 'Qty', cell: (line) => String(line.quantity) },
          { head: 'Rate', cell: (line) => num(line.price, 2, 'dot') },
          { head: 'VAT', cell: (line) => `${line.rate}%` },
          { head: 'Amount', cell: (line) => eur(line.cents, 'dot') },
        ])}
        <table style="width:70mm;margin-left:auto"><tr><td>Net amount</td><td class="r">€ ${eur(doc.base, 'dot')}</td></tr>${doc.rates.map((row) => `<tr><td>VAT ${row.rate}%</td><td class="r">€ ${eur(row.quota, 'dot')}</td></tr>`).join('')}<tr class="b"><td>Amount payable</td><td class="r">€ ${eur(doc.total, 'dot')}</td></tr></table><p><b>Bank transfer</b><br>IBAN: ${ibanOf(doc)}</p>`,
      ),
  },
  {
    id: 'clinic-receipt',
    wish: () => ({
      trade: 'school',
      lines: [1, 3],
      buyer: { person: true },
      iban: 'never',
      payment: ['tarjeta', 'efectivo'],
      wholeQuantities: true,
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc) =>
      page(
        'body{font:10pt "DejaVu Sans"}.b2{border:1px solid #39c;padding:4mm;border-radius:3mm;margin-bottom:4mm}',
        `<div class="b2"><b>${safe(doc.vendor.name)}</b> — CIF ${doc.vendor.vat}<br>${doc.vendor.street}, ${doc.vendor.postal} ${doc.vendor.city}</div><div class="b2">Factura: ${doc.number}<br>Fecha: ${day(doc.date, 'd/m/y')}<br>Paciente: ${safe(doc.buyer?.name ?? '')}<br>DNI: ${doc.buyer?.vat}<br>Domicilio: ${doc.buyer?.street}, ${doc.buyer?.postal} ${doc.buyer?.city}</div><table><tr><th class="l">Tratamiento</th><th class="r">Importe</th></tr>${doc.lines.map((line) => `<tr><td>${line.text}</td><td class="r">${eur(line.cents)} €</td></tr>`).join('')}<tr class="b"><td>TOTAL</td><td class="r">${eur(doc.total)} €</td></tr></table><p>Factura exenta de IVA (art. 20.Uno.3º LIVA). Forma de pago: ${doc.payment === 'tarjeta' ? 'tarjeta' : 'efectivo'}.</p>`,
      ),
  },
  {
    id: 'galician-workshop',
    wish: () => ({
      trade: 'garage',
      lines: [2, 9],
      iban: 'transfer',
      payment: ['transferencia', 'tarjeta', 'efectivo'],
    }),
    hidesInLines: ['tax_rate'],
    render: (doc) =>
      page(
        'body{font:9pt "Liberation Sans"}.lines{margin:4mm 0;border:1px solid #000}.lines th{background:#ddd}.h td{border:1px solid #000;padding:1mm 3mm}',
        `<div class="two"><div><b style="font-size:13pt">${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>CIF: ${doc.vendor.vat}</div><table class="h" style="width:70mm"><tr><td>Factura nº</td><td>${doc.number}</td></tr><tr><td>Data</td><td>${day(doc.date, 'd/m/y')}</td></tr></table></div><table class="h" style="margin-top:4mm"><tr><td>Cliente</td><td>${safe(doc.buyer?.name ?? '')}</td><td>NIF</td><td>${doc.buyer?.vat}</td></tr><tr><td>Enderezo</td><td>${doc.buyer?.street}</td><td>Concello</td><td>${doc.buyer?.postal} ${doc.buyer?.city}</td></tr></table>
        ${lineTable(doc, [
          { head: 'Descrición', left: true, cell: (line) => line.text },
          { head: 'Cantidade', cell: (line) => loose(line.quantity) },
          { head: 'Prezo', cell: (line) => loose(line.price, 2) },
          { head: 'Importe', cell: (line) => eur(line.cents) },
        ])}
        <table class="h" style="width:110mm;margin-left:auto"><tr class="b"><td>Base impoñible</td><td>% IVE</td><td>Cota IVE</td><td>TOTAL</td></tr><tr>${doc.rates
          .slice(0, 1)
          .map(
            (row) =>
              `<td class="r">${eur(row.base)}</td><td class="r">${row.rate}</td><td class="r">${eur(row.quota)}</td>`,
          )
          .join(
            '',
          )}<td class="r b">${eur(doc.total)} €</td></tr></table><p>Forma de pagamento: ${doc.payment === 'transferencia' ? `transferencia bancaria ${ibanOf(doc)}` : doc.payment === 'tarjeta' ? 'tarxeta' : 'efectivo'}</p>`,
      ),
  },
  {
    id: 'parallel-blocks',
    wish: () => ({
      trade: 'hardware',
      lines: [3, 15],
      due: true,
      globalDiscount: true,
      iban: 'always',
      payment: ['transferencia', 'domiciliacion'],
    }),
    hidesInLines: ['tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:8.5pt "Liberation Sans"}.bx{border:1px solid #777;width:88mm;padding:2mm}.lines{margin:3mm 0}.lines th{border:1px solid #777;background:#eee}.v td,.v th{border:1px solid #777}',
        `<div class="two"><div class="bx">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city} (${doc.buyer?.province})<br>CIF/NIF ${doc.buyer?.vat}</div><div class="bx"><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city} (${doc.vendor.province})<br>CIF/NIF ${doc.vendor.vat}<br>Tfno: ${doc.vendor.phone} · ${doc.vendor.mail}</div></div><table class="v" style="margin-top:3mm"><tr><th>Nº FACTURA</th><th>FECHA</th><th>S/PEDIDO</th><th>AGENTE</th><th>VENCIMIENTO</th></tr><tr><td>${doc.number}</td><td>${day(doc.date, 'd/m/y')}</td><td>${chance.digits(6)}</td><td>${chance.digits(2)}</td><td>${doc.due === null ? '' : day(doc.due, 'd/m/y')}</td></tr></table>
        ${lineTable(doc, [
          { head: 'Código', left: true, cell: (line) => line.ref },
          { head: 'Artículo', left: true, cell: (line) => line.text },
          { head: 'Unid.', cell: (line) => loose(line.quantity) },
          { head: 'Precio', cell: (line) => loose(line.price, 3) },
          { head: 'Total', cell: (line) => eur(line.cents) },
        ])}
        <table class="v"><tr><th>Suma importes</th><th>Dto. P.P.</th><th>Base imponible</th><th>IVA</th><th>Importe IVA</th><th>Total factura</th></tr>${doc.rates.map((row, index) => `<tr><td class="r">${index === 0 ? eur(doc.linesSum) : ''}</td><td class="r">${index === 0 && doc.discount ? `${pct(doc.discountRate)} %` : ''}</td><td class="r">${eur(row.base)}</td><td class="r">${row.rate} %</td><td class="r">${eur(row.quota)}</td><td class="r b">${index === 0 ? `${eur(doc.total)} €` : ''}</td></tr>`).join('')}</table><p>FORMA DE PAGO: ${doc.payment === 'transferencia' ? 'Transferencia' : 'Recibo domiciliado'} — ${ibanOf(doc)}</p>`,
      ),
  },
  {
    id: 'parking-slip',
    wish: () => ({
      trade: 'fuel',
      kind: 'simplified',
      buyer: null,
      lines: [1, 1],
      withTax: true,
      iban: 'never',
      payment: ['tarjeta', 'efectivo'],
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:9pt "Liberation Mono"}@page{margin:4mm}p{margin:1mm 0}',
        `<p>${safe(doc.vendor.name)}</p><p>${doc.vendor.street}</p><p>${doc.vendor.postal} ${doc.vendor.city}</p><p>C.I.F. ${doc.vendor.vat}</p><p>--------------------------------</p><p>TIQUE Nº ${doc.number}</p><p>${day(doc.date, 'd/m/y')} ${chance.int(10, 22)}:${chance.int(10, 59)}</p><p>--------------------------------</p><table>${doc.lines.map((line) => `<tr><td>${line.text}</td><td class="r">${eur(line.cents)}</td></tr>`).join('')}<tr class="b"><td>TOTAL EUR</td><td class="r">${eur(doc.total)}</td></tr></table><p>IVA INCLUIDO</p>${doc.rates.map((row) => `<p>BASE ${eur(row.base)} IVA ${row.rate}% ${eur(row.quota)}</p>`).join('')}<p>PAGO CON ${doc.payment === 'tarjeta' ? 'TARJETA' : 'EFECTIVO'}</p>`,
        '80mm 200mm',
      ),
  },
]
