import { addDays } from '../document.ts'
import { day, eur, ibanOf, lineTable, loose, num, page, pct, safe, spaced } from '../html.ts'
import type { Layout } from '../layout.ts'
import { goods } from './goods.ts'
import { buyerOf, dayEnglish, moveTo, rename, taxId } from './own.ts'

/** Bills of what runs on: supply, stays, subscriptions, rent, works. */
export const contractsSealed2: readonly Layout[] = [
  {
    id: 'supply-blocks',
    wish: () => ({
      trade: goods.supply,
      lines: [5, 8],
      wholeQuantities: true,
      due: true,
      iban: 'masked',
      payment: ['domiciliacion'],
    }),
    own: (doc, chance) => {
      rename(doc.vendor, chance, goods.supply.names)
      doc.number = `${chance.pick(['FE', 'P1', 'S0'])}${doc.date.slice(2, 4)}${chance.digits(10)}`
    },
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc, chance) => {
      const buyer = buyerOf(doc)
      const detail = (cents: number) => {
        const used = chance.int(40, 900)
        return `${used} kWh x ${num(cents / 100 / used, 6)} €/kWh`
      }
      const row = (line: (typeof doc.lines)[number]) =>
        `<tr><td>${line.text}</td><td style="color:#777">${line.text.startsWith('Energía') ? detail(line.cents) : ''}</td><td class="r">${eur(line.cents)} €</td></tr>`
      return page(
        'body{font:9pt "DejaVu Sans Condensed","DejaVu Sans";color:#123}.p{border-radius:4mm;padding:4mm}.h{background:#e4f3e8}.o{border:2px solid #2a8a4a;width:86mm}.bar{background:#2a8a4a;color:#fff;padding:1.5mm 3mm;margin:5mm 0 2mm}.k td{border-bottom:1px solid #e0e0e0}.n{font-size:6.5pt;color:#567}',
        `<div class="two"><div class="p h" style="width:88mm"><b>DATOS DEL CONTRATO</b><br>Titular: ${safe(buyer.name)}<br>NIF titular: ${buyer.vat}<br>Dirección de suministro: ${buyer.street}, ${buyer.postal} ${buyer.city}<br>CUPS: ES0021${chance.digits(12)}KR0F<br>Tarifa de acceso 2.0TD</div><div class="p o"><b style="font-size:12pt">${safe(doc.vendor.name)}</b><br>Ref. factura: ${doc.number}<br>Emitida el ${day(doc.date, 'es')}<br>Periodo: ${day(addDays(doc.date, -34), 'd/m/y')} a ${day(addDays(doc.date, -4), 'd/m/y')}<br><br><span style="font-size:8pt">IMPORTE TOTAL</span><br><b style="font-size:19pt">${eur(doc.total)} €</b><br>Fecha de cargo: ${doc.due === null ? '' : day(doc.due, 'd/m/y')}</div></div>
        <div class="bar">DESGLOSE DE LA FACTURA</div><table class="k">${doc.lines.map(row).join('')}<tr class="b"><td>Base imponible</td><td></td><td class="r">${eur(doc.base)} €</td></tr>${doc.rates.map((rate) => `<tr><td>I.V.A.</td><td style="color:#777">${rate.rate}% sobre ${eur(rate.base)} €</td><td class="r">${eur(rate.quota)} €</td></tr>`).join('')}<tr class="b"><td>Total a pagar</td><td></td><td class="r">${eur(doc.total)} €</td></tr></table>
        <div class="bar">DATOS DE PAGO</div>Domiciliado en IBAN ${ibanOf(doc)} &nbsp; Mandato ${chance.digits(12)}
        <div class="bar">CONSUMO</div>Consumo medio diario en los últimos 14 meses: ${num(chance.next() * 3 + 0.4)} €. Lectura anterior ${num(chance.int(1000, 40_000), 0)} kWh, lectura actual ${num(chance.int(41_000, 60_000), 0)} kWh (real).
        <p class="n">${safe(doc.vendor.name)}. ${doc.vendor.street}, ${doc.vendor.postal} ${doc.vendor.city}. NIF ${doc.vendor.vat}. ${doc.vendor.registry}. Averías: 900 ${chance.digits(3)} ${chance.digits(3)}</p>`,
      )
    },
  },
  {
    id: 'island-stay',
    wish: () => ({
      trade: goods.resort,
      canary: true,
      lines: [2, 7],
      wholeQuantities: true,
      due: false,
      iban: 'transfer',
      payment: ['tarjeta', 'transferencia', 'efectivo'],
      vendor: { canary: true },
    }),
    own: (doc, chance) => {
      doc.number = `${chance.int(1, 9)}-${chance.digits(5)}-${doc.date.slice(0, 4)}`
    },
    render: (doc, chance) => {
      const buyer = buyerOf(doc)
      return page(
        'body{font:9pt "Liberation Serif"}.q th{text-transform:uppercase;font-size:7pt;letter-spacing:1px;border-bottom:1px solid #b58}.q td{padding:4px}.g{background:#f9eef4;padding:3mm}',
        `<div class="two"><div style="width:80mm" class="g">AGENCIA / CLIENTE<br><b>${safe(buyer.name)}</b><br>${buyer.street}<br>${buyer.postal} ${buyer.city}<br>N.I.F. ${buyer.vat}</div><div class="r"><span style="font-size:20pt;font-style:italic;color:#b58">${safe(doc.vendor.name)}</span><br>${doc.vendor.street}, ${doc.vendor.postal} ${doc.vendor.city}</div></div>
        <p><b>Factura nº</b> ${doc.number} &nbsp;|&nbsp; <b>Fecha</b> ${day(doc.date, 'd/m/y')} &nbsp;|&nbsp; <b>Hab.</b> ${chance.int(100, 960)} &nbsp;|&nbsp; <b>Entrada</b> ${day(addDays(doc.date, -chance.int(2, 9)), 'd/m/y')} <b>Salida</b> ${day(doc.date, 'd/m/y')} &nbsp;|&nbsp; <b>Pax</b> ${chance.int(1, 4)}</p>
        ${lineTable(
          doc,
          [
            { head: 'Servicio', left: true, cell: (line) => line.text },
            { head: 'Noches/Uds', cell: (line) => String(line.quantity) },
            { head: 'Tarifa', cell: (line) => num(line.price) },
            { head: 'IGIC', cell: (line) => `${line.rate}%` },
            { head: 'Importe neto', cell: (line) => eur(line.cents) },
          ],
          'q',
        )}
        <table style="margin:8mm 0 0 auto;width:92mm"><tr><td>Neto servicios</td><td class="r">${eur(doc.base)}</td></tr>${doc.rates.map((row) => `<tr><td>I.G.I.C. ${row.rate}% s/${eur(row.base)}</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr class="b" style="font-size:12pt"><td>TOTAL EUROS</td><td class="r">${eur(doc.total)}</td></tr></table>
        <p>${doc.payment === 'transferencia' ? `A abonar por transferencia en ${ibanOf(doc)}` : doc.payment === 'tarjeta' ? `Cobrado: tarjeta MASTERCARD ************${chance.digits(4)}` : 'Cobrado: efectivo'}</p>
        <p style="font-size:7pt;text-align:center;position:fixed;bottom:0;left:0;right:0">Explotada por ${safe(doc.vendor.name)} - C.I.F.: ${taxId(doc.vendor.vat, 'dash')} - Tel. ${doc.vendor.phone} - ${doc.vendor.mail}</p>`,
      )
    },
  },
  {
    id: 'saas-net',
    wish: () => ({
      trade: goods.saas,
      lines: [1, 5],
      wholeQuantities: true,
      due: true,
      iban: 'always',
      payment: ['transferencia'],
    }),
    own: (doc, chance) => {
      rename(doc.vendor, chance, goods.saas.names)
      doc.number = `INV-${doc.date.slice(0, 4)}-${String(chance.int(3, 3900)).padStart(4, '0')}`
    },
    render: (doc) => {
      const buyer = buyerOf(doc)
      return page(
        'body{font:9pt "Liberation Sans";color:#1c2333}.q{margin-top:9mm}.q th{background:#1c2333;color:#fff;padding:6px}.q td{padding:6px;border-bottom:1px solid #d5d9e2}.m td{padding:3px 6px}.u{color:#667}',
        `<div class="two"><div style="font-size:19pt"><b>${safe(doc.vendor.name.split(' ').slice(0, 2).join(' '))}</b></div><div class="r" style="font-size:19pt;color:#889">TAX INVOICE</div></div><br>
        <div class="two"><div style="width:60mm"><span class="u">Billed to</span><br>${safe(buyer.name)}<br>${buyer.street}<br>${buyer.city}, ${buyer.postal}<br>Spain<br>VAT ID: ${taxId(buyer.vat, 'es')}</div><div style="width:60mm"><span class="u">Issued by</span><br>${safe(doc.vendor.name)}<br>${doc.vendor.street}<br>${doc.vendor.city}, ${doc.vendor.postal}<br>Spain<br>VAT ID: ${taxId(doc.vendor.vat, 'es')}</div><div style="width:50mm"><span class="u">Invoice no.</span> ${doc.number}<br><span class="u">Invoice date</span> ${dayEnglish(doc.date)}<br><span class="u">Payment due</span> ${doc.due === null ? '' : dayEnglish(doc.due)}<br><span class="u">Currency</span> EUR</div></div>
        ${lineTable(
          doc,
          [
            { head: '#', left: true, cell: (_line, index) => String(index + 1) },
            { head: 'Item', left: true, cell: (line) => line.text },
            { head: 'Quantity', cell: (line) => String(line.quantity) },
            { head: 'Rate', cell: (line) => num(line.price, 2, 'dot') },
            { head: 'VAT %', cell: (line) => num(line.rate, 2, 'dot') },
            { head: 'Net amount', cell: (line) => eur(line.cents, 'dot') },
          ],
          'q',
        )}
        <table class="m" style="width:78mm;margin:5mm 0 0 auto"><tr><td>Net total</td><td class="r">${eur(doc.base, 'dot')} EUR</td></tr>${doc.rates.map((row) => `<tr><td>VAT ${num(row.rate, 2, 'dot')}%</td><td class="r">${eur(row.quota, 'dot')} EUR</td></tr>`).join('')}<tr class="b"><td>Gross total</td><td class="r">${eur(doc.total, 'dot')} EUR</td></tr></table>
        <p style="margin-top:16mm"><span class="u">Please pay by bank transfer</span><br>Account holder: ${safe(doc.vendor.name)}<br>IBAN: ${doc.iban === null ? '' : spaced(doc.iban)}<br>SWIFT: BSABESBB</p>`,
      )
    },
  },
  {
    id: 'ticket-letters',
    wish: () => ({
      trade: goods.grocer,
      kind: 'simplified',
      buyer: null,
      withTax: true,
      wholeQuantities: true,
      decimals: 2,
      lines: [2, 12],
      iban: 'never',
      payment: ['efectivo', 'tarjeta'],
    }),
    own: (doc, chance) => {
      rename(doc.vendor, chance, goods.grocer.names)
      doc.number = `${chance.digits(4)}-${chance.digits(3)}-${chance.digits(6)}`
    },
    hidesInLines: ['tax_rate'],
    render: (doc, chance) => {
      const letter = (rate: number) => ({ 4: 'A', 10: 'B', 21: 'C' })[rate] ?? 'D'
      return page(
        'body{font:7.5pt "Liberation Mono"}@page{margin:3mm}.c{text-align:center}td,th{padding:0 1px;font-weight:normal}',
        `<div class="c"><b style="font-size:10pt">${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>CIF:${doc.vendor.vat} TLF:${doc.vendor.phone.replace(/ /g, '')}</div><br>${day(doc.date, 'd/m/y')} ${chance.int(9, 21)}:${chance.int(10, 59)} CAJA ${chance.int(1, 8)} OP ${chance.digits(4)}<br>FACT. SIMPLIFICADA: ${doc.number}<br>================================
        ${lineTable(
          doc,
          [
            { head: 'UN', left: true, cell: (line) => String(line.quantity) },
            { head: 'DESCRIP.', left: true, cell: (line) => line.text.toUpperCase() },
            { head: 'P.UN', cell: (line) => num(line.price) },
            { head: 'TOTAL', cell: (line) => eur(line.cents) },
            { head: '', cell: (line) => letter(line.rate) },
          ],
          'q',
        )}
        --------------------------------<table><tr class="b" style="font-size:10pt"><td>TOTAL (€)</td><td class="r">${eur(doc.total)}</td></tr><tr><td>${doc.payment === 'tarjeta' ? 'TARJETA BANCARIA' : 'EFECTIVO'}</td><td class="r">${eur(doc.payment === 'tarjeta' ? doc.total : Math.ceil(doc.total / 500) * 500)}</td></tr>${doc.payment === 'tarjeta' ? '' : `<tr><td>DEVOLUCION</td><td class="r">${eur(Math.ceil(doc.total / 500) * 500 - doc.total)}</td></tr>`}</table><br><table><tr><td>IVA</td><td class="r">BASE IMP.</td><td class="r">CUOTA</td></tr>${doc.rates.map((row) => `<tr><td>${letter(row.rate)} ${row.rate}%</td><td class="r">${eur(row.base)}</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr><td>TOTAL</td><td class="r">${eur(doc.base)}</td><td class="r">${eur(doc.quotas)}</td></tr></table><br><div class="c">ARTICULOS VENDIDOS: ${doc.lines.reduce((all, line) => all + line.quantity, 0)}<br>CAMBIOS 15 DIAS CON TICKET</div>`,
        '72mm 190mm',
      )
    },
  },
  {
    id: 'rent-received',
    wish: (chance) => ({
      trade: goods.letting,
      person: chance.yes(0.6),
      lines: [1, 3],
      wholeQuantities: true,
      irpf: [19],
      iban: 'transfer',
      payment: ['transferencia', 'domiciliacion', 'efectivo'],
      due: false,
    }),
    own: (doc, chance) => {
      if (doc.vendor.person) moveTo(doc.vendor, chance)
      else rename(doc.vendor, chance, goods.letting.names)
      doc.number = `${doc.date.slice(5, 7)}/${doc.date.slice(0, 4)}-L${chance.int(1, 9)}`
    },
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc) => {
      const buyer = buyerOf(doc)
      return page(
        'body{font:10.5pt "DejaVu Serif";line-height:1.5}.k{width:110mm;margin:6mm auto}.k td{padding:2px 0;border-bottom:1px dotted #888}',
        `<p style="text-align:center;border:1px solid;padding:2mm">RECIBO-FACTURA Nº ${doc.number}</p><p class="r">${doc.vendor.city}, ${day(doc.date, 'es')}</p>
        <p>He recibido de <b>${safe(buyer.name)}</b>, con NIF ${buyer.vat} y domicilio en ${buyer.street}, ${buyer.postal} ${buyer.city}, en concepto de arrendamiento, las cantidades siguientes:</p>
        <table class="k">${doc.lines.map((line) => `<tr><td>${line.text}</td><td class="r">${eur(line.cents)} €</td></tr>`).join('')}<tr><td>Suma (base imponible)</td><td class="r">${eur(doc.base)} €</td></tr>${doc.rates.map((row) => `<tr><td>Más ${row.rate}% I.V.A.</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr><td>Menos ${pct(doc.irpfRate)}% retención I.R.P.F.</td><td class="r">${eur(doc.irpf)} €</td></tr><tr class="b"><td>Total recibo</td><td class="r">${eur(doc.total)} €</td></tr></table>
        <p>${doc.payment === 'efectivo' ? 'Cobrado en efectivo.' : doc.payment === 'domiciliacion' ? 'Recibo domiciliado.' : `Cobro por transferencia en la cuenta ${ibanOf(doc)}.`}</p>
        <p style="margin-top:12mm">Fdo.: ${safe(doc.vendor.name)}<br>${doc.vendor.person ? 'N.I.F.' : 'C.I.F.'} ${taxId(doc.vendor.vat, 'dash')}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}</p>`,
      )
    },
  },
  {
    id: 'works-origin',
    wish: () => ({
      trade: goods.subcontractor,
      lines: [2, 9],
      guarantee: true,
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'cheque'],
      buyer: { names: ['Constructora', 'Obras Públicas', 'Edificaciones'] },
      decimals: 2,
    }),
    own: (doc, chance) => {
      rename(doc.vendor, chance, goods.subcontractor.names)
      doc.number = `C-${chance.int(1, 14)}/${chance.digits(3)}`
    },
    hidesInLines: ['tax_rate'],
    render: (doc, chance) => {
      const buyer = buyerOf(doc)
      return page(
        'body{font:8.5pt "Liberation Sans"}.q td,.q th{border:1px solid #999}.q th{font-size:7pt;background:#f0f0f0}.f td{border:1px solid #999;padding:3px 6px}.a{border:1px solid #999;padding:3mm;width:88mm}',
        `<div class="two"><div class="a"><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city} (${doc.vendor.province})<br>N.I.F. ${doc.vendor.vat}</div><div class="a">Contratista principal:<br><b>${safe(buyer.name)}</b><br>${buyer.street}<br>${buyer.postal} ${buyer.city}<br>N.I.F. ${buyer.vat}</div></div>
        <p>Factura <b>${doc.number}</b> de fecha <b>${day(doc.date, 'd/m/y')}</b>. Certificación nº ${chance.int(2, 12)}. Obra: ${chance.int(18, 120)} viviendas en ${buyer.city}.</p>
        ${lineTable(
          doc,
          [
            { head: 'Unidad', left: true, cell: (line) => line.text },
            { head: 'A origen', cell: (line) => num(line.quantity + Number(line.ref.replace(/\D/g, '').slice(0, 2))) },
            { head: 'Anterior', cell: (line) => num(Number(line.ref.replace(/\D/g, '').slice(0, 2))) },
            { head: 'Actual', cell: (line) => num(line.quantity) },
            { head: 'Precio', cell: (line) => loose(line.price, 2) },
            { head: 'Importe actual', cell: (line) => eur(line.cents) },
          ],
          'q',
        )}
        <table class="f" style="margin:6mm 0 0 auto;width:118mm"><tr><td>Importe de la certificación (base)</td><td class="r">${eur(doc.base)} €</td></tr>${doc.rates.map((row) => `<tr><td>IVA ${row.rate}% - Inversión del sujeto pasivo, art. 84.Uno.2º f) LIVA</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr class="b"><td>Total factura</td><td class="r">${eur(doc.total)} €</td></tr>${doc.guarantee ? `<tr><td>5% retención por garantía</td><td class="r">-${eur(doc.guarantee)} €</td></tr><tr><td>Neto a pagar en plazo</td><td class="r">${eur(doc.total - doc.guarantee)} €</td></tr>` : ''}</table>
        <p>Pago: ${doc.payment === 'cheque' ? 'cheque' : `transferencia ${ibanOf(doc)}`}. Fecha de vencimiento: ${doc.due === null ? '' : day(doc.due, 'd/m/y')}.</p>`,
      )
    },
  },
]
