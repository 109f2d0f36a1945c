import type { Sheet } from './draw.ts'

type Row = readonly [label: string, value: string, strong?: boolean]

/** Draws sums, taxes and the total. Returns the y below them. */
export function drawTotals(sheet: Sheet, top: number): number {
  const { invoice, family } = sheet
  if (invoice.kind === 'simplified' && invoice.linesIncludeTax)
    return drawList(sheet, ticketRows(sheet), { top, side: 'right' })
  switch (family.totals) {
    case 'rate-table':
      return drawRateTable(sheet, top)
    case 'strip':
    case 'cells':
      return drawStrip(sheet, top)
    case 'left-list':
      return drawList(sheet, listRows(sheet), { top, side: 'left' })
    case 'inline-rates':
      return drawList(sheet, listRows(sheet, true), { top, side: 'right' })
    default:
      return drawList(sheet, listRows(sheet), { top, side: 'right' })
  }
}

function ticketRows({ invoice, style }: Sheet): Row[] {
  const rows: Row[] = invoice.rates.flatMap(({ rate, baseCents, quotaCents }): Row[] => [
    [`${style.label.base} ${style.percent(rate)}`, style.cell(baseCents)],
    [`${taxName({ invoice, style })} ${style.percent(rate)}`, style.cell(quotaCents)],
  ])
  return [...rows, [style.label.total, style.money(invoice.totalCents), true]]
}

const taxName = ({ invoice, style }: Pick<Sheet, 'invoice' | 'style'>): string =>
  invoice.taxType === 'IVA' ? style.label.vat : invoice.taxType

/** What stands before the tax base: sum, discount, charges. Only where there is a discount or a charge, mostly. */
function beforeBase({ invoice, style, random }: Sheet): Row[] {
  const rows: Row[] = []
  const adjusted = invoice.globalDiscountCents !== 0 || invoice.chargesCents !== 0
  if (adjusted || random.chance(0.08)) rows.push([style.label.sum, style.cell(invoice.sumCents)])
  if (invoice.globalDiscountCents !== 0)
    rows.push([
      `${style.label.globalDiscount} ${style.percent(invoice.globalDiscountPercent)}`,
      style.cell(-invoice.globalDiscountCents),
    ])
  if (invoice.chargesCents !== 0) rows.push([style.label.charges, style.cell(invoice.chargesCents)])
  return rows
}

function afterTax({ invoice, style }: Sheet): Row[] {
  const rows: Row[] = []
  if (invoice.withholdingCents !== 0)
    rows.push([
      `${style.label.withholding} ${style.percent(invoice.withholdingRate)}`,
      style.cell(-invoice.withholdingCents),
    ])
  if (invoice.suplidosCents !== 0) rows.push([style.label.suplidos, style.cell(invoice.suplidosCents)])
  return rows
}

function listRows(sheet: Sheet, inline = false): Row[] {
  const { invoice, style } = sheet
  const tax = taxName(sheet)
  const several = invoice.rates.length > 1
  const rows = beforeBase(sheet)
  if (!several) rows.push([style.label.base, style.cell(invoice.subtotalCents)])
  for (const row of invoice.rates) {
    if (several && !inline) rows.push([`${style.label.base} ${style.percent(row.rate)}`, style.cell(row.baseCents)])
    const label = inline
      ? `${tax} ${style.percent(row.rate)} s/ ${style.cell(row.baseCents)}`
      : `${tax} ${style.percent(row.rate)}`
    rows.push([label, style.cell(row.quotaCents)])
    if (row.surchargeCents !== 0)
      rows.push([`${style.label.surcharge} ${style.percent(row.surchargeRate)}`, style.cell(row.surchargeCents)])
  }
  return [...rows, ...afterTax(sheet), [style.label.total, style.money(invoice.totalCents), true]]
}

