import { addDays } from '../document.ts'
import { day, eur, ibanOf, lineTable, loose, num, page, pct, safe } from '../html.ts'
import type { Layout } from '../layout.ts'

export const tradesOpen: readonly Layout[] = [
  {
    id: 'electricity',
    wish: () => ({
      trade: 'power',
      lines: [5, 8],
      wholeQuantities: true,
      due: true,
      iban: 'masked',
      payment: ['domiciliacion'],
      decimals: 2,
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc, chance) =>
      page(
        '.h{background:#ff8c00;color:#fff;padding:3mm}.d td{border-bottom:1px solid #ddd}',
        `<div class="h two"><b>${safe(doc.vendor.name)}</b><span>FACTURA DE ELECTRICIDAD</span></div><div class="two"><div style="width:85mm"><p>${safe(doc.vendor.name)}. CIF ${doc.vendor.vat}<br>${doc.vendor.street}. ${doc.vendor.postal} ${doc.vendor.city}</p><b>DATOS DE LA FACTURA</b><br>IMPORTE FACTURA: ${eur(doc.total)} €<br>Nº factura: ${doc.number}<br>Fecha emisión factura: ${day(doc.date, 'd/m/y')}<br>Periodo de facturación: del ${day(addDays(doc.date, -32), 'd/m/y')} a ${day(addDays(doc.date, -2), 'd/m/y')}<br>Fecha de cargo: ${doc.due === null ? '' : day(doc.due, 'es')}</div><div style="width:85mm;padding-top:8mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</div></div><p><b>DATOS DEL CONTRATO</b><br>Titular del contrato: ${safe(doc.buyer?.name ?? '')}<br>NIF: ${doc.buyer?.vat}<br>Dirección de suministro: ${doc.buyer?.street}, ${doc.buyer?.city}<br>CUPS: ES0021${chance.digits(12)}FY1P<br>Forma de pago: Domiciliación bancaria. IBAN: ${ibanOf(doc)}</p><b>RESUMEN DE LA FACTURA</b>
        ${lineTable(
          doc,
          [
            { head: 'Concepto', left: true, cell: (line) => line.text },
            {
              head: 'Cálculo',
              left: true,
              cell: () => `${num(chance.next() * 5, 3)} kW x ${chance.int(28, 32)} días x 0,${chance.digits(6)} €`,
            },
            { head: 'Importe', cell: (line) => `${eur(line.cents)} €` },
          ],
          'd',
        )}
        <table class="d"><tr><td>Importe total (base imponible)</td><td class="r">${eur(doc.base)} €</td></tr>${doc.rates.map((row) => `<tr><td>IVA ${row.rate}% s/ ${eur(row.base)}</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr class="b"><td>TOTAL IMPORTE FACTURA</td><td class="r">${eur(doc.total)} €</td></tr></table>`,
      ),
  },
  {
    id: 'fuel-roll',
    wish: () => ({
      trade: 'fuel',
      lines: [1, 1],
      withTax: true,
      due: false,
      iban: 'never',
      payment: ['tarjeta', 'efectivo'],
      decimals: 3,
    }),
    hidesInLines: ['tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:8pt "DejaVu Sans Mono"}@page{margin:4mm}td,th{padding:0 1px;font-weight:normal}.c{text-align:center}',
        `<div class="c">${safe(doc.vendor.name)}<br>CIF: ${doc.vendor.vat}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}</div>--------------------------<br>FACTURA: ${doc.number}<br>FECHA: ${day(doc.date, 'd/m/y')} HORA: 0${chance.int(7, 9)}:${chance.int(10, 59)}<br>Surtidor: ${chance.int(1, 8)}<br>--------------------------<br>CLIENTE:<br>${safe(doc.buyer?.name ?? '')}<br>NIF: ${doc.buyer?.vat}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>Matrícula: ${chance.digits(4)}LBC<br>--------------------------
        ${lineTable(doc, [
          { head: 'Producto', left: true, cell: (line) => line.text },
          { head: 'Litros', cell: (line) => num(line.quantity) },
          { head: '€/L', cell: (line) => num(line.price, 3) },
          { head: 'Importe', cell: (line) => eur(line.cents) },
        ])}<table><tr><td>Base imponible</td><td class="r">${eur(doc.base)}</td></tr>${doc.rates.map((row) => `<tr><td>IVA ${num(row.rate)}%</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr style="font-size:11pt"><td>TOTAL EUR</td><td class="r">${eur(doc.total)}</td></tr></table>${doc.payment === 'tarjeta' ? 'PAGO: TARJETA VISA ****1234' : 'PAGO: EFECTIVO'}<div class="c">Impuestos incluidos</div>`,
        '80mm 200mm',
      ),
  },
  {
    id: 'taxi-receipt',
    wish: () => ({
      trade: 'transport',
      kind: 'simplified',
      buyer: null,
      person: true,
      lines: [1, 1],
      withTax: true,
      wholeQuantities: true,
      due: false,
      iban: 'never',
      payment: ['tarjeta', 'efectivo', null],
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:9pt "DejaVu Sans Mono"}@page{margin:4mm}',
        `TAXI LICENCIA ${chance.int(100, 9999)}<br>${safe(doc.vendor.name)}<br>NIF ${doc.vendor.vat}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br><br>FACTURA SIMPLIFICADA ${doc.number}<br>Fecha ${day(doc.date, 'd/m/y')}<br>Inicio 10:12  Fin 10:41<br>Distancia ${num(chance.next() * 20 + 2, 1)} km<br><table><tr><td>${doc.lines[0]?.text}</td><td class="r">${eur(doc.total)} €</td></tr></table><br><table>${doc.rates.map((row) => `<tr><td>Base imp.</td><td class="r">${eur(row.base)}</td></tr><tr><td>IVA ${row.rate}%</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr class="b"><td>TOTAL</td><td class="r">${eur(doc.total)} €</td></tr></table>${doc.payment === null ? '' : `Forma de pago: ${doc.payment === 'tarjeta' ? 'TARJETA' : 'EFECTIVO'}`}`,
        '80mm 150mm',
      ),
  },
  {
    id: 'rent-month',
    wish: (chance) => ({
      trade: 'rent',
      person: chance.yes(0.5),
      lines: [1, 3],
      wholeQuantities: true,
      irpf: [19],
      iban: 'transfer',
      payment: ['transferencia', 'domiciliacion'],
      due: chance.yes(0.3),
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc) =>
      page(
        'td{padding:5px}.w td{border:1px solid #aaa}',
        `<div class="two"><div><b>ARRENDADOR</b><br>${safe(doc.vendor.name)}<br>NIF: ${doc.vendor.vat}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}</div><div><b>ARRENDATARIO</b><br>${safe(doc.buyer?.name ?? '')}<br>NIF: ${doc.buyer?.vat}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</div></div><h3>RECIBO - FACTURA DE ALQUILER</h3><p>Nº Factura: ${doc.number} &nbsp;&nbsp; Fecha: ${day(doc.date, 'd-m-y')} ${doc.due === null ? '' : `&nbsp;&nbsp; Vencimiento: ${day(doc.due, 'd-m-y')}`}</p><p>Por el alquiler del local sito en ${doc.buyer?.city}, correspondiente al mes en curso:</p><table class="w">${doc.lines.map((line) => `<tr><td>${line.text}</td><td class="r">${eur(line.cents)} €</td></tr>`).join('')}<tr><td>Base imponible</td><td class="r">${eur(doc.base)} €</td></tr>${doc.rates.map((row) => `<tr><td>${row.rate} % I.V.A.</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr><td>Retención ${pct(doc.irpfRate)} % a cuenta I.R.P.F.</td><td class="r">-${eur(doc.irpf)} €</td></tr><tr class="b"><td>TOTAL A PAGAR</td><td class="r">${eur(doc.total)} €</td></tr></table><p>${doc.payment === 'transferencia' ? `Abonar por transferencia en la cuenta ${ibanOf(doc)}` : 'Recibo domiciliado en su cuenta'}</p>`,
      ),
  },
  {
    id: 'insurance-receipt',
    wish: () => ({
      trade: 'insurance',
      lines: [1, 1],
      wholeQuantities: true,
      due: true,
      iban: 'masked',
      payment: ['domiciliacion'],
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc, chance) =>
      page(
        '.w td{border-bottom:1px solid #ccc}',
        `<b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street} - ${doc.vendor.postal} ${doc.vendor.city}<br>CIF ${doc.vendor.vat}<h3>RECIBO DE PRIMA / FACTURA</h3><table class="w"><tr><td>Factura nº</td><td>${doc.number}</td><td>Póliza</td><td>${chance.digits(10)}</td></tr><tr><td>Fecha de emisión</td><td>${day(doc.date, 'd/m/y')}</td><td>Fecha de vencimiento</td><td>${doc.due === null ? '' : day(doc.due, 'd/m/y')}</td></tr></table><p><b>Tomador del seguro</b><br>${safe(doc.buyer?.name ?? '')}<br>NIF ${doc.buyer?.vat}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</p><table class="w"><tr><th class="l">Concepto</th><th class="r">Importe</th></tr>${doc.lines.map((line) => `<tr><td>${line.text}</td><td class="r">${eur(line.cents)}</td></tr>`).join('')}<tr class="b"><td>Total recibo</td><td class="r">${eur(doc.total)} €</td></tr></table><p>Operación exenta de IVA según art. 20.Uno.16º de la Ley 37/1992.</p><p>Domiciliación bancaria: ${ibanOf(doc)}</p>`,
      ),
  },
  {
    id: 'repair-shop',
    wish: () => ({
      trade: 'garage',
      lines: [2, 12],
      lineDiscounts: true,
      due: false,
      iban: 'never',
      payment: ['tarjeta', 'efectivo', null],
    }),
    hidesInLines: ['tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:8.5pt "Liberation Sans"}.lines{border:1px solid;min-height:60mm}.lines th{border-bottom:1px solid}.st{display:flex;border:1px solid;margin-top:3mm}.st div{flex:1;text-align:center;border-right:1px solid;padding:2px}',
        `<div class="two"><div><b style="font-size:15pt">${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city} (${doc.vendor.province})<br>Tlf. ${doc.vendor.phone} - N.I.F. ${doc.vendor.vat}</div><div style="border:1px solid;padding:2mm;width:80mm">Sr./Sra.: ${safe(doc.buyer?.name ?? '')}<br>Dir.: ${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>N.I.F.: ${doc.buyer?.vat}</div></div><div class="st"><div>FACTURA Nº<br><b>${doc.number}</b></div><div>FECHA<br><b>${day(doc.date, 'd/m/y')}</b></div><div>MATRÍCULA<br>${chance.digits(4)} MNB</div><div>KM<br>${num(chance.int(9000, 220_000), 0)}</div><div>O.R.<br>${chance.digits(5)}</div></div><br>
        ${lineTable(doc, [
          { head: 'Ref.', left: true, cell: (line) => line.ref },
          { head: 'Concepto', left: true, cell: (line) => line.text },
          { head: 'Cant.', cell: (line) => num(line.quantity) },
          { head: 'Precio', cell: (line) => loose(line.price, 2) },
          { head: '%Dto', cell: (line) => num(line.discount) },
          { head: 'Total', cell: (line) => eur(line.cents) },
        ])}
        <div class="st"><div>MANO DE OBRA Y MATERIALES<br>${eur(doc.base)}</div><div>BASE IMPONIBLE<br>${eur(doc.base)}</div><div>% IVA<br>${doc.rates[0]?.rate}</div><div>CUOTA IVA<br>${eur(doc.quotas)}</div><div>TOTAL FACTURA<br><b>${eur(doc.total)} €</b></div></div><p>${doc.payment === null ? '' : doc.payment === 'tarjeta' ? 'Cobrado con tarjeta' : 'Cobrado en efectivo'}</p><p style="font-size:6pt">Garantía de la reparación: 3 meses o 2.000 km. Sus datos serán tratados conforme al RGPD.</p>`,
      ),
  },
  {
    id: 'spreadsheet',
    wish: (chance) => ({
      trade: 'consulting',
      person: true,
      lines: [1, 6],
      irpf: [15, 7],
      iban: 'always',
      payment: ['transferencia'],
      due: chance.yes(0.4),
    }),
    hidesInLines: ['tax_rate'],
    render: (doc) =>
      page(
        'body{font:11pt "Liberation Sans"}.x td,.x th{border:1px solid #888;padding:3px}',
        `<table class="x"><tr><th colspan="4" style="background:#bdd7ee">FACTURA</th></tr><tr><td class="b">Nº FACTURA</td><td>${doc.number}</td><td class="b">FECHA</td><td>${day(doc.date, 'd-m-yy')}</td></tr><tr><td colspan="2" class="b">EMISOR</td><td colspan="2" class="b">CLIENTE</td></tr><tr><td colspan="2">${safe(doc.vendor.name)}</td><td colspan="2">${safe(doc.buyer?.name ?? '')}</td></tr><tr><td colspan="2">NIF: ${doc.vendor.vat}</td><td colspan="2">CIF: ${doc.buyer?.vat}</td></tr><tr><td colspan="2">${doc.vendor.street}</td><td colspan="2">${doc.buyer?.street}</td></tr><tr><td colspan="2">${doc.vendor.postal} ${doc.vendor.city}</td><td colspan="2">${doc.buyer?.postal} ${doc.buyer?.city}</td></tr></table><br>
        ${lineTable(
          doc,
          [
            { head: 'CANTIDAD', cell: (line) => loose(line.quantity) },
            { head: 'DESCRIPCIÓN', left: true, cell: (line) => line.text },
            { head: 'PRECIO', cell: (line) => `${num(line.price)} €` },
            { head: 'IMPORTE', cell: (line) => `${eur(line.cents)} €` },
          ],
          'x',
        )}<table class="x"><tr><td style="width:70%" class="r">BASE IMPONIBLE</td><td class="r">${eur(doc.base)} €</td></tr>${doc.rates.map((row) => `<tr><td class="r">IVA ${row.rate}%</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr><td class="r">RETENCIÓN IRPF ${pct(doc.irpfRate)}%</td><td class="r">- ${eur(doc.irpf)} €</td></tr><tr class="b"><td class="r">TOTAL FACTURA</td><td class="r">${eur(doc.total)} €</td></tr></table><p>Forma de pago: transferencia bancaria a la cuenta ${ibanOf(doc)}${doc.due === null ? '' : ` antes del ${day(doc.due, 'd/m/y')}`}</p>`,
      ),
  },
  {
    id: 'procurator',
    wish: () => ({
      trade: 'law',
      person: true,
      lines: [1, 3],
      wholeQuantities: true,
      irpf: [15],
      suplidos: true,
      advance: true,
      due: false,
      iban: 'transfer',
      payment: ['transferencia', null],
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc) =>
      page(
        'body{font:10.5pt "Liberation Serif"}.w td{padding:3px 0}',
        `<div class="two"><div>${safe(doc.vendor.name)}<br>Abogado colegiado nº 4.512<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>N.I.F. ${doc.vendor.vat}</div><div>FACTURA Nº ${doc.number}<br>FECHA ${day(doc.date, 'd/m/y')}</div></div><p>A: <b>${safe(doc.buyer?.name ?? '')}</b><br>N.I.F. ${doc.buyer?.vat}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</p><table class="w"><tr class="b"><td>Honorarios profesionales</td><td></td></tr>${doc.lines.map((line) => `<tr><td>${line.text}</td><td class="r">${eur(line.cents)}</td></tr>`).join('')}<tr><td class="r">Base imponible</td><td class="r">${eur(doc.base)}</td></tr>${doc.rates.map((row) => `<tr><td class="r">IVA ${row.rate} %</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr><td class="r">Retención IRPF ${doc.irpfRate} %</td><td class="r">-${eur(doc.irpf)}</td></tr>${doc.suplidos.length > 0 ? `<tr class="b"><td>Suplidos (no sujetos a IVA)</td><td></td></tr>${doc.suplidos.map((item) => `<tr><td>${item.text}</td><td class="r">${eur(item.cents)}</td></tr>`).join('')}<tr><td class="r">Total suplidos</td><td class="r">${eur(doc.suplidos.reduce((all, item) => all + item.cents, 0))}</td></tr>` : ''}<tr class="b"><td class="r">TOTAL FACTURA</td><td class="r">${eur(doc.total)} €</td></tr>${doc.advance ? `<tr><td class="r">Entregas a cuenta</td><td class="r">-${eur(doc.advance)} €</td></tr><tr class="b"><td class="r">Saldo a su cargo</td><td class="r">${eur(doc.total - doc.advance)} €</td></tr>` : ''}</table>${doc.payment === 'transferencia' ? `<p>Transferencia: ${ibanOf(doc)}</p>` : ''}`,
      ),
  },
  {
    id: 'builder',
    wish: () => ({
      trade: 'building',
      lines: [2, 8],
      advance: true,
      due: false,
      iban: 'transfer',
      payment: ['transferencia'],
    }),
    hidesInLines: ['tax_rate'],
    render: (doc) =>
      page(
        'body{font:9.5pt "DejaVu Sans"}.lines th{background:#444;color:#fff}',
        `<div class="r"><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street} · ${doc.vendor.postal} ${doc.vendor.city}<br>CIF ${doc.vendor.vat}</div><h2>Factura</h2><table style="width:110mm"><tr><td class="b">Factura Nº</td><td>${doc.number}</td></tr><tr><td class="b">Fecha</td><td>${day(doc.date, 'es')}</td></tr><tr><td class="b">Cliente</td><td>${safe(doc.buyer?.name ?? '')}</td></tr><tr><td class="b">CIF/NIF</td><td>${doc.buyer?.vat}</td></tr><tr><td class="b">Dirección</td><td>${doc.buyer?.street}</td></tr><tr><td class="b">Población</td><td>${doc.buyer?.postal} ${doc.buyer?.city}</td></tr></table><br>${lineTable(
          doc,
          [
            { head: 'Partida', left: true, cell: (line) => line.text },
            { head: 'Ud.', cell: (line) => num(line.quantity) },
            { head: '€/Ud.', cell: (line) => num(line.price) },
            { head: 'Total €', cell: (line) => eur(line.cents) },
          ],
        )}<br><table style="width:85mm;margin-left:auto"><tr><td>Suma</td><td class="r">${eur(doc.base)}</td></tr>${doc.rates.map((row) => `<tr><td>I.V.A. ${row.rate}%</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr class="b"><td>Total factura</td><td class="r">${eur(doc.total)}</td></tr>${doc.advance ? `<tr><td>Anticipo recibido</td><td class="r">-${eur(doc.advance)}</td></tr><tr class="b"><td>Resta por pagar</td><td class="r">${eur(doc.total - doc.advance)}</td></tr>` : ''}</table><p>Cuenta para transferencia: ${ibanOf(doc)}</p>`,
      ),
  },
  {
    id: 'exempt-school',
    wish: () => ({
      trade: 'school',
      lines: [1, 3],
      wholeQuantities: true,
      due: false,
      iban: 'transfer',
      payment: ['transferencia', 'efectivo'],
      buyer: { person: true },
    }),
    hidesInLines: ['tax_rate'],
    render: (doc) =>
      page(
        '.lines th{border-bottom:1px solid}',
        `<div class="two"><div><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>CIF: ${doc.vendor.vat}</div><div>Factura: ${doc.number}<br>Fecha: ${day(doc.date, 'd/m/y')}</div></div><p>Alumno/Paciente: ${safe(doc.buyer?.name ?? '')}<br>NIF: ${doc.buyer?.vat}<br>${doc.buyer?.street}, ${doc.buyer?.postal} ${doc.buyer?.city}</p>${lineTable(
          doc,
          [
            { head: 'Concepto', left: true, cell: (line) => line.text },
            { head: 'Unidades', cell: (line) => String(line.quantity) },
            { head: 'Precio', cell: (line) => `${num(line.price)} €` },
            { head: 'Importe', cell: (line) => `${eur(line.cents)} €` },
          ],
        )}<table style="width:70mm;margin:5mm 0 0 auto"><tr><td>Subtotal</td><td class="r">${eur(doc.base)} €</td></tr><tr><td>IVA exento</td><td class="r">0,00 €</td></tr><tr class="b"><td>Total</td><td class="r">${eur(doc.total)} €</td></tr></table><p>Exento de IVA conforme al artículo 20 de la Ley 37/1992.</p><p>${doc.payment === 'efectivo' ? 'Forma de pago: efectivo' : `Forma de pago: transferencia. IBAN ${ibanOf(doc)}`}</p>`,
      ),
  },
]
