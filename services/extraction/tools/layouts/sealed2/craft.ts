import { day, eur, ibanOf, lineTable, loose, num, page, pct, safe, spaced } from '../html.ts'
import type { Layout } from '../layout.ts'
import { goods } from './goods.ts'
import { buyerOf, dayShort, moveTo, rename, sumOf, taxId } from './own.ts'

/** Small firms and professions. */
export const craftSealed2: readonly Layout[] = [
  {
    id: 'word-letter',
    wish: (chance) => ({
      trade: goods.copywriter,
      person: true,
      lines: [1, 4],
      irpf: [15, 15, 7],
      wholeQuantities: true,
      iban: 'always',
      payment: ['transferencia'],
      due: chance.yes(0.3),
    }),
    own: (doc, chance) => {
      moveTo(doc.vendor, chance)
      doc.number = `${chance.int(1, 96)}/${doc.date.slice(0, 4)}`
    },
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc) => {
      const buyer = buyerOf(doc)
      return page(
        'body{font:11.5pt "Liberation Serif";line-height:1.35}.c{width:100%;margin-top:9mm}.c td{padding:5px 0}.c .n{border-bottom:1px solid #555}.f{position:fixed;bottom:0;left:0;right:0;border-top:1px solid #999;font-size:9pt;text-align:center;color:#444}i{color:#333}',
        `<p style="font-size:10.5pt">${safe(buyer.name)}<br>${buyer.street}<br>${buyer.postal} ${buyer.city} (${buyer.province})<br>${taxId(buyer.vat, 'dash')}</p>
        <p style="text-align:right"><i>${doc.vendor.city}, a ${day(doc.date, 'es')}</i></p><p style="font-size:15pt;text-decoration:underline">Fra. nº ${doc.number}</p>
        <table class="c"><tr><td class="n">Por los trabajos que se detallan:</td><td class="n r">Euros</td></tr>${doc.lines.map((line) => `<tr><td>${line.text}</td><td class="r">${eur(line.cents)}</td></tr>`).join('')}<tr><td class="r n" colspan="2"></td></tr><tr><td class="r">Base imponible</td><td class="r" style="width:32mm">${eur(doc.base)}</td></tr>${doc.rates.map((row) => `<tr><td class="r">${pct(row.rate)}% de IVA</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr><td class="r">- ${pct(doc.irpfRate)}% de retención a cuenta del IRPF</td><td class="r">${eur(doc.irpf)}</td></tr><tr class="b"><td class="r">TOTAL A PERCIBIR</td><td class="r">${eur(doc.total)}</td></tr></table>
        <p>Les agradeceré realicen el pago mediante transferencia a la cuenta ${ibanOf(doc)}${doc.due === null ? '' : `, con vencimiento el ${day(doc.due, 'es')}`}.</p><p>Atentamente,</p>
        <div class="f">${safe(doc.vendor.name)} &nbsp;–&nbsp; NIF ${taxId(doc.vendor.vat, 'dots')}<br>${doc.vendor.street} &nbsp;–&nbsp; ${doc.vendor.postal} ${doc.vendor.city}<br>Tel. ${doc.vendor.phone} &nbsp;–&nbsp; ${doc.vendor.mail}</div>`,
      )
    },
  },
  {
    id: 'workshop-order',
    wish: () => ({
      trade: goods.workshop,
      lines: [3, 9],
      lineDiscounts: true,
      due: false,
      iban: 'never',
      payment: ['tarjeta', 'efectivo', null],
    }),
    own: (doc, chance) => {
      rename(doc.vendor, chance, goods.workshop.names)
      doc.number = `TA-${chance.int(2, 9)}${chance.digits(3)}/${doc.date.slice(2, 4)}`
    },
    hidesInLines: ['tax_rate'],
    render: (doc, chance) => {
      const buyer = buyerOf(doc)
      const work = doc.lines.filter((line) => line.text.startsWith('M.O.'))
      const parts = doc.lines.filter((line) => !line.text.startsWith('M.O.'))
      const columns = (unit: string) => [
        { head: 'Cód.', left: true, width: '20mm', cell: (line: (typeof parts)[number]) => line.ref },
        { head: 'Operación / Recambio', left: true, cell: (line: (typeof parts)[number]) => line.text },
        { head: unit, width: '16mm', cell: (line: (typeof parts)[number]) => num(line.quantity) },
        { head: 'PVP', width: '18mm', cell: (line: (typeof parts)[number]) => num(line.price) },
        {
          head: 'Dto%',
          width: '14mm',
          cell: (line: (typeof parts)[number]) => (line.discount ? pct(line.discount) : '-'),
        },
        { head: 'Neto', width: '22mm', cell: (line: (typeof parts)[number]) => eur(line.cents) },
      ]
      const block = (title: string, unit: string, lines: typeof parts) =>
        lines.length === 0
          ? ''
          : `<p class="t">${title}</p>${lineTable(doc, columns(unit), 'w', lines)}<p class="s">Suma ${title.toLowerCase()}: ${eur(sumOf(lines))}</p>`
      return page(
        'body{font:8.5pt "DejaVu Sans Condensed","DejaVu Sans"}.t{background:#333;color:#fff;padding:1mm 2mm;margin:4mm 0 1mm}.s{text-align:right;margin:1mm 0;font-style:italic}.w td{border-bottom:1px dotted #aaa}.w th{font-size:7pt;color:#555}.v{border:1px solid #333}.v td,.z td{border:1px solid #333}.z{margin-top:8mm;text-align:center}.z tr:first-child{font-size:7pt;background:#eee}',
        `<table class="v"><tr><td style="width:50%">Titular: <b>${safe(buyer.name)}</b><br>${buyer.street}, ${buyer.postal} ${buyer.city}<br>D.N.I./C.I.F. ${buyer.vat}</td><td>Matrícula ${chance.digits(4)}-LRS &nbsp; Km ${num(chance.int(12_000, 240_000), 0)}<br>Bastidor VF1${chance.digits(14)}<br>Entrada ${dayShort(doc.date)}</td></tr></table>
        <div class="two" style="margin-top:4mm"><div><b style="font-size:14pt">${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city} - Reg. Ind. ${chance.digits(5)}<br>C.I.F. ${taxId(doc.vendor.vat, 'dash')}</div><div class="r">Nº Fact. <b>${doc.number}</b><br>F. Emisión <b>${day(doc.date, 'd/m/yy')}</b><br>O.R. ${chance.digits(6)}</div></div>
        ${block('MANO DE OBRA', 'Horas', work)}${block('RECAMBIOS', 'Uds.', parts)}
        <table class="z"><tr><td>Imponible</td><td>I.V.A. %</td><td>Cuota</td><td>A pagar EUR</td><td>Cobro</td></tr><tr><td>${eur(doc.base)}</td><td>${doc.rates[0]?.rate}</td><td>${eur(doc.quotas)}</td><td class="b">${eur(doc.total)}</td><td>${doc.payment === null ? '' : doc.payment === 'tarjeta' ? 'TARJETA' : 'EFECTIVO'}</td></tr></table><p style="font-size:6pt">Las piezas sustituidas quedan a disposición del cliente 10 días. Garantía según R.D. 1457/1986.</p>`,
      )
    },
  },
  {
    id: 'notary-deed',
    wish: (chance) => ({
      trade: goods.notary,
      person: true,
      lines: [3, 6],
      irpf: [15],
      suplidos: true,
      wholeQuantities: true,
      iban: 'transfer',
      payment: ['transferencia', 'cheque', null],
      due: false,
      advance: chance.yes(0.5),
    }),
    own: (doc, chance) => {
      moveTo(doc.vendor, chance)
      doc.number = `N/${doc.date.slice(0, 4)}/${chance.int(100, 4999)}`
    },
    hidesInLines: ['quantity', 'unit_price', 'tax_rate'],
    render: (doc, chance) => {
      const buyer = buyerOf(doc)
      const foot = (label: string, value: number) => `<div><span>${label}</span><br>${eur(value)}</div>`
      return page(
        'body{font:9.5pt "DejaVu Serif"}h2{font-weight:normal;text-align:center;font-variant:small-caps;letter-spacing:1px;margin:0}.k td{padding:3px 2px;border-bottom:1px solid #ddd}.g{display:flex;margin-top:9mm;border:1px double #000}.g div{flex:1;padding:2mm;text-align:center;border-right:1px solid #bbb}.g span{font-size:7pt}',
        `<h2>${safe(doc.vendor.name)}</h2><p style="text-align:center;margin:1mm">Notario de ${doc.vendor.city}<br><span style="font-size:8pt">${doc.vendor.street} · ${doc.vendor.postal} ${doc.vendor.city} (${doc.vendor.province}) · ${taxId(doc.vendor.vat, 'dash')}</span></p><hr>
        <div class="two"><div>Factura número: ${doc.number}<br>Fecha de expedición: ${day(doc.date, 'd-m-y')}<br>Protocolo: ${chance.int(100, 3200)}/${doc.date.slice(0, 4)}</div><div style="width:85mm">Interesado/a: ${safe(buyer.name)}<br>Identificación fiscal: ${buyer.vat}<br>Domicilio: ${buyer.street}<br>${buyer.postal} ${buyer.city}</div></div>
        <table class="k" style="margin-top:6mm"><tr class="b"><td>HONORARIOS (R.D. 1426/1989)</td><td class="r">Euros</td></tr>${doc.lines.map((line) => `<tr><td>${line.text}</td><td class="r">${eur(line.cents)}</td></tr>`).join('')}</table>
        ${doc.suplidos.length === 0 ? '' : `<table class="k" style="margin-top:4mm"><tr class="b"><td>SUPLIDOS POR CUENTA DEL CLIENTE</td><td></td></tr>${doc.suplidos.map((item) => `<tr><td>${item.text}</td><td class="r">${eur(item.cents)}</td></tr>`).join('')}</table>`}
        <div class="g">${foot('Base', doc.base)}${doc.rates.map((row) => foot(`IVA ${row.rate}%`, row.quota)).join('')}${foot(`Retención ${pct(doc.irpfRate)}%`, -doc.irpf)}${doc.suplidos.length === 0 ? '' : foot('Suplidos', sumOf(doc.suplidos))}${foot('Total factura', doc.total)}</div>
        ${doc.advance === 0 ? '' : `<p class="r">Provisión recibida ${eur(doc.advance)} &nbsp; Saldo pendiente ${eur(doc.total - doc.advance)}</p>`}<p>${doc.payment === null ? '' : doc.payment === 'cheque' ? 'Forma de pago: cheque bancario' : `Forma de pago: transferencia a ${doc.iban === null ? '' : spaced(doc.iban)}`}</p>`,
      )
    },
  },
  {
    id: 'catalan-installer',
    wish: (chance) => ({
      trade: goods.installer,
      lines: [2, 9],
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'domiciliacion', 'efectivo'],
      lineDiscounts: chance.yes(0.3),
    }),
    own: (doc, chance) => {
      rename(doc.vendor, chance, goods.installer.names)
      doc.number = `${doc.date.slice(2, 4)}${chance.digits(4)}`
      if (doc.payment === 'efectivo') doc.due = null
    },
    hidesInLines: [],
    render: (doc) => {
      const buyer = buyerOf(doc)
      const discounts = doc.lines.some((line) => line.discount > 0)
      return page(
        'body{font:9.5pt "Liberation Sans"}.e{border-left:4px solid #c60b1e;padding-left:4mm}.q{margin-top:7mm}.q th{background:#fbeaea;padding:5px}.q td{padding:4px 5px}.q tbody tr:last-child td{border-bottom:2px solid #c60b1e}.m td{padding:2px 6px}',
        `<div class="two"><div class="e">Client:<br>${safe(buyer.name)}<br>${buyer.street}<br>${buyer.postal} ${buyer.city}<br>NIF ${taxId(buyer.vat, 'blank')}</div><div class="r"><b style="font-size:13pt;color:#c60b1e">${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>NIF: ${taxId(doc.vendor.vat, 'blank')}<br>Tel. ${doc.vendor.phone}</div></div>
        <p style="font-size:12pt">Factura núm. <b>${doc.number}</b> &nbsp;&nbsp;&nbsp; Data: ${day(doc.date, 'ca')}</p>
        ${lineTable(
          doc,
          [
            { head: 'Feina feta i materials', left: true, cell: (line) => line.text },
            { head: 'Quant.', cell: (line) => loose(line.quantity) },
            { head: 'Preu', cell: (line) => `${loose(line.price, 2)} €` },
            ...(discounts ? [{ head: '% Dte.', cell: (line: { discount: number }) => String(line.discount) }] : []),
            { head: 'IVA', cell: (line) => `${line.rate}%` },
            { head: 'Total', cell: (line) => `${eur(line.cents)} €` },
          ],
          'q',
        )}
        <table class="m" style="width:88mm;margin:5mm 0 0 auto">${doc.rates.map((row) => `<tr><td>Base imposable al ${row.rate}%</td><td class="r">${eur(row.base)} €</td></tr><tr><td>Quota IVA ${row.rate}%</td><td class="r">${eur(row.quota)} €</td></tr>`).join('')}<tr class="b"><td>Import total de la factura</td><td class="r">${eur(doc.total)} €</td></tr></table>
        <p>Forma de pagament: ${doc.payment === 'efectivo' ? 'en efectiu' : doc.payment === 'domiciliacion' ? 'rebut bancari domiciliat' : `transferència bancària al compte ${ibanOf(doc)}`}${doc.due === null ? '' : `<br>Data de venciment: ${day(doc.due, 'd/m/y')}`}</p>`,
      )
    },
  },
]