function drawList(
  { canvas, style, left, right, random }: Sheet,
  rows: readonly Row[],
  { top, side }: { top: number; side: 'left' | 'right' },
): number {
  const labelWidth = Math.max(...rows.map(([label]) => canvas.width(label, { size: style.size + 1, bold: true })))
  const valueWidth = Math.max(...rows.map(([, value]) => canvas.width(value, { size: style.size + 1, bold: true })))
  const width = Math.min(right - left, labelWidth + valueWidth + random.int(24, 70))
  const x0 = side === 'left' ? left : right - width
  let y = top
  for (const [label, value, strong] of rows) {
    const text = { size: strong ? style.size + 1 : style.size, bold: strong ?? false }
    if (strong) canvas.rule(x0, y - 2, x0 + width, y - 2, 0.8, style.accent)
    canvas.text(x0, y, `${label}`, text)
    canvas.text(x0 + width - 3, y, value, { ...text, align: 'right' })
    y += style.size * 1.7
  }
  return y
}

/** One row per rate: base, rate, quota (and recargo), with the total below. */
function drawRateTable(sheet: Sheet, top: number): number {
  const { canvas, style, invoice, left, right } = sheet
  const surcharge = invoice.rates.some(({ surchargeCents }) => surchargeCents !== 0)
  const head = [
    style.label.base,
    `% ${taxName(sheet)}`,
    style.label.quota,
    ...(surcharge ? ['% RE', style.label.surcharge] : []),
  ]
  const width = (right - left) * (surcharge ? 0.72 : 0.55)
  const step = width / head.length
  const cells = (values: readonly string[], y: number, bold: boolean): void =>
    values.forEach((value, index) => {
      canvas.text(left + step * (index + 1) - 4, y, value, { size: style.size - 0.5, bold, align: 'right' })
    })
  canvas.box(left, top - 3, width, style.size * 1.8, { fill: [0.92, 0.92, 0.92] })
  cells(
    head.map((label) => canvas.wrap(label, step - 4, { size: style.size - 0.5, bold: true })[0] ?? ''),
    top,
    true,
  )
  let y = top + style.size * 1.9
  for (const row of invoice.rates) {
    const extra = surcharge ? [style.percent(row.surchargeRate), style.cell(row.surchargeCents)] : []
    cells([style.cell(row.baseCents), style.percent(row.rate), style.cell(row.quotaCents), ...extra], y, false)
    y += style.size * 1.6
  }
  const rest: Row[] = [
    ...beforeBase(sheet).slice(1),
    ...afterTax(sheet),
    [style.label.total, style.money(invoice.totalCents), true],
  ]
  return drawList(sheet, rest, { top: y + 6, side: 'right' })
}

/** All figures side by side in cells across the page, the total last. */
function drawStrip(sheet: Sheet, top: number): number {
  const { canvas, style, invoice, family, left, right } = sheet
  if (invoice.rates.length > 1 || invoice.rates.some(({ surchargeCents }) => surchargeCents !== 0))
    return drawRateTable(sheet, top)
  const [row] = invoice.rates
  const rows: Row[] = [
    ...beforeBase(sheet),
    [style.label.base, style.cell(invoice.subtotalCents)],
    [`% ${taxName(sheet)}`, style.percent(row?.rate ?? 0)],
    [style.label.quota, style.cell(row?.quotaCents ?? 0)],
    ...afterTax(sheet),
    [style.label.total, style.money(invoice.totalCents), true],
  ]
  const step = (right - left) / rows.length
  const height = style.size * 3.6
  if (family.totals === 'strip') canvas.box(left, top, right - left, height / 2, { fill: [0.9, 0.9, 0.92] })
  rows.forEach(([label, value, strong], index) => {
    const x = left + step * index
    if (family.totals === 'cells') canvas.box(x, top, step, height, { stroke: [0.3, 0.3, 0.3] })
    const lines = canvas.wrap(label, step - 6, { size: style.size - 1.5, bold: true })
    canvas.text(x + 3, top + 3, lines[0] ?? '', { size: style.size - 1.5, bold: true })
    canvas.text(x + step - 4, top + height / 2 + 2, value, { size: style.size, bold: strong ?? false, align: 'right' })
  })
  return top + height + 6
}
