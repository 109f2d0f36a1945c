import { day, eur, ibanOf, lineTable, loose, num, page, pct, safe } from '../html.ts'
import type { Layout } from '../layout.ts'

export const servicesSealed: readonly Layout[] = [
  {
    id: 'minute-of-fees',
    wish: (chance) => ({
      trade: 'law',
      person: chance.yes(0.7),
      lines: [1, 4],
      irpf: [15, 15, 7],
      suplidos: true,
      advance: true,
      wholeQuantities: true,
      iban: 'transfer',
      payment: ['transferencia', null],
      due: false,
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc) => {
      const row = (label: string, cents: number, bold = false) =>
        `<tr${bold ? ' class="b"' : ''}><td>${label}</td><td class="r" style="width:30mm">${eur(cents)} €</td></tr>`
      return page(
        'body{font:11pt "Liberation Serif"}h1{text-align:center;font-size:15pt;letter-spacing:2px}td{padding:4px 6px}',
        `<div style="text-align:center"><b>${safe(doc.vendor.name.toUpperCase())}</b><br>${doc.vendor.person ? 'ABOGADO' : ''}<br>${doc.vendor.street} · ${doc.vendor.postal} ${doc.vendor.city}<br>NIF ${doc.vendor.vat} · Tel. ${doc.vendor.phone}</div>
        <h1>MINUTA DE HONORARIOS</h1><p>Minuta nº ${doc.number}<br>${doc.vendor.city}, a ${day(doc.date, 'es')}</p>
        <p>Cliente: ${safe(doc.buyer?.name ?? '')}<br>NIF/CIF: ${doc.buyer?.vat}<br>Domicilio: ${doc.buyer?.street}, ${doc.buyer?.postal} ${doc.buyer?.city}</p>
        <table><tr class="b"><td>CONCEPTO</td><td class="r">IMPORTE</td></tr>${doc.lines.map((line) => row(line.text, line.cents)).join('')}</table><hr>
        <table>${row('Total honorarios', doc.base, true)}${doc.rates.map((rate) => row(`I.V.A. ${pct(rate.rate)}% s/ ${eur(rate.base)}`, rate.quota)).join('')}${doc.irpf ? row(`Retención I.R.P.F. ${pct(doc.irpfRate)}%`, -doc.irpf) : ''}${doc.suplidos.map((item) => row(`Suplido: ${item.text}`, item.cents)).join('')}${row('TOTAL MINUTA', doc.total, true)}${doc.advance ? row('Provisión de fondos recibida', -doc.advance) + row('PENDIENTE DE PAGO', doc.total - doc.advance, true) : ''}</table>
        ${doc.payment === 'transferencia' ? `<p>Ruego abone el importe mediante transferencia a la cuenta ${ibanOf(doc)}.</p>` : ''}`,
      )
    },
  },
  {
    id: 'typed-letter',
    wish: () => ({
      trade: 'consulting',
      person: true,
      lines: [1, 4],
      irpf: [15, 7, 15],
      wholeQuantities: true,
      iban: 'always',
      payment: ['transferencia'],
      due: false,
    }),
    hidesInLines: ['tax_rate'],
    render: (doc) =>
      page(
        'body{font:11pt "DejaVu Serif";line-height:1.45}.x td{padding:3px 0}',
        `<p><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.vat}<br>${doc.vendor.street}<br>${doc.vendor.city} ${doc.vendor.postal}<br>${doc.vendor.mail}</p><p style="margin-left:85mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.vat}<br>${doc.buyer?.street}<br>${doc.buyer?.city} ${doc.buyer?.postal}</p>
        <p style="font-size:17pt">Factura ${doc.number}</p><p>Fecha: ${day(doc.date, 'd/m/y')}</p>
        ${lineTable(
          doc,
          [
            { head: 'Concepto', left: true, cell: (line) => line.text },
            { head: 'Uds', cell: (line) => loose(line.quantity) },
            { head: 'Precio', cell: (line) => `${eur(Math.round(line.price * 100), 'plain')} €` },
            { head: 'Subtotal', cell: (line) => `${eur(line.cents, 'plain')} €` },
          ],
          'x',
        )}
        <table class="x" style="margin-top:8mm;width:65mm;margin-left:auto"><tr><td>Base</td><td class="r">${eur(doc.base, 'plain')} €</td></tr>${doc.rates.map((row) => `<tr><td>+ IVA (${pct(row.rate)}%)</td><td class="r">${eur(row.quota, 'plain')} €</td></tr>`).join('')}<tr><td>- IRPF (${pct(doc.irpfRate)}%)</td><td class="r">${eur(doc.irpf, 'plain')} €</td></tr><tr class="b"><td>Total a cobrar</td><td class="r">${eur(doc.total, 'plain')} €</td></tr></table>
        <p>Pago por transferencia a ${ibanOf(doc)}<br>¡Gracias por su confianza!</p>`,
      ),
  },
  {
    id: 'works-certificate',
    wish: () => ({
      trade: 'building',
      lines: [2, 10],
      guarantee: true,
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'cheque'],
      buyer: {},
      decimals: 2,
    }),
    hidesInLines: ['tax_rate'],
    render: (doc, chance) =>
      page(
        'h1{font-size:12pt;background:#ddd;padding:2mm}.lines td,.lines th{border:1px solid #444}.lines th{background:#eee}.q td{border:1px solid #444}',
        `<table class="q"><tr><td style="width:50%"><b>CONTRATISTA</b><br>${safe(doc.vendor.name)}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>CIF: ${doc.vendor.vat}</td><td><b>PROMOTOR</b><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>CIF: ${doc.buyer?.vat}</td></tr></table>
        <h1>FACTURA Nº ${doc.number} &mdash; CERTIFICACIÓN Nº ${chance.int(2, 9)}</h1><p>Obra: Rehabilitación de edificio en ${doc.buyer?.city}<br>Fecha: ${day(doc.date, 'd/m/y')} &nbsp; Expediente: ${chance.digits(4)}/24</p>
        ${lineTable(doc, [
          {
            head: 'Cap.',
            left: true,
            cell: (_line, index) => `${Math.floor(index / 3) + 1}.${String((index % 3) + 1).padStart(2, '0')}`,
          },
          { head: 'Unidad de obra', left: true, cell: (line) => line.text },
          { head: 'Medición', cell: (line) => num(line.quantity) },
          { head: 'Precio', cell: (line) => num(line.price) },
          { head: 'Importe', cell: (line) => eur(line.cents) },
        ])}
        <table style="width:90mm;margin:6mm 0 0 auto"><tr><td>Ejecución material</td><td class="r">${eur(doc.base)} €</td></tr>${doc.rates.map((row) => `<tr><td>IVA ${row.rate} %</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr class="b"><td>TOTAL CERTIFICACIÓN</td><td class="r">${eur(doc.total)} €</td></tr>${doc.guarantee ? `<tr><td>Retención de garantía 5 % s/ base</td><td class="r">-${eur(doc.guarantee)} €</td></tr><tr class="b"><td>LÍQUIDO A PERCIBIR</td><td class="r">${eur(doc.total - doc.guarantee)} €</td></tr>` : ''}</table>
        <p>Forma de pago: ${doc.payment === 'cheque' ? 'Cheque nominativo' : 'Transferencia'} con vencimiento ${doc.due === null ? '' : day(doc.due, 'd/m/y')} ${doc.iban === null ? '' : `en cuenta ${ibanOf(doc)}`}</p>`,
      ),
  },
  {
    id: 'island-services',
    wish: () => ({
      trade: 'garage',
      canary: true,
      lines: [2, 9],
      due: false,
      iban: 'never',
      payment: ['tarjeta', 'efectivo', null],
      vendor: { canary: true },
      buyer: { canary: true },
    }),
    hidesInLines: ['tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:9pt "DejaVu Sans"}.lines{margin-top:5mm}.lines thead{background:#1d4e79;color:#fff}.lines tr:nth-child(even){background:#eef}',
        `<div class="two"><div><span style="font-size:17pt;color:#1d4e79">${safe(doc.vendor.name)}</span><br>${doc.vendor.street}, ${doc.vendor.postal} ${doc.vendor.city}<br>NIF: ${doc.vendor.vat} | T. ${doc.vendor.phone}</div><div class="r"><b>FACTURA</b><br>${doc.number}<br>${day(doc.date, 'd/m/y')}</div></div><hr>
        <div class="two"><div><b>Cliente</b><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.vat}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</div><div><b>Vehículo</b><br>Matrícula: ${chance.digits(4)} KLM<br>Kms: ${num(chance.int(20_000, 190_000), 0)}<br>O.R.: ${chance.digits(5)}</div></div>
        ${lineTable(doc, [
          { head: 'Descripción de los trabajos y recambios', left: true, cell: (line) => line.text },
          { head: 'Cant./Horas', cell: (line) => loose(line.quantity) },
          { head: 'P. unitario', cell: (line) => `${loose(line.price, 2)} €` },
          { head: 'Importe', cell: (line) => `${eur(line.cents)} €` },
        ])}
        <table style="margin-top:6mm;width:100mm;margin-left:auto"><tr class="b"><td>Tipo</td><td class="r">Base</td><td class="r">I.G.I.C.</td></tr>${doc.rates.map((row) => `<tr><td>IGIC ${pct(row.rate)}%</td><td class="r">${eur(row.base)} €</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr class="b"><td colspan="2">TOTAL</td><td class="r">${eur(doc.total)} €</td></tr></table><p>${doc.payment === null ? '' : doc.payment === 'tarjeta' ? 'Pagado con tarjeta' : 'Pagado en efectivo'}</p>`,
      ),
  },
  {
    id: 'bilingual',
    wish: (chance) => ({
      trade: chance.pick(['office', 'consulting']),
      lines: [1, 9],
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'domiciliacion'],
      globalDiscount: true,
    }),
    render: (doc) =>
      page(
        'body{font:9pt "Liberation Sans"}.lines th{background:#eee;font-size:7.5pt}.lab{color:#777;font-size:7.5pt}.z td{border-bottom:1px dotted #888}',
        `<div class="two"><div><b style="font-size:14pt">${safe(doc.vendor.name)}</b></div><div class="r">${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>NIF ${doc.vendor.vat}<br>${doc.vendor.mail}</div></div><br>
        <table class="z"><tr><td class="lab">Factura / Factura núm.</td><td>${doc.number}</td><td class="lab">Client / Cliente</td><td>${safe(doc.buyer?.name ?? '')}</td></tr><tr><td class="lab">Data / Fecha</td><td>${day(doc.date, 'd/m/y')}</td><td class="lab">NIF</td><td>${doc.buyer?.vat}</td></tr><tr><td class="lab">Venciment / Vencimiento</td><td>${doc.due === null ? '' : day(doc.due, 'd/m/y')}</td><td class="lab">Adreça / Dirección</td><td>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</td></tr></table><br>
        ${lineTable(doc, [
          { head: 'Concepte / Concepto', left: true, cell: (line) => line.text },
          { head: 'Quantitat / Cantidad', cell: (line) => loose(line.quantity) },
          { head: 'Preu / Precio', cell: (line) => loose(line.price, 2) },
          { head: '% IVA', cell: (line) => String(line.rate) },
          { head: 'Import / Importe', cell: (line) => eur(line.cents) },
        ])}
        <table class="z" style="width:95mm;margin:8mm 0 0 auto">${doc.discount ? `<tr><td>Suma / Suma</td><td class="r">${eur(doc.linesSum)} €</td></tr><tr><td>Descompte / Descuento ${pct(doc.discountRate)}%</td><td class="r">-${eur(doc.discount)} €</td></tr>` : ''}${doc.rates.map((row) => `<tr><td>Base imposable / Base imponible ${row.rate}%</td><td class="r">${eur(row.base)} €</td></tr><tr><td>Quota IVA / Cuota IVA ${row.rate}%</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr class="b"><td>TOTAL FACTURA</td><td class="r">${eur(doc.total)} €</td></tr></table>
        <p>${doc.payment === 'domiciliacion' ? 'Forma de pagament: rebut domiciliat / Forma de pago: recibo domiciliado' : `Forma de pagament / Forma de pago: transferència / transferencia<br>${ibanOf(doc)}`}</p><p style="font-size:6pt">${doc.vendor.registry}</p>`,
      ),
  },
]
