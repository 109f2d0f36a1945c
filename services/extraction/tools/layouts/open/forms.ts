import type { Doc } from '../document.ts'
import { day, eur, ibanOf, lineTable, loose, num, page, safe } from '../html.ts'
import type { Layout } from '../layout.ts'

/** Printers that know columns of signs only, forms whose labels are preprinted or small, and labels below their values. */

const cut = (text: string, width: number): string => text.slice(0, width).padEnd(width)
const right = (text: string, width: number): string => text.slice(0, width).padStart(width)

function dotMatrix(doc: Doc, code: string): string {
  const rows = [
    `${cut(doc.vendor.name.toUpperCase(), 46)}FACTURA`,
    doc.vendor.street.toUpperCase(),
    `${doc.vendor.postal}-${doc.vendor.city.toUpperCase()}`,
    `TEL.: ${doc.vendor.phone}   NIF: ${doc.vendor.vat}`,
    '',
    `${' '.repeat(38)}${doc.buyer?.name.toUpperCase().slice(0, 46)}`,
    `${' '.repeat(38)}${doc.buyer?.street.toUpperCase()}`,
    `${' '.repeat(38)}${doc.buyer?.postal} ${doc.buyer?.city.toUpperCase()}`,
    '',
    `NUM.FACTURA: ${doc.number}  FECHA: ${day(doc.date, 'd-m-yy')}  CLIENTE: ${code}  NIF: ${doc.buyer?.vat}  PAG. 1`,
    '-'.repeat(92),
    `${cut('REF.', 10)}${cut('ARTICULO', 42)}${right('CANT.', 10)}${right('PRECIO', 12)}${right('IMPORTE', 16)}`,
    '-'.repeat(92),
    ...doc.lines.map(
      (line) =>
        `${cut(line.ref, 10)}${cut(line.text.toUpperCase(), 42)}${right(loose(line.quantity), 10)}${right(loose(line.price, 2), 12)}${right(eur(line.cents), 16)}`,
    ),
    '-'.repeat(92),
    `${right('BASE IMP.', 14)}${right('%IVA', 8)}${right('CUOTA', 12)}${right('%R.E.', 8)}${right('CUOTA', 12)}${right('TOTAL', 20)}`,
    ...doc.rates.map(
      (row, index) =>
        `${right(eur(row.base), 14)}${right(num(row.rate), 8)}${right(eur(row.quota), 12)}${right(num(row.surchargeRate), 8)}${right(eur(row.surcharge), 12)}${index === doc.rates.length - 1 ? right(eur(doc.total), 20) : ''}`,
    ),
    '',
    `F.PAGO: ${doc.payment === 'domiciliacion' ? 'GIRO DOMICILIADO' : doc.payment === 'efectivo' ? 'CONTADO' : 'TRANSFERENCIA'}   VTO.: ${doc.due === null ? '' : day(doc.due, 'd-m-yy')}  ${doc.iban === null ? '' : `IBAN: ${doc.iban}`}`,
  ]
  return rows.map(safe).join('\n')
}

