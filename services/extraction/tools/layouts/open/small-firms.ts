import { day, eur, ibanOf, lineTable, loose, num, page, pct, safe } from '../html.ts'
import type { Layout } from '../layout.ts'

/** Self-employed people and small firms: text templates, old accounting programs, letters. */
export const smallFirmsOpen: readonly Layout[] = [
  {
    id: 'word-freelancer',
    wish: (chance) => ({
      trade: 'consulting',
      person: true,
      lines: [1, 4],
      irpf: [15, 7],
      iban: 'transfer',
      payment: ['transferencia'],
      wholeQuantities: true,
      buyer: { person: chance.yes(0.1) },
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc) =>
      page(
        'body{font:11pt "Liberation Serif"}h1{text-align:center;letter-spacing:2px}p{margin:2mm 0}.sum td{padding:1mm 4mm}',
        `<p>${safe(doc.vendor.name)}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city} (${doc.vendor.province})<br>D.N.I. ${doc.vendor.vat}<br>Móvil ${doc.vendor.phone}</p><h1>FACTURA</h1><p>Factura Nº ${doc.number}<br>En ${doc.vendor.city}, a ${day(doc.date, 'es')}</p><p>A la atención de:<br><b>${safe(doc.buyer?.name ?? '')}</b><br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>C.I.F. ${doc.buyer?.vat}</p><p><u>Por los siguientes conceptos:</u></p><table style="width:100%">${doc.lines.map((line) => `<tr><td>- ${line.text}</td><td class="r">${eur(line.cents)} euros</td></tr>`).join('')}</table><table class="sum" style="width:90mm;margin:6mm 0 0 auto"><tr><td>Base imponible</td><td class="r">${eur(doc.base)} euros</td></tr>${doc.rates.map((row) => `<tr><td>${pct(row.rate)}% I.V.A.</td><td class="r">${eur(row.quota)} euros</td></tr>`).join('')}<tr><td>- ${pct(doc.irpfRate)}% I.R.P.F.</td><td class="r">-${eur(doc.irpf)} euros</td></tr><tr class="b"><td>TOTAL A PAGAR</td><td class="r">${eur(doc.total)} euros</td></tr></table><p>Les ruego hagan el ingreso por transferencia en la cuenta ${ibanOf(doc)}</p><p>Fdo.: ${safe(doc.vendor.name)}</p>`,
      ),
  },
  {
    id: 'old-accounting',
    wish: () => ({
      trade: 'food',
      lines: [2, 14],
      surcharge: true,
      due: true,
      iban: 'never',
      payment: ['domiciliacion', 'efectivo', 'transferencia'],
    }),
    hidesInLines: ['tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:9pt "Liberation Mono"}.g td,.g th{border:1px solid #000;text-align:center}.lines{margin:4mm 0;border:1px solid}.lines th{border-bottom:1px solid}',
        `<b>${safe(doc.vendor.name.toUpperCase())}</b><br>${doc.vendor.street.toUpperCase()}<br>${doc.vendor.postal} ${doc.vendor.city.toUpperCase()}<br>TLF ${doc.vendor.phone} - N.I.F. ${doc.vendor.vat}<div style="margin:6mm 0 4mm 95mm;border:1px solid;padding:3mm">${safe(doc.buyer?.name.toUpperCase() ?? '')}<br>${doc.buyer?.street.toUpperCase()}<br>${doc.buyer?.postal} ${doc.buyer?.city.toUpperCase()}<br>${doc.buyer?.province.toUpperCase()}</div><table class="g"><tr><th>CLIENTE</th><th>N.I.F. CLIENTE</th><th>FACTURA</th><th>FECHA</th><th>HOJA</th></tr><tr><td>${chance.digits(5)}</td><td>${doc.buyer?.vat}</td><td>${doc.number}</td><td>${day(doc.date, 'd-m-yy')}</td><td>1</td></tr></table>
        ${lineTable(doc, [
          { head: 'REFERENCIA', left: true, cell: (line) => line.ref },
          { head: 'DENOMINACION', left: true, cell: (line) => line.text.toUpperCase() },
          { head: 'CANT.', cell: (line) => loose(line.quantity) },
          { head: 'PRECIO', cell: (line) => loose(line.price, 2) },
          { head: 'IMPORTE', cell: (line) => eur(line.cents) },
        ])}
        <table class="g"><tr><th>BASE IMP.</th><th>% IVA</th><th>CUOTA IVA</th><th>% R.E.</th><th>CUOTA R.E.</th></tr>${doc.rates.map((row) => `<tr><td>${eur(row.base)}</td><td>${num(row.rate)}</td><td>${eur(row.quota)}</td><td>${num(row.surchargeRate)}</td><td>${eur(row.surcharge)}</td></tr>`).join('')}</table><p class="r b">TOTAL FACTURA EUROS: ${eur(doc.total)}</p><p>FORMA DE PAGO: ${doc.payment === 'domiciliacion' ? 'RECIBO DOMICILIADO' : doc.payment === 'efectivo' ? 'CONTADO EFECTIVO' : 'TRANSFERENCIA'} &nbsp; VTO: ${doc.due === null ? '' : day(doc.due, 'd-m-yy')}</p>`,
      ),
  },
  {
    id: 'registry-margin',
    wish: () => ({
      trade: 'transport',
      lines: [1, 9],
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'domiciliacion'],
    }),
    hidesInLines: ['tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:9pt "Carlito",sans-serif}body{padding-left:8mm}.side{position:absolute;left:0;top:90mm;writing-mode:vertical-rl;transform:rotate(180deg);font-size:6pt}.lines{margin-top:8mm}.lines th{background:#ccd}',
        `<div class="side">${doc.vendor.registry} N.I.F. ${doc.vendor.vat}</div><div class="two"><div style="font-size:15pt;color:#246">${safe(doc.vendor.name)}</div><div class="r">${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>Tel. ${doc.vendor.phone}<br>${doc.vendor.mail}</div></div><div class="two" style="margin-top:8mm"><table style="width:80mm"><tr><td>Nº Factura</td><td class="b">${doc.number}</td></tr><tr><td>Fecha Factura</td><td>${day(doc.date, 'd/m/y')}</td></tr><tr><td>Cód. Cliente</td><td>${chance.digits(6)}</td></tr><tr><td>NIF/CIF</td><td>${doc.buyer?.vat}</td></tr></table><div style="width:80mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>${doc.buyer?.province}</div></div>
        ${lineTable(doc, [
          { head: 'Fecha', left: true, cell: () => day(doc.date, 'd/m/yy') },
          { head: 'Servicio', left: true, cell: (line) => line.text },
          { head: 'Uds.', cell: (line) => num(line.quantity) },
          { head: 'Tarifa', cell: (line) => loose(line.price, 2) },
          { head: 'Importe', cell: (line) => eur(line.cents) },
        ])}
        <table style="width:70mm;margin:6mm 0 0 auto"><tr><td>Total servicios</td><td class="r">${eur(doc.base)}</td></tr>${doc.rates.map((row) => `<tr><td>IVA ${num(row.rate)} % s/ ${eur(row.base)}</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr class="b"><td>Importe total</td><td class="r">${eur(doc.total)} EUR</td></tr></table><p>${doc.payment === 'transferencia' ? `Abonar mediante transferencia en ${ibanOf(doc)}` : 'Giro domiciliado'}. Vencimiento: ${doc.due === null ? '' : day(doc.due, 'd/m/y')}</p>`,
      ),
  },
  {
    id: 'from-to',
    wish: (chance) => ({
      trade: 'cloud',
      lines: [1, 5],
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'tarjeta'],
      ...(chance.yes(0.5) ? { person: true, irpf: [15] } : {}),
    }),
    render: (doc) =>
      page(
        'body{font:9.5pt "DejaVu Sans"}.lines{margin:8mm 0}.lines th{border-bottom:2px solid #000}',
        `<div class="two"><div style="font-size:18pt">Factura ${doc.number}</div><div class="r">Emitida el ${day(doc.date, 'es')}<br>Vence el ${doc.due === null ? '' : day(doc.due, 'es')}</div></div><div class="two" style="margin-top:6mm"><div style="width:85mm"><small>DE</small><br><b>${safe(doc.vendor.name)}</b><br>NIF ${doc.vendor.vat}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}, ${doc.vendor.province}</div><div style="width:85mm"><small>PARA</small><br><b>${safe(doc.buyer?.name ?? '')}</b><br>NIF ${doc.buyer?.vat}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}, ${doc.buyer?.province}</div></div>
        ${lineTable(doc, [
          { head: 'Producto / Servicio', left: true, cell: (line) => line.text },
          { head: 'Cantidad', cell: (line) => loose(line.quantity) },
          { head: 'Precio/ud.', cell: (line) => `${loose(line.price, 2)} €` },
          { head: 'Impuestos', cell: (line) => `${line.rate} %` },
          { head: 'Total', cell: (line) => `${eur(line.cents)} €` },
        ])}
        <table style="width:80mm;margin-left:auto"><tr><td>Importe neto</td><td class="r">${eur(doc.base)} €</td></tr>${doc.rates.map((row) => `<tr><td>+ IVA ${row.rate} %</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}${doc.irpf ? `<tr><td>− Retención ${pct(doc.irpfRate)} %</td><td class="r">${eur(doc.irpf)} €</td></tr>` : ''}<tr class="b"><td>A pagar</td><td class="r">${eur(doc.total)} €</td></tr></table><p>${doc.payment === 'transferencia' ? `Transferencia a ${ibanOf(doc)}` : 'Pagada con tarjeta'}</p>`,
      ),
  },
  {
    id: 'lease-letter',
    wish: () => ({
      trade: 'rent',
      lines: [1, 3],
      irpf: [19],
      iban: 'always',
      payment: ['transferencia', 'domiciliacion'],
      wholeQuantities: true,
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc) =>
      page(
        'body{font:10.5pt "Liberation Sans"}td{padding:1.5mm 2mm}',
        `<p class="r">${doc.vendor.city}, ${day(doc.date, 'es')}</p><p><b>ARRENDADOR:</b> ${safe(doc.vendor.name)}, con NIF ${doc.vendor.vat} y domicilio en ${doc.vendor.street}, ${doc.vendor.postal} ${doc.vendor.city}</p><p><b>ARRENDATARIO:</b> ${safe(doc.buyer?.name ?? '')}, con NIF ${doc.buyer?.vat} y domicilio en ${doc.buyer?.street}, ${doc.buyer?.postal} ${doc.buyer?.city}</p><p class="b">FACTURA Nº ${doc.number}</p><table><tr class="b"><td>Concepto</td><td class="r">Importe</td></tr>${doc.lines.map((line) => `<tr><td>${line.text}</td><td class="r">${eur(line.cents)} €</td></tr>`).join('')}<tr><td>Suma</td><td class="r">${eur(doc.base)} €</td></tr>${doc.rates.map((row) => `<tr><td>I.V.A. ${pct(row.rate)} %</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr><td>Retención a cuenta I.R.P.F. ${pct(doc.irpfRate)} %</td><td class="r">-${eur(doc.irpf)} €</td></tr><tr class="b"><td>Líquido a percibir</td><td class="r">${eur(doc.total)} €</td></tr></table><p>${doc.payment === 'transferencia' ? 'Pago por transferencia a la cuenta' : 'Domiciliado en la cuenta'} ${ibanOf(doc)}</p>`,
      ),
  },
  {
    id: 'works-guarantee',
    wish: () => ({
      trade: 'building',
      lines: [1, 7],
      due: true,
      guarantee: true,
      iban: 'transfer',
      payment: ['transferencia', null],
    }),
    hidesInLines: ['tax_rate'],
    render: (doc) =>
      page(
        'body{font:9pt "Liberation Sans"}.lines{margin:5mm 0}.lines th,.lines td{border:1px solid #999}',
        `<div class="two"><div><b>${safe(doc.vendor.name)}</b><br>CIF: ${doc.vendor.vat}<br>${doc.vendor.street}<br>${doc.vendor.postal} - ${doc.vendor.city}</div><div class="r"><b>FACTURA</b><br>Núm. ${doc.number}<br>Fecha ${day(doc.date, 'd.m.y')}<br>Vto. ${doc.due === null ? '' : day(doc.due, 'd.m.y')}</div></div><p><b>Cliente:</b> ${safe(doc.buyer?.name ?? '')}<br>CIF: ${doc.buyer?.vat}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} - ${doc.buyer?.city}</p>
        ${lineTable(doc, [
          { head: 'Descripción de los trabajos', left: true, cell: (line) => line.text },
          { head: 'Medición', cell: (line) => num(line.quantity) },
          { head: 'P. unit.', cell: (line) => loose(line.price, 2) },
          { head: 'Importe', cell: (line) => eur(line.cents) },
        ])}
        <table style="width:95mm;margin-left:auto"><tr><td>Total ejecutado</td><td class="r">${eur(doc.base)} €</td></tr>${doc.rates.map((row) => `<tr><td>${row.rate}% IVA</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr class="b"><td>Total factura</td><td class="r">${eur(doc.total)} €</td></tr>${doc.guarantee ? `<tr><td>Retención 5% en concepto de garantía</td><td class="r">- ${eur(doc.guarantee)} €</td></tr><tr class="b"><td>Total a pagar</td><td class="r">${eur(doc.total - doc.guarantee)} €</td></tr>` : ''}</table><p>${doc.payment === null ? '' : `Transferencia bancaria: ${ibanOf(doc)}`}</p>`,
      ),
  },
  {
    id: 'catalan-boxed',
    wish: () => ({
      trade: 'hardware',
      lines: [1, 9],
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'domiciliacion', 'efectivo'],
    }),
    hidesInLines: ['tax_rate'],
    render: (doc) =>
      page(
        'body{font:9pt "Liberation Sans"}.bx{border:1px solid #555;padding:3mm;width:84mm}.lines{margin:5mm 0}.lines th{border-bottom:1px solid}',
        `<div class="two"><div class="bx"><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>NIF: ${doc.vendor.vat}<br>Tel. ${doc.vendor.phone}</div><div class="bx"><small>Client:</small><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>NIF: ${doc.buyer?.vat}</div></div><p><b>Factura núm.:</b> ${doc.number} &emsp; <b>Data:</b> ${day(doc.date, 'ca')} &emsp; <b>Venciment:</b> ${doc.due === null ? '' : day(doc.due, 'd/m/y')}</p>
        ${lineTable(doc, [
          { head: 'Codi', left: true, cell: (line) => line.ref },
          { head: 'Concepte', left: true, cell: (line) => line.text },
          { head: 'Unitats', cell: (line) => loose(line.quantity) },
          { head: 'Preu', cell: (line) => loose(line.price, 2) },
          { head: 'Import', cell: (line) => eur(line.cents) },
        ])}
        <table style="width:110mm;margin-left:auto"><tr><th class="r">Base imposable</th><th class="r">% IVA</th><th class="r">Quota</th></tr>${doc.rates.map((row) => `<tr><td class="r">${eur(row.base)}</td><td class="r">${row.rate}%</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr class="b"><td class="r" colspan="2">TOTAL FACTURA</td><td class="r">${eur(doc.total)} €</td></tr></table><p>Forma de pagament: ${doc.payment === 'transferencia' ? `transferència bancària ${ibanOf(doc)}` : doc.payment === 'domiciliacion' ? 'rebut domiciliat' : 'efectiu'}</p>`,
      ),
  },
]
