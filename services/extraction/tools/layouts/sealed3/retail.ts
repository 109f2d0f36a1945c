import { addDays } from '../document.ts'
import { day, eur, lineTable, loose, num, page, safe } from '../html.ts'
import type { Layout } from '../layout.ts'
import { between, charge, date, qr, some } from './figures.ts'
import { become, clients } from './firms.ts'

const groceries: readonly (readonly [string, number, number])[] = [
  ['LECHE SEMI BRIK 6X1L', 5.46, 4],
  ['PAN HOGAZA 500G', 1.65, 4],
  ['TOMATE PERA KG', 2.19, 4],
  ['AOVE 1L COUPAGE', 8.95, 4],
  ['HUEVOS L 24U', 5.3, 4],
  ['MERLUZA LOMOS KG', 14.95, 10],
  ['ATUN CLARO PACK 6', 5.75, 10],
  ['AGUA MIN. 8X1,5L', 2.96, 10],
  ['CAFE MOLIDO MEZCLA', 3.99, 10],
  ['DETERGENTE 60 LAV', 11.4, 21],
  ['PAPEL COCINA 6R', 4.15, 21],
  ['CERVEZA LATA 24X33', 14.16, 21],
  ['LAVAVAJILLAS TABS', 9.85, 21],
]
const letterOf = (rate: number): string => ({ 4: 'A', 10: 'B', 21: 'C' })[rate] ?? ''

