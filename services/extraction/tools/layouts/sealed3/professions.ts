import { addDays } from '../document.ts'
import { day, eur, ibanOf, lineTable, loose, num, page, pct, safe } from '../html.ts'
import type { Layout } from '../layout.ts'
import { apostrophe, between, charge, date, some } from './figures.ts'
import { become, clients } from './firms.ts'

/** One person and a letterhead: lawyers, notaries, translators, plumbers, landlords, teachers, brokers. */
export const professionsSealed3: readonly Layout[] = [
  {
    id: 'minuta',
    wish: () => ({
      trade: 'law',
      person: true,
      buyer: {},
      irpf: [15, 7],
      suplidos: true,
      iban: 'always',
      payment: ['transferencia'],
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Leocadia Manzanedo Trueba', '-'],
        ['Íñigo Sotomayor Prats', '-'],
        ['Despacho Ibarreche y Asociados, S.C.P.', 'J'],
      ])
      become(doc.buyer, chance, clients)
      doc.number = `${chance.int(4, 380)}-${doc.date.slice(2, 4)}`
      charge(
        doc,
        some(
          chance,
          [
            'Por la preparación y presentación de la demanda',
            'Por la asistencia a la audiencia previa',
            'Por las reuniones mantenidas con la parte contraria',
            'Por la tramitación de la ejecución de sentencia',
          ],
          1,
          3,
        ).map((text) => ({ text, price: chance.int(12, 260) * 10 })),
      )
      doc.advance = chance.yes(0.6) ? chance.int(1, Math.max(1, Math.floor(doc.base / 20000))) * 10000 : 0
    },
    render: (doc) =>
      page(
        'body{font:11pt "Liberation Serif";padding:0 12mm}h3{text-align:center;font-weight:normal;letter-spacing:4px}td{padding:1.5mm 0}',
        `<h3>${safe(doc.vendor.name.toUpperCase())}<br><small>A B O G A D O</small></h3><p style="text-align:center;font-size:9pt">${doc.vendor.street} – ${doc.vendor.postal} ${doc.vendor.city} – Tfno. y fax ${doc.vendor.phone} – N.I.F. ${doc.vendor.vat}</p><p style="margin-top:12mm"><b><u>MINUTA DE HONORARIOS</u></b> que, por los servicios profesionales que se detallan, presenta el Letrado que suscribe a <b>${safe(doc.buyer?.name ?? '')}</b>, con N.I.F. ${doc.buyer?.vat} y domicilio en ${doc.buyer?.city} (${doc.buyer?.postal}), ${doc.buyer?.street}.</p><p>Asunto: Procedimiento Ordinario 412/2023 del Juzgado de 1ª Instancia nº 5. Minuta nº ${doc.number}</p>
        <table>${doc.lines.map((line) => `<tr><td>${line.text}</td><td class="r">${eur(line.cents)} €</td></tr>`).join('')}<tr><td class="r">Suman los honorarios</td><td class="r" style="border-top:1px solid">${eur(doc.base)} €</td></tr><tr><td class="r">Más 21 por 100 de I.V.A.</td><td class="r">${eur(doc.quotas)} €</td></tr><tr><td class="r">Menos ${pct(doc.irpfRate)} por 100 de retención I.R.P.F.</td><td class="r">${eur(-doc.irpf)} €</td></tr>${doc.suplidos.map((item) => `<tr><td class="r">Suplido: ${item.text}</td><td class="r">${eur(item.cents)} €</td></tr>`).join('')}<tr class="b"><td class="r">Total minuta</td><td class="r">${eur(doc.total)} €</td></tr>${doc.advance ? `<tr><td class="r">A deducir: provisión de fondos recibida</td><td class="r">${eur(-doc.advance)} €</td></tr><tr><td class="r">Líquido pendiente</td><td class="r">${eur(doc.total - doc.advance)} €</td></tr>` : ''}</table>
        <p>En ${doc.vendor.city}, a ${day(doc.date, 'es')}</p><p style="margin-top:15mm">Fdo. ${safe(doc.vendor.name)}</p><p style="font-size:9pt">Ruego su abono mediante transferencia a mi cuenta ${ibanOf(doc)}.</p>`,
      ),
  },
  {
    id: 'arancel-notarial',
    wish: () => ({
      trade: 'law',
      person: true,
      buyer: {},
      irpf: [15],
      suplidos: true,
      iban: 'always',
      payment: ['transferencia', 'cheque'],
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Baltasar Quiroga de Llano', '-'],
        ['Remedios Aldecoa Finat', '-'],
      ])
      become(doc.buyer, chance, clients)
      doc.number = `${doc.date.slice(0, 4)}/N/${chance.int(20, 4800)}`
      doc.suplidos = [{ text: 'Papel timbrado', cents: chance.int(2, 30) * 15 }]
      charge(
        doc,
        some(
          chance,
          [
            'Nº 2. Documentos de cuantía',
            'Nº 4. Copias autorizadas',
            'Nº 5. Copia simple',
            'Nº 7. Folios de matriz',
            'Norma 8ª. Comunicación telemática',
          ],
          2,
          5,
        ).map((text, at) => ({ text, price: at === 0 ? between(chance, 90, 740, 6) : between(chance, 3, 60, 6) })),
      )
    },
    render: (doc, chance) =>
      page(
        'body{font:9.5pt "DejaVu Serif"}.x td,.x th{border:1px solid #777}.x th{font-weight:normal;font-size:7.5pt}',
        `<div style="text-align:center"><span style="font-size:16pt">NOTARÍA</span><br><b>D./Dña. ${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>NIF ${doc.vendor.vat} — Tfno. ${doc.vendor.phone}</div>
        <p>Factura ${doc.number}, de fecha ${date(doc.date, 'words')}.<br>Protocolo: ${chance.int(100, 3900)} &nbsp; Fecha de otorgamiento: ${day(addDays(doc.date, -4), 'd/m/y')}<br>Acto: Compraventa. Base arancelaria: ${eur(chance.int(60000, 380000) * 100)} €. Otorgante: Urbanizadora Las Encinas, S.A. (A28117489)</p><p>Cliente: ${safe(doc.buyer?.name ?? '')}<br>NIF: ${doc.buyer?.vat}<br>${doc.buyer?.street}, ${doc.buyer?.city}</p>
        ${lineTable(doc, [
          { head: 'Arancel (R.D. 1426/1989)', left: true, cell: (line) => line.text },
          { head: 'Derechos', cell: (line) => eur(line.cents) },
        ])}
        <table class="x" style="margin-top:8mm;text-align:center"><tr><th>Base imponible</th><th>IVA 21%</th><th>Retención IRPF ${pct(doc.irpfRate)}%</th><th>Suplidos (no sujetos): papel timbrado</th><th>TOTAL A PAGAR</th></tr><tr><td>${eur(doc.base)}</td><td>${eur(doc.quotas)}</td><td>${eur(-doc.irpf)}</td><td>${eur(doc.suplidos[0]?.cents ?? 0)}</td><td class="b">${eur(doc.total)} €</td></tr></table>
        <p style="font-size:8pt">Puede impugnar esta minuta en el plazo de quince días hábiles ante la Junta Directiva del Ilustre Colegio Notarial (Q2863002A). Pago ${doc.payment === 'cheque' ? `mediante cheque nominativo a favor del Notario. Cuenta de la Notaría: ${ibanOf(doc)}` : `mediante transferencia: ${ibanOf(doc)}`}</p>`,
      ),
  },
  {
    id: 'traductora',
    wish: () => ({
      trade: 'consulting',
      person: true,
      buyer: {},
      irpf: [7, 15],
      due: true,
      iban: 'always',
      payment: ['transferencia'],
    }),
    hidesInLines: ['tax_rate'],
    own: (doc, chance) => {
      become(
        doc.vendor,
        chance,
        [
          ['Noemí Vallejo-Nágera Ruiz', '-'],
          ['Guillem Estruch i Bosc', '-'],
          ['Sonia Lemos Barreiro', '-'],
        ],
        chance.pick(['es', 'gl']),
      )
      become(
        doc.buyer,
        chance,
        clients.filter(([, letter]) => letter !== '-'),
      )
      doc.number = `${doc.date.slice(2, 4)}${doc.date.slice(5, 7)}${chance.digits(2)}`
      doc.due = addDays(doc.date, 60)
      charge(
        doc,
        some(
          chance,
          [
            'Traducción EN>ES manual de usuario',
            'Revisión bilingüe FR>ES',
            'Traducción jurada DE>ES, contrato',
            'Posedición MT catálogo',
          ],
          1,
          3,
        ).map((text) => ({ text, quantity: chance.int(300, 19000), price: chance.pick([0.035, 0.08, 0.085, 0.11]) })),
      )
    },
    render: (doc) =>
      page(
        'body{font:10pt "DejaVu Sans Condensed"}.lines{margin:8mm 0}.lines th{text-transform:lowercase;font-weight:normal;color:#a36}.foot{position:absolute;bottom:0;border-top:3px solid #a36;width:100%;padding-top:2mm}',
        `<div style="color:#a36;font-size:26pt">factura <span style="font-size:14pt">${doc.number}</span></div><p>${date(doc.date, 'roman')}</p><p>para<br><b>${safe(doc.buyer?.name ?? '')}</b><br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>${doc.buyer?.vat}</p>
        ${lineTable(doc, [
          { head: 'importe', left: true, cell: (line) => `${num(line.cents / 100, 2, 'blank')} €` },
          { head: 'encargo', left: true, cell: (line) => line.text },
          { head: 'palabras', cell: (line) => num(line.quantity, 0, 'blank') },
          { head: '€ / palabra', cell: (line) => loose(line.price, 3) },
        ])}
        <p class="r">base &nbsp; ${num(doc.base / 100, 2, 'blank')} €<br>IVA 21 % &nbsp; ${num(doc.quotas / 100, 2, 'blank')} €<br>IRPF ${pct(doc.irpfRate)} % &nbsp; −${num(doc.irpf / 100, 2, 'blank')} €<br><b>total &nbsp; ${num(doc.total / 100, 2, 'blank')} €</b></p><p>Pago antes del ${date(doc.due, 'roman')} por transferencia: ${ibanOf(doc)}</p><div class="foot"><b>${safe(doc.vendor.name)}</b> · traducción y corrección · NIF ${doc.vendor.vat}<br>${doc.vendor.street} · ${doc.vendor.postal} ${doc.vendor.city} · ${doc.vendor.phone}</div>`,
      ).replace('<body>', '<body style="height:265mm;position:relative">'),
  },
  {
    id: 'fontanero',
    wish: () => ({
      trade: 'building',
      person: true,
      buyer: {},
      iban: 'transfer',
      payment: ['efectivo', 'transferencia', 'cheque'],
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Jacinto Redondo Calvo', '-'],
        ['Mihai Popescu Ionescu', '-'],
        ['Fontanería y Gas Hnos. Tordera, S.C.', 'J'],
      ])
      become(
        doc.buyer,
        chance,
        clients.filter(([, letter]) => letter === '-' || letter === 'H'),
      )
      doc.number = String(chance.int(1, 240))
      const rate = chance.pick([10, 21])
      charge(
        doc,
        some(
          chance,
          [
            'Cambiar bajante de PVC del patio',
            'Sustituir termo eléctrico de 80 litros',
            'Desatascar arqueta con camión',
            'Colocar grifo monomando en cocina',
            'Mano de obra oficial y ayudante',
          ],
          1,
          4,
        ).map((text) => ({ text, price: chance.pick([45, 60, 85, 120, 186.5, 210, 340]), rate })),
      )
    },
    render: (doc) =>
      page(
        'body{font:12pt "Liberation Sans"}p{margin:3mm 0}',
        `<p><b>${safe(doc.vendor.name)}</b> – FONTANERÍA, GAS Y CALEFACCIÓN<br>${doc.vendor.street} ${doc.vendor.postal} ${doc.vendor.city}<br>DNI/CIF ${doc.vendor.vat} Móvil: 6${doc.vendor.phone.replace(/\D/g, '').slice(1)}</p><p>&nbsp;</p><p>Cliente: ${safe(doc.buyer?.name ?? '')}<br>Domicilio: ${doc.buyer?.street}<br>Localidad: ${doc.buyer?.postal} ${doc.buyer?.city}<br>DNI/CIF: ${doc.buyer?.vat}</p><p><b>FACTURA Nº: ${doc.number}</b> &nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; <b>FECHA: ${day(doc.date, 'd-m-yy').replace(/\b0/g, '')}</b></p><p>Trabajos realizados según presupuesto nº 31 aceptado:</p>${doc.lines.map((line) => `<p style="display:flex"><span>${line.text}</span><span style="flex:1;overflow:hidden;white-space:nowrap;height:5mm">${'.'.repeat(200)}</span><span>${eur(line.cents, 'plain')}€</span></p>`).join('')}<p>&nbsp;</p><p class="r">SUMA ${eur(doc.base, 'plain')}€</p><p class="r">${doc.rates[0]?.rate}% IVA ${eur(doc.quotas, 'plain')}€</p><p class="r"><b>TOTAL ${eur(doc.total, 'plain')}€</b></p><p>${{ efectivo: 'RECIBÍ EN METÁLICO', transferencia: `INGRESAR POR TRANSFERENCIA EN ${ibanOf(doc)}`, cheque: 'PAGADO CON CHEQUE BANCARIO' }[doc.payment as 'cheque']}</p><p>${doc.rates[0]?.rate === 10 ? 'IVA reducido art. 91.Uno.2.10º: el cliente declara uso particular de la vivienda.' : ''}</p>`,
      ),
  },
  {
    id: 'lloguer-local',
    wish: () => ({
      trade: 'rent',
      buyer: {},
      irpf: [19],
      due: true,
      iban: 'always',
      payment: ['transferencia', 'domiciliacion'],
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    own: (doc, chance) => {
      become(
        doc.vendor,
        chance,
        [
          ['Montserrat Puigdomènech i Sala', '-'],
          ['Hereus de Josep Batlle, C.B.', 'E'],
          ['Immobles Can Fàbregas, S.L.', 'B'],
        ],
        'ca',
      )
      become(doc.buyer, chance, clients, 'ca')
      doc.number = `LL-${doc.date.slice(5, 7)}/${doc.date.slice(0, 4)}`
      doc.due = addDays(doc.date, 5)
      charge(doc, [
        { text: 'Lloguer del local comercial', price: chance.int(35, 420) * 10 },
        ...some(
          chance,
          [
            { text: 'Despeses de comunitat', price: 84.3 },
            { text: 'IBI repercutit', price: 41.17 },
            { text: "Consum d'aigua", price: 12.9 },
          ],
          0,
          3,
        ),
      ])
    },
    render: (doc) =>
      page(
        'body{font:10.5pt "Liberation Serif"}.k td{border:1px solid #000;padding:2mm}',
        `<div class="two"><table class="k" style="width:86mm"><tr><td><small>ARRENDATÀRIA</small><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>NIF ${doc.buyer?.vat}</td></tr></table><table class="k" style="width:86mm"><tr><td><small>PROPIETAT (ARRENDADORA)</small><br>${safe(doc.vendor.name)}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>NIF ${doc.vendor.vat}</td></tr></table></div>
        <p style="text-align:center;font-size:14pt">REBUT-FACTURA DE LLOGUER</p><p>Número: ${doc.number}<br>${doc.vendor.city}, ${day(doc.date, 'ca')}<br>Finca: carrer Major, 18, local 2. Referència cadastral 4519307DF2841N0002WE. Fiança dipositada a l'INCASÒL.</p>
        <table class="k">${doc.lines.map((line) => `<tr><td>${line.text}</td><td class="r">${eur(line.cents)}</td></tr>`).join('')}<tr><td class="r">Base imposable</td><td class="r">${eur(doc.base)}</td></tr><tr><td class="r">Impost sobre el Valor Afegit, 21%</td><td class="r">${eur(doc.quotas)}</td></tr><tr><td class="r">Retenció a compte de l'IRPF, ${pct(doc.irpfRate)}%</td><td class="r">${eur(-doc.irpf)}</td></tr><tr class="b"><td class="r">LÍQUID A SATISFER</td><td class="r">${eur(doc.total)} euros</td></tr></table>
        <p>${doc.payment === 'transferencia' ? 'Cal fer la transferència al compte' : 'El rebut domiciliat es carregarà al compte'} ${ibanOf(doc)} abans del dia ${doc.due === null ? '' : day(doc.due, 'ca')}.</p>`,
      ),
  },
  {
    id: 'curso-fundae',
    wish: () => ({ trade: 'school', buyer: {}, due: true, iban: 'always', payment: ['transferencia'] }),
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Aula Abierta Formación, S.L.N.E.', 'B'],
        ['Instituto Meseta de Estudios Técnicos, S.L.', 'B'],
        ['Fundación Laboral del Metal de Osuna', 'G'],
      ])
      become(
        doc.buyer,
        chance,
        clients.filter(([, letter]) => letter !== '-'),
      )
      doc.number = `FOR/${doc.date.slice(2, 4)}/${chance.digits(4)}`
      doc.due = addDays(doc.date, 30)
      charge(
        doc,
        some(
          chance,
          [
            'Curso Carretillas elevadoras UNE 58451',
            'Curso Manipulador de alimentos',
            'Excel avanzado (teleformación)',
            'Trabajos en altura, 8 h',
          ],
          1,
          3,
        ).map((text) => ({ text, price: between(chance, 35, 420), quantity: chance.int(1, 14), rate: 0 })),
      )
    },
    render: (doc, chance) =>
      page(
        'body{font:9pt "DejaVu Sans"}.lines{margin:5mm 0}.lines th{background:#035;color:#fff}.lines td{border-bottom:1px solid #ccc}',
        `<table style="background:#eef;margin-bottom:4mm"><tr><td>FACTURA<br><b style="font-size:13pt">${doc.number}</b></td><td>FECHA<br><b style="font-size:13pt">${day(doc.date, 'y/m/d')}</b></td><td>VENCE<br><b style="font-size:13pt">${doc.due === null ? '' : day(doc.due, 'y/m/d')}</b></td><td class="r">IMPORTE TOTAL<br><b style="font-size:13pt">${apostrophe(doc.total / 100)} EUR</b></td></tr></table>
        <div class="two"><div style="width:85mm"><b>Entidad impartidora</b><br>${safe(doc.vendor.name)}<br>CIF ${doc.vendor.vat}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}</div><div style="width:85mm"><b>Empresa bonificada</b><br>${safe(doc.buyer?.name ?? '')}<br>CIF ${doc.buyer?.vat}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</div></div><p>Acción formativa ${chance.int(1, 40)} / Grupo ${chance.int(1, 9)}. Del ${day(addDays(doc.date, -12), 'd/m/y')} al ${day(addDays(doc.date, -9), 'd/m/y')}. Expediente FUNDAE B${chance.digits(6)}AA</p>
        ${lineTable(doc, [
          { head: 'Alumnos', left: true, cell: (line) => String(line.quantity) },
          { head: 'Curso', left: true, cell: (line) => line.text },
          { head: 'Coste/alumno', cell: (line) => apostrophe(line.price) },
          { head: 'IVA', cell: () => '0%' },
          { head: 'Coste', cell: (line) => apostrophe(line.cents / 100) },
        ])}
        <table style="width:90mm;margin-left:auto"><tr><td>Base (exenta)</td><td class="r">${apostrophe(doc.base / 100)}</td></tr><tr><td>IVA</td><td class="r">0.00</td></tr><tr class="b"><td>Importe total</td><td class="r">${apostrophe(doc.total / 100)} EUR</td></tr></table>
        <p>Operación exenta de IVA, art. 20.Uno.9º de la Ley 37/1992.</p><p>Costes directos ${apostrophe((doc.total * 0.9) / 100)} · Costes indirectos (10 %) ${apostrophe((doc.total * 0.1) / 100)} · Crédito disponible ${apostrophe(1420)}</p><p>Transferencia a favor de ${safe(doc.vendor.name)}: ${ibanOf(doc)}. Asistentes: R. Alday, C. Beneyto, T. Montoya.</p>`,
      ),
  },
]
