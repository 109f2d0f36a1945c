import { addDays } from '../document.ts'
import { day, eur, ibanOf, lineTable, loose, num, page, safe } from '../html.ts'
import type { Layout } from '../layout.ts'
import { between, charge, date, some } from './figures.ts'
import { become, clients } from './firms.ts'

/** What comes every month: electricity, water, telephones, petrol. */
export const supplySealed3: readonly Layout[] = [
  {
    id: 'luz-resumen',
    wish: () => ({ trade: 'power', buyer: {}, due: true, iban: 'masked', payment: ['domiciliacion'] }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Lumbra Comercializadora de Energía, S.A.U.', 'A'],
        ['Hidroser Último Recurso, S.L.', 'B'],
        ['Coop. Eléctrica del Jiloca, S. Coop. V.', 'F'],
      ])
      become(doc.buyer, chance, clients)
      doc.number = chance.pick([
        `P${doc.date.slice(2, 4)}CON0${chance.digits(8)}`,
        chance.digits(13),
        `${chance.digits(4)}N${chance.digits(7)}`,
      ])
      doc.due = addDays(doc.date, chance.int(6, 12))
      const days = chance.int(28, 33)
      const kw = chance.pick([3.45, 4.6, 5.75, 9.2, 13.856])
      const power = (text: string, price: number) => ({
        text,
        price: Number((kw * days * price).toFixed(2)),
        ref: `${num(kw, 3)} kW x ${days} días x ${num(price, 6)} €/kW día`,
      })
      const energy = (text: string, price: number) => {
        const kwh = chance.int(60, 900)
        return { text, price: Number((kwh * price).toFixed(2)), ref: `${num(kwh, 0)} kWh x ${num(price, 6)} €/kWh` }
      }
      const rows = [
        power('Potencia facturada punta', 0.103777),
        power('Potencia facturada valle', 0.012112),
        energy('Energía facturada punta', between(chance, 0.15, 0.24, 6)),
        energy('Energía facturada llano', between(chance, 0.1, 0.16, 6)),
        energy('Energía facturada valle', between(chance, 0.07, 0.11, 6)),
      ]
      const sum = rows.reduce((all, row) => all + row.price, 0)
      rows.push({
        text: 'Financiación del bono social',
        price: Number((days * 0.019146).toFixed(2)),
        ref: `${days} días x 0,019146 €/día`,
      })
      rows.push({
        text: 'Impuesto especial sobre la electricidad',
        price: Number((sum * 0.0511269632).toFixed(2)),
        ref: `5,11269632 % s/ ${num(sum)} €`,
      })
      rows.push({
        text: 'Alquiler del contador',
        price: Number((days * 0.026712).toFixed(2)),
        ref: `${days} días x 0,026712 €/día`,
      })
      const rate = chance.pick([21, 21, 10])
      charge(
        doc,
        rows.map((row) => ({ ...row, rate })),
      )
    },
    render: (doc, chance) => {
      const debt = chance.yes(0.4) ? chance.int(1500, 9000) : 0
      const rate = doc.rates[0]
      return page(
        'body{font:8.5pt "DejaVu Sans"}.card{background:#eef7ee;border-radius:3mm;padding:4mm;width:78mm}.big{font-size:17pt}td{padding:1.2mm 1mm;border-bottom:1px dotted #aaa}.bars i{display:inline-block;width:9mm;margin-right:2mm;background:#7b7}',
        `<div class="two"><div class="big" style="color:#272">${safe((doc.vendor.name.split(' ')[0] ?? '').toLowerCase())}</div><div class="r">Atención al cliente 900 ${chance.digits(3)} ${chance.digits(3)}<br>Urgencias 24 h (distribuidora): 900 ${chance.digits(3)} ${chance.digits(3)}</div></div>
        <div class="two" style="margin-top:5mm"><div class="card"><b>RESUMEN DE TU FACTURA</b><table><tr><td>Potencia</td><td class="r">${eur(doc.lines.slice(0, 2).reduce((all, line) => all + line.cents, 0))} €</td></tr><tr><td>Energía</td><td class="r">${eur(doc.lines.slice(2, 5).reduce((all, line) => all + line.cents, 0))} €</td></tr><tr><td>Otros conceptos e impuestos</td><td class="r">${eur(doc.total - doc.lines.slice(0, 5).reduce((all, line) => all + line.cents, 0))} €</td></tr><tr class="b"><td>Total importe factura</td><td class="r">${eur(doc.total)} €</td></tr>${debt ? `<tr><td>Facturas anteriores pendientes</td><td class="r">${eur(debt)} €</td></tr><tr><td>Saldo pendiente de pago</td><td class="r">${eur(doc.total + debt)} €</td></tr>` : ''}</table></div>
        <div style="width:88mm"><b>DATOS DE LA FACTURA</b><br>Nº de factura: ${doc.number}<br>Referencia del contrato: ${chance.digits(12)}<br>Fecha emisión factura: ${day(doc.date, 'es')}<br>Periodo de facturación: del ${day(addDays(doc.date, -35), 'd/m/y')} al ${day(addDays(doc.date, -4), 'd/m/y')}<br>Fecha de cargo: ${doc.due === null ? '' : day(doc.due, 'es')}<br><div style="margin-top:6mm;border:1px solid #ccc;padding:3mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</div></div></div>
        <p><b>EVOLUCIÓN DEL CONSUMO (kWh)</b></p><div class="bars">${Array.from({ length: 12 }, () => `<i style="height:${chance.int(5, 22)}mm"></i>`).join('')}</div><small>Consumo medio diario en los últimos 14 meses: ${num(chance.int(200, 900) / 100)} € &nbsp; Consumo acumulado del último año: ${num(chance.int(2000, 9000), 0)} kWh</small>
        <p><b>DATOS DEL CONTRATO</b><br>Titular: ${safe(doc.buyer?.name ?? '')} &nbsp; NIF titular: ${doc.buyer?.vat}<br>Dirección de suministro: C/ Herreros ${chance.int(1, 60)}, bajo. ${doc.buyer?.postal} ${doc.buyer?.city}<br>CUPS: ES00${chance.digits(16)}RT0F &nbsp; Peaje de acceso: 2.0TD &nbsp; Nº contador: ${chance.digits(9)}<br>Forma de pago: domiciliación bancaria &nbsp; IBAN: ${ibanOf(doc)} &nbsp; Cód. mandato: ${chance.digits(10)}</p>
        <p style="break-before:page"><b>DETALLE DE LA FACTURA</b></p><table>${doc.lines.map((line) => `<tr><td>${line.text}</td><td><small>${line.ref}</small></td><td class="r">${eur(line.cents)} €</td></tr>`).join('')}<tr><td>IMPORTE TOTAL</td><td></td><td class="r">${eur(doc.base)} €</td></tr><tr><td>IVA</td><td><small>${rate?.rate}% s/ ${eur(doc.base)}</small></td><td class="r">${eur(doc.quotas)} €</td></tr><tr class="b"><td>TOTAL IMPORTE FACTURA</td><td></td><td class="r">${eur(doc.total)} €</td></tr></table>
        <p style="font-size:7pt">Su empresa distribuidora es Redes del Norte Peninsular, S.A.U. (CIF A48010615). Puede reclamar ante la Junta Arbitral de Consumo. Del importe de su factura, ${eur(Math.round(doc.base * 0.31))} € corresponden a peajes y cargos regulados.</p><p style="font-size:6.5pt;margin-top:40mm">${safe(doc.vendor.name)}. NIF ${doc.vendor.vat}. Domicilio social: ${doc.vendor.street}, ${doc.vendor.postal} ${doc.vendor.city}. ${doc.vendor.registry}</p>`,
      )
    },
  },
  {
    id: 'aigua',
    wish: () => ({ trade: 'power', buyer: {}, due: true, iban: 'always', payment: ['domiciliacion'] }),
    hidesInLines: ['quantity', 'unit_price'],
    own: (doc, chance) => {
      become(
        doc.vendor,
        chance,
        [
          ['Aigües de la Conca, S.A.', 'A'],
          ["Companyia d'Aigües del Segrià, S.L.", 'B'],
          ['Mina Pública del Vallès, S.A.', 'A'],
        ],
        'ca',
      )
      become(doc.buyer, chance, clients, 'ca')
      doc.number = `${doc.date.slice(0, 4)}/${chance.digits(2)}-${chance.digits(6)}`
      doc.due = addDays(doc.date, 15)
      const m3 = chance.int(9, 60)
      charge(doc, [
        { text: "Quota de servei d'aigua", price: between(chance, 9, 24), rate: 10, ref: '3 mesos' },
        { text: 'Consum aigua 1r tram', price: between(chance, 6, 19), rate: 10, ref: `${m3} m³` },
        { text: 'Consum aigua 2n tram', price: between(chance, 3, 16), rate: 10, ref: `${chance.int(2, 20)} m³` },
        { text: "Cànon de l'aigua", price: between(chance, 5, 22), rate: 10, ref: 'ACA' },
        { text: 'Conservació de comptadors', price: between(chance, 1, 4), rate: 21, ref: '3 mesos' },
        { text: 'Gestió de clavegueram', price: between(chance, 3, 9), rate: 10, ref: '3 mesos' },
      ])
    },
    render: (doc, chance) => {
      const old = chance.yes(0.5) ? chance.int(2000, 8000) : 0
      return page(
        'body{font:9pt "Liberation Sans Narrow"}.lines{margin:4mm 0}.lines th{background:#0a7ea4;color:#fff}.h td{border:1px solid #0a7ea4;text-align:center}',
        `<div class="two"><div><b style="font-size:16pt;color:#0a7ea4">≈ ${safe(doc.vendor.name)}</b><br>${doc.vendor.street} · ${doc.vendor.postal} ${doc.vendor.city}<br>NIF ${doc.vendor.vat}</div><div class="r">Oficina d'atenció: 977 ${chance.digits(3)} ${chance.digits(3)}<br>Avaries: 900 ${chance.digits(6)}</div></div>
        <div style="margin:10mm 0 6mm 95mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</div>
        <table class="h"><tr><td>Núm. factura<br><b>${doc.number}</b></td><td>Data d'emissió<br><b>${day(doc.date, 'ca')}</b></td><td>Període<br><b>${chance.int(1, 4)}T/${doc.date.slice(0, 4)}</b></td><td>Pòlissa<br><b>${chance.digits(7)}</b></td><td>NIF client<br><b>${doc.buyer?.vat}</b></td></tr></table>
        <p>Lectura anterior: ${chance.digits(4)} (${day(addDays(doc.date, -98), 'd/m/y')}) &nbsp; Lectura actual: ${chance.digits(4)} (${day(addDays(doc.date, -6), 'd/m/y')}) &nbsp; Comptador: ${chance.digits(8)}</p>
        ${lineTable(doc, [
          { head: 'Concepte', left: true, cell: (line) => line.text },
          { head: 'Base', cell: (line) => line.ref },
          { head: '% IVA', cell: (line) => `${line.rate}%` },
          { head: 'Import', cell: (line) => `${eur(line.cents)} €` },
        ])}
        <div class="two"><table style="width:80mm">${doc.rates.map((row) => `<tr><td>IVA ${row.rate}% sobre</td><td class="r">${eur(row.base)}</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr class="b"><td>Base i quota</td><td class="r">${eur(doc.base)}</td><td class="r">${eur(doc.quotas)}</td></tr></table><table style="width:75mm;font-size:11pt"><tr class="b"><td>TOTAL FACTURA</td><td class="r">${eur(doc.total)} €</td></tr>${old ? `<tr><td>Rebuts pendents</td><td class="r">${eur(old)} €</td></tr><tr><td>Deute total</td><td class="r">${eur(doc.total + old)} €</td></tr>` : ''}</table></div>
        <p>Rebut domiciliat al compte ${ibanOf(doc)}<br>Data de càrrec: ${doc.due === null ? '' : day(doc.due, 'd/m/y')}</p><p style="font-size:7pt">El cànon de l'aigua és un ingrés de l'Agència Catalana de l'Aigua (Q0801031F). ${doc.vendor.registry}</p>`,
      )
    },
  },
  {
    id: 'telefonia-lineas',
    wish: () => ({ trade: 'telecom', buyer: {}, due: true, iban: 'masked', payment: ['domiciliacion'] }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Voztel Redes Convergentes S.A.', 'A'],
        ['Fibracat Comarcal, S.L.U.', 'B'],
        ['OPERADORA MÓVIL ANDALUSÍ, S.L.', 'B'],
      ])
      become(doc.buyer, chance, clients)
      doc.number = chance.pick([
        `FI${chance.digits(8)}`,
        `28-${doc.date[3]}${chance.digits(2)}B-${chance.digits(6)}`,
        `CI${chance.digits(10)}`,
      ])
      doc.due = addDays(doc.date, chance.int(5, 9))
      const lines = Array.from({ length: chance.int(2, 4) }, () => `6${chance.digits(8)}`)
      charge(
        doc,
        lines
          .flatMap((ref) => [
            {
              text: chance.pick(['Tarifa Total 60 GB', 'Tarifa Conecta ilimitada', 'Bono Empresa 25 GB']),
              price: between(chance, 9, 31),
              ref,
            },
            ...some(
              chance,
              [
                'Llamadas internacionales',
                'SMS premium',
                'Datos en itinerancia zona 2',
                'Seguro de terminal',
                'Llamadas a numeración 90x',
              ],
              0,
              2,
            ).map((text) => ({ text, price: between(chance, 0.3, 12, 4), ref })),
          ])
          .concat([
            { text: 'Fibra 1 Gb y teléfono fijo', price: between(chance, 24, 39), ref: `9${chance.digits(8)}` },
          ]),
      )
    },
    render: (doc, chance) =>
      page(
        'body{font:9pt "DejaVu Sans Condensed"}.s{background:#f3e6fa;font-weight:bold}.b2{border-top:2px solid #619;font-size:12pt}',
        `<div class="two"><div style="font-size:22pt;color:#619;font-weight:bold">${safe(doc.vendor.name.split(' ')[0] ?? '')}</div><div style="width:90mm;padding-top:12mm">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} - ${doc.buyer?.city}<br>${doc.buyer?.province}</div></div>
        <div class="two" style="margin:8mm 0"><div>Factura número <b>${doc.number}</b><br>emitida el ${day(doc.date, 'd.m.y')}<br>Periodo facturado: ${day(addDays(doc.date, -30), 'd.m.y')} - ${day(doc.date, 'd.m.y')}<br>Cód. cliente: ${chance.digits(9)}<br>CIF/NIF cliente: ${doc.buyer?.vat}</div><div style="border:2px solid #619;padding:4mm;text-align:center">Total a pagar<br><span style="font-size:18pt">${eur(doc.total)} €</span><br>El ${doc.due === null ? '' : day(doc.due, 'd.m.y')} se cargará en tu cuenta<br>${ibanOf(doc)}</div></div>
        <table>${[...new Set(doc.lines.map((line) => line.ref))]
          .map((ref) => {
            const own = doc.lines.filter((line) => line.ref === ref)
            return `<tr class="s"><td>Línea ${ref.replace(/(...)(...)(...)/, '$1 $2 $3')}</td><td class="r">${eur(own.reduce((all, line) => all + line.cents, 0))}</td></tr>${own.map((line) => `<tr><td style="padding-left:8mm">${line.text}</td><td class="r">${eur(line.cents)}</td></tr>`).join('')}`
          })
          .join('')}</table>
        <table style="margin-top:6mm"><tr><td>Total (base imponible)</td><td class="r">${eur(doc.base)} €</td></tr><tr><td>Impuestos: IVA (21%)</td><td class="r">${eur(doc.quotas)} €</td></tr><tr class="b2"><td>Total a pagar</td><td class="r b">${eur(doc.total)} €</td></tr></table>
        <p>Importe de tu factura anterior (${day(addDays(doc.date, -31), 'd.m.y')}): ${eur(doc.total + chance.int(-900, 900))} €. Cobrada por domiciliación bancaria.</p><p style="color:#619"><b>¿Cambias de móvil?</b> Este mes, el nuevo Nox 9 desde 0 € de entrada y 14,95 €/mes, IVA incluido.</p><p style="font-size:6.5pt">${safe(doc.vendor.name)} - ${doc.vendor.street} - ${doc.vendor.postal} ${doc.vendor.city} - C.I.F. ${doc.vendor.vat} - ${doc.vendor.registry}. Servicio de tarificación adicional prestado por Astrolínea 806, S.L., B83467127.</p>`,
      ),
  },
  {
    id: 'tarjeta-carburante',
    wish: () => ({ trade: 'fuel', buyer: {}, due: true, withTax: true, iban: 'always', payment: ['transferencia'] }),
    hidesInLines: ['tax_rate'],
    own: (doc, chance) => {
      become(doc.vendor, chance, [
        ['Gasolinera La Venta del Pobre, S. Com.', 'D'],
        ['HERMANOS LOBATO CARBURANTES, S.L.L.', 'B'],
        ['Área de Servicio Puerto Lápice, S.A.', 'A'],
      ])
      become(doc.buyer, chance, clients)
      doc.number = `CR${doc.date.slice(2, 4)}/${chance.int(1, 999)}`
      doc.due = addDays(doc.date, 20)
      charge(
        doc,
        Array.from({ length: chance.int(4, 38) }, () => ({
          text: chance.pick(['GASÓLEO A', 'GASÓLEO A', 'DIÉSEL PLUS', 'SIN PLOMO 95', 'ADBLUE GRANEL']),
          quantity: between(chance, 18, 410),
          price: between(chance, 1.259, 1.689, 3),
          ref: `${chance.digits(4)}${chance.pick(['KLM', 'LRT', 'MBD', 'JVX'])}`,
        })),
      )
    },
    render: (doc, chance) => {
      const sheets: (typeof doc.lines)[] = []
      for (let at = 0; at < doc.lines.length; at += 22) sheets.push(doc.lines.slice(at, at + 22))
      let carried = 0
      let row = 0
      return page(
        'body{font:8.5pt "Liberation Mono"}.lines td{padding:1px 4px}.lines th{border-bottom:1px dashed;border-top:1px dashed}',
        sheets
          .map((lines, at) => {
            const before = carried
            carried += lines.reduce((all, line) => all + line.cents, 0)
            const rows = lines.map((line) => {
              row += 1
              return `<tr><td>${day(addDays(doc.date, -31 + Math.floor((row * 30) / doc.lines.length)), 'd-m-yy')}</td><td>${chance.digits(6)}</td><td>${line.ref}</td><td>${line.text}</td><td class="r">${num(line.quantity)} L</td><td class="r">${num(line.price, 3)}</td><td class="r">${eur(line.cents)}</td></tr>`
            })
            return `<div style="${at ? 'break-before:page' : ''}"><div class="two"><div>${safe(doc.vendor.name)}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city} (${doc.vendor.province})<br>NIF ${doc.vendor.vat} - Tel ${doc.vendor.phone}</div><div>FACTURA DE SUMINISTROS<br>Serie/Nº ....: ${doc.number}<br>Fecha .......: ${day(doc.date, 'd-m-y')}<br>Página ......: ${at + 1} de ${sheets.length}</div></div><p>CLIENTE ${chance.digits(5)}: ${safe(doc.buyer?.name ?? '')} (${doc.buyer?.vat})<br>${doc.buyer?.street}, ${doc.buyer?.postal} ${doc.buyer?.city}</p><table class="lines"><tr><th class="l">Fecha</th><th class="l">Albarán</th><th class="l">Matrícula</th><th class="l">Producto</th><th class="r">Litros</th><th class="r">PVP</th><th class="r">Importe</th></tr>${at ? `<tr><td colspan="6" class="r">Suma anterior</td><td class="r">${eur(before)}</td></tr>` : ''}${rows.join('')}${at < sheets.length - 1 ? `<tr><td colspan="6" class="r">Suma y sigue</td><td class="r">${eur(carried)}</td></tr>` : ''}</table></div>`
          })
          .join('') +
          `<p class="r">Total suministros (IVA incluido) ......... <b>${eur(doc.total)} €</b></p><table style="width:120mm;margin-left:auto"><tr><th class="r">Base imponible</th><th class="r">Tipo IVA</th><th class="r">Cuota IVA</th><th class="r">TOTAL FACTURA</th></tr><tr><td class="r">${eur(doc.base)}</td><td class="r">21,00</td><td class="r">${eur(doc.quotas)}</td><td class="r">${eur(doc.total)}</td></tr></table><p>Vencimiento: ${date(doc.due, 'upper')}. Pago por transferencia a ${ibanOf(doc)}, indicando la factura ${doc.number}.</p><p>Litros totales del mes: ${loose(Number(doc.lines.reduce((all, line) => all + line.quantity, 0).toFixed(2)), 2)}. Precios con IVA e Impuesto de Hidrocarburos incluidos.</p>`,
      )
    },
  },
]
