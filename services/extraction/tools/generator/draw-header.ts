import type { TextStyle } from './canvas.ts'
import type { Sheet } from './draw.ts'
import type { Party } from './invoice.ts'

/** Draws title, vendor, number and dates, buyer. Returns the y below them. */
export function drawHeader(sheet: Sheet): number {
  const { family } = sheet
  const top = family.header === 'band' ? drawBand(sheet) : sheet.random.int(36, 56)
  const vendorBottom = drawVendor(sheet, top)
  const metaBottom = drawMeta(
    sheet,
    family.header === 'centered' || family.header === 'one-line' ? vendorBottom + 12 : top,
  )
  const next = Math.max(vendorBottom, family.meta === 'strip' || family.meta === 'cells' ? vendorBottom : metaBottom)
  const wide = family.meta === 'strip' || family.meta === 'cells'
  const buyerBottom = drawBuyer(sheet, Math.max(next, metaBottom) + 14)
  return (wide ? drawWideMeta(sheet, buyerBottom + 10) : buyerBottom) + 16
}

function titleOf({ invoice, style }: Sheet): string {
  if (invoice.kind === 'simplified') return style.label.simplified
  return invoice.kind === 'corrective' ? style.label.corrective : style.label.invoice
}

function drawBand({ canvas, invoice, style, left, right, random }: Sheet): number {
  const height = random.int(40, 64)
  canvas.box(0, 0, canvas.widthPt, height, { fill: style.accent })
  canvas.text(left, height / 2 - 8, invoice.vendor.name, { size: 15, bold: true, color: [1, 1, 1] })
  if (random.chance(0.5))
    canvas.text(right, height / 2 - 6, invoice.vendor.email, { size: 8, color: [1, 1, 1], align: 'right' })
  return height + 16
}

/** The printed lines of an address, in the orders that occur. */
export function addressLines(
  { random, style }: Pick<Sheet, 'random' | 'style'>,
  party: Party,
  withLabels: boolean,
): string[] {
  const place = random.pick([
    `${party.postalCode} ${party.city} (${party.province})`,
    `${party.postalCode} ${party.city}`,
    `${party.postalCode} - ${party.city}`,
    `${party.city} ${party.postalCode}`,
    `${party.postalCode} ${party.city}, ${party.province}`,
  ])
  const taxLabel = withLabels
    ? `${style.label.taxId}${style.colon} `
    : random.pick([`${style.label.taxId} `, `${style.label.taxId}: `])
  const taxLine = `${taxLabel}${style.taxId(party.taxId)}`
  const lines = random.chance(0.25) ? [taxLine, party.street, place] : [party.street, place, taxLine]
  if (random.chance(0.12)) lines.push('España')
  return lines
}

function drawVendor(sheet: Sheet, top: number): number {
  const { canvas, family, invoice, style, left, right, random } = sheet
  const { vendor } = invoice
  const body: TextStyle = { size: style.size }
  const name: TextStyle = { size: style.size + random.int(1, 6), bold: true, color: style.accent }
  if (family.header === 'one-line') return drawOneLine(sheet, top, name)
  const lines = addressLines(sheet, vendor, false)
  if (random.chance(0.6)) lines.push(`${style.label.phone} ${vendor.phone}`)
  if (random.chance(0.4)) lines.push(vendor.email)
  const anchors = { left, 'name-only': left, band: left, centered: canvas.widthPt / 2, right } as const
  const x = anchors[family.header]
  const align = family.header === 'centered' ? 'center' : family.header === 'right' ? 'right' : 'left'
  let y = top
  const logo = (family.header === 'left' || family.header === 'name-only') && random.chance(0.35)
  if (logo) {
    canvas.box(left, y, 54, 30, { fill: style.accent })
    canvas.text(left + 27, y + 9, vendor.name.slice(0, 2).toUpperCase(), {
      size: 14,
      bold: true,
      color: [1, 1, 1],
      align: 'center',
    })
    y += 36
  }
  if (family.header !== 'band') {
    for (const part of canvas.wrap(vendor.name, 260, name)) {
      canvas.text(x, y, part, { ...name, align })
      y += name.size * 1.35
    }
  }
  for (const line of lines) {
    canvas.text(x, y, line, { ...body, align })
    y += style.size * 1.35
  }
  return y
}

