import { type Canvas, createCanvas } from './canvas.ts'
import { drawHeader } from './draw-header.ts'
import { drawFooter, drawPayment } from './draw-payment.ts'
import { drawTable } from './draw-table.ts'
import { drawTotals } from './draw-totals.ts'
import type { Family } from './families.ts'
import type { Invoice } from './invoice.ts'
import { makeStyle, type PrintStyle } from './print-style.ts'
import type { Random } from './random.ts'
import type { Hidden } from './truth.ts'

/** Everything that the blocks of a page need to draw themselves. */
export interface Sheet {
  canvas: Canvas
  random: Random
  invoice: Invoice
  family: Family
  style: PrintStyle
  left: number
  right: number
  bottom: number
}

export interface Drawn {
  bytes: Uint8Array
  hidden: Hidden
  pages: number
}

/** Draws an invoice in a layout of the family; the same random state gives the same bytes. */
export async function drawInvoice(random: Random, invoice: Invoice, family: Family): Promise<Drawn> {
  const style = makeStyle(random, invoice, family)
  const canvas = await createCanvas({ font: style.font })
  const margin = random.int(32, 62)
  const sheet: Sheet = {
    canvas,
    random,
    invoice,
    family,
    style,
    left: margin,
    right: canvas.widthPt - random.int(32, 58),
    bottom: canvas.heightPt - random.int(62, 90),
  }
  const footer = chooseFooter(random, invoice)
  drawFooter(sheet, footer)
  let y = drawHeader(sheet)
  const table = drawTable(sheet, y, () => {
    canvas.addPage()
    drawFooter(sheet, footer)
  })
  y = table.y
  const room = totalsHeight(sheet)
  if (y + room > sheet.bottom) {
    canvas.addPage()
    drawFooter(sheet, footer)
    y = 60
  } else if (random.chance(0.3)) {
    y = Math.max(y, sheet.bottom - room)
  }
  const end = drawTotals(sheet, y + 14)
  drawPayment(sheet, { top: y + 14, below: end + 12 })
  return { bytes: await canvas.save(), hidden: table.hidden, pages: canvas.pageCount() }
}

export interface Footer {
  registry: string
  place: 'bottom' | 'side' | 'none'
  legal: boolean
}

function chooseFooter(random: Random, invoice: Invoice): Footer {
  const { vendor } = invoice
  const place = vendor.isPerson
    ? 'none'
    : random.weighted([
        ['bottom', 40],
        ['side', 22],
        ['none', 38],
      ] as const)
  const named = random.chance(0.6) ? `${vendor.name} - ` : ''
  const withTaxId = random.chance(0.5) ? ` C.I.F. ${vendor.taxId}` : ''
  const registry = `${named}Inscrita en el Registro Mercantil de ${vendor.province}, Tomo ${random.int(100, 39_999)}, Folio ${random.int(1, 220)}, Hoja ${random.pick(['M', 'B', 'V', 'SE', 'Z', 'MA'])}-${random.digits(random.int(4, 6))}, Inscripción ${random.int(1, 9)}ª.${withTaxId}`
  return { registry, place, legal: random.chance(0.25) }
}

/** Points that totals and payment need at most. */
function totalsHeight({ invoice, style }: Sheet): number {
  const rows = 7 + invoice.rates.length * 2
  return rows * style.size * 1.75 + 70
}
