import type { Footer, Sheet } from './draw.ts'

const legalText =
  'De acuerdo con el Reglamento (UE) 2016/679 y la Ley Orgánica 3/2018 le informamos de que sus datos se tratan para la gestión administrativa de la factura y no se cederán a terceros salvo obligación legal.'

/** Payment method, account and notes. */
export function drawPayment(sheet: Sheet, { top, below }: { top: number; below: number }): void {
  const { canvas, family, invoice, style, left, right, random, bottom } = sheet
  const lines = paymentLines(sheet)
  if (invoice.exemptReason !== null) lines.push(invoice.exemptReason)
  if (lines.length === 0) return
  const wideTotals = family.totals !== 'right-list' || invoice.linesIncludeTax
  const y =
    family.payment === 'beside' && !wideTotals
      ? top
      : family.payment === 'footer'
        ? Math.max(below, bottom - lines.length * style.size * 1.5 - 8)
        : below
  const width = family.payment === 'beside' && !wideTotals ? (right - left) * 0.46 : right - left
  let at = y
  for (const line of lines) {
    for (const part of canvas.wrap(line, width, { size: style.size })) {
      canvas.text(left, at, part, { size: style.size, bold: random.chance(0.1) })
      at += style.size * 1.45
    }
  }
}

function paymentLines({ invoice, style, random }: Sheet): string[] {
  const method = style.method(invoice)
  const account = invoice.iban === null ? '' : style.iban(invoice.iban, invoice.ibanMasked)
  const bank = random.chance(0.2)
    ? `${random.pick(['CaixaBank', 'Banco Santander', 'BBVA', 'Banco Sabadell', 'Unicaja', 'Kutxabank', 'Abanca'])} `
    : ''
  const methodLine = method === '' ? '' : `${style.label.paymentMethod}${style.colon} ${method}`
  const accountLine = account === '' ? '' : `${bank}${style.label.account.replace(/:$/, '')}${style.colon} ${account}`
  const both = [methodLine, accountLine].filter((line) => line !== '')
  return both.length === 2 && random.chance(0.25) ? [both.join(random.pick([' - ', '  ', ' · ']))] : both
}

/** Registry line, page number and legal text in the margins of the current page. */
export function drawFooter({ canvas, style, left, right, random }: Sheet, { registry, place, legal }: Footer): void {
  const small = { size: 5.5 + random.int(0, 2) * 0.5, color: [0.4, 0.4, 0.4] as const }
  const number = canvas.pageCount()
  let y = canvas.heightPt - 46
  if (place === 'bottom') {
    for (const line of canvas.wrap(registry, right - left, small)) {
      canvas.text((left + right) / 2, y, line, { ...small, align: 'center' })
      y += small.size * 1.3
    }
  } else if (place === 'side') {
    canvas.upwards(18, canvas.heightPt - 120, registry, small)
  }
  if (legal) {
    for (const line of canvas.wrap(legalText, right - left, small)) {
      canvas.text(left, y, line, small)
      y += small.size * 1.25
    }
  }
  if (number > 1 || random.chance(0.3))
    canvas.text(right, canvas.heightPt - 20, `${style.label.page} ${number}`, { ...small, size: 7, align: 'right' })
}
