import { day, eur, ibanOf, lineTable, loose, num, page, pct, safe } from '../html.ts'
import type { Layout } from '../layout.ts'

/** Labels in two languages at once, and in the co-official ones alone. */
export const languagesOpen: readonly Layout[] = [
  {
    id: 'catalan-spanish-slash',
    wish: () => ({
      trade: 'office',
      lines: [1, 7],
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'domiciliacion'],
    }),
    render: (doc) =>
      page(
        'body{font:9pt "Liberation Sans"}.lines{margin:6mm 0}.lines th{background:#eee;font-size:8pt}.sum{width:95mm;margin-left:auto}',
        `<div class="two"><div><b style="font-size:13pt">${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>NIF: ${doc.vendor.vat}</div><table style="width:80mm"><tr><td>Núm. factura / Nº factura</td><td class="r">${doc.number}</td></tr><tr><td>Data/Fecha</td><td class="r">${day(doc.date, 'd/m/y')}</td></tr><tr><td>Venciment/Vencimiento</td><td class="r">${doc.due === null ? '' : day(doc.due, 'd/m/y')}</td></tr></table></div><div style="margin:6mm 0 0 85mm"><b>Client/Cliente</b><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city} (${doc.buyer?.province})<br>NIF/CIF: ${doc.buyer?.vat}</div>
        ${lineTable(doc, [
          { head: 'Concepte/Concepto', left: true, cell: (line) => line.text },
          { head: 'Quantitat/Cantidad', cell: (line) => loose(line.quantity) },
          { head: 'Preu/Precio', cell: (line) => loose(line.price, 2) },
          { head: '% IVA', cell: (line) => `${line.rate}` },
          { head: 'Import/Importe', cell: (line) => eur(line.cents) },
        ])}
        <table class="sum">${doc.rates.map((row) => `<tr><td>Base imposable/Base imponible</td><td class="r">${eur(row.base)}</td></tr><tr><td>Quota IVA/Cuota IVA (${row.rate}%)</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr class="b"><td>Total a pagar</td><td class="r">${eur(doc.total)} €</td></tr></table><p>Forma de pagament/Forma de pago: ${doc.payment === 'transferencia' ? `Transferència/Transferencia ${ibanOf(doc)}` : 'Rebut domiciliat/Recibo domiciliado'}</p>`,
      ),
  },
  {
    id: 'catalan-spanish-rows',
    wish: () => ({ trade: 'food', lines: [2, 9], due: true, iban: 'transfer', payment: ['transferencia', 'efectivo'] }),
    hidesInLines: ['tax_rate'],
    render: (doc) =>
      page(
        'body{font:9pt "Carlito",sans-serif}i{color:#777;font-size:7.5pt}.lines{margin:6mm 0}.lines th{border-bottom:1px solid #000;vertical-align:bottom}.g td,.g th{border:1px solid #999;text-align:center}',
        `<div class="two"><div>${safe(doc.vendor.name)}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>C.I.F. ${doc.vendor.vat}</div><div style="font-size:16pt">FACTURA<br><i>INVOICE</i></div></div><table class="g" style="margin-top:5mm"><tr><th>Número<br><i>Number</i></th><th>Data<br><i>Fecha</i></th><th>Venciment<br><i>Vencimiento</i></th><th>NIF client<br><i>NIF cliente</i></th></tr><tr><td>${doc.number}</td><td>${day(doc.date, 'd/m/y')}</td><td>${doc.due === null ? '' : day(doc.due, 'd/m/y')}</td><td>${doc.buyer?.vat}</td></tr></table><div style="margin:5mm 0 0 90mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</div>
        ${lineTable(doc, [
          { head: 'Codi<br><i>Código</i>', left: true, cell: (line) => line.ref },
          { head: 'Descripció<br><i>Descripción</i>', left: true, cell: (line) => line.text },
          { head: 'Unitats<br><i>Unidades</i>', cell: (line) => loose(line.quantity) },
          { head: 'Preu<br><i>Precio</i>', cell: (line) => loose(line.price, 2) },
          { head: 'Import<br><i>Importe</i>', cell: (line) => eur(line.cents) },
        ])}
        <table class="g"><tr><th>Base imposable<br><i>Base imponible</i></th><th>Tipus<br><i>Tipo</i></th><th>Quota<br><i>Cuota</i></th><th>Total factura<br><i>Total factura</i></th></tr>${doc.rates.map((row, index) => `<tr><td>${eur(row.base)}</td><td>${num(row.rate)} %</td><td>${eur(row.quota)}</td><td>${index === 0 ? `<b>${eur(doc.total)}</b>` : ''}</td></tr>`).join('')}</table><p>${doc.payment === 'transferencia' ? `Pagament per transferència al compte ${ibanOf(doc)}` : 'Pagament al comptat en efectiu'}</p>`,
      ),
  },
  {
    id: 'basque-spanish',
    wish: (chance) => ({
      trade: 'building',
      lines: [1, 6],
      due: true,
      iban: 'transfer',
      payment: ['transferencia'],
      vendor: { public: false },
      buyer: { public: chance.yes(0.3) },
    }),
    hidesInLines: ['tax_rate'],
    render: (doc) =>
      page(
        'body{font:9.5pt "Liberation Sans"}.lines{margin:6mm 0}.lines th{border-bottom:2px solid #060}.sum{width:85mm;margin-left:auto}',
        `<div class="two"><div><b>FAKTURA / FACTURA</b><br>Zk. / Nº: ${doc.number}<br>Data / Fecha: ${day(doc.date, 'iso').replace(/-/g, '/')}<br>Epemuga / Vencimiento: ${doc.due === null ? '' : day(doc.due, 'iso').replace(/-/g, '/')}</div><div class="r"><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>IFZ / NIF: ${doc.vendor.vat}</div></div><p><b>BEZEROA / CLIENTE</b><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>IFZ / NIF: ${doc.buyer?.vat}</p>
        ${lineTable(doc, [
          { head: 'Kontzeptua / Concepto', left: true, cell: (line) => line.text },
          { head: 'Kop. / Cant.', cell: (line) => loose(line.quantity) },
          { head: 'Prezioa / Precio', cell: (line) => loose(line.price, 2) },
          { head: 'Guztira / Total', cell: (line) => eur(line.cents) },
        ])}
        <table class="sum"><tr><td>Zerga-oinarria / Base imponible</td><td class="r">${eur(doc.base)} €</td></tr>${doc.rates.map((row) => `<tr><td>BEZ / IVA %${row.rate}</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr class="b"><td>GUZTIRA / TOTAL</td><td class="r">${eur(doc.total)} €</td></tr></table><p>Ordainketa / Forma de pago: Transferentzia / Transferencia<br>Kontu zk. / Nº cuenta: ${ibanOf(doc)}</p>`,
      ),
  },
  {
    id: 'basque-alone',
    wish: () => ({
      trade: 'consulting',
      lines: [1, 4],
      due: true,
      iban: 'always',
      payment: ['transferencia'],
      wholeQuantities: true,
    }),
    hidesInLines: ['tax_rate'],
    render: (doc) =>
      page(
        'body{font:10pt "DejaVu Sans"}.lines{margin:6mm 0}.lines th{border-bottom:1px solid}.sum{width:85mm;margin-left:auto}',
        `<h2>${safe(doc.vendor.name)}</h2><p>${doc.vendor.street} · ${doc.vendor.postal} ${doc.vendor.city} · IFK ${doc.vendor.vat}</p><table style="width:90mm"><tr><td>Fakturaren zenbakia</td><td>${doc.number}</td></tr><tr><td>Jaulkipen-data</td><td>${day(doc.date, 'd/m/y')}</td></tr><tr><td>Mugaeguna</td><td>${doc.due === null ? '' : day(doc.due, 'd/m/y')}</td></tr></table><p><b>Hartzailearen datuak</b><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>IFK ${doc.buyer?.vat}</p>
        ${lineTable(doc, [
          { head: 'Azalpena', left: true, cell: (line) => line.text },
          { head: 'Kopurua', cell: (line) => loose(line.quantity) },
          { head: 'Prezioa', cell: (line) => loose(line.price, 2) },
          { head: 'Zenbatekoa', cell: (line) => eur(line.cents) },
        ])}
        <table class="sum"><tr><td>Zerga oinarria</td><td class="r">${eur(doc.base)}</td></tr>${doc.rates.map((row) => `<tr><td>BEZ % ${row.rate}</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr class="b"><td>Fakturaren zenbatekoa guztira</td><td class="r">${eur(doc.total)} €</td></tr></table><p>Ordaintzeko modua: banku-transferentzia, ${ibanOf(doc)} kontura</p>`,
      ),
  },
  {
    id: 'galician-alone',
    wish: () => ({
      trade: 'garage',
      lines: [2, 8],
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'tarjeta', 'efectivo'],
    }),
    hidesInLines: ['tax_rate'],
    render: (doc) =>
      page(
        'body{font:9.5pt "Liberation Serif"}.lines{margin:6mm 0}.lines th{border:1px solid}.sum{width:85mm;margin-left:auto}',
        `<div class="two"><div><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>NIF ${doc.vendor.vat}<br>Tfno. ${doc.vendor.phone}</div><div>Factura número ${doc.number}<br>${doc.vendor.city}, ${day(doc.date, 'gl')}<br>Data de vencemento: ${doc.due === null ? '' : day(doc.due, 'd/m/y')}</div></div><p>Datos do destinatario<br>Nome ou razón social: ${safe(doc.buyer?.name ?? '')}<br>Enderezo: ${doc.buyer?.street}<br>CP e localidade: ${doc.buyer?.postal} ${doc.buyer?.city}<br>NIF: ${doc.buyer?.vat}</p>
        ${lineTable(doc, [
          { head: 'Descrición dos traballos', left: true, cell: (line) => line.text },
          { head: 'Cantidade', cell: (line) => loose(line.quantity) },
          { head: 'Prezo unitario', cell: (line) => loose(line.price, 2) },
          { head: 'Importe', cell: (line) => eur(line.cents) },
        ])}
        <table class="sum"><tr><td>Base impoñible</td><td class="r">${eur(doc.base)} €</td></tr>${doc.rates.map((row) => `<tr><td>IVE ao ${row.rate}%</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr class="b"><td>Total a pagar</td><td class="r">${eur(doc.total)} €</td></tr></table><p>Forma de pagamento: ${doc.payment === 'transferencia' ? `transferencia á conta ${ibanOf(doc)}` : doc.payment === 'tarjeta' ? 'tarxeta' : 'en efectivo'}</p>`,
      ),
  },
  {
    id: 'english-in-spain',
    wish: (chance) => ({
      trade: 'cloud',
      lines: [1, 5],
      due: true,
      iban: 'always',
      payment: ['transferencia'],
      buyer: { person: chance.yes(0.2) },
    }),
    render: (doc) =>
      page(
        'body{font:9.5pt "Open Sans","DejaVu Sans"}.lines{margin:8mm 0}.lines th{border-bottom:1px solid #888;color:#555}.sum{width:80mm;margin-left:auto}',
        `<h1 style="font-weight:300">Invoice</h1><div class="two"><table style="width:75mm"><tr><td>Invoice reference</td><td>${doc.number}</td></tr><tr><td>Date issued</td><td>${day(doc.date, 'en')}</td></tr><tr><td>Payment due by</td><td>${doc.due === null ? '' : day(doc.due, 'en')}</td></tr></table><div><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}, Spain<br>VAT Reg. No. ES${doc.vendor.vat}</div></div><p><small>Billed to</small><br><b>${safe(doc.buyer?.name ?? '')}</b><br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}, Spain<br>VAT Reg. No. ES${doc.buyer?.vat}</p>
        ${lineTable(doc, [
          { head: 'Description', left: true, cell: (line) => line.text },
          { head: 'Qty.', cell: (line) => num(line.quantity, String(line.quantity).split('.')[1]?.length ?? 0, 'dot') },
          {
            head: 'Unit price',
            cell: (line) => `€${num(line.price, Math.max(2, String(line.price).split('.')[1]?.length ?? 0), 'dot')}`,
          },
          { head: 'VAT', cell: (line) => `${line.rate}%` },
          { head: 'Net amount', cell: (line) => `€${eur(line.cents, 'dot')}` },
        ])}
        <table class="sum"><tr><td>Total excl. VAT</td><td class="r">€${eur(doc.base, 'dot')}</td></tr>${doc.rates.map((row) => `<tr><td>VAT @ ${pct(row.rate)}%</td><td class="r">€${eur(row.quota, 'dot')}</td></tr>`).join('')}<tr class="b"><td>Total incl. VAT</td><td class="r">€${eur(doc.total, 'dot')}</td></tr></table><p>Please pay by bank transfer to IBAN ${ibanOf(doc)}</p>`,
      ),
  },
]