function drawOneLine({ canvas, invoice, style, left, right, random }: Sheet, top: number, name: TextStyle): number {
  const { vendor } = invoice
  canvas.text(left, top, vendor.name, name)
  const separator = random.pick([' · ', ' | ', ' - ', ', '])
  const line = [
    vendor.street,
    `${vendor.postalCode} ${vendor.city}`,
    `${style.label.taxId} ${style.taxId(vendor.taxId)}`,
    `${style.label.phone} ${vendor.phone}`,
  ].join(separator)
  let y = top + name.size * 1.5
  for (const part of canvas.wrap(line, right - left, { size: style.size - 0.5 })) {
    canvas.text(left, y, part, { size: style.size - 0.5 })
    y += style.size * 1.3
  }
  canvas.rule(left, y + 3, right, y + 3, 0.8, style.accent)
  return y + 8
}

function metaRows({ invoice, style }: Sheet): [label: string, value: string][] {
  const rows: [string, string][] = [
    [style.label.number, invoice.number],
    [style.label.date, style.date(invoice.date)],
  ]
  if (invoice.dueDate !== null) rows.push([style.label.dueDate, style.date(invoice.dueDate)])
  if (invoice.correctedNumber !== null) rows.push([style.label.corrects, invoice.correctedNumber])
  return rows
}

/** Title, and number and dates where they do not run across the page. */
function drawMeta(sheet: Sheet, top: number): number {
  const { canvas, family, style, left, right, random, invoice } = sheet
  const onLeft = family.header === 'right'
  const x = onLeft ? left : right
  const align = onLeft ? 'left' : 'right'
  const title: TextStyle = { size: style.size + random.int(4, 12), bold: true, color: style.accent, align }
  const spaced = random.chance(0.06) ? { ...title, spacing: title.size * 0.35, size: title.size * 0.7 } : title
  const rows = metaRows(sheet)
  if (family.meta === 'title-line') {
    canvas.text(
      x,
      top,
      `${titleOf(sheet)} ${random.pick(['Nº', 'nº', 'Nº:', ''])} ${invoice.number}`.replace(/ {2,}/g, ' '),
      { ...title, size: style.size + 4 },
    )
    return drawRows(sheet, rows.slice(1), { x, y: top + style.size + 16, align })
  }
  if (family.meta === 'sentence') {
    canvas.text(x, top, titleOf(sheet), title)
    canvas.text(
      x,
      top + title.size * 1.5,
      `${style.label.number} ${invoice.number} ${random.pick(['de fecha', 'emitida el', 'del', 'de'])} ${style.date(invoice.date)}`,
      { size: style.size, align },
    )
    return drawRows(sheet, rows.slice(2), { x, y: top + title.size * 1.5 + style.size * 1.5, align })
  }
  canvas.text(x, top, titleOf(sheet), spaced)
  const y = top + title.size * 1.5
  if (family.meta === 'strip' || family.meta === 'cells') return y
  if (family.meta === 'stacked') return drawStacked(sheet, rows, { x, y, align })
  return drawRows(sheet, rows, { x, y, align })
}

interface Place {
  x: number
  y: number
  align: 'left' | 'right'
}

function drawRows({ canvas, style, random }: Sheet, rows: readonly [string, string][], { x, y, align }: Place): number {
  const apart = random.chance(0.45)
  const text = { size: style.size }
  const labelWidth = Math.max(0, ...rows.map(([label]) => canvas.width(`${label}${style.colon}`, text)))
  const valueWidth = Math.max(0, ...rows.map(([, value]) => canvas.width(value, text)))
  let at = y
  for (const [label, value] of rows) {
    if (apart) {
      const labelX = align === 'left' ? x : x - valueWidth - labelWidth - 12
      canvas.text(labelX, at, `${label}${style.colon}`, { ...text, bold: true })
      canvas.text(labelX + labelWidth + 12, at, value, text)
    } else canvas.text(x, at, `${label}${style.colon} ${value}`, { ...text, align })
    at += style.size * 1.5
  }
  return at
}

