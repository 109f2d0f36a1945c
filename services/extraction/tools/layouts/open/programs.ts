import { day, eur, ibanOf, lineTable, loose, num, page, pct, safe } from '../html.ts'
import type { Layout } from '../layout.ts'

export const programsOpen: readonly Layout[] = [
  {
    id: 'boxed-accounting',
    wish: () => ({
      trade: 'hardware',
      lines: [2, 12],
      due: true,
      lineDiscounts: true,
      surcharge: false,
      globalDiscount: true,
      iban: 'transfer',
      payment: ['transferencia', 'domiciliacion', 'efectivo'],
    }),
    render: (doc, chance) =>
      page(
        'body{font:9pt "Liberation Sans"}.bx{border:1px solid #000;border-radius:6px;padding:3mm}.lines{border:1px solid;margin-top:4mm}.lines th{border:1px solid;background:#ddd}.lines td{border-left:1px solid;border-right:1px solid}.v td,.v th{border:1px solid;text-align:right}',
        `<div class="two"><div class="bx" style="width:85mm"><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>${doc.vendor.province}<br>C.I.F.: ${doc.vendor.vat}<br>Telf.: ${doc.vendor.phone}</div><div class="bx" style="width:85mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>${doc.buyer?.province}</div></div>
        <table class="v" style="margin-top:4mm"><tr><th>Documento</th><th>Número</th><th>Fecha</th><th>Página</th><th>Código Cliente</th><th>N.I.F./C.I.F.</th></tr><tr><td>Factura</td><td>${doc.number}</td><td>${day(doc.date, 'd/m/y')}</td><td>1</td><td>43${chance.digits(6)}</td><td>${doc.buyer?.vat}</td></tr></table>
        ${lineTable(doc, [
          { head: 'Artículo', left: true, cell: (line) => line.ref },
          { head: 'Descripción', left: true, cell: (line) => line.text },
          { head: 'Cantidad', cell: (line) => num(line.quantity) },
          { head: 'Precio Unidad', cell: (line) => loose(line.price, 2) },
          { head: 'Dto.', cell: (line) => (line.discount ? num(line.discount) : '') },
          { head: 'Subtotal', cell: (line) => eur(line.cents) },
          { head: 'I.V.A.', cell: (line) => num(line.rate) },
        ])}
        <table class="v" style="margin-top:5mm"><tr><th>Tipo</th><th>Importe</th><th>Descuento</th><th>Pronto Pago</th><th>Base</th><th>I.V.A.</th><th>R.E.</th></tr>${doc.rates.map((row) => `<tr><td>${num(row.rate)}</td><td>${eur(doc.lines.filter((line) => line.rate === row.rate).reduce((all, line) => all + line.cents, 0))}</td><td>${doc.discount ? eur(doc.lines.filter((line) => line.rate === row.rate).reduce((all, line) => all + line.cents, 0) - row.base) : ''}</td><td></td><td>${eur(row.base)}</td><td>${eur(row.quota)}</td><td></td></tr>`).join('')}</table>
        <div class="two" style="margin-top:4mm"><div>Forma de pago: ${doc.payment === 'transferencia' ? 'TRANSFERENCIA' : doc.payment === 'domiciliacion' ? 'GIRO BANCARIO' : 'CONTADO'}<br>Vencimientos: ${doc.due === null ? '' : `${day(doc.due, 'd/m/y')} &nbsp; ${eur(doc.total)}`}<br>${ibanOf(doc)}</div><div class="bx"><b>TOTAL: ${eur(doc.total)} €</b></div></div>`,
      ),
    hidesInLines: [],
  },
  {
    id: 'web-invoicing',
    wish: (chance) => ({
      trade: chance.pick(['consulting', 'cloud', 'office']),
      lines: [1, 8],
      due: true,
      lineDiscounts: chance.yes(0.3),
      iban: 'transfer',
      payment: ['transferencia', 'domiciliacion', 'tarjeta'],
      ...(chance.yes(0.3) ? { person: true, irpf: [15, 7] } : {}),
    }),
    render: (doc) =>
      page(
        'body{font:9pt "DejaVu Sans";color:#333}.lines{margin-top:8mm}.lines th{color:#888;font-size:7pt;border-bottom:1px solid #ddd}.lines td{padding:6px 4px;border-bottom:1px solid #eee}h1{font-weight:normal;color:#4b6bfb;margin:0}small{color:#888}',
        `<div class="two"><div><h1>Factura</h1><p><small>Número #</small> ${doc.number}<br><small>Fecha</small> ${day(doc.date, 'd/m/y')}<br><small>Vencimiento</small> ${doc.due === null ? '' : day(doc.due, 'd/m/y')}</p></div></div><div class="two"><div style="width:80mm"><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.vat}<br>${doc.vendor.street}<br>${doc.vendor.city} (${doc.vendor.postal}), ${doc.vendor.province}, España<br>${doc.vendor.mail}</div><div style="width:80mm"><small>Cliente</small><br><b>${safe(doc.buyer?.name ?? '')}</b><br>${doc.buyer?.vat}<br>${doc.buyer?.street}<br>${doc.buyer?.city} (${doc.buyer?.postal}), ${doc.buyer?.province}, España</div></div>
        ${lineTable(doc, [{ head: 'CONCEPTO', left: true, cell: (line) => `<b>${line.text}</b>` }, { head: 'PRECIO', cell: (line) => `${loose(line.price, 2)}€` }, { head: 'UNIDADES', cell: (line) => loose(line.quantity) }, ...(doc.lines.some((line) => line.discount > 0) ? [{ head: 'DTO.', cell: (line: { discount: number }) => `${line.discount}%` }] : []), { head: 'SUBTOTAL', cell: (line) => `${eur(line.cents)}€` }, { head: 'IVA', cell: (line) => `${line.rate}%` }, { head: 'TOTAL', cell: (line) => `${eur(Math.round(line.cents * (1 + line.rate / 100)))}€` }])}
        <table style="width:80mm;margin:6mm 0 0 auto"><tr><td>BASE IMPONIBLE</td><td class="r">${eur(doc.base)}€</td></tr>${doc.rates.map((row) => `<tr><td>IVA ${row.rate}%</td><td class="r">${eur(row.quota)}€</td></tr>`).join('')}${doc.irpf ? `<tr><td>IRPF -${pct(doc.irpfRate)}%</td><td class="r">-${eur(doc.irpf)}€</td></tr>` : ''}<tr class="b"><td>TOTAL</td><td class="r">${eur(doc.total)}€</td></tr></table>
        <p><small>Condiciones de pago</small><br>${doc.payment === 'transferencia' ? `Pagar por transferencia bancaria al siguiente número de cuenta:<br>${ibanOf(doc)}` : doc.payment === 'tarjeta' ? 'Pago con tarjeta' : 'Recibo domiciliado'}</p>`,
      ),
  },
  {
    id: 'open-source-erp',
    wish: () => ({ trade: 'office', lines: [1, 10], due: true, iban: 'always', payment: [null] }),
    render: (doc, chance) =>
      page(
        'body{font:9pt "Liberation Sans"}h2{font-weight:normal;color:#875a7b}.lines th{border-bottom:1px solid #875a7b}.info{display:flex;gap:12mm;margin:4mm 0}',
        `<div class="two"><div>${safe(doc.vendor.name)}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>España<br>NIF: ES${doc.vendor.vat}</div></div><div style="margin:6mm 0 0 100mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>España<br>NIF: ES${doc.buyer?.vat}</div><h2>Factura ${doc.number}</h2><div class="info"><div><b>Fecha de factura:</b><br>${day(doc.date, 'd/m/y')}</div><div><b>Fecha de vencimiento:</b><br>${doc.due === null ? '' : day(doc.due, 'd/m/y')}</div><div><b>Origen:</b><br>S${chance.digits(5)}</div></div>
        ${lineTable(doc, [
          { head: 'Descripción', left: true, cell: (line) => `[${line.ref}] ${line.text}` },
          { head: 'Cantidad', cell: (line) => `${num(line.quantity)} Unidades` },
          { head: 'Precio unitario', cell: (line) => loose(line.price, 2) },
          { head: 'Impuestos', cell: (line) => `IVA ${line.rate}% (Bienes)` },
          { head: 'Importe', cell: (line) => `${eur(line.cents)} €` },
        ])}
        <table style="width:75mm;margin:5mm 0 0 auto"><tr class="b"><td>Base imponible</td><td class="r">${eur(doc.base)} €</td></tr>${doc.rates.map((row) => `<tr><td>IVA ${row.rate}% en ${eur(row.base)} €</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr class="b"><td>Total</td><td class="r">${eur(doc.total)} €</td></tr></table><p>Utilice la siguiente referencia al realizar su pago: <b>${doc.number}</b><br>en esta cuenta: ${ibanOf(doc)}</p>`,
      ),
  },
  {
    id: 'marketplace',
    wish: () => ({
      trade: 'office',
      lines: [1, 4],
      wholeQuantities: true,
      due: false,
      iban: 'never',
      payment: [null],
      withTax: true,
    }),
    render: (doc, chance) =>
      page(
        'body{font:8.5pt "Liberation Sans"}.lines th{background:#eee}',
        `<div class="two"><div style="font-size:16pt">Factura</div><div class="r">Pagado<br>Referencia de pago ${chance.digits(12)}<br>Vendido por ${safe(doc.vendor.name)}<br>IVA ES${doc.vendor.vat}<br><br>Fecha de la factura/Fecha de la entrega ${day(doc.date, 'es')}<br>Número de la factura ${doc.number}<br><b>Total pendiente ${eur(doc.total)} €</b></div></div><hr><div class="two"><div style="width:60mm"><b>Dirección de facturación</b><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.city}, ${doc.buyer?.province}, ${doc.buyer?.postal}<br>ES<br>NIF ${doc.buyer?.vat}</div><div style="width:50mm"><b>Dirección de envío</b><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.city}</div><div style="width:60mm"><b>Vendido por</b><br>${safe(doc.vendor.name)}<br>${doc.vendor.street}<br>${doc.vendor.city}, ${doc.vendor.postal}<br>ES</div></div><p><b>Información del pedido</b><br>Fecha del pedido ${day(doc.date, 'es')} &nbsp; Nº del pedido 405-${chance.digits(7)}-${chance.digits(7)}</p>
        ${lineTable(doc, [
          { head: 'Descripción', left: true, cell: (line) => `${line.text}<br>ASIN: B0${chance.digits(8)}` },
          { head: 'Cant.', cell: (line) => String(line.quantity) },
          {
            head: 'P. Unitario (IVA excluido)',
            cell: (line) => `${eur(Math.round((line.price * 10_000) / (100 + line.rate)))} €`,
          },
          { head: 'IVA %', cell: (line) => `${line.rate}%` },
          { head: 'P. Unitario (IVA incluido)', cell: (line) => `${num(line.price)} €` },
          { head: 'Precio total (IVA incluido)', cell: (line) => `${eur(line.cents)} €` },
        ])}
        <p class="r"><b>Total</b> ${eur(doc.total)} €</p><table style="width:100mm;margin-left:auto"><tr><th class="r">IVA %</th><th class="r">Precio total (IVA excluido)</th><th class="r">IVA</th></tr>${doc.rates.map((row) => `<tr><td class="r">${row.rate}%</td><td class="r">${eur(row.base)} €</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr class="b"><td class="r">Total</td><td class="r">${eur(doc.base)} €</td><td class="r">${eur(doc.quotas)} €</td></tr></table>`,
      ),
  },
  {
    id: 'pages-carried',
    wish: () => ({
      trade: 'transport',
      lines: [30, 52],
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'domiciliacion'],
    }),
    hidesInLines: ['tax_rate'],
    render: (doc, chance) => {
      let sum = 0
      const parts: string[] = []
      for (let at = 0; at < doc.lines.length; at += 22) {
        const part = doc.lines.slice(at, at + 22)
        sum += part.reduce((all, line) => all + line.cents, 0)
        parts.push(
          `<section style="${at + 22 < doc.lines.length ? 'break-after:page' : ''}"><div class="two"><div><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>NIF ${doc.vendor.vat}</div><div>FACTURA ${doc.number}<br>Fecha ${day(doc.date, 'd/m/y')}<br>Pág. ${at / 22 + 1}</div></div><div style="border:1px solid #999;padding:2mm;margin:3mm 0">${safe(doc.buyer?.name ?? '')} · NIF ${doc.buyer?.vat}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</div>${lineTable(
            doc,
            [
              { head: 'Albarán', left: true, cell: () => chance.digits(7) },
              { head: 'Servicio', left: true, cell: (line) => line.text },
              { head: 'Bultos', cell: (line) => loose(line.quantity) },
              { head: 'Tarifa', cell: (line) => loose(line.price, 2) },
              { head: 'Importe', cell: (line) => eur(line.cents) },
            ],
            'lines',
            part,
          )}${at + 22 < doc.lines.length ? `<p class="r">Suma y sigue: ${eur(sum)}</p>` : ''}</section>`,
        )
      }
      return page(
        '.lines th{border-bottom:1px solid}',
        `${parts.join('')}<br><table><tr><th class="r">Base imponible</th><th class="r">% I.V.A.</th><th class="r">Importe I.V.A.</th><th class="r">TOTAL FACTURA</th></tr>${doc.rates.map((row) => `<tr><td class="r">${eur(row.base)}</td><td class="r">${row.rate}</td><td class="r">${eur(row.quota)}</td><td class="r b">${eur(doc.total)} EUR</td></tr>`).join('')}</table><p>Forma de pago: ${doc.payment === 'transferencia' ? `Transferencia a ${ibanOf(doc)}` : 'Recibo domiciliado'} &nbsp; Vto.: ${doc.due === null ? '' : day(doc.due, 'd/m/y')}</p>`,
      )
    },
  },
  {
    id: 'galician',
    wish: () => ({
      trade: 'food',
      lines: [2, 12],
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'efectivo'],
    }),
    render: (doc) =>
      page(
        '.lines th{background:#cfe2f3}',
        `<div class="two"><div><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>CIF ${doc.vendor.vat}</div><div><b>FACTURA</b><br>Número: ${doc.number}<br>Data: ${day(doc.date, 'gl')}<br>Vencemento: ${doc.due === null ? '' : day(doc.due, 'd/m/y')}</div></div><p><b>Datos do cliente</b><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>NIF ${doc.buyer?.vat}</p>${lineTable(
          doc,
          [
            { head: 'Descrición', left: true, cell: (line) => line.text },
            { head: 'Cantidade', cell: (line) => loose(line.quantity) },
            { head: 'Prezo', cell: (line) => loose(line.price, 2) },
            { head: 'IVE', cell: (line) => `${line.rate}%` },
            { head: 'Importe', cell: (line) => eur(line.cents) },
          ],
        )}<table style="width:90mm;margin:6mm 0 0 auto"><tr><th class="r">Base impoñible</th><th class="r">% IVE</th><th class="r">Cota IVE</th></tr>${doc.rates.map((row) => `<tr><td class="r">${eur(row.base)}</td><td class="r">${row.rate}</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr class="b"><td class="r" colspan="2">Total factura</td><td class="r">${eur(doc.total)} €</td></tr></table><p>Forma de pagamento: ${doc.payment === 'efectivo' ? 'Efectivo' : `Transferencia ${ibanOf(doc)}`}</p>`,
      ),
  },
  {
    id: 'basque',
    wish: () => ({ trade: 'office', lines: [1, 8], due: false, iban: 'transfer', payment: ['transferencia'] }),
    render: (doc) =>
      page(
        '.lines th{border-bottom:2px solid green}',
        `<div class="two"><div><b style="font-size:14pt">${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>IFZ/NIF: ${doc.vendor.vat}</div><div>Faktura / Factura: ${doc.number}<br>Data / Fecha: ${day(doc.date, 'iso').replace(/-/g, '/')}</div></div><p><b>Bezeroa / Cliente</b><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>IFZ/NIF: ${doc.buyer?.vat}</p>${lineTable(
          doc,
          [
            { head: 'Azalpena / Descripción', left: true, cell: (line) => line.text },
            { head: 'Kopurua / Cantidad', cell: (line) => loose(line.quantity) },
            { head: 'Prezioa / Precio', cell: (line) => loose(line.price, 2) },
            { head: 'BEZ / IVA', cell: (line) => `%${line.rate}` },
            { head: 'Guztira / Importe', cell: (line) => eur(line.cents) },
          ],
        )}<table style="width:90mm;margin:6mm 0 0 auto">${doc.rates.map((row) => `<tr><td>Zerga oinarria / Base imponible</td><td class="r">${eur(row.base)}</td></tr><tr><td>BEZ / IVA %${row.rate}</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr class="b"><td>GUZTIRA / TOTAL</td><td class="r">${eur(doc.total)} €</td></tr></table><p>Ordainketa: banku transferentzia / Pago: transferencia bancaria<br>IBAN: ${ibanOf(doc)}</p>`,
      ),
  },
]