export const formsOpen: readonly Layout[] = [
  {
    id: 'dot-matrix',
    wish: () => ({
      trade: 'food',
      lines: [2, 14],
      surcharge: true,
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'domiciliacion', 'efectivo'],
    }),
    hidesInLines: ['tax_rate'],
    render: (doc, chance) =>
      page('pre{font:8pt "Liberation Mono";margin:0}', `<pre>${dotMatrix(doc, chance.digits(5))}</pre>`),
  },
  {
    id: 'preprinted-form',
    wish: () => ({ trade: 'hardware', lines: [1, 9], due: false, iban: 'never', payment: [null] }),
    hidesInLines: ['tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:10pt "Liberation Mono"}.lines th{height:0;padding:0}table.lines{margin:8mm 0;height:60mm}.foot td{text-align:center}',
        `<div style="text-align:center;font:bold 15pt 'Liberation Sans'">${safe(doc.vendor.name)}</div><div style="text-align:center;font:7pt 'Liberation Sans'">${doc.vendor.street} - ${doc.vendor.postal} ${doc.vendor.city} - Tel. ${doc.vendor.phone} - C.I.F. ${doc.vendor.vat}</div><div style="margin:12mm 0 0 90mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>${doc.buyer?.vat}</div><div class="two" style="margin:8mm 20mm 4mm 0"><span>FACTURA ${doc.number}</span><span>${day(doc.date, 'd/m/y')}</span><span>${chance.digits(4)}</span></div>
        ${lineTable(doc, [
          { head: '', left: true, cell: (line) => line.ref },
          { head: '', left: true, cell: (line) => line.text },
          { head: '', cell: (line) => loose(line.quantity) },
          { head: '', cell: (line) => loose(line.price, 2) },
          { head: '', cell: (line) => eur(line.cents) },
        ])}
        <table class="foot" style="font-size:10pt">${doc.rates.map((row, index) => `<tr><td>${eur(row.base)}</td><td>${row.rate} %</td><td>${eur(row.quota)}</td><td>${index === 0 ? eur(doc.total) : ''}</td></tr>`).join('')}</table><div style="position:fixed;bottom:0;font:6pt 'Liberation Sans'">${doc.vendor.registry}</div>`,
      ),
  },
  {
    id: 'labels-below',
    wish: () => ({
      trade: 'consulting',
      lines: [1, 5],
      due: true,
      iban: 'always',
      payment: ['transferencia'],
      wholeQuantities: true,
    }),
    hidesInLines: ['tax_rate'],
    render: (doc) =>
      page(
        'body{font:10pt "Lato","Carlito",sans-serif}small{color:#999;font-size:6.5pt;text-transform:uppercase}.lines{margin:8mm 0}.lines th{border-bottom:1px solid #ccc}.v td{padding-right:8mm;line-height:1.1}',
        `<div style="font-size:18pt;color:#357">${safe(doc.vendor.name)}</div><div style="font-size:8pt">${doc.vendor.street}, ${doc.vendor.postal} ${doc.vendor.city} | NIF ${doc.vendor.vat} | ${doc.vendor.mail}</div><table class="v" style="margin-top:8mm"><tr><td>${doc.number}<br><small>Número de factura</small></td><td>${day(doc.date, 'es')}<br><small>Fecha de expedición</small></td><td>${doc.due === null ? '' : day(doc.due, 'es')}<br><small>Fecha de vencimiento</small></td></tr></table><table class="v" style="margin-top:5mm"><tr><td>${safe(doc.buyer?.name ?? '')}<br><small>Cliente</small></td><td>${doc.buyer?.vat}<br><small>NIF</small></td></tr><tr><td>${doc.buyer?.street}<br><small>Domicilio</small></td><td>${doc.buyer?.postal} ${doc.buyer?.city}<br><small>Población</small></td></tr></table>
        ${lineTable(doc, [
          { head: 'Servicio prestado', left: true, cell: (line) => line.text },
          { head: 'Horas', cell: (line) => loose(line.quantity) },
          { head: 'Tarifa', cell: (line) => `${loose(line.price, 2)} €` },
          { head: 'Importe', cell: (line) => `${eur(line.cents)} €` },
        ])}
        <table class="v" style="width:auto;margin-left:auto"><tr><td>${eur(doc.base)} €<br><small>Base imponible</small></td>${doc.rates.map((row) => `<td>${eur(row.quota)} €<br><small>IVA ${row.rate} %</small></td>`).join('')}<td><b>${eur(doc.total)} €</b><br><small>Total factura</small></td></tr></table><p>${ibanOf(doc)}<br><small>Cuenta para la transferencia</small></p>`,
      ),
  },
  {
    id: 'boxed-grid',
    wish: () => ({
      trade: 'transport',
      lines: [1, 8],
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'domiciliacion'],
    }),
    hidesInLines: ['tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:9pt "Liberation Sans"}td,th{border:1px solid #333}th{font-size:6.5pt;text-align:left;color:#333}.lines{margin:4mm 0}.n{border:0}',
        `<table><tr><td colspan="2" rowspan="2" class="n"><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}</td><th>C.I.F.</th><th>TELÉFONO</th></tr><tr><td>${doc.vendor.vat}</td><td>${doc.vendor.phone}</td></tr></table><table style="margin-top:4mm"><tr><th>CLIENTE</th><th>C.I.F. CLIENTE</th><th>CÓD.</th></tr><tr><td>${safe(doc.buyer?.name ?? '')}</td><td>${doc.buyer?.vat}</td><td>${chance.digits(5)}</td></tr><tr><th>DOMICILIO</th><th>C. POSTAL</th><th>POBLACIÓN</th></tr><tr><td>${doc.buyer?.street}</td><td>${doc.buyer?.postal}</td><td>${doc.buyer?.city}</td></tr></table><table style="margin-top:4mm"><tr><th>Nº DOCUMENTO</th><th>F. EMISIÓN</th><th>F. VENCIMIENTO</th><th>CONDICIONES</th></tr><tr><td>${doc.number}</td><td>${day(doc.date, 'd-m-y')}</td><td>${doc.due === null ? '' : day(doc.due, 'd-m-y')}</td><td>${doc.payment === 'transferencia' ? 'TRANSFERENCIA' : 'RECIBO DOMICILIADO'}</td></tr></table>
        ${lineTable(doc, [
          { head: 'CANT.', cell: (line) => loose(line.quantity) },
          { head: 'DETALLE DEL SERVICIO', left: true, cell: (line) => line.text },
          { head: 'P.UNIT.', cell: (line) => loose(line.price, 2) },
          { head: 'TOTAL', cell: (line) => eur(line.cents) },
        ])}
        <table><tr><th>SUMA</th><th>BASE IVA</th><th>TIPO</th><th>IMPORTE IVA</th><th>A PAGAR EUR</th></tr>${doc.rates.map((row, index) => `<tr><td>${index === 0 ? eur(doc.linesSum) : ''}</td><td>${eur(row.base)}</td><td>${row.rate}%</td><td>${eur(row.quota)}</td><td>${index === 0 ? eur(doc.total) : ''}</td></tr>`).join('')}</table><p>${doc.payment === 'transferencia' ? `CTA. ABONO ${ibanOf(doc)}` : ''}</p>`,
      ),
  },
  {
    id: 'foot-issuer-window',
    wish: () => ({ trade: 'office', lines: [1, 8], due: true, iban: 'always', payment: ['transferencia'] }),
    hidesInLines: ['tax_rate'],
    render: (doc) =>
      page(
        'body{font:9.5pt "Liberation Sans"}.lines{margin:6mm 0}.lines th{border-top:1px solid;border-bottom:1px solid}.foot{position:fixed;bottom:0;width:100%;text-align:center;font-size:6.5pt;color:#555;border-top:1px solid}',
        `<div style="font:italic 20pt 'Liberation Serif'">${safe(doc.vendor.name.split(' ')[0] ?? '')}</div><div style="margin:14mm 0 10mm 92mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>${doc.buyer?.province}</div><table style="width:70mm"><tr><td>Factura</td><td>${doc.number}</td></tr><tr><td>Fecha</td><td>${day(doc.date, 'd/m/y')}</td></tr><tr><td>Vencimiento</td><td>${doc.due === null ? '' : day(doc.due, 'd/m/y')}</td></tr><tr><td>Su CIF</td><td>${doc.buyer?.vat}</td></tr></table>
        ${lineTable(doc, [
          { head: 'Cantidad', cell: (line) => loose(line.quantity) },
          { head: 'Artículo', left: true, cell: (line) => `${line.ref} ${line.text}` },
          { head: 'Precio', cell: (line) => loose(line.price, 2) },
          { head: 'Importe', cell: (line) => eur(line.cents) },
        ])}
        <table style="width:75mm;margin-left:auto"><tr><td>Neto</td><td class="r">${eur(doc.base)}</td></tr>${doc.rates.map((row) => `<tr><td>I.V.A. ${num(row.rate)}</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr class="b"><td>TOTAL EUROS</td><td class="r">${eur(doc.total)}</td></tr></table><p>Rogamos transferencia a nuestra cuenta ${ibanOf(doc)}</p><div class="foot">${safe(doc.vendor.name)} · ${doc.vendor.street} · ${doc.vendor.postal} ${doc.vendor.city} · Tel. ${doc.vendor.phone} · CIF ${doc.vendor.vat}<br>${doc.vendor.registry}</div>`,
      ),
  },
]