function drawStacked({ canvas, style }: Sheet, rows: readonly [string, string][], { x, y, align }: Place): number {
  let at = y
  for (const [label, value] of rows) {
    canvas.text(x, at, label, { size: style.size - 1.5, color: [0.45, 0.45, 0.45], align })
    canvas.text(x, at + style.size * 1.15, value, { size: style.size + 0.5, bold: true, align })
    at += style.size * 2.9
  }
  return at
}

/** Number, dates and buyer's tax id as a small table across the page. */
function drawWideMeta(sheet: Sheet, top: number): number {
  const { canvas, family, style, invoice, left, right } = sheet
  const rows = metaRows(sheet)
  if (invoice.buyer !== null) rows.push([`${style.label.taxId} ${style.label.buyer}`, style.taxId(invoice.buyer.taxId)])
  const step = (right - left) / rows.length
  const height = style.size * 3.4
  if (family.meta === 'strip') canvas.box(left, top, right - left, height / 2, { fill: [0.9, 0.9, 0.92] })
  rows.forEach(([label, value], index) => {
    const x = left + step * index
    if (family.meta === 'cells') canvas.box(x, top, step, height, { stroke: [0.3, 0.3, 0.3] })
    canvas.text(x + 4, top + 3, fitted(sheet, label, step - 6), { size: style.size - 1, bold: true })
    canvas.text(x + 4, top + height / 2 + 2, value, { size: style.size })
  })
  return top + height
}

const fitted = ({ canvas, style }: Sheet, text: string, width: number): string =>
  canvas.wrap(text, width, { size: style.size - 1, bold: true })[0] ?? text

function drawBuyer(sheet: Sheet, top: number): number {
  const { canvas, family, invoice, style, left, right, random } = sheet
  const { buyer } = invoice
  if (buyer === null) return top
  const text: TextStyle = { size: style.size }
  if (family.buyer === 'rows') return drawBuyerRows(sheet, buyer, top)
  const middle = left + (right - left) * 0.54
  const x = family.buyer === 'left' || family.buyer === 'columns' ? left : middle
  const lines = addressLines(sheet, buyer, true)
  let y = top
  if (family.buyer !== 'window') {
    canvas.text(x + 6, y, `${style.label.buyer}${random.pick(['', ':', ''])}`, {
      ...text,
      bold: true,
      color: style.accent,
    })
    y += style.size * 1.5
  }
  for (const part of canvas.wrap(buyer.name, right - x - 10, { ...text, bold: true })) {
    canvas.text(x + 6, y, part, { ...text, bold: true })
    y += style.size * 1.4
  }
  for (const line of lines) {
    canvas.text(x + 6, y, line, text)
    y += style.size * 1.4
  }
  if (family.buyer === 'box-right') canvas.box(x, top - 5, right - x, y - top + 8, { stroke: style.accent })
  return y
}

function drawBuyerRows({ canvas, style, left, random }: Sheet, buyer: Party, top: number): number {
  const rows = [
    [style.label.buyer, buyer.name],
    [random.pick(['Domicilio', 'Dirección', 'Dir.']), buyer.street],
    [random.pick(['Población', 'Localidad', 'C.P. / Población']), `${buyer.postalCode} ${buyer.city}`],
    [random.pick(['Provincia']), buyer.province],
    [style.label.taxId, style.taxId(buyer.taxId)],
  ] as const
  const widest = Math.max(...rows.map(([label]) => canvas.width(`${label}${style.colon}`, { size: style.size })))
  let y = top
  for (const [label, value] of rows) {
    canvas.text(left, y, `${label}${style.colon}`, { size: style.size, color: [0.3, 0.3, 0.3] })
    canvas.text(left + widest + 10, y, value, { size: style.size })
    y += style.size * 1.45
  }
  return y
}
