import { day, eur, ibanOf, lineTable, loose, num, page, pct, safe } from '../html.ts'
import type { Layout } from '../layout.ts'

const pays = {
  transferencia: 'Transferencia bancaria',
  domiciliacion: 'Recibo domiciliado',
  cheque: 'Cheque',
  efectivo: 'Contado',
  tarjeta: 'Tarjeta de crédito',
}

export const erpSealed: readonly Layout[] = [
  {
    id: 'grid-erp',
    wish: () => ({
      trade: 'hardware',
      lines: [3, 18],
      due: true,
      iban: 'transfer',
      payment: ['transferencia', 'domiciliacion'],
      lineDiscounts: false,
    }),
    render: (doc, chance) => {
      const box = (label: string, value: string) => `<div class="k"><span>${label}</span><div>${value}</div></div>`
      const pattern = 'd.m.y'
      return page(
        '.k{border:1px solid #999;padding:2px 5px;flex:1}.k span{font-size:6.5pt;color:#555}.grid{display:flex}h1{font-size:16pt;margin:0}.lines td{padding:4px}.lines th{border-bottom:1px solid #000;font-weight:normal}.strip{display:flex;margin-top:8mm;border-top:2px solid #000}',
        `<div class="two"><div><h1>Factura</h1></div><div class="r"><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br>ES</div></div><br>
        <div class="two"><div style="margin-top:10mm"><div style="font-size:7pt"><u>${safe(doc.vendor.name)} · ${doc.vendor.street} · ${doc.vendor.postal} ${doc.vendor.city}</u></div>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>España</div><div style="width:80mm">
        ${box('Número de factura', doc.number)}${box('Fecha de factura', day(doc.date, pattern))}${box('Nº cliente', chance.digits(7))}${box('NIF cliente', `ES${doc.buyer?.vat}`)}${box('Su pedido / fecha', `45${chance.digits(8)} / ${day(doc.date, pattern)}`)}${box('Persona de contacto', 'Sra. Lourdes Prat')}</div></div><br>
        ${lineTable(doc, [
          { head: 'Pos.', left: true, cell: (_line, index) => String((index + 1) * 10).padStart(6, '0') },
          { head: 'Material', left: true, cell: (line) => line.ref },
          {
            head: 'Denominación',
            left: true,
            cell: (line) => `${line.text}<br><span style="font-size:7pt">Nº albarán 80${chance.digits(6)}</span>`,
          },
          { head: 'Cantidad', cell: (line) => `${num(line.quantity, 3)} UN` },
          { head: 'Precio/UM', cell: (line) => `${loose(line.price, 2)}` },
          { head: 'Valor neto EUR', cell: (line) => eur(line.cents) },
        ])}
        <div class="strip">${box('Importe neto', eur(doc.base))}${doc.rates.map((row) => box(`IVA repercutido ${pct(row.rate)} %`, eur(row.quota))).join('')}${box('Importe total EUR', `<b>${eur(doc.total)}</b>`)}</div>
        <p>Condiciones de pago: ${doc.payment === null ? '' : pays[doc.payment]}. Vencimiento ${doc.due === null ? '' : day(doc.due, pattern)}<br>${doc.iban === null ? '' : `IBAN ${ibanOf(doc)} BIC CAIXESBBXXX`}</p>
        <p style="font-size:6.5pt">${safe(doc.vendor.name)} NIF ${doc.vendor.vat}. ${doc.vendor.registry}</p>`,
      )
    },
  },
  {
    id: 'identifier-erp',
    wish: () => ({
      trade: 'food',
      lines: [2, 22],
      due: true,
      iban: 'transfer',
      lineDiscounts: true,
      payment: ['transferencia', 'domiciliacion'],
    }),
    hidesInLines: [],
    render: (doc, chance) => {
      const pair = (label: string, value: string) =>
        `<tr><td class="l" style="width:34mm">${label}</td><td class="l">${value}</td></tr>`
      return page(
        'body{font:9pt "Liberation Sans Narrow"}h2{margin:0;font-size:13pt}.lines{margin-top:6mm}.lines th{border-bottom:1px solid}.t{width:60%}.s td{padding:1px 4px}',
        `<div class="two"><div>${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} ${doc.buyer?.city}<br>${doc.buyer?.province}<br>CIF/NIF ${doc.buyer?.vat}</div><div style="width:78mm"><h2>${safe(doc.vendor.name)}</h2>${doc.vendor.street}<br>${doc.vendor.postal} ${doc.vendor.city}<br><table class="s">${pair('Nº teléfono', doc.vendor.phone)}${pair('CIF/NIF', doc.vendor.vat)}${pair('Banco', 'CaixaBank')}${doc.iban === null ? '' : pair('IBAN', ibanOf(doc))}</table></div></div>
        <h2>Factura venta ${doc.number}</h2><div class="two"><table class="s">${pair('Venta a-Nº cliente', `C${chance.digits(5)}`)}${pair('Fecha registro', day(doc.date, 'd/m/yy'))}${pair('Fecha vencimiento', doc.due === null ? '' : day(doc.due, 'd/m/yy'))}</table><table class="s">${pair('Nº pedido', `PV${chance.digits(6)}`)}${pair('Forma de pago', doc.payment === null ? '' : pays[doc.payment])}${pair('Vendedor', 'Iván Soto')}</table></div>
        ${lineTable(doc, [
          { head: 'Nº', left: true, cell: (line) => line.ref },
          { head: 'Descripción', left: true, cell: (line) => line.text },
          { head: 'Cantidad', cell: (line) => loose(line.quantity) },
          { head: 'Unidad medida', left: true, cell: () => 'Unidad' },
          { head: 'Precio venta', cell: (line) => loose(line.price, 2) },
          { head: '% Dto.', cell: (line) => (line.discount ? pct(line.discount) : '') },
          { head: 'Identific. IVA', cell: (line) => `IVA${line.rate}` },
          { head: 'Importe', cell: (line) => eur(line.cents) },
        ])}
        <table style="margin-top:3mm"><tr><td class="r">Total EUR IVA excl.</td><td class="r" style="width:26mm">${eur(doc.base)}</td></tr><tr><td class="r">Importe IVA</td><td class="r">${eur(doc.quotas)}</td></tr><tr class="b"><td class="r">Total EUR IVA incl.</td><td class="r">${eur(doc.total)}</td></tr></table>
        <p class="b">Especificación importe IVA</p><table class="t"><tr><th class="l">Identific. IVA</th><th class="r">% IVA</th><th class="r">Importe línea</th><th class="r">Base IVA</th><th class="r">Importe IVA</th></tr>${doc.rates.map((row) => `<tr><td>IVA${row.rate}</td><td class="r">${row.rate}</td><td class="r">${eur(row.base)}</td><td class="r">${eur(row.base)}</td><td class="r">${eur(row.quota)}</td></tr>`).join('')}<tr class="b"><td>Total</td><td></td><td class="r">${eur(doc.base)}</td><td class="r">${eur(doc.base)}</td><td class="r">${eur(doc.quotas)}</td></tr></table>`,
      )
    },
  },
  {
    id: 'surcharge-pages',
    wish: () => ({
      trade: 'food',
      lines: [34, 58],
      surcharge: true,
      due: false,
      iban: 'never',
      payment: ['efectivo', 'domiciliacion', null],
      buyer: { person: true },
    }),
    render: (doc) => {
      let sum = 0
      const chunks: string[] = []
      for (let at = 0; at < doc.lines.length; at += 24) {
        const part = doc.lines.slice(at, at + 24)
        const before = sum
        sum += part.reduce((all, line) => all + line.cents, 0)
        const more = at + 24 < doc.lines.length
        chunks.push(`<section style="${more ? 'break-after:page' : ''}"><div class="two"><div style="border:1px solid;padding:3mm;width:48%"><b>${safe(doc.vendor.name)}</b><br>${doc.vendor.street}<br>${doc.vendor.postal} - ${doc.vendor.city} (${doc.vendor.province})<br>C.I.F.: ${doc.vendor.vat}&nbsp;&nbsp;Tlf.: ${doc.vendor.phone}</div><div style="border:1px solid;padding:3mm;width:48%">Cliente: ${safe(doc.buyer?.name ?? '')}<br>${doc.buyer?.street}<br>${doc.buyer?.postal} - ${doc.buyer?.city}<br>N.I.F.: ${doc.buyer?.vat}</div></div>
        <p>FACTURA: <b>${doc.number}</b> &nbsp;&nbsp;&nbsp; FECHA: <b>${day(doc.date, 'd-m-y')}</b> &nbsp;&nbsp;&nbsp; HOJA: ${at / 24 + 1}</p>
        ${lineTable(
          doc,
          [
            { head: 'ARTICULO', left: true, cell: (line) => line.ref },
            { head: 'DESCRIPCION', left: true, cell: (line) => line.text.toUpperCase() },
            { head: 'UNID.', cell: (line) => loose(line.quantity, 2) },
            { head: 'PRECIO', cell: (line) => loose(line.price, 2) },
            { head: 'IVA', cell: (line) => String(line.rate) },
            { head: 'IMPORTE', cell: (line) => eur(line.cents) },
          ],
          'lines',
          part,
        ).replace(
          '<tbody>',
          before === 0
            ? '<tbody>'
            : `<tbody><tr><td></td><td>SUMA ANTERIOR</td><td></td><td></td><td></td><td class="r">${eur(before)}</td></tr>`,
        )}
        ${more ? `<p class="r b">SUMA Y SIGUE ${eur(sum)}</p>` : ''}</section>`)
      }
      return page(
        'body{font:8.5pt "Liberation Mono"}.lines th{border-top:1px solid;border-bottom:1px solid}.v td,.v th{border:1px solid #777}',
        `${chunks.join('')}<table class="v" style="margin-top:4mm"><tr><th>Base imponible</th><th>% IVA</th><th>Cuota IVA</th><th>% R.E.</th><th>Cuota R.E.</th><th>Total</th></tr>${doc.rates.map((row) => `<tr><td class="r">${eur(row.base)}</td><td class="r">${num(row.rate)}</td><td class="r">${eur(row.quota)}</td><td class="r">${num(row.surchargeRate)}</td><td class="r">${eur(row.surcharge)}</td><td class="r">${eur(row.base + row.quota + row.surcharge)}</td></tr>`).join('')}</table>
        <p class="r" style="font-size:13pt"><b>TOTAL FACTURA ${eur(doc.total)} €</b></p><p>FORMA DE PAGO: ${doc.payment === null ? '' : doc.payment === 'efectivo' ? 'CONTADO' : 'RECIBO BANCARIO'}</p>`,
      )
    },
  },
]
