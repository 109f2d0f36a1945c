import { addDays, type Line } from '../document.ts'
import { day, eur, ibanOf, lineTable, loose, num, page, pct, safe, spaced } from '../html.ts'
import type { Layout } from '../layout.ts'
import { goods } from './goods.ts'
import { buyerOf, dayShort, minusBehind, rename, sumOf, taxId } from './own.ts'

/** Firms that sell and carry goods. */
export const supplySealed2: readonly Layout[] = [
  {
    id: 'wholesale-lots',
    wish: () => ({
      trade: goods.pharmacy,
      lines: [6, 20],
      wholeQuantities: true,
      surcharge: true,
      lineDiscounts: true,
      due: true,
      iban: 'masked',
      payment: ['domiciliacion'],
      buyer: { person: true },
    }),
    own: (doc, chance) => {
      rename(doc.vendor, chance, goods.pharmacy.names)
      doc.number = `${chance.pick(['4', '7', '9'])}${chance.digits(3)}.${chance.digits(4)}`
    },
    render: (doc, chance) => {
      const buyer = buyerOf(doc)
      const cell = (text: string) => `<td>${text}</td>`
      const rows = doc.rates.map((row) =>
        [eur(row.base), num(row.rate), eur(row.quota), num(row.surchargeRate), eur(row.surcharge)].map(cell).join(''),
      )
      return page(
        'body{font:8pt "Liberation Sans Narrow"}.q th{border-top:2px solid;border-bottom:1px solid;font-size:7.5pt}.q td{padding:1px 3px}.pie{margin-top:6mm;text-align:right}.pie th,.pie td{border:1px solid #555;padding:2px 5px}.pie th{background:#e8e8e8;font-weight:normal}.w{border:1px dashed #777;padding:4mm;width:82mm;font-size:9.5pt}',
        `<div class="two"><div class="w">${safe(buyer.name)}<br>FARMACIA<br>${buyer.street}<br>${buyer.postal}-${buyer.city}<br>${buyer.province.toUpperCase()}</div><div style="width:80mm"><b style="font-size:15pt">FACTURA</b><table><tr><td>Núm.:</td><td>${doc.number}</td><td>Socio:</td><td>${chance.digits(5)}</td></tr><tr><td>Fec.:</td><td>${day(doc.date, 'd/m/y')}</td><td>Ruta:</td><td>${chance.int(1, 40)}-B</td></tr><tr><td>NIF cliente:</td><td colspan="3">${taxId(buyer.vat, 'dash')}</td></tr></table></div></div>
        <p></p>${lineTable(
          doc,
          [
            { head: 'C.N.', left: true, cell: (line) => `${line.ref.replace(/\D/g, '')}.${chance.int(0, 9)}` },
            { head: 'ARTÍCULO', left: true, cell: (line) => line.text },
            { head: 'LOTE', left: true, cell: () => `${chance.pick(['L', 'B', 'X'])}${chance.digits(5)}` },
            {
              head: 'CAD.',
              left: true,
              cell: () => `${String(chance.int(1, 12)).padStart(2, '0')}/${chance.int(27, 30)}`,
            },
            { head: 'UDS.', cell: (line) => String(line.quantity) },
            { head: 'P.V.A.', cell: (line) => num(line.price) },
            { head: '%DTO', cell: (line) => (line.discount ? num(line.discount) : '') },
            { head: 'IMPORTE', cell: (line) => eur(line.cents) },
            { head: 'IVA', cell: (line) => String(line.rate) },
          ],
          'q',
        )}
        <table class="pie"><tr><th>BASE</th><th>% I.V.A.</th><th>CUOTA</th><th>% REC. EQ.</th><th>CUOTA R.E.</th><th rowspan="${rows.length + 1}" style="font-size:12pt;background:#fff">A pagar<br><b>${eur(doc.total)}</b> €</th></tr>${rows.map((row) => `<tr>${row}</tr>`).join('')}</table>
        <p>Cargo en su cuenta ${ibanOf(doc)} el ${doc.due === null ? '' : day(doc.due, 'd/m/y')} (domiciliación SEPA) &nbsp; Fecha de vencimiento: ${doc.due === null ? '' : day(doc.due, 'd/m/y')}</p>
        <p style="font-size:6.5pt;text-align:center;position:fixed;bottom:0;left:0;right:0">${safe(doc.vendor.name)} · N.I.F. ${doc.vendor.vat} · ${doc.vendor.street} · ${doc.vendor.postal} ${doc.vendor.city} · Tel. ${doc.vendor.phone}<br>${doc.vendor.registry}</p>`,
      )
    },
  },
  {
    id: 'carried-deliveries',
    wish: () => ({
      trade: goods.packaging,
      lines: [24, 40],
      due: true,
      globalDiscount: true,
      iban: 'always',
      payment: ['transferencia', 'domiciliacion'],
    }),
    own: (doc, chance) => {
      rename(doc.vendor, chance, goods.packaging.names)
      doc.number = `${doc.date.slice(0, 4)}/A/${String(chance.int(12, 8400)).padStart(6, '0')}`
      doc.due = addDays(doc.date, chance.pick([30, 45, 60]))
    },
    hidesInLines: ['tax_rate'],
    render: (doc, chance) => {
      const buyer = buyerOf(doc)
      const size = 19
      const pages = Math.ceil(doc.lines.length / size)
      const account = 4300 + chance.int(1, 99)
      let carried = 0
      const sheets = Array.from({ length: pages }, (_none, index) => {
        const part = doc.lines.slice(index * size, (index + 1) * size)
        const before = carried
        carried += sumOf(part)
        const sent = day(addDays(doc.date, -chance.int(2, 20)), 'd-m-yy')
        const note = `<tr><td></td><td class="l" colspan="4"><u>Albarán ${chance.digits(6)} del ${sent}</u></td></tr>`
        const above =
          index === 0
            ? note
            : `<tr><td></td><td class="r" colspan="3">Suma anterior</td><td class="r">${eur(before)}</td></tr>${note}`
        const below = index === pages - 1 ? '' : `<p class="r">Suma y sigue ........ ${eur(carried)}</p>`
        return `<section style="${index === pages - 1 ? '' : 'break-after:page'}"><div class="two"><div><b style="font-size:16pt;color:#256">${safe(doc.vendor.name)}</b><br>${doc.vendor.street} - ${doc.vendor.postal} ${doc.vendor.city} - Tfno: ${doc.vendor.phone} - NIF: ${doc.vendor.vat}</div><div class="r">Hoja ${index + 1} de ${pages}</div></div>
        <div class="two" style="margin:3mm 0"><table class="d" style="width:70mm"><tr><td>Factura/Serie</td><td>Fecha factura</td><td>Cód. cte.</td></tr><tr><td class="b">${doc.number}</td><td class="b">${day(doc.date, 'd-m-yy')}</td><td>${account}</td></tr></table><div style="width:88mm">Facturar a:<br><b>${safe(buyer.name)}</b><br>${buyer.street}<br>${buyer.postal} ${buyer.city} (${buyer.province})<br>NIF: ${buyer.vat}</div></div>
        ${lineTable(
          doc,
          [
            { head: 'Ref.', left: true, width: '20mm', cell: (line) => line.ref },
            { head: 'Género', left: true, cell: (line) => line.text },
            { head: 'Cantidad', width: '20mm', cell: (line) => loose(line.quantity, 1) },
            { head: 'Precio', width: '20mm', cell: (line) => loose(line.price, 3) },
            { head: 'Importe', width: '24mm', cell: (line) => eur(line.cents) },
          ],
          'q',
          part,
        ).replace('<tbody>', `<tbody>${above}`)}${below}</section>`
      })
      const box = (label: string, text: string) => `<td><small>${label}</small><br>${text}</td>`
      return page(
        'body{font:9pt "Liberation Sans"}.d td{border:1px solid #256;text-align:center}.d tr:first-child{background:#def;font-size:7.5pt}.q th{background:#256;color:#fff;padding:3px 4px}.x{margin-top:7mm}.x td{border:1px solid #256;text-align:right}small{color:#256}',
        `${sheets.join('')}<table class="x"><tr>${box('Importe bruto', eur(doc.linesSum))}${box('% Dto. p.p.', doc.discount ? num(doc.discountRate) : '')}${box('Importe dto.', doc.discount ? eur(doc.discount) : '')}${box('Base imponible', eur(doc.base))}${doc.rates.map((row) => box('% IVA', num(row.rate)) + box('Importe IVA', eur(row.quota))).join('')}${box('Total factura', `<b>${eur(doc.total)} €</b>`)}</tr></table>
        <p>Forma de pago: ${doc.payment === 'domiciliacion' ? 'Giro domiciliado en' : 'Transf. a nuestra cuenta'} ${doc.iban === null ? '' : spaced(doc.iban)}<br>Vencimiento: ${doc.due === null ? '' : Math.round((Date.parse(doc.due) - Date.parse(doc.date)) / 86_400_000)} días fecha factura</p>`,
      )
    },
  },
  {
    id: 'freight-table',
    wish: (chance) => ({
      trade: goods.freight,
      lines: [3, 12],
      wholeQuantities: true,
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'transferencia', 'cheque'],
      ...(chance.yes(0.35) ? { person: true, irpf: [1] } : {}),
    }),
    own: (doc, chance) => {
      rename(doc.vendor, chance, goods.freight.names)
      doc.number = `${chance.int(110, 990)}-${doc.date.slice(5, 7)}-${doc.date.slice(2, 4)}`
    },
    render: (doc, chance) => {
      const buyer = buyerOf(doc)
      return page(
        'body{font:9pt "DejaVu Sans"}.q th{border:1px solid #888;background:#f6e7c1;font-size:8pt}.q td{border:1px solid #bbb}.h td{padding:1px 5px 1px 0}.t td,.t th{padding:2px 6px;border-bottom:1px solid #bbb}',
        `<div class="two"><div><b style="font-size:17pt;font-style:italic">${safe(doc.vendor.name)}</b></div><div style="font-size:8pt" class="r">${doc.vendor.street} · ${doc.vendor.postal} ${doc.vendor.city}<br>${doc.vendor.person ? 'D.N.I.' : 'C.I.F.'} ${taxId(doc.vendor.vat, 'dots')} · Móvil 6${chance.digits(8)} · ${doc.vendor.mail}</div></div><hr>
        <div class="two"><table class="h" style="width:auto"><tr><td>FACTURA Nº</td><td class="b">${doc.number}</td></tr><tr><td>DE FECHA</td><td class="b">${day(doc.date, 'd.m.y')}</td></tr><tr><td>VENCE EL</td><td class="b">${doc.due === null ? '' : day(doc.due, 'd.m.y')}</td></tr></table><table class="h" style="width:auto"><tr><td>CARGADOR</td><td class="b">${safe(buyer.name)}</td></tr><tr><td>CIF</td><td>${taxId(buyer.vat, 'dash')}</td></tr><tr><td>DIRECCIÓN</td><td>${buyer.street}, ${buyer.postal} ${buyer.city}</td></tr></table></div><br>
        ${lineTable(
          doc,
          [
            {
              head: 'Fecha',
              left: true,
              cell: (_line, index) => dayShort(addDays(doc.date, index - doc.lines.length - 1)),
            },
            { head: 'CMR / Carta porte', left: true, cell: () => chance.digits(7) },
            { head: 'Matrícula', left: true, cell: () => `${chance.digits(4)}MJC` },
            { head: 'Trayecto o servicio', left: true, cell: (line) => line.text },
            { head: 'Peso kg', cell: () => num(chance.int(4, 240) * 100, 0) },
            { head: 'Viajes', cell: (line) => String(line.quantity) },
            { head: 'Precio viaje', cell: (line) => num(line.price) },
            { head: '%IVA', cell: (line) => (line.rate === 0 ? 'Ex.' : String(line.rate)) },
            { head: 'Porte', cell: (line) => eur(line.cents) },
          ],
          'q',
        )}
        <div class="two" style="margin-top:6mm"><table class="t" style="width:120mm"><tr><th class="l">Régimen</th><th class="r">Base</th><th class="r">Tipo</th><th class="r">Cuota</th></tr>${doc.rates.map((row) => `<tr><td>${row.rate === 0 ? 'Transporte internacional exento (art. 64 RIVA)' : 'Sujeto'}</td><td class="r">${eur(row.base)}</td><td class="r">${num(row.rate)}%</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}</table><table class="t" style="width:90mm"><tr><td>Suma de bases</td><td class="r">${eur(doc.base)}</td></tr><tr><td>Suma de IVA</td><td class="r">${eur(doc.quotas)}</td></tr>${doc.irpf ? `<tr><td>Retención IRPF módulos ${pct(doc.irpfRate)}%</td><td class="r">-${eur(doc.irpf)}</td></tr>` : ''}<tr class="b"><td>LÍQUIDO</td><td class="r">${eur(doc.total)} €</td></tr></table></div>
        <p>${doc.payment === 'cheque' ? 'Pago mediante cheque.' : `Pago mediante transferencia: ${ibanOf(doc)}`}</p>`,
        'A4 landscape',
      )
    },
  },
  {
    id: 'minus-behind',
    wish: () => ({
      trade: goods.joinery,
      kind: 'corrective',
      lines: [1, 6],
      due: false,
      iban: 'never',
      payment: [null],
    }),
    own: (doc, chance) => {
      rename(doc.vendor, chance, goods.joinery.names)
      doc.number = `RC${doc.date.slice(2, 4)}${chance.digits(5)}`
    },
    render: (doc, chance) => {
      const buyer = buyerOf(doc)
      const cents = (value: number) => minusBehind(eur(value))
      const columns = [
        { head: 'LÍN', left: true, cell: (_line: Line, index: number) => String(index + 1).padStart(3, '0') },
        { head: 'REFERENCIA', left: true, cell: (line: Line) => line.ref },
        { head: 'DESIGNACIÓN', left: true, cell: (line: Line) => line.text.toUpperCase() },
        { head: 'CANT.', cell: (line: Line) => minusBehind(num(line.quantity)) },
        { head: 'P.UNIT', cell: (line: Line) => loose(line.price, 2) },
        { head: 'IVA', cell: (line: Line) => num(line.rate, 1) },
        { head: 'TOTAL LÍN', cell: (line: Line) => cents(line.cents) },
      ]
      return page(
        'body{font:9pt "Liberation Mono"}.q th{border-bottom:1px dashed;font-weight:normal}.y{border-top:1px dashed;margin-top:6mm}.y th{font-weight:normal;text-align:right}',
        `<p style="font-size:12pt">*** FACTURA RECTIFICATIVA ***</p><div class="two"><div>${safe(doc.vendor.name)}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>NIF ES${doc.vendor.vat}</div><div>N.FACTURA RECT: ${doc.number}<br>FECHA EMISION : ${day(doc.date, 'd/m/y')}<br>FRA. ORIGINAL : ${chance.digits(7)}<br>DE FECHA      : ${day(addDays(doc.date, -chance.int(6, 70)), 'd/m/y')}<br>MOTIVO        : ERROR EN PRECIO</div></div>
        <p>DESTINATARIO: ${safe(buyer.name)}<br>${buyer.street} / ${buyer.postal} ${buyer.city}<br>NIF ES${buyer.vat}</p>${lineTable(doc, columns, 'q')}
        <table class="y"><tr><th>BASE</th><th>%</th><th>IVA</th><th>TOTAL A ABONAR</th></tr>${doc.rates.map((row, index) => `<tr><td class="r">${cents(row.base)}</td><td class="r">${num(row.rate)}</td><td class="r">${cents(row.quota)}</td><td class="r">${index === 0 ? `${cents(doc.total)} EUR` : ''}</td></tr>`).join('')}</table><p>RECTIFICACION SEGUN ART. 15 R.D. 1619/2012</p>`,
      )
    },
  },
]