/** What is bought over a counter, at a desk or on a web page. */
export const retailSealed3: readonly Layout[] = [
  {
    id: 'super-completa',
    wish: () => ({ trade: 'food', buyer: {}, withTax: true, iban: 'never', payment: ['tarjeta', 'efectivo'] }),
    hidesInLines: ['tax_rate'],
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Supermercados Ahorrovega, S.A.', 'A'],
        ['Hiper Maragato S.L.U.', 'B'],
        ['ECONOMATOS REUNIDOS DEL SUR, S. COOP. AND.', 'F'],
      ])
      become(doc.buyer, chance, clients)
      doc.number = `${chance.digits(4)}-${chance.digits(3)}-${chance.digits(6)}`
      charge(
        doc,
        some(chance, groceries, 5, 12).map(([text, price, rate]) => ({
          text,
          price,
          rate,
          quantity: text.endsWith('KG') ? between(chance, 0.3, 2.9, 3) : chance.pick([1, 1, 1, 2, 3]),
        })),
      )
    },
    render: (doc, chance) =>
      page(
        'body{font:9pt "Liberation Mono";width:92mm}hr{border:0;border-top:1px dashed}',
        `<div style="text-align:center"><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>NIF: ${doc.vendor.vat}<br>TELÉFONO: ${doc.vendor.phone}</div><hr><b>FACTURA</b><br>Nº FACTURA: ${doc.number}<br>FECHA: ${day(doc.date, 'd/m/y')} ${chance.int(10, 21)}:${chance.int(10, 59)} &nbsp;OP: ${chance.digits(6)}<br>TICKET: ${chance.digits(4)}-${chance.digits(3)}-${chance.digits(6)}<hr>DATOS DEL CLIENTE<br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.vat}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<hr>
        <table><tr><td>Cant Descripción</td><td class="r">P.Unit</td><td class="r">Importe</td></tr>${doc.lines.map((line) => (Number.isInteger(line.quantity) ? `<tr><td>${line.quantity} ${line.text} ${letterOf(line.rate)}</td><td class="r">${num(line.price)}</td><td class="r">${eur(line.cents)}</td></tr>` : `<tr><td colspan="3">${line.text} ${letterOf(line.rate)}</td></tr><tr><td>&nbsp; ${num(line.quantity, 3)} kg</td><td class="r">${num(line.price)} €/kg</td><td class="r">${eur(line.cents)}</td></tr>`)).join('')}</table><hr>
        <table style="font-size:11pt"><tr class="b"><td>TOTAL (€)</td><td class="r">${eur(doc.total)}</td></tr><tr><td>${doc.payment === 'tarjeta' ? 'TARJETA BANCARIA' : 'EFECTIVO'}</td><td class="r">${eur(doc.payment === 'tarjeta' ? doc.total : Math.ceil(doc.total / 1000) * 1000)}</td></tr>${doc.payment === 'tarjeta' ? '' : `<tr><td>CAMBIO</td><td class="r">${eur(Math.ceil(doc.total / 1000) * 1000 - doc.total)}</td></tr>`}</table><hr>
        <table><tr><td>IVA</td><td class="r">BASE IMPONIBLE</td><td class="r">CUOTA</td></tr>${doc.rates.map((row) => `<tr><td>${letterOf(row.rate)} ${row.rate}%</td><td class="r">${eur(row.base)}</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr><td>TOTAL</td><td class="r">${eur(doc.base)}</td><td class="r">${eur(doc.quotas)}</td></tr></table><hr>${doc.payment === 'tarjeta' ? `**** **** **** ${chance.digits(4)} N.C: ${chance.digits(9)} AUT: ${chance.digits(6)}<br>` : ''}SE ADMITEN DEVOLUCIONES CON TICKET<br>HA AHORRADO 3,20 EN SU CHEQUE REGALO`,
      ),
  },
  {
    id: 'recibo-bar',
    wish: () => ({
      trade: 'bar',
      kind: 'simplified',
      buyer: null,
      withTax: true,
      iban: 'never',
      payment: ['efectivo', 'tarjeta', null],
    }),
    hidesInLines: ['tax_rate'],
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Consuelo Ruipérez Vargas', '-'],
        ['Taberna El Zaguán, C.B.', 'E'],
        ['Marisquería Os Irmáns S.L.', 'B'],
        ['Bar Deportivo Lezama, S.L.N.E.', 'B'],
      ])
      doc.number = chance.pick([
        `T-${chance.digits(6)}`,
        `${chance.int(1, 4)}/${chance.digits(5)}`,
        `${chance.digits(6)}`,
      ])
      charge(
        doc,
        some(
          chance,
          [
            'CAÑA',
            'TINTO RIOJA',
            'AGUA 50CL',
            'BOCATA CALAMARES',
            'PINCHO TORTILLA',
            'RACION BRAVAS',
            'MENU LABORABLE',
            'CORTADO',
            'TORRIJA',
          ],
          2,
          7,
        ).map((text) => ({
          text,
          price: chance.pick([1.5, 1.8, 2.2, 3.5, 7.9, 13.5]),
          quantity: chance.pick([1, 1, 2, 2, 3, 4]),
          rate: 10,
        })),
      )
    },
    render: (doc, chance) =>
      page(
        'body{font:8pt "DejaVu Sans Mono";text-align:center}table{text-align:left}',
        `<div style="font-size:12pt">${safe(doc.vendor.name)}</div>${doc.vendor.street}<br>${doc.vendor.postal}-${doc.vendor.city}<br>${doc.vendor.vat}<br>Tlf. ${doc.vendor.phone}<br>- - - - - - - - - - - - - - -<br>FRA. SIMPLIFICADA ${doc.number}<br>${day(doc.date, 'd/m/yy')} ${chance.int(13, 23)}:${chance.int(10, 59)} MESA ${chance.int(1, 20)} COM. ${chance.int(1, 6)} CAM: ${chance.pick(['LUCÍA', 'IKER', '03'])}<br><table>${doc.lines.map((line) => `<tr><td>${line.quantity}</td><td>${line.text}</td><td class="r">${num(line.price)}</td><td class="r">${eur(line.cents)}</td></tr>`).join('')}</table>- - - - - - - - - - - - - - -<br><table style="font-size:11pt"><tr class="b"><td>TOTAL</td><td class="r">${eur(doc.total)}€</td></tr></table><br>B.I. ${eur(doc.base)} &nbsp; IVA 10% ${eur(doc.quotas)}<br>${doc.payment === 'efectivo' ? `Entregado: ${eur(Math.ceil(doc.total / 500) * 500)}  Cambio: ${eur(Math.ceil(doc.total / 500) * 500 - doc.total)}<br>Pagado en efectivo` : doc.payment === 'tarjeta' ? 'COBRADO CON TARJETA' : 'PENDIENTE DE COBRO'}<br>IVA INCLUIDO<br>${qr(chance, '30mm')}<br>QR tributario: VERI*FACTU<br>¡GRACIAS POR SU VISITA!`,
        '80mm 200mm',
      ).replace('margin:14mm 14mm', 'margin:4mm 4mm'),
  },
  {
    id: 'market-seller',
    wish: () => ({ trade: 'office', buyer: {}, iban: 'never', payment: [null] }),
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Distribuciones Electrónicas Penedo, S.L.', 'B'],
        ['Rosa Amelia Tenorio Gil', '-'],
        ['KASADECO ONLINE S.L.U.', 'B'],
      ])
      become(doc.buyer, chance, clients)
      doc.number = `${chance.pick(['ES', 'INV-ES', 'DS-ASE-INV-ES'])}-${doc.date.slice(0, 4)}-${chance.digits(8)}`
      charge(
        doc,
        some(
          chance,
          [
            'Auriculares inalámbricos con cancelación de ruido, negro',
            'Cable USB-C 2 m trenzado',
            'Soporte monitor doble brazo aluminio',
            'Lámpara LED escritorio regulable',
            'Cuaderno A5 puntos 200 páginas',
            'Ratón ergonómico vertical',
          ],
          1,
          4,
        )
          .map((text) => ({
            text,
            price: between(chance, 5, 90),
            quantity: chance.pick([1, 1, 1, 2, 5]),
            ref: `B0${chance.digits(4)}XK${chance.digits(2)}`,
          }))
          .concat([{ text: 'Gastos de envío', price: 3.29, quantity: 1, ref: '' }]),
      )
    },
    render: (doc, chance) =>
      page(
        'body{font:8.5pt "Liberation Sans"}.lines{margin:6mm 0}.lines th{background:#eee;border-bottom:1px solid #888}.lines td{border-bottom:1px solid #ddd}small{color:#555}',
        `<div class="two"><div style="font-size:20pt;font-weight:bold">zokalia<span style="color:#e80">.</span></div><div class="r"><span style="font-size:15pt">Factura / Invoice</span><br><b>Pagado / Paid</b><br>Referencia de pago / Payment ref. ${chance.digits(16)}<br>Vendido por / Sold by <b>${safe(doc.vendor.name)}</b><br>IVA / VAT # ES${doc.vendor.vat}</div></div>
        <table style="margin:5mm 0;border-top:1px solid;border-bottom:1px solid"><tr><td>Fecha de la factura/Fecha de la entrega<br><small>Invoice date/Delivery date</small></td><td>${date(doc.date, 'short')}</td><td>Número del documento<br><small>Invoice #</small></td><td><b>${doc.number}</b></td><td>Total pagado<br><small>Amount paid</small></td><td class="r"><b>${eur(doc.total)} €</b></td></tr></table>
        <div class="two"><div style="width:58mm"><b>Dirección de facturación</b><br><small>Billing address</small><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.city}, ${doc.buyer?.postal}<br>ES<br>NIF/VAT ${doc.buyer?.vat}</div><div style="width:58mm"><b>Dirección de entrega</b><br><small>Delivery address</small><br>${safe(doc.buyer?.name ?? '')}<br>Punto de recogida Estanco nº ${chance.int(2, 50)}<br>${doc.buyer?.city}, ${doc.buyer?.postal}<br>ES</div><div style="width:58mm"><b>Vendido por</b><br><small>Sold by</small><br>${safe(doc.vendor.name)}<br>${doc.vendor.street}<br>${doc.vendor.city}, ${doc.vendor.postal}<br>ES</div></div>
        <p><b>Información del pedido</b> <small>Order information</small><br>Fecha del pedido ${date(addDays(doc.date, -2), 'short')} &nbsp; Pedido # 40${chance.digits(1)}-${chance.digits(7)}-${chance.digits(7)}</p>
        ${lineTable(doc, [
          {
            head: 'Descripción<br><small>Description</small>',
            left: true,
            width: '38%',
            cell: (line) => `${line.text}${line.ref ? `<br><small>ASIN: ${line.ref}</small>` : ''}`,
          },
          { head: 'Cant.<br><small>Qty</small>', cell: (line) => loose(line.quantity) },
          { head: 'P. Unitario<br><small>(IVA excluido)</small>', cell: (line) => `${num(line.price)} €` },
          { head: 'IVA %<br><small>VAT rate</small>', cell: (line) => `${line.rate}%` },
          { head: 'Total<br><small>(IVA excluido)</small>', cell: (line) => `${eur(line.cents)} €` },
        ])}
        <div class="r" style="font-size:12pt"><b>Total pendiente / Balance due &nbsp; 0,00 €</b></div>
        <table style="width:110mm;margin:5mm 0 0 auto"><tr><th class="l">IVA % / VAT rate</th><th class="r">Precio total (IVA excluido)<br><small>Item subtotal</small></th><th class="r">IVA<br><small>VAT subtotal</small></th></tr>${doc.rates.map((row) => `<tr><td>${row.rate}%</td><td class="r">${eur(row.base)} €</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr class="b"><td>Total</td><td class="r">${eur(doc.base)} €</td><td class="r">${eur(doc.quotas)} €</td></tr><tr class="b"><td>Total factura / Invoice total</td><td></td><td class="r">${eur(doc.total)} €</td></tr></table>
        <p style="font-size:7pt;margin-top:20mm">Factura emitida por Zokalia EU Services S.à r.l., 12 rue du Fossé, L-1536 Luxembourg, LU20260743, en nombre y por cuenta del vendedor. Zokalia EU Services S.à r.l., Sucursal en España, NIF W0184081H.</p>`,
      ),
  },
  {
    id: 'saas-dublin',
    wish: () => ({ trade: 'cloud', buyer: {}, iban: 'never', payment: ['tarjeta'] }),
    hidesInLines: ['tax_rate'],
    own: (doc, chance) => {
      become(doc.buyer, chance, clients)
      const digits = chance.digits(7)
      const sum = [...digits].reduce((all, sign, at) => all + Number(sign) * (8 - at), 0)
      const lux = String(chance.int(100000, 299999))
      Object.assign(
        doc.vendor,
        chance.yes(0.5)
          ? {
              name: chance.pick(['Brightloop Software Ireland Limited', 'Mailfern International Unlimited Company']),
              vat: `IE${digits}${'WABCDEFGHIJKLMNOPQRSTUV'[sum % 23]}`,
              street: chance.pick(['14 Harbourmaster Place', '3rd Floor, 70 Sir John Rogerson Quay']),
              city: 'Dublin',
              postal: 'D02 R296',
              province: 'Ireland',
            }
          : {
              name: chance.pick(['Cloudquay S.à r.l.', 'Pixelmeadow Europe S.A.']),
              vat: `LU${lux}${String(Number(lux) % 89).padStart(2, '0')}`,
              street: '38 avenue de la Liberté',
              city: 'Luxembourg',
              postal: 'L-1930',
              province: 'Luxembourg',
            },
      )
      doc.number = chance.pick([
        `INV${chance.digits(8)}`,
        `${chance.digits(4).replace(/^0/, '4')}FA7B-${chance.digits(4)}`,
        `IE-${doc.date.slice(0, 4)}-${chance.digits(6)}`,
      ])
      charge(
        doc,
        some(
          chance,
          ['Team plan, monthly', 'Additional seats', 'Email credits (10k pack)', 'Priority support', 'API overage'],
          1,
          3,
        ).map((text) => ({ text, price: between(chance, 9, 420), quantity: chance.pick([1, 1, 3, 8]), rate: 0 })),
      )
    },
    render: (doc, chance) =>
      page(
        'body{font:9.5pt "DejaVu Sans";color:#222}.lines{margin:6mm 0}.lines th{font-weight:normal;color:#777;border-bottom:1px solid #bbb}.lines td{padding:2.5mm 1mm}',
        `<div class="two"><div style="font-size:19pt">Invoice</div><div style="font-size:15pt;color:#40c">◆ ${safe(doc.vendor.name.split(' ')[0] ?? '')}</div></div><p>Invoice number &nbsp; ${doc.number}<br>Date of issue &nbsp; ${day(doc.date, 'en')}<br>Date paid &nbsp; ${day(doc.date, 'en')}</p>
        <div class="two"><div style="width:80mm"><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.city} ${doc.vendor.postal}<br>${doc.vendor.province}<br>VAT ${doc.vendor.vat}<br>billing@example.com</div><div style="width:80mm"><b>Bill to</b><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>Spain<br>ES VAT ES${doc.buyer?.vat}</div></div>
        <p style="font-size:15pt">€${num(doc.total / 100, 2, 'dot')} paid on ${day(doc.date, 'en')}</p>
        ${lineTable(doc, [
          { head: 'Description', left: true, width: '50%', cell: (line) => line.text },
          { head: 'Qty', cell: (line) => String(line.quantity) },
          { head: 'Unit price', cell: (line) => `€${num(line.price, 2, 'dot')}` },
          { head: 'Amount', cell: (line) => `€${num(line.cents / 100, 2, 'dot')}` },
        ])}
        <table style="width:88mm;margin-left:auto">${[
          ['Subtotal', doc.base],
          ['Total excluding tax', doc.base],
          ['VAT – Spain (0% reverse charge)', 0],
          ['Total', doc.total],
          ['Amount paid', doc.total],
        ]
          .map(
            ([label, cents]) => `<tr><td>${label}</td><td class="r">€${num(Number(cents) / 100, 2, 'dot')}</td></tr>`,
          )
          .join('')}</table>
        <p>[1] Tax to be paid on reverse charge basis (Article 196 Directive 2006/112/EC). Inversión del sujeto pasivo.</p><p><b>Payment history</b></p><table style="width:150mm"><tr><td>Payment method</td><td>Date</td><td>Amount paid</td><td>Receipt number</td></tr><tr><td>Visa credit card - ${chance.digits(4)}</td><td>${day(doc.date, 'en')}</td><td>€${num(doc.total / 100, 2, 'dot')}</td><td>2${chance.digits(3)}-${chance.digits(4)}</td></tr></table>`,
      ),
  },
]
