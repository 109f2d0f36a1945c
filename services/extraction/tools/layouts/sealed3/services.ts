import { addDays } from '../document.ts'
import { day, eur, ibanOf, lineTable, loose, num, page, safe, spaced } from '../html.ts'
import type { Layout } from '../layout.ts'
import { iban } from '../party.ts'
import { bare, between, charge, some } from './figures.ts'
import { become, clients } from './firms.ts'

/** Hotels, workshops, travel agencies, printers and insurance brokers. */
export const servicesSealed3: readonly Layout[] = [
  {
    id: 'hotel-estada',
    wish: () => ({
      trade: 'hotel',
      buyer: {},
      withTax: true,
      suplidos: true,
      iban: 'never',
      payment: ['tarjeta', 'efectivo'],
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    own: (doc, chance) => {
      become(
        doc.vendor,
        chance,
        [
          ['Hotelera Cala Bona, S.A.', 'A'],
          ['Hostal La Plaça Vella, S.C.P.', 'J'],
          ['ALLOTJAMENTS DEL GARRAF, S.L.', 'B'],
        ],
        'ca',
      )
      become(doc.buyer, chance, clients)
      doc.number = `${chance.pick(['H', 'RC', '1'])}${doc.date.slice(2, 4)}/${chance.digits(4)}`
      const nights = chance.int(1, 5)
      const room = between(chance, 62, 165)
      doc.suplidos = [{ text: 'Taxa turística', cents: nights * chance.pick([99, 165, 250]) }]
      charge(
        doc,
        Array.from({ length: nights }, (_, at) => ({
          text: 'Habitació doble ús individual',
          price: room,
          rate: 10,
          ref: addDays(doc.date, at - nights),
        })).concat(
          some(chance, ['Esmorzar bufet', 'Restaurant', 'Minibar'], 0, 2).map((text) => ({
            text,
            price: between(chance, 6, 44),
            rate: 10,
            ref: addDays(doc.date, -1),
          })),
          some(chance, ['Pàrquing'], 0, 1).map((text) => ({ text, price: 18, rate: 21, ref: addDays(doc.date, -1) })),
        ),
      )
    },
    render: (doc, chance) =>
      page(
        'body{font:9pt "DejaVu Serif"}.lines{margin:5mm 0}.lines th{border-bottom:1px solid;border-top:1px solid}.f{position:fixed;bottom:0;font-size:7pt;text-align:center;width:100%}',
        `<div style="text-align:center;font-size:20pt;letter-spacing:3px">Cala &amp; Sol<br><span style="font-size:9pt">★★★ HOTEL</span></div><div class="two" style="margin-top:8mm"><div>Factura / Invoice: <b>${doc.number}</b><br>Data / Date: ${day(doc.date, 'd.m.y')}<br>Hab. / Room: ${chance.int(101, 540)}<br>Arribada: ${day(doc.lines[0]?.ref ?? doc.date, 'd.m.yy')} &nbsp; Sortida: ${day(doc.date, 'd.m.yy')}<br>Reserva: ${chance.digits(9)} &nbsp; Hoste: Sr./Sra. ${chance.pick(['Pons', 'Vidal', 'Herrero', 'Lacalle'])}</div><div style="width:82mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>NIF ${doc.buyer?.vat}</div></div>
        ${lineTable(doc, [
          { head: 'Data', left: true, cell: (line) => day(line.ref, 'd/m') },
          { head: 'Descripció', left: true, cell: (line) => line.text },
          { head: 'Import (IVA inclòs)', cell: (line) => eur(line.cents) },
        ])}
        <table style="width:100mm;margin-left:auto">${doc.rates.map((row) => `<tr><td>Base ${row.rate}%</td><td class="r">${eur(row.base)}</td><td>IVA ${row.rate}%</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr><td>Total base</td><td class="r">${eur(doc.base)}</td><td>Total IVA</td><td class="r">${eur(doc.quotas)}</td></tr>${doc.suplidos.map((item) => `<tr><td colspan="3">${item.text} (exempta d'IVA)</td><td class="r">${eur(item.cents)}</td></tr>`).join('')}<tr class="b"><td colspan="3">TOTAL FACTURA EUR</td><td class="r">${eur(doc.total)}</td></tr><tr><td colspan="3">Pagat amb ${doc.payment === 'tarjeta' ? 'targeta de crèdit' : 'efectiu'}</td><td class="r">${eur(-doc.total)}</td></tr><tr><td colspan="3">Saldo</td><td class="r">0,00</td></tr></table>
        <div class="f">${safe(doc.vendor.name)} · ${doc.vendor.street} · ${doc.vendor.postal} ${doc.vendor.city} · NIF ${doc.vendor.vat} · HB-00${chance.digits(4)}</div>`,
      ),
  },
  {
    id: 'taller-chapa',
    wish: () => ({
      trade: 'garage',
      buyer: {},
      iban: 'never',
      payment: ['efectivo', 'tarjeta', 'transferencia', null],
    }),
    hidesInLines: ['tax_rate'],
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Hermanos Lobato Automoción, S.L.L.', 'B'],
        ['Chapa y Pintura Valdés C.B.', 'E'],
        ['Ovidio Fraile Cuesta', '-'],
      ])
      become(doc.buyer, chance, clients)
      doc.number = `${chance.int(100, 2900)}/${doc.date.slice(0, 4)}`
      charge(doc, [
        ...some(
          chance,
          [
            'Sustituir correa auxiliar',
            'Desmontar y montar paragolpes',
            'Diagnosis electrónica',
            'Pintar aleta delantera',
          ],
          1,
          3,
        ).map((text) => ({ text, price: 46.5, quantity: between(chance, 0.3, 6, 1), ref: 'MO' })),
        ...some(
          chance,
          [
            'Correa poly-V 6PK1750',
            'Paragolpes delantero imprimado',
            'Barniz 2K y catalizador',
            'Grapa fijación',
            'Anticongelante 5 L',
          ],
          1,
          4,
        ).map((text) => ({
          text,
          price: between(chance, 0.8, 240),
          quantity: chance.pick([1, 1, 2, 6]),
          discount: chance.pick([0, 0, 10, 25]),
          ref: `${chance.digits(3)}${chance.pick(['A', 'K', 'E'])}${chance.digits(5)}`,
        })),
      ])
    },
    render: (doc, chance) => {
      const part = (lines: typeof doc.lines, title: string) =>
        `<tr><td colspan="6" class="b" style="background:#ddd">${title}</td></tr>${lines.map((line) => `<tr><td>${loose(line.quantity)}</td><td>${line.ref === 'MO' ? '' : line.ref}</td><td>${line.text}</td><td class="r">${num(line.price)}</td><td class="r">${line.discount || ''}</td><td class="r">${eur(line.cents)}</td></tr>`).join('')}`
      return page(
        'body{font:9pt "Liberation Sans"}.veh td{border:1px solid #000;font-size:8pt}.tot td{border:1px solid #000;text-align:center}',
        `<div class="two"><div><i style="font-size:18pt">${safe(doc.vendor.name)}</i><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city} (${doc.vendor.province})<br>N.I.F.: ${doc.vendor.vat}<br>Nº Reg. Taller: ${chance.digits(7)}</div><div class="r"><b>FACTURA TALLER</b> ${doc.number}<br>O.R. ${chance.digits(5)}<br>Fecha ${day(doc.date, 'd-m-y')}</div></div>
        <div style="margin:6mm 0 6mm 90mm;width:86mm;height:28mm;padding:4mm;border:1px solid #888;border-radius:2mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} - ${doc.buyer?.city}<br>NIF/CIF ${doc.buyer?.vat}</div>
        <table class="veh"><tr><td>MATRÍCULA<br><b>${chance.digits(4)} LMC</b></td><td>MARCA/MODELO<br><b>Furgón Trazia 1.6</b></td><td>BASTIDOR<br><b>VF1${chance.digits(14)}</b></td><td>KM<br><b>${num(chance.int(20000, 210000), 0)}</b></td><td>ENTRADA<br><b>${day(addDays(doc.date, -3), 'd-m-yy')}</b></td></tr></table>
        <table style="margin-top:4mm"><tr style="border-bottom:1px solid"><th class="l">Ud/H</th><th class="l">Referencia</th><th class="l">Operación / Recambio</th><th class="r">Precio</th><th class="r">%Dto</th><th class="r">Importe</th></tr>${part(
          doc.lines.filter((line) => line.ref === 'MO'),
          'MANO DE OBRA',
        )}${part(
          doc.lines.filter((line) => line.ref !== 'MO'),
          'RECAMBIOS Y MATERIALES',
        )}</table>
        <table class="tot" style="margin-top:10mm"><tr><td>MANO OBRA</td><td>RECAMBIOS</td><td>BASE IMPONIBLE</td><td>% IVA</td><td>IMPORTE IVA</td><td>TOTAL FACTURA</td></tr><tr><td>${eur(doc.lines.filter((line) => line.ref === 'MO').reduce((all, line) => all + line.cents, 0))}</td><td>${eur(doc.lines.filter((line) => line.ref !== 'MO').reduce((all, line) => all + line.cents, 0))}</td><td>${eur(doc.base)}</td><td>${bare(21)}</td><td>${eur(doc.quotas)}</td><td><b>${eur(doc.total)} €</b></td></tr></table>
        <p>${doc.payment === null ? '' : `Forma de pago: ${{ efectivo: 'efectivo', tarjeta: 'datáfono / tarjeta', transferencia: 'transferencia' }[doc.payment as 'efectivo']}`}</p><p style="font-size:7pt">Reparación garantizada 3 meses o 2.000 km (R.D. 1457/86). Conforme cliente: ____________ Las piezas sustituidas quedan a disposición del cliente. Precio hora de chapa 46,50 € + IVA.</p>`,
      )
    },
  },
  {
    id: 'agencia-viajes',
    wish: () => ({ trade: 'hotel', buyer: {}, advance: true, iban: 'transfer', payment: ['transferencia', 'tarjeta'] }),
    hidesInLines: ['unit_price'],
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Viajes Rosa de los Vientos, S.L.', 'B'],
        ['Halcyon Rutas Corporativas, S.A.', 'A'],
      ])
      become(doc.buyer, chance, clients)
      doc.number = `${chance.digits(2)}/${chance.digits(6)}/${doc.date.slice(2, 4)}`
      charge(doc, [
        ...some(
          chance,
          ['Paquete Lanzarote 4 noches (REAV)', 'Circuito Toscana 7 días (REAV)', 'Escapada París (REAV)'],
          1,
          2,
        ).map((text) => ({ text, price: between(chance, 280, 1600), rate: 0, quantity: chance.int(1, 4) })),
        { text: 'Cargo de gestión', price: 25, quantity: chance.int(1, 3), rate: 21 },
      ])
      doc.advance = chance.yes(0.6) ? chance.int(1, 2) * 10000 : 0
    },
    render: (doc, chance) =>
      page(
        'body{font:9.5pt "DejaVu Sans"}.lines{margin:5mm 0}.lines th{color:#c50;border-bottom:2px solid #c50}',
        `<div class="two"><div style="font-size:18pt;color:#c50">✈ rosa·rutas</div><div class="r">Expediente ${chance.digits(6)}<br>Bono ${chance.digits(8)}<br>Localizador ${chance.pick(['X7KQ2M', 'PR4T9B'])}</div></div><p>${safe(doc.vendor.name)} · C.I.C. MA ${chance.digits(4)} · CIF ${doc.vendor.vat}<br>${doc.vendor.street} · ${doc.vendor.postal} ${doc.vendor.city}</p><p>Pasajero/cliente: <b>${safe(doc.buyer?.name ?? '')}</b><br>${doc.buyer?.street}, ${doc.buyer?.postal} ${doc.buyer?.city}<br>NIF: ${doc.buyer?.vat}</p><p style="font-size:12pt">Factura núm. <b>${doc.number}</b>, emitida el ${day(doc.date, 'd/m/y')}. Salida: ${day(addDays(doc.date, 40), 'd/m/y')}</p>
        ${lineTable(doc, [
          { head: 'Pax', left: true, cell: (line) => String(line.quantity) },
          { head: 'Servicio', left: true, cell: (line) => line.text },
          { head: 'IVA', cell: (line) => (line.rate ? `${line.rate}%` : '0%') },
          { head: 'Importe', cell: (line) => `${eur(line.cents)} €` },
        ])}
        <table style="width:110mm;margin-left:auto">${doc.rates.map((row) => `<tr><td>${row.rate ? `Base sujeta al ${row.rate}%` : 'Base régimen especial agencias de viajes (IVA 0%)'}</td><td class="r">${eur(row.base)} €</td></tr>`).join('')}<tr><td>Base total</td><td class="r">${eur(doc.base)} €</td></tr><tr><td>Cuota IVA</td><td class="r">${eur(doc.quotas)} €</td></tr><tr class="b"><td>Importe factura</td><td class="r">${eur(doc.total)} €</td></tr>${doc.advance ? `<tr><td>Depósito entregado</td><td class="r">-${eur(doc.advance)} €</td></tr><tr><td>Resta por pagar</td><td class="r">${eur(doc.total - doc.advance)} €</td></tr>` : ''}</table><p>${doc.payment === 'transferencia' ? `Pago por transferencia: ${ibanOf(doc)}` : 'Pago con tarjeta de crédito'}</p>`,
      ),
  },
  {
    id: 'imprenta',
    wish: () => ({
      trade: 'office',
      buyer: {},
      due: true,
      surcharge: false,
      iban: 'always',
      payment: ['transferencia'],
    }),
    hidesInLines: ['unit_price', 'tax_rate'],
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Gráficas Pliego Suelto, S.A.L.', 'A'],
        ['Imprenta Hijos de Marcial Bueno, S.R.C.', 'J'],
        ['Offset Ribera Sdad. Coop.', 'F'],
      ])
      become(doc.buyer, chance, clients)
      doc.number = `${chance.digits(2)}T-${chance.int(1000, 1999)}`
      doc.due = addDays(doc.date, 45)
      charge(
        doc,
        some(
          chance,
          [
            'Folletos trípticos A4, 4+4 tintas, couché mate 135 g',
            'Libro 160 págs. 17x24, rústica fresada, cubierta plastificada brillo',
            'Tarjetas de visita 85x55, esquinas redondas',
            'Talonarios albarán autocopiativo, 2 hojas, numerados',
          ],
          1,
        ).map((text) => ({
          text,
          price: between(chance, 60, 2900),
          quantity: 1,
          rate: text.startsWith('Libro') ? 4 : 21,
          ref: String(chance.pick([250, 500, 1000, 5000])),
        })),
      )
      for (const line of doc.lines) line.quantity = Number(line.ref)
    },
    render: (doc, chance) => {
      const deposit = spaced(iban(chance))
      return page(
        'body{font:9.5pt "Liberation Serif"}.lines td{vertical-align:top;padding:3mm 2mm}.strip td{border:1px solid #333;text-align:center}.strip th{font-weight:normal;font-size:7.5pt}',
        `<div style="position:absolute;left:0;top:30mm;width:36mm;font-size:8pt;border-right:1px solid #333;padding-right:2mm;overflow-wrap:anywhere"><b style="font-size:14pt">PLIEGO<br>&amp; TINTA</b><br><br>${safe(doc.vendor.name)}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>${doc.vendor.province}<br>CIF ${doc.vendor.vat}<br>T ${doc.vendor.phone}<br>${doc.vendor.mail}</div><div style="margin-left:42mm"><div class="two"><div style="width:76mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>CIF ${doc.buyer?.vat}</div><table class="strip" style="width:60mm"><tr><td>Serie<br><b>${doc.number.split('-')[0]}</b></td><td>Número<br><b>${doc.number.split('-')[1]}</b></td><td>Fecha<br><b>${day(doc.date, 'd m yy')}</b></td></tr></table></div><p>S/ pedido verbal de D. Emilio, ${day(addDays(doc.date, -20), 'd/m/y')}. Trabajo ${chance.digits(5)}</p>
        <table class="lines"><tr style="border-bottom:2px solid"><th class="l">Ejemplares</th><th class="l">Trabajo</th><th class="r">Euros</th></tr>${doc.lines.map((line) => `<tr><td>${num(line.quantity, 0)}</td><td style="width:80mm">${line.text.replace(', ', ',<br>')}</td><td class="r">${eur(line.cents)}</td></tr>`).join('')}</table>
        <table class="strip" style="margin-top:10mm"><tr><th>Base imponible</th>${doc.rates.map((row) => `<th>IVA ${row.rate}% s/ ${eur(row.base)}</th>`).join('')}<th>Suma IVA</th><th>TOTAL A PAGAR</th></tr><tr><td>${eur(doc.base)}</td>${doc.rates.map((row) => `<td>${eur(row.quota)}</td>`).join('')}<td>${eur(doc.quotas)}</td><td><b>${eur(doc.total)} €</b></td></tr></table>
        <p>Vencimiento único: ${doc.due === null ? '' : day(doc.due, 'es')}.<br>Al hacer la transferencia cite la factura ${doc.number} e ingrese en ${ibanOf(doc)}</p><p style="font-size:7.5pt">Fianzas y depósitos de planchas (nunca facturas): ${deposit.replace(/^(.{4}).*(.{4})$/, '$1 •••• •••• •••• •••• $2')}. Precio por millar a consultar: ${bare(38.5)} €.</p></div>`,
      )
    },
  },
  {
    id: 'correduria',
    wish: () => ({ trade: 'insurance', buyer: {}, iban: 'always', payment: ['transferencia'] }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Albacar Correduría de Seguros, S.L.', 'B'],
        ['Purificación Lacalle Omeñaca', '-'],
      ])
      become(doc.buyer, chance, [
        ['Previsora Ibérica de Seguros y Reaseguros, S.A.', 'A'],
        ['Mutua Segoviana de Seguros a Prima Fija', 'V'],
      ])
      doc.number = `COM${doc.date.slice(0, 4)}${doc.date.slice(5, 7)}`
      charge(
        doc,
        Array.from({ length: chance.int(2, 9) }, () => ({
          text: `Comisión ${chance.pick(['Hogar', 'Autos', 'Comercio', 'RC Profesional', 'Decesos'])} – ${chance.pick(['Ferrer', 'Zamora', 'Gascón', 'Talleres Pinto', 'Hnos. Buil'])}`,
          price: between(chance, 6, 190),
          rate: 0,
          ref: chance.digits(9),
        })),
      )
    },
    render: (doc, chance) =>
      page(
        'body{font:9pt "Liberation Sans"}.lines{margin:6mm 0}.lines td,.lines th{border:1px solid #999}',
        `<div class="r" style="font-size:14pt">LIQUIDACIÓN DE COMISIONES – FACTURA</div><p>Destinatario: <b>${safe(doc.buyer?.name ?? '')}</b> — ${doc.buyer?.vat} — ${doc.buyer?.street}, ${doc.buyer?.postal} ${doc.buyer?.city}</p><p>Núm. liquidación/factura: ${doc.number} | Expedida: ${day(doc.date, 'd/m/y')} | Clave DGSFP: F-${chance.digits(4)} | Periodo: ${doc.date.slice(5, 7)}/${doc.date.slice(0, 4)}</p>
        ${lineTable(doc, [
          { head: 'Comisión', cell: (line) => eur(line.cents), width: '20mm' },
          { head: 'Póliza', left: true, cell: (line) => line.ref },
          { head: 'Detalle', left: true, cell: (line) => line.text },
          { head: 'Prima neta cobrada', cell: (line) => eur(line.cents * 6 + 311) },
        ])}
        <p><b>Suma de comisiones: ${eur(doc.base)} € — IVA: 0,00 € (operación exenta, art. 20.Uno.16º LIVA) — Importe a abonar al corredor: ${eur(doc.total)} €</b></p><p>Abono por transferencia bancaria en ${ibanOf(doc)}</p><p style="margin-top:60mm;border-top:1px solid">Emisor:<br>${safe(doc.vendor.name)}<br>NIF ${doc.vendor.vat}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city} (${doc.vendor.province})</p>`,
      ),
  },
]
