import { addDays } from '../document.ts'
import { day, eur, ibanOf, lineTable, loose, num, page, pct, safe } from '../html.ts'
import type { Layout } from '../layout.ts'
import { between, charge, date, qr, some } from './figures.ts'
import { become, clients } from './firms.ts'

/** Other taxes and regimes: foral, agrarian, reversed, IGIC, IPSI, leasing with exempt parts, travel agencies, print. */
export const regimesSealed3: readonly Layout[] = [
  {
    id: 'faktura-elebiduna',
    wish: () => ({
      trade: 'hardware',
      buyer: {},
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'domiciliacion'],
    }),
    own: (doc, chance) => {
      become(
        doc.vendor,
        chance,
        [
          ['Arrizabalaga Burdindegia, S.L.', 'B'],
          ['Txirrindu Bizikletak K.E.', 'E'],
          ['LANBIDE TAILERRAK, S.COOP.', 'F'],
        ],
        'eu',
      )
      become(doc.buyer, chance, clients, 'eu')
      doc.number = `TB-${doc.date.slice(0, 4)}-${chance.digits(5)}`
      charge(
        doc,
        some(
          chance,
          [
            { text: 'Torlojua M8x40 zinkatua / Tornillo M8x40 zincado', price: 0.18, quantity: 200 },
            { text: 'Zulagailua 18V / Taladro 18V', price: 154.9 },
            { text: 'Eskularruak 9 neurria / Guantes talla 9', price: 2.35, quantity: 24 },
            { text: 'Laneko liburua / Libro de trabajo', price: 18.5, quantity: 2, rate: 4 },
            { text: 'Silikona gardena / Silicona transparente', price: 4.4, quantity: 12 },
          ],
          2,
        ),
      )
    },
    render: (doc, chance) =>
      page(
        'body{font:9pt "DejaVu Sans Condensed"}.lines{margin:5mm 0}.lines th{background:#cfe3cf;font-weight:normal}.lines td{border-bottom:1px solid #cfe3cf}',
        `<div class="two"><div style="width:60mm;border-left:4px solid #2a7;padding-left:3mm"><b style="font-size:13pt">${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>IFZ / NIF: ${doc.vendor.vat}<br>Tel. ${doc.vendor.phone}</div><div style="width:100mm"><b style="font-size:16pt">FAKTURA / FACTURA</b><table><tr><td>Zenbakia / Número</td><td>${doc.number}</td></tr><tr><td>Data / Fecha</td><td>${date(doc.date, 'basque')}</td></tr><tr><td>Mugaeguna / Vencimiento</td><td>${date(doc.due, 'basque')}</td></tr><tr><td>Bezeroa / Cliente</td><td>${safe(doc.buyer?.name ?? '')}</td></tr><tr><td>IFZ / NIF</td><td>${doc.buyer?.vat}</td></tr><tr><td>Helbidea / Dirección</td><td>${doc.buyer?.street}, ${doc.buyer?.postal} ${doc.buyer?.city}</td></tr></table></div></div>
        ${lineTable(doc, [
          { head: 'Kontzeptua / Concepto', left: true, width: '45%', cell: (line) => line.text },
          { head: 'Kop. / Cant.', cell: (line) => loose(line.quantity) },
          { head: 'Prezioa / Precio', cell: (line) => loose(line.price, 2) },
          { head: 'BEZ / IVA', cell: (line) => `%${line.rate}` },
          { head: 'Zenbatekoa / Importe', cell: (line) => eur(line.cents) },
        ])}
        <div class="two"><div>${qr(chance)}<br><small>TBAI-${doc.vendor.vat}-${day(doc.date, 'd/m/yy').replace(/\//g, '')}-btFpwP8dcLGAF-237</small></div><table style="width:110mm"><tr><td>Zerga-oinarria / Base imponible</td><td class="r">${eur(doc.base)}</td></tr>${doc.rates.map((row) => `<tr><td>BEZ / IVA %${row.rate} (${eur(row.base)})</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr class="b"><td>GUZTIRA / TOTAL</td><td class="r">${eur(doc.total)} €</td></tr></table></div>
        <p>Ordainketa / Pago: ${doc.payment === 'transferencia' ? `transferentzia / transferencia — Kontu zk.: ${ibanOf(doc)}` : 'helbideratutako ordainagiria / recibo domiciliado'}</p>`,
      ),
  },
  {
    id: 'recibo-agrario',
    wish: () => ({ trade: 'food', person: true, buyer: {}, irpf: [2], iban: 'always', payment: ['transferencia'] }),
    hidesInLines: ['tax_rate'],
    own: (doc, chance) => {
      become(
        doc.vendor,
        chance,
        [
          ['Xosé Manuel Castiñeira Pardo', '-'],
          ['Dolores Seoane Buján', '-'],
        ],
        'gl',
      )
      become(
        doc.buyer,
        chance,
        [
          ['Lácteos Terra de Lemos, S. Coop. Galega', 'F'],
          ['CONSERVEIRA AGRARIA DO MIÑO, S.A.T.', 'V'],
        ],
        'gl',
      )
      doc.number = `REA-${doc.date.slice(0, 4)}/${chance.int(1, 400)}`
      charge(
        doc,
        some(
          chance,
          [
            { text: 'Leite de vaca cru', price: 0.448 },
            { text: 'Pataca Kennebec', price: 0.35 },
            { text: 'Castaña', price: 1.62 },
            { text: 'Pemento de Herbón', price: 2.1 },
          ],
          1,
          3,
        ).map((row) => ({ ...row, quantity: chance.int(80, 9000), rate: 12 })),
      )
    },
    render: (doc) =>
      page(
        'body{font:10pt "Liberation Serif"}.g td,.g th{border:1px solid #000}',
        `<p style="text-align:center"><b>RÉXIME ESPECIAL DA AGRICULTURA, GANDERÍA E PESCA</b><br>Factura / Recibo núm. ${doc.number}<br>Data: ${day(doc.date, 'gl')}</p>
        <table class="g"><tr><td style="width:50%"><b>Titular da explotación (provedor)</b><br>${safe(doc.vendor.name)}<br>NIF ${doc.vendor.vat}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city} (${doc.vendor.province})</td><td><b>Adquirente (cliente)</b><br>${safe(doc.buyer?.name ?? '')}<br>NIF ${doc.buyer?.vat}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</td></tr></table><br>
        <table class="g"><tr><th>Produto</th><th>Quilos / litros</th><th>Prezo</th><th>Importe</th></tr>${doc.lines.map((line) => `<tr><td>${line.text}</td><td class="r">${num(line.quantity, 0)}</td><td class="r">${num(line.price, 3)}</td><td class="r">${eur(line.cents)}</td></tr>`).join('')}<tr><td colspan="3" class="r">Base (prezo de venda)</td><td class="r">${eur(doc.base)}</td></tr><tr><td colspan="3" class="r">Compensación a tanto alzado 12 %</td><td class="r">${eur(doc.quotas)}</td></tr><tr><td colspan="3" class="r">Retención IRPF ${pct(doc.irpfRate)} %</td><td class="r">${eur(-doc.irpf)}</td></tr><tr class="b"><td colspan="3" class="r">Total a percibir polo titular</td><td class="r">${eur(doc.total)} €</td></tr></table>
        <p>Pago por transferencia á conta do titular: ${ibanOf(doc)}</p><p style="margin-top:16mm">Sinatura do titular da explotación &emsp;&emsp;&emsp;&emsp; Selo do adquirente</p><p style="font-size:8pt">Artigos 130 e 131 da Lei 37/1992 e 16 do Real Decreto 1619/2012.</p>`,
      ),
  },
  {
    id: 'certificacion-isp',
    wish: () => ({
      trade: 'building',
      buyer: {},
      guarantee: true,
      due: true,
      iban: 'always',
      payment: ['transferencia'],
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Estructuras y Encofrados Orba, S.A.', 'A'],
        ['UTE Variante Sur (Ley 18/1982)', 'U'],
        ['Montajes Ruidera, S.L.P.', 'B'],
      ])
      become(doc.buyer, chance, [
        ['Constructora Almanzor, S.A.', 'A'],
        ['Promotora Residencial Alameda, S.L.', 'B'],
      ])
      doc.number = `${doc.date.slice(0, 4)}.${chance.digits(3)}`
      doc.due = addDays(doc.date, 60)
      charge(
        doc,
        some(
          chance,
          [
            'Cap. 01 Movimiento de tierras',
            'Cap. 02 Cimentación',
            'Cap. 03 Estructura de hormigón',
            'Cap. 04 Saneamiento horizontal',
            'Cap. 05 Cubiertas',
          ],
          2,
        ).map((text) => ({ text, price: between(chance, 900, 61000), rate: 0 })),
      )
      doc.guarantee = Math.round(doc.base * 0.05)
    },
    render: (doc, chance) => {
      const before = doc.lines.map((line) => Math.round(line.cents * (0.2 + chance.next())))
      return page(
        '@page{size:A4 landscape}body{font:9pt "Liberation Sans"}.c td,.c th{border:1px solid #444}.c th{background:#ddd}',
        `<div class="two"><div>PROMOTOR / CONTRATISTA (CLIENTE)<br><b>${safe(doc.buyer?.name ?? '')}</b><br>CIF ${doc.buyer?.vat}<br>${doc.buyer?.street}, ${doc.buyer?.postal} ${doc.buyer?.city}</div><div style="text-align:center"><b>CERTIFICACIÓN Nº ${chance.int(2, 12)}</b><br>Obra: 48 viviendas, parcela R-7<br>Contrato 0${chance.digits(4)}<br>FACTURA ${doc.number} — ${day(doc.date, 'd/m/y')}</div><div class="r">EMPRESA EJECUTORA<br><b>${safe(doc.vendor.name)}</b><br>CIF ${doc.vendor.vat}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}</div></div>
        <table class="c" style="margin:6mm 0"><tr><th class="l">Capítulo</th><th>Presupuesto</th><th>A origen</th><th>Certificado anterior</th><th>Importe a certificar este mes</th></tr>${doc.lines.map((line, at) => `<tr><td>${line.text}</td><td class="r">${eur(Math.round((line.cents + (before[at] ?? 0)) * 1.3))}</td><td class="r">${eur(line.cents + (before[at] ?? 0))}</td><td class="r">${eur(before[at] ?? 0)}</td><td class="r">${eur(line.cents)}</td></tr>`).join('')}</table>
        <table style="width:130mm;margin-left:auto"><tr><td>Base imponible de la presente certificación</td><td class="r">${eur(doc.base)} €</td></tr><tr><td>IVA 0% (inversión del sujeto pasivo, art. 84.Uno.2º.f LIVA)</td><td class="r">0,00 €</td></tr><tr class="b"><td>TOTAL FACTURA</td><td class="r">${eur(doc.total)} €</td></tr>${doc.guarantee ? `<tr><td>Retención de garantía 5% (devolución a la recepción definitiva)</td><td class="r">-${eur(doc.guarantee)} €</td></tr><tr><td>Líquido a pagar</td><td class="r">${eur(doc.total - doc.guarantee)} €</td></tr>` : ''}</table><p>Vencimiento ${doc.due === null ? '' : day(doc.due, 'd/m/y')}, transferencia a ${ibanOf(doc)}. VºBº Dirección Facultativa: Arquitectos Torroja, S.L.P.</p>`,
      )
    },
  },
  {
    id: 'renting-flota',
    wish: () => ({ trade: 'garage', buyer: {}, due: true, iban: 'always', payment: ['domiciliacion'] }),
    hidesInLines: ['quantity', 'unit_price'],
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Movilea Renting España, E.F.C., S.A.', 'A'],
        ['Autoflota Leasing S.A.U.', 'A'],
      ])
      become(doc.buyer, chance, clients)
      doc.number = `${chance.digits(3)}${doc.date.slice(2, 4)}${chance.digits(7)}`
      doc.due = addDays(doc.date, chance.int(3, 6))
      charge(
        doc,
        Array.from(
          { length: chance.int(1, 4) },
          () => `${chance.digits(4)}${chance.pick(['MNP', 'LSX', 'KTB'])}`,
        ).flatMap((ref) => [
          { text: `Cuota arrendamiento ${ref}`, price: between(chance, 180, 520), rate: 21, ref },
          { text: `Mantenimiento y neumáticos ${ref}`, price: between(chance, 30, 90), rate: 21, ref },
          { text: `Seguro ${ref}`, price: between(chance, 25, 70), rate: 0, ref },
        ]),
      )
    },
    render: (doc, chance) =>
      page(
        'body{font:8.5pt "Liberation Sans Narrow"}.h{background:#003b5c;color:#fff;padding:4mm}.h td{text-align:center}.lines{margin-top:5mm}.lines td{border-bottom:1px solid #ddd}',
        `<div class="h"><table><tr><td>Factura<br><b>${doc.number}</b></td><td>Fecha factura<br><b>${date(doc.date, 'upper')}</b></td><td>Base<br><b>${eur(doc.base)}</b></td><td>IVA<br><b>${eur(doc.quotas)}</b></td><td>Total<br><b>${eur(doc.total)} €</b></td><td>Adeudo<br><b>${date(doc.due, 'upper')}</b></td></tr></table></div>
        <div style="margin:12mm 0 8mm 100mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</div><p>Cliente ${chance.digits(6)} · CIF ${doc.buyer?.vat} · Domiciliación: ${ibanOf(doc)} · Ref. mandato SEPA ${chance.digits(12)}</p>
        ${lineTable(doc, [
          { head: 'Contrato', left: true, cell: (_, at) => `${chance.digits(6)}/${at + 1}` },
          { head: 'Periodo', left: true, cell: () => `${doc.date.slice(5, 7)}/${doc.date.slice(0, 4)}` },
          { head: 'Concepto', left: true, cell: (line) => line.text },
          { head: 'Base', cell: (line) => eur(line.cents) },
          { head: 'IVA', cell: (line) => (line.rate ? `${line.rate} %` : 'Exento') },
        ])}
        <table style="width:90mm;margin-top:6mm"><tr><th class="l">Tipo</th><th class="r">Base</th><th class="r">Cuota</th></tr>${doc.rates.map((row) => `<tr><td>${row.rate ? `IVA ${row.rate} %` : 'Exento art. 20.Uno.16º'}</td><td class="r">${eur(row.base)}</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}</table>
        <p>Opción de compra no incluida. Km contratados 20.000/año, exceso 0,05 €/km. Aseguradora: Previsora Ibérica, S.A., A28007748.</p><p style="position:fixed;bottom:0;font-size:7pt">${safe(doc.vendor.name)} · ${doc.vendor.street} · ${doc.vendor.postal} ${doc.vendor.city} · CIF ${doc.vendor.vat} · ${doc.vendor.registry} · Banco de España nº ${chance.digits(4)}</p>`,
      ),
  },
  {
    id: 'igic-mayorista',
    wish: () => ({
      trade: 'food',
      canary: true,
      buyer: { canary: true },
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'efectivo', 'cheque'],
    }),
    own: (doc, chance) => {
      become(
        doc.vendor,
        chance,
        [
          ['Comercial Guanarteme Hnos., S.L.', 'B'],
          ['Importadora Tamadaba, S.A.', 'A'],
          ['Fayna Betancor Suárez', '-'],
        ],
        'canary',
      )
      become(doc.buyer, chance, clients, 'canary')
      doc.number = `${chance.pick(['V', 'LP', 'TF'])}${doc.date[3]}/${chance.digits(6)}`
      charge(
        doc,
        some(
          chance,
          [
            { text: 'Gofio millo 1 kg', price: 1.85, rate: 0 },
            { text: 'Papas quineguas saco 25 kg', price: 21.4, rate: 0 },
            { text: 'Bandeja aluminio 2 L', price: 0.41, rate: 7 },
            { text: 'Bienmesabe tarro', price: 3.95, rate: 3 },
            { text: 'Ron miel 70 cl', price: 7.6, rate: 15 },
            { text: 'Detergente industrial 20 L', price: 26.3, rate: 7 },
          ],
          3,
        ).map((row) => ({ ...row, quantity: chance.int(1, 60) })),
      )
    },
    render: (doc, chance) =>
      page(
        'body{font:9pt "Liberation Sans"}.lines{margin:4mm 0;border-bottom:1px solid}.lines th{border-bottom:2px solid}.lines td{padding:2px 6px}',
        `<div class="two"><div><b>${safe(doc.buyer?.name ?? '')}</b><br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>N.I.F. ${doc.buyer?.vat}<br>Cliente nº ${chance.digits(4)} Ruta ${chance.int(1, 9)}</div><div class="r"><b style="font-size:14pt">${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>N.I.F. ${doc.vendor.vat}<br>Reg. importador ${chance.digits(5)}</div></div><p><b>FACTURA ${doc.number}</b> de ${day(doc.date, 'd-m-y')}, vence ${doc.due === null ? '' : day(doc.due, 'd-m-y')}. Albaranes: ${chance.digits(6)}, ${chance.digits(6)}</p>
        ${lineTable(doc, [
          { head: 'Importe', cell: (line) => num(line.cents / 100, 2, 'blank'), width: '22mm' },
          { head: 'Tipo IGIC', cell: (line) => `${line.rate}%`, width: '18mm' },
          { head: 'Precio', cell: (line) => num(line.price, 2, 'blank'), width: '18mm' },
          { head: 'Uds', cell: (line) => `${line.quantity}ud`, width: '16mm' },
          { head: 'Artículo', left: true, cell: (line) => line.text },
        ])}
        <table style="width:120mm"><tr><th class="l">IGIC</th><th class="r">Base</th><th class="r">Cuota</th></tr>${doc.rates.map((row) => `<tr><td>Tipo ${row.rate ? `${row.rate},00` : 'cero 0,00'} %</td><td class="r">${num(row.base / 100, 2, 'blank')}</td><td class="r">${num(row.quota / 100, 2, 'blank')}</td></tr>`).join('')}<tr class="b"><td>Sumas</td><td class="r">${num(doc.base / 100, 2, 'blank')}</td><td class="r">${num(doc.quotas / 100, 2, 'blank')}</td></tr></table><p style="font-size:13pt">Importe total de la factura: <b>${num(doc.total / 100, 2, 'blank')} euros</b></p><p>${{ transferencia: `Transferencia a ${ibanOf(doc)}`, efectivo: 'Contado: efectivo', cheque: 'Pago con cheque' }[doc.payment as 'cheque']}</p>`,
      ),
  },
  {
    id: 'ipsi-ceuta',
    wish: () => ({ trade: 'office', buyer: {}, iban: 'transfer', payment: ['transferencia', 'tarjeta'] }),
    hidesInLines: ['tax_rate'],
    own: (doc, chance) => {
      become(
        doc.vendor,
        chance,
        [
          ['Bazar Hadú Electrodomésticos, S.L.', 'B'],
          ['Mohamed Abselam Chaib', '-'],
          ['SUMINISTROS NAVALES DEL ESTRECHO S.A.', 'A'],
        ],
        'ceuta',
      )
      become(doc.buyer, chance, clients, 'ceuta')
      doc.number = `${chance.digits(3)}-${chance.pick(['C', 'CE'])}-${doc.date.slice(2, 4)}`
      const rate = chance.pick([10, 4, 8, 0.5])
      charge(
        doc,
        some(
          chance,
          [
            { text: 'Frigorífico combi 185 cm', price: 489 },
            { text: 'Impresora térmica 80 mm', price: 132.5 },
            { text: 'Rollo térmico 80x80', price: 0.92, quantity: 50 },
            { text: 'Batería marina 100 Ah', price: 118.3, quantity: 2 },
          ],
          1,
        ).map((row) => ({ ...row, rate })),
      )
    },
    render: (doc) =>
      page(
        'body{font:10pt "DejaVu Serif"}.lines{margin:6mm 0}.lines td{border-bottom:1px dotted #000}',
        `<div style="text-align:right;font-size:18pt">Factura</div><div class="two"><div>${safe(doc.vendor.name)}<br>${doc.vendor.street} · ${doc.vendor.postal} ${doc.vendor.city}<br>NIF ${doc.vendor.vat}</div><div>Nº &nbsp; ${doc.number}<br>Fecha &nbsp; ${date(doc.date, 'weekday')}</div></div><p>Facturar a: ${safe(doc.buyer?.name ?? '')}, NIF ${doc.buyer?.vat}, ${doc.buyer?.street}, ${doc.buyer?.postal} ${doc.buyer?.city}</p>
        ${lineTable(doc, [
          { head: 'Detalle', left: true, cell: (line) => line.text },
          { head: 'Cantidad x precio', cell: (line) => `${loose(line.quantity)} x ${num(line.price)}` },
          { head: 'Neto', cell: (line) => eur(line.cents) },
        ])}
        <table style="width:80mm;margin-left:auto"><tr><td>Neto</td><td class="r">${eur(doc.base)}</td></tr><tr><td>I.P.S.I. ${pct(doc.rates[0]?.rate ?? 0)} %</td><td class="r">${eur(doc.quotas)}</td></tr><tr class="b"><td>Total EUR</td><td class="r">${eur(doc.total)}</td></tr></table><p style="font-size:8pt">Operación no sujeta a IVA (art. 3 Ley 37/1992). Impuesto sobre la Producción, los Servicios y la Importación.</p><p>${doc.payment === 'transferencia' ? `Abónese por transferencia, IBAN ${ibanOf(doc)}` : 'Abonado con tarjeta'}</p>`,
      ),
  },
]
