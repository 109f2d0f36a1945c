import { addDays } from '../document.ts'
import { day, eur, ibanOf, lineTable, loose, num, page, pct, safe } from '../html.ts'
import type { Layout } from '../layout.ts'
import { bare, between, charge, date, minusLast, qr, some } from './figures.ts'
import { become, clients } from './firms.ts'

const parts = [
  'Rodamiento rígido 6204-2RS C3',
  'Retén NBR 35x52x7',
  'Electroválvula 5/2 monoestable G1/4',
  'Contactor tripolar 25 A bobina 230 V',
  'Perfil aluminio 45x45 ranura 10, barra 3 m',
  'Racor recto enchufe rápido 8 mm',
  'Grasa litio complejo cartucho 400 g',
  'Sensor inductivo M12 PNP NA',
]
const dealers = [
  ['Rodatec Transmisiones Mecánicas, S.A.', 'A'],
  ['Neumática Bajo Ebro, S.L.', 'B'],
  ['SUMINISTROS ELÉCTRICOS PANADÉS SL', 'B'],
  ['Dimar Fluidos y Control S.A.U.', 'A'],
] as const

/** What management programs print: big ones, small ones, old ones and web ones. */
export const programsSealed3: readonly Layout[] = [
  {
    id: 'sap-posiciones',
    wish: () => ({
      trade: 'hardware',
      buyer: {},
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'domiciliacion'],
    }),
    hidesInLines: ['tax_rate'],
    own: (doc, chance) => {
      become(doc.vendor, chance, dealers)
      become(doc.buyer, chance, clients)
      doc.number = `9${chance.digits(9)}`
      charge(
        doc,
        some(chance, parts, 2).map((text) => ({
          text,
          price: between(chance, 1, 190),
          quantity: chance.int(1, 80),
          ref: `4${chance.digits(7)}`,
        })),
      )
    },
    render: (doc, chance) => {
      const cut = Math.ceil(doc.lines.length / 2)
      const rows = (lines: typeof doc.lines, from: number) =>
        `<tr><td></td><td colspan="4">Entrega 80${chance.digits(6)} de ${day(addDays(doc.date, -3), 'd.m.y')} &nbsp; Su pedido 45000${chance.digits(5)}</td></tr>${lines.map((line, at) => `<tr><td>${String((from + at + 1) * 10).padStart(6, '0')}</td><td>${line.ref}<br>${line.text}</td><td class="r">${num(line.quantity, 0)} UN</td><td class="r">${num(line.price)} / 1 UN</td><td class="r">${eur(line.cents)}</td></tr>`).join('')}`
      return page(
        'body{font:9pt "Liberation Sans"}.i td{padding:0 4px}.p th{border-top:1px solid;border-bottom:1px solid;font-weight:normal}',
        `<div class="r" style="font-size:16pt;font-weight:bold;color:#345">${safe(doc.vendor.name.split(' ')[0] ?? '')}</div><small>${safe(doc.vendor.name)}, ${doc.vendor.street}, ${doc.vendor.postal} ${doc.vendor.city}</small><div class="two" style="margin-top:4mm"><div>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br><b>${doc.buyer?.postal} ${doc.buyer?.city.toUpperCase()}</b><br>ESPAÑA</div><div style="background:#eee;padding:3mm;width:84mm"><b>Factura</b><table class="i"><tr><td>Documento de facturación</td><td class="r">${doc.number}</td></tr><tr><td>Fecha de factura</td><td class="r">${day(doc.date, 'd.m.y')}</td></tr><tr><td>Nº de deudor</td><td class="r">${chance.digits(7)}</td></tr><tr><td>NIF del cliente</td><td class="r">ES${doc.buyer?.vat}</td></tr><tr><td>Nuestro NIF-IVA</td><td class="r">ES${doc.vendor.vat}</td></tr><tr><td>Moneda</td><td class="r">EUR</td></tr></table></div></div>
        <p>Condiciones de entrega: CPT portes pagados &nbsp; Peso bruto ${num(chance.int(2, 300) / 3, 3)} KG</p><table class="p"><tr><th class="l">Pos.</th><th class="l">Material / Denominación</th><th class="r">Ctd.</th><th class="r">Precio</th><th class="r">Valor EUR</th></tr>${rows(doc.lines.slice(0, cut), 0)}${rows(doc.lines.slice(cut), cut)}</table><hr>
        <table style="width:100mm;margin-left:auto"><tr><td>Valor neto de las posiciones</td><td class="r">${eur(doc.base)}</td></tr><tr><td>IVA repercutido 21,000 %</td><td class="r">${eur(doc.quotas)}</td></tr><tr class="b"><td>Importe final</td><td class="r">${eur(doc.total)}</td></tr></table><p>Condiciones de pago: hasta el ${doc.due === null ? '' : day(doc.due, 'd.m.y')} sin deducción. ${doc.payment === 'transferencia' ? `Vía de pago: transferencia. Cuenta ${ibanOf(doc)}` : 'Vía de pago: recibo domiciliado (adeudo SEPA B2B).'}</p><p style="font-size:7pt">${doc.vendor.registry}. Mercancía propiedad del vendedor hasta su pago.</p>`,
      )
    },
  },
  {
    id: 'nav-recargo',
    wish: () => ({
      trade: 'food',
      buyer: {},
      surcharge: true,
      due: true,
      iban: 'never',
      payment: ['domiciliacion', 'efectivo'],
    }),
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Mayorista de Droguería Sanabria, S.L.', 'B'],
        ['DISPERCAN CASTILLA S.A.', 'A'],
        ['Bebidas y Conservas Tudanca, S.L.U.', 'B'],
      ])
      become(doc.buyer, chance, [
        ['Ultramarinos Casa Felisa, C.B.', 'E'],
        ['Gregorio Pinilla Santos', '-'],
        ['Estanco y Prensa Merino, C.B.', 'E'],
      ])
      doc.number = `FVR${doc.date.slice(2, 4)}-${chance.digits(6)}`
      charge(
        doc,
        some(
          chance,
          [
            { text: 'Lejía con detergente 2 L', price: 1.42, rate: 21 },
            { text: 'Champú familiar 750 ml', price: 2.05, rate: 21 },
            { text: 'Espárrago blanco 6/8', price: 3.88, rate: 10 },
            { text: 'Zumo melocotón 1 L', price: 0.97, rate: 10 },
            { text: 'Arroz redondo 1 kg', price: 1.12, rate: 4 },
            { text: 'Pan rallado 500 g', price: 0.83, rate: 4 },
          ],
          2,
        ).map((row) => ({
          ...row,
          quantity: chance.int(6, 72),
          discount: chance.pick([0, 0, 3, 7.5]),
          ref: `P-${chance.digits(5)}`,
        })),
        true,
      )
    },
    render: (doc, chance) =>
      page(
        'body{font:8.5pt "Liberation Sans"}.lines{margin:5mm 0}.lines th{border-bottom:1px solid;vertical-align:bottom}.v{margin-top:8mm}.v th{border-bottom:1px solid;font-weight:normal}',
        `<div class="two"><div>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>${doc.buyer?.province}</div><div><b style="font-size:13pt">Venta - Factura</b><br>Página 1</div></div><div class="two" style="margin-top:6mm"><table style="width:85mm"><tr><td>Venta a-Nº cliente</td><td>C0${chance.digits(4)}</td></tr><tr><td>CIF/NIF cliente</td><td>${doc.buyer?.vat}</td></tr><tr><td>Nº pedido</td><td>PV${chance.digits(6)}</td></tr><tr><td>Nº factura</td><td>${doc.number}</td></tr><tr><td>Fecha registro</td><td>${day(doc.date, 'd/m/yy')}</td></tr><tr><td>Fecha vencimiento</td><td>${doc.due === null ? '' : day(doc.due, 'd/m/yy')}</td></tr><tr><td>Cód. forma pago</td><td>${doc.payment === 'efectivo' ? 'EFECTIVO' : 'RECIBO DOMICILIADO'}</td></tr></table><table style="width:85mm"><tr><td colspan="2"><b>${safe(doc.vendor.name)}</b></td></tr><tr><td colspan="2">${doc.vendor.street}</td></tr><tr><td colspan="2">${doc.vendor.postal} ${doc.vendor.city}</td></tr><tr><td>Nº teléfono</td><td>${doc.vendor.phone}</td></tr><tr><td>CIF/NIF</td><td>${doc.vendor.vat}</td></tr><tr><td>Vendedor</td><td>${chance.pick(['J. Anta', 'Marisa L.'])}</td></tr></table></div>
        ${lineTable(doc, [
          { head: 'Nº', left: true, cell: (line) => line.ref },
          { head: 'Descripción', left: true, cell: (line) => line.text },
          { head: 'Cantidad', cell: (line) => num(line.quantity, 0) },
          { head: 'Unidad<br>medida', left: true, cell: () => 'CAJA' },
          { head: 'Precio<br>venta', cell: (line) => num(line.price) },
          { head: '%<br>Dto.', cell: (line) => (line.discount ? loose(line.discount) : '') },
          { head: '% IVA', cell: (line) => String(line.rate) },
          { head: 'Importe', cell: (line) => eur(line.cents) },
        ])}
        <table style="width:70mm;margin-left:auto"><tr><td>Total EUR IVA excl.</td><td class="r">${eur(doc.base)}</td></tr><tr><td>Total IVA + RE</td><td class="r">${eur(doc.quotas)}</td></tr><tr class="b"><td>Total EUR IVA incl.</td><td class="r">${eur(doc.total)}</td></tr></table>
        <table class="v"><tr><th class="r">% IVA</th><th class="r">Importe línea</th><th class="r">Base IVA</th><th class="r">Importe IVA</th><th class="r">% RE</th><th class="r">Importe RE</th></tr>${doc.rates.map((row) => `<tr><td class="r">${row.rate}</td><td class="r">${eur(row.base)}</td><td class="r">${eur(row.base)}</td><td class="r">${eur(row.quota)}</td><td class="r">${loose(row.surchargeRate)}</td><td class="r">${eur(row.surcharge)}</td></tr>`).join('')}</table>`,
      ),
  },
  {
    id: 'nube-etiquetas',
    wish: () => ({
      trade: 'consulting',
      person: true,
      buyer: {},
      irpf: [15],
      due: true,
      iban: 'always',
      payment: ['transferencia'],
    }),
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Berta Alonso-Cuevillas Mir', '-'],
        ['Unai Goikoetxea Lasa', '-'],
        ['Rayan El Idrissi Vega', '-'],
      ])
      become(
        doc.buyer,
        chance,
        clients.filter(([, letter]) => letter !== '-'),
      )
      doc.number = `F${doc.date.slice(2, 4)}${chance.digits(4)}`
      charge(
        doc,
        some(
          chance,
          [
            'Sesión fotográfica de producto',
            'Retoque digital (por imagen)',
            'Licencia de uso en web, 2 años',
            'Dirección de arte',
          ],
          1,
        ).map((text) => ({
          text,
          price: between(chance, 12, 480),
          quantity: chance.pick([1, 1, 2, 12, 30]),
          discount: chance.pick([0, 0, 0, 20]),
        })),
      )
    },
    render: (doc, chance) =>
      page(
        'body{font:9pt "DejaVu Sans";color:#334}h1{font-size:28pt;font-weight:300;margin:0}.lines{margin:8mm 0}.lines th{border-bottom:1px solid #99a;font-size:7pt}.lines td{padding:3mm 1mm;border-bottom:1px solid #eef}',
        `<div class="two"><h1>Factura</h1><div style="background:#334;color:#fff;padding:5mm;border-radius:50%">${doc.vendor.name.slice(0, 1)}·</div></div><div class="two" style="margin-top:6mm"><div><b>Fecha</b><br>${date(doc.date, 'short')}<br><b>Vencimiento</b><br>${date(doc.due, 'short')}</div><div><b>#</b><br>${doc.number}</div><div style="width:52mm"><b>${safe(doc.buyer?.name ?? '')}</b><br>${doc.buyer?.vat}<br>${doc.buyer?.street}<br>${doc.buyer?.city} (${doc.buyer?.postal}), ${doc.buyer?.province}, España</div><div style="width:52mm"><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.vat}<br>${doc.vendor.street}<br>${doc.vendor.city} (${doc.vendor.postal}), ${doc.vendor.province}, España</div></div>
        ${lineTable(doc, [
          { head: 'CONCEPTO', left: true, cell: (line) => line.text, width: '40%' },
          { head: 'PRECIO', cell: (line) => `${num(line.price)}€` },
          { head: 'UNIDADES', cell: (line) => String(line.quantity) },
          { head: 'DTO.', cell: (line) => (line.discount ? `${line.discount}%` : '–') },
          { head: 'SUBTOTAL', cell: (line) => `${eur(line.cents)}€` },
          { head: 'IVA', cell: (line) => `${line.rate}%` },
        ])}
        <div class="two"><div>${qr(chance, '20mm')}<br><small>Factura verificable en la sede<br>electrónica de la AEAT (VERI*FACTU)</small></div><table style="width:80mm"><tr><td>BASE IMPONIBLE</td><td class="r">${eur(doc.base)}€</td></tr><tr><td>IVA 21%</td><td class="r">${eur(doc.quotas)}€</td></tr><tr><td>IRPF -${pct(doc.irpfRate)}%</td><td class="r">-${eur(doc.irpf)}€</td></tr><tr class="b" style="font-size:13pt"><td>TOTAL</td><td class="r">${eur(doc.total)}€</td></tr></table></div><p><b>Condiciones de pago</b><br>Pagar por transferencia bancaria al siguiente número de cuenta:<br>${ibanOf(doc).replace(/ /g, '')}</p>`,
      ),
  },
  {
    id: 'preimpreso',
    wish: () => ({
      trade: 'food',
      buyer: {},
      due: true,
      globalDiscount: true,
      iban: 'never',
      payment: ['efectivo', 'cheque', 'domiciliacion'],
    }),
    hidesInLines: ['tax_rate'],
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Sociedad Agraria de Transformación nº 9.871 El Cortijuelo', 'V'],
        ['Bodegas y Viñedos Tío Perico, S.A.', 'A'],
        ['Sdad. Coop. And. Campo de Níjar', 'F'],
      ])
      become(doc.buyer, chance, clients)
      doc.number = `${chance.pick(['A', 'B', 'M'])}/${chance.digits(6)}`
      const rate = chance.pick([4, 10])
      charge(
        doc,
        some(
          chance,
          ['TOMATE RAF CALIDAD I', 'PEPINO HOLANDES', 'CALABACIN FINO', 'BERENJENA RAYADA', 'JUDIA EMERITE'],
          2,
        ).map((text) => ({
          text,
          quantity: between(chance, 20, 900, 1),
          price: between(chance, 0.35, 3.1, 3),
          rate,
          ref: String(chance.int(2, 60)),
        })),
      )
    },
    render: (doc) =>
      page(
        'body{font:9pt "DejaVu Sans Mono"}td{white-space:nowrap}',
        `<div style="height:26mm">${safe(doc.vendor.name.toUpperCase())}<br>${doc.vendor.street.toUpperCase()}<br>${doc.vendor.postal} ${doc.vendor.city.toUpperCase()} - ${doc.vendor.province.toUpperCase()}<br>C.I.F. ${doc.vendor.vat}</div><div style="height:32mm;margin-left:88mm">SR./SRES.<br>${safe(doc.buyer?.name.toUpperCase() ?? '')}<br>${doc.buyer?.street.toUpperCase()}<br>${doc.buyer?.postal} ${doc.buyer?.city.toUpperCase()}<br>C.I.F. ${doc.buyer?.vat}</div><table style="width:150mm"><tr><td>SERIE/NUM.FRA.</td><td>F.EXPEDICION</td><td>F.VENCTO.</td><td>F.PAGO</td></tr><tr><td>${doc.number}</td><td>${day(doc.date, 'd-m-yy')}</td><td>${doc.due === null ? '' : day(doc.due, 'd-m-yy')}</td><td>${{ efectivo: 'CONTADO EFECTIVO', cheque: 'CHEQUE', domiciliacion: 'RECIBO DOMIC.' }[doc.payment as 'cheque']}</td></tr></table><br>
        <table style="min-height:60mm"><tr><td>BULTOS</td><td>GENERO</td><td class="r">KILOS</td><td class="r">EUR/KG</td><td class="r">EUROS</td></tr>${doc.lines.map((line) => `<tr><td>${line.ref}</td><td>${line.text}</td><td class="r">${num(line.quantity, 1)}</td><td class="r">${num(line.price, 3)}</td><td class="r">${eur(line.cents)}</td></tr>`).join('')}</table><br><br>
        <table><tr><td class="r">IMP.BRUTO</td><td class="r">DTO.%</td><td class="r">IMP.DTO.</td><td class="r">B.IMPONIBLE</td><td class="r">%IVA</td><td class="r">CUOTA</td><td class="r">TOTAL FRA.</td></tr><tr><td class="r">${eur(doc.linesSum)}</td><td class="r">${num(doc.discountRate)}</td><td class="r">${eur(doc.discount)}</td><td class="r">${eur(doc.base)}</td><td class="r">${num(doc.rates[0]?.rate ?? 0)}</td><td class="r">${eur(doc.quotas)}</td><td class="r">${eur(doc.total)}</td></tr></table><p>IMPORTES EN EUROS. ENVASES A DEVOLVER: ${doc.lines.length * 4} CAJAS CAMPO. R.G.S.A. 21.014522/AL</p>`,
      ),
  },
  {
    id: 'rectifica-menos',
    wish: () => ({ trade: 'hardware', kind: 'corrective', buyer: {}, iban: 'never', payment: [null] }),
    own: (doc, chance) => {
      become(doc.vendor, chance, dealers)
      become(doc.buyer, chance, clients)
      doc.number = `${chance.pick(['AB', 'R', 'RECT'])}-${doc.date.slice(2, 4)}-${chance.digits(4)}`
      charge(
        doc,
        some(chance, parts, 1, 4).map((text) => ({
          text,
          price: between(chance, 2, 140),
          quantity: -chance.int(1, 12),
        })),
      )
    },
    render: (doc, chance) =>
      page(
        'body{font:9pt "Liberation Sans"}.lines{margin:6mm 0}.lines td,.lines th{border-bottom:1px solid #bbb}',
        `<div class="two"><div style="border:1px solid;padding:3mm"><b>FACTURA RECTIFICATIVA (ABONO)</b><br>Número ${doc.number}<br>Fecha de expedición ${day(doc.date, 'd/m/y')}</div><div class="r">${safe(doc.vendor.name)}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>NIF ${doc.vendor.vat}</div></div><p>Rectifica a la factura FV-${doc.date.slice(2, 4)}-${chance.digits(5)} de fecha ${day(addDays(doc.date, -26), 'd/m/y')}. Motivo: devolución de mercancía (R1, por diferencias). Base rectificada original: ${eur(-doc.base * 3)}</p><p>Titular: ${safe(doc.buyer?.name ?? '')}. NIF ${doc.buyer?.vat}. ${doc.buyer?.street}. ${doc.buyer?.postal} ${doc.buyer?.city}.</p>
        ${lineTable(doc, [
          { head: 'Código', left: true, cell: (_, at) => `${at + 1}0${chance.digits(3)}` },
          { head: 'Material devuelto', left: true, cell: (line) => line.text },
          { head: 'Uds.', cell: (line) => `${-line.quantity}-` },
          { head: 'Precio', cell: (line) => num(line.price) },
          { head: '%IVA', cell: (line) => String(line.rate) },
          { head: 'Importe', cell: (line) => minusLast(line.cents) },
        ])}
        <table style="width:80mm;margin-left:auto"><tr><td>Base imponible</td><td class="r">${minusLast(doc.base)}</td></tr><tr><td>Cuota IVA 21%</td><td class="r">${minusLast(doc.quotas)}</td></tr><tr class="b"><td>Total a su favor (EUR)</td><td class="r">${minusLast(doc.total)}</td></tr></table><p>El importe quedará compensado en su próxima factura.</p>`,
      ),
  },
  {
    id: 'portes-varias-hojas',
    wish: () => ({ trade: 'transport', buyer: {}, due: true, iban: 'always', payment: ['transferencia'] }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Transportes Frigoríficos Almenar, S.L.', 'B'],
        ['Agrupación de Transportistas del Segura, S. Coop.', 'F'],
        ['LOGIFRET 2004 S.A.', 'A'],
      ])
      become(doc.buyer, chance, clients)
      doc.number = `${doc.date.slice(0, 4)}0${chance.digits(4)}`
      doc.due = addDays(doc.date, 85)
      charge(
        doc,
        Array.from({ length: chance.int(14, 44) }, () => ({
          text: `${chance.pick(['Murcia', 'Lorca', 'Cieza', 'Totana'])} - ${chance.pick(['Perpignan', 'Mercabarna', 'Mercamadrid', 'Rungis', 'Bilbao', 'Vigo'])}`,
          price: chance.int(180, 2300),
          ref: chance.digits(7),
        })),
      )
    },
    render: (doc, chance) => {
      const sheets: (typeof doc.lines)[] = []
      for (let at = 0; at < doc.lines.length; at += 18) sheets.push(doc.lines.slice(at, at + 18))
      let carried = 0
      const total = `<table style="margin-top:6mm;text-align:center;border:2px solid"><tr><td>SUMA PORTES</td><td>BASE IMPONIBLE</td><td>IVA 21 %</td><td>IMPORTE TOTAL</td></tr><tr class="b"><td>${eur(doc.base)}</td><td>${eur(doc.base)}</td><td>${eur(doc.quotas)}</td><td>${eur(doc.total)} €</td></tr></table><p>Pago por transferencia a 85 días: ${doc.due === null ? '' : day(doc.due, 'd/m/y')}. ${ibanOf(doc)}</p>`
      return page(
        'body{font:9pt "Liberation Sans"}.t td{padding:1mm 2mm}.t th{background:#fc0}',
        sheets
          .map((lines, at) => {
            const before = carried
            carried += lines.reduce((all, line) => all + line.cents, 0)
            return `<div style="${at ? 'break-before:page' : ''}"><div class="two"><div><b style="font-size:15pt">${safe(doc.vendor.name)}</b><br>${doc.vendor.street} - ${doc.vendor.postal} ${doc.vendor.city}<br>NIF ES-${doc.vendor.vat} - Lic. comunitaria ${chance.digits(8)}</div><div class="r">FACTURA Nº ${doc.number}<br>${day(doc.date, 'd/m/y')}<br>Hoja ${at + 1}/${sheets.length}</div></div><p>CARGADOR: ${safe(doc.buyer?.name ?? '')} · NIF ES-${doc.buyer?.vat} · ${doc.buyer?.street} · ${doc.buyer?.postal} ${doc.buyer?.city}</p><table class="t"><tr><th class="l">F. carga</th><th class="l">CMR / Albarán</th><th class="l">Trayecto</th><th class="l">Tractora/Remolque</th><th class="r">Palets</th><th class="r">Kg</th><th class="r">Porte €</th></tr>${at ? `<tr><td colspan="6" class="r">SUMA Y SIGUE DE HOJA ${at}</td><td class="r">${eur(before)}</td></tr>` : ''}${lines.map((line) => `<tr><td>${day(addDays(doc.date, -chance.int(1, 28)), 'd/m')}</td><td>${line.ref}</td><td>${line.text}</td><td>${chance.digits(4)}KVB/R${chance.digits(4)}BCX</td><td class="r">${chance.int(1, 33)}</td><td class="r">${num(chance.int(500, 23000), 0)}</td><td class="r">${bare(line.cents / 100)}</td></tr>`).join('')}${at < sheets.length - 1 ? `<tr><td colspan="6" class="r">SUMA Y SIGUE</td><td class="r">${eur(carried)}</td></tr>` : ''}</table></div>`
          })
          .join('') + total,
      )
    },
  },
]
