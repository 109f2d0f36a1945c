import { addDays } from '../document.ts'
import { day, eur, ibanOf, lineTable, loose, num, page, pct, safe } from '../html.ts'
import type { Layout } from '../layout.ts'

/** Bills whose amounts stand in other places: in sentences, before their currency, at the head, line by line with tax. */
export const billsOpen: readonly Layout[] = [
  {
    id: 'sentence-letter',
    wish: () => ({
      trade: 'law',
      person: true,
      lines: [1, 1],
      irpf: [15, 7],
      iban: 'always',
      payment: ['transferencia'],
      wholeQuantities: true,
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc) =>
      page(
        'body{font:11pt "Liberation Serif";padding:0 8mm}p{text-align:justify;line-height:1.5}',
        `<p class="b">${safe(doc.vendor.name)}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>N.I.F.: ${doc.vendor.vat}</p><p class="r">${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>N.I.F.: ${doc.buyer?.vat}</p><p>En ${doc.vendor.city}, a ${day(doc.date, 'es')}</p><p class="b">MINUTA DE HONORARIOS Nº ${doc.number}</p><p>Que presenta quien suscribe por los servicios profesionales prestados:</p><table>${doc.lines.map((line) => `<tr><td>${line.text}</td><td class="r">${eur(line.cents)} €</td></tr>`).join('')}<tr><td>Más ${pct(doc.rates[0]?.rate ?? 21)} % de I.V.A.</td><td class="r">${eur(doc.quotas)} €</td></tr><tr><td>Menos ${pct(doc.irpfRate)} % de retención I.R.P.F.</td><td class="r">${eur(doc.irpf)} €</td></tr><tr class="b"><td>IMPORTE TOTAL S.E.U.O.</td><td class="r">${eur(doc.total)} €</td></tr></table><p>El importe puede hacerse efectivo mediante transferencia a la cuenta ${ibanOf(doc)}.</p>`,
      ),
  },
  {
    id: 'total-at-head',
    wish: () => ({
      trade: 'telecom',
      lines: [2, 7],
      due: true,
      iban: 'masked',
      payment: ['domiciliacion'],
      wholeQuantities: true,
    }),
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc, chance) =>
      page(
        'body{font:9pt "Open Sans","Liberation Sans"}.big{font-size:20pt;color:#c06}.lines td{border-bottom:1px dotted #bbb}',
        `<div class="two"><div><b>${safe(doc.vendor.name)}</b></div><div class="r"><span>Importe total</span><br><span class="big">${eur(doc.total)} €</span><br>Fecha de cargo: ${doc.due === null ? '' : day(doc.due, 'd/m/y')}</div></div><div class="two" style="margin-top:6mm"><div>Titular: ${safe(doc.buyer?.name ?? '')}<br>NIF: ${doc.buyer?.vat}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</div><div>Nº de factura: ${doc.number}<br>Fecha de emisión: ${day(doc.date, 'd/m/y')}<br>Periodo facturado: del ${day(addDays(doc.date, -31), 'd/m/y')} al ${day(addDays(doc.date, -1), 'd/m/y')}<br>Nº de cliente: ${chance.digits(9)}</div></div><h3>Resumen de tu factura</h3><table class="lines">${doc.lines.map((line) => `<tr><td>${line.text}</td><td class="r">${eur(line.cents)} €</td></tr>`).join('')}</table><table style="width:100%;margin-top:3mm"><tr><td>Importe antes de impuestos</td><td class="r">${eur(doc.base)} €</td></tr>${doc.rates.map((row) => `<tr><td>IVA (${row.rate}% sobre ${eur(row.base)} €)</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr class="b"><td>Total a pagar</td><td class="r">${eur(doc.total)} €</td></tr></table><p>Domiciliado en: ${ibanOf(doc)}</p><p style="font-size:6pt">${safe(doc.vendor.name)}, ${doc.vendor.street}, ${doc.vendor.postal} ${doc.vendor.city}. CIF ${doc.vendor.vat}. ${doc.vendor.registry}</p>`,
      ),
  },
  {
    id: 'tax-by-line',
    wish: () => ({
      trade: 'office',
      lines: [1, 8],
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'tarjeta'],
    }),
    render: (doc) =>
      page(
        'body{font:8.5pt "DejaVu Sans"}.lines{margin:6mm 0}.lines th{background:#dfe}.sum{width:75mm;margin-left:auto}',
        `<div class="two"><div><b>FACTURA ${doc.number}</b><br>Expedida: ${day(doc.date, 'd/m/y')}<br>Operación: ${day(addDays(doc.date, -2), 'd/m/y')}<br>Pago antes de: ${doc.due === null ? '' : day(doc.due, 'd/m/y')}</div><div><b>Prestador</b><br>${safe(doc.vendor.name)}<br>${doc.vendor.vat}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}</div><div><b>Destinatario</b><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.vat}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}</div></div>
        ${lineTable(doc, [
          { head: '#', left: true, cell: (_line, index) => `${index + 1}` },
          { head: 'Concepto', left: true, cell: (line) => line.text },
          { head: 'Ud.', cell: (line) => loose(line.quantity) },
          { head: 'Precio', cell: (line) => loose(line.price, 2) },
          { head: 'Base', cell: (line) => eur(line.cents) },
          { head: 'IVA', cell: (line) => `${line.rate}%` },
          { head: 'Cuota', cell: (line) => eur(Math.round((line.cents * line.rate) / 100)) },
          { head: 'Total', cell: (line) => eur(line.cents + Math.round((line.cents * line.rate) / 100)) },
        ])}
        <table class="sum">${doc.rates.map((row) => `<tr><td>Base ${row.rate}%</td><td class="r">${eur(row.base)} €</td></tr><tr><td>IVA ${row.rate}%</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr class="b"><td>Total</td><td class="r">${eur(doc.total)} €</td></tr></table><p>Forma de pago: ${doc.payment === 'tarjeta' ? 'tarjeta de crédito' : `transferencia a ${ibanOf(doc)}`}</p>`,
      ),
  },
  {
    id: 'chapters',
    wish: () => ({ trade: 'building', lines: [3, 9], due: true, iban: 'always', payment: ['transferencia'] }),
    hidesInLines: ['tax_rate'],
    render: (doc) => {
      const half = Math.ceil(doc.lines.length / 2)
      const part = (from: number, to: number, name: string, at: number) => {
        const lines = doc.lines.slice(from, to)
        return `<tr class="b"><td>${at}</td><td colspan="4">${name}</td></tr>${lines.map((line, index) => `<tr><td>${at}.${index + 1}</td><td>${line.text}</td><td class="r">${num(line.quantity)}</td><td class="r">${loose(line.price, 2)}</td><td class="r">${eur(line.cents)}</td></tr>`).join('')}<tr><td></td><td colspan="3" class="r">Total capítulo ${at}</td><td class="r">${eur(lines.reduce((all, line) => all + line.cents, 0))}</td></tr>`
      }
      return page(
        'body{font:9.5pt "Liberation Serif"}.lines{margin:6mm 0}.lines th{border-bottom:1px solid}.sum{width:90mm;margin-left:auto}',
        `<div class="r"><b>${safe(doc.vendor.name)}</b><br>NIF ${doc.vendor.vat}<br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}</div><p>PROMOTOR: ${safe(doc.buyer?.name ?? '')}<br>NIF: ${doc.buyer?.vat}<br>DIRECCIÓN: ${doc.buyer?.street}, ${doc.buyer?.postal} ${doc.buyer?.city}</p><p><b>FACTURA núm. ${doc.number}, de ${day(doc.date, 'es')}</b></p><table class="lines"><tr><th>Nº</th><th class="l">Unidad de obra</th><th class="r">Medición</th><th class="r">Precio</th><th class="r">Importe</th></tr>${part(0, half, 'ALBAÑILERÍA', 1)}${doc.lines.length > half ? part(half, doc.lines.length, 'INSTALACIONES', 2) : ''}</table><table class="sum"><tr><td>SUMA DE CAPÍTULOS</td><td class="r">${eur(doc.base)}</td></tr>${doc.rates.map((row) => `<tr><td>${row.rate} % IVA s/ ${eur(row.base)}</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr class="b"><td>IMPORTE LÍQUIDO</td><td class="r">${eur(doc.total)} €</td></tr></table><p>Vencimiento ${doc.due === null ? '' : day(doc.due, 'd/m/y')}. Transferencia: ${ibanOf(doc)}</p>`,
      )
    },
  },
  {
    id: 'currency-before',
    wish: () => ({ trade: 'hotel', lines: [1, 6], due: true, iban: 'transfer', payment: ['transferencia', 'tarjeta'] }),
    render: (doc) =>
      page(
        'body{font:9pt "Montserrat","Liberation Sans"}.lines{margin:6mm 0}.sum{width:90mm;margin-left:auto}',
        `<div class="two"><div>Cliente nº 4411<br><b>${safe(doc.buyer?.name ?? '')}</b><br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>${doc.buyer?.vat}</div><div><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>${doc.vendor.vat}<br>${doc.vendor.mail}<br>${doc.vendor.phone}</div></div><p>Factura: ${doc.number} — Fecha: ${day(doc.date, 'd.m.y')} — Vence: ${doc.due === null ? '' : day(doc.due, 'd.m.y')}</p>
        ${lineTable(doc, [
          { head: 'Servicio', left: true, cell: (line) => line.text },
          { head: 'Cant.', cell: (line) => loose(line.quantity) },
          { head: 'Precio', cell: (line) => `€ ${loose(line.price, 2)}` },
          { head: 'Imp.', cell: (line) => `${line.rate}%` },
          { head: 'Total', cell: (line) => `€ ${eur(line.cents)}` },
        ])}
        <table class="sum"><tr><td>Total bruto</td><td class="r">EUR ${eur(doc.base, 'blank')}</td></tr>${doc.rates.map((row) => `<tr><td>IVA ${row.rate}% (base EUR ${eur(row.base, 'blank')})</td><td class="r">EUR ${eur(row.quota, 'blank')}</td></tr>`).join('')}<tr class="b"><td>Total con impuestos</td><td class="r">EUR ${eur(doc.total, 'blank')}</td></tr></table><p>${doc.payment === 'tarjeta' ? 'Cargado en su tarjeta' : `Abonar por transferencia: ${ibanOf(doc)}`}</p>`,
      ),
  },
  {
    id: 'instalments',
    wish: () => ({ trade: 'garage', lines: [2, 8], due: true, iban: 'always', payment: ['domiciliacion'] }),
    hidesInLines: ['tax_rate'],
    render: (doc) => {
      const first = Math.round(doc.total / 2)
      const due = doc.due ?? doc.date
      return page(
        'body{font:9pt "Liberation Sans"}.lines{margin:5mm 0}.lines th,.g th{background:#246;color:#fff}.g td{text-align:right}',
        `<div class="two"><div><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>CIF ${doc.vendor.vat}</div><div><table><tr><td>FACTURA</td><td>${doc.number}</td></tr><tr><td>FECHA</td><td>${day(doc.date, 'd/m/y')}</td></tr></table><br>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>CIF ${doc.buyer?.vat}</div></div>
        ${lineTable(doc, [
          { head: 'Código', left: true, cell: (line) => line.ref },
          {
            head: 'Descripción',
            left: true,
            cell: (line) => `${line.text}<br><small>Lote ${line.ref}-7 cad. 12/2027</small>`,
          },
          { head: 'Uds', cell: (line) => loose(line.quantity) },
          { head: 'Precio', cell: (line) => loose(line.price, 3) },
          { head: 'Importe', cell: (line) => eur(line.cents) },
        ])}
        <table class="g"><tr><th>Imp. bruto</th><th>Base imp.</th><th>IVA</th><th>Imp. IVA</th><th>Total</th></tr>${doc.rates.map((row, index) => `<tr><td>${index === 0 ? eur(doc.linesSum) : ''}</td><td>${eur(row.base)}</td><td>${row.rate},00</td><td>${eur(row.quota)}</td><td>${index === 0 ? eur(doc.total) : ''}</td></tr>`).join('')}</table><table class="g" style="width:90mm;margin-top:4mm"><tr><th>Vencimiento</th><th>Importe</th></tr><tr><td>${day(due, 'd/m/y')}</td><td>${eur(first)}</td></tr><tr><td>${day(addDays(due, 30), 'd/m/y')}</td><td>${eur(doc.total - first)}</td></tr></table><p>Forma de pago: recibo domiciliado en ${ibanOf(doc)}</p>`,
      )
    },
  },
]
