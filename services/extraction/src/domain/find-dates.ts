import { addDays, type DateFound } from './dates.ts'
import { dateLabels, numberLabels } from './labels.ts'
import type { Cell, Sheet, Token } from './layout.ts'
import { overlapX } from './layout.ts'
import { findLabels, type Label, labelAt } from './lexicon.ts'
import type { Found } from './parties.ts'

export interface DatesFound {
  invoiceDate: Found | null
  dueDate: Found | null
}

interface Judged {
  date: DateFound
  issue: number
  due: number
  other: number
}

/** Which date is the invoice's and which its due date: labels beside and above, then the neighbourhood of its number. */
export function findDates(
  sheet: Sheet,
  dates: readonly DateFound[],
  around: { number: Found | null; blockedCells: ReadonlySet<number>; today: string },
): DatesFound {
  const judged = dates
    .filter((date) => !around.blockedCells.has(date.cell))
    .map((date) => judge(sheet, date, around.number))
  const issue = [...judged]
    .filter((one) => one.issue > 0 && one.issue >= one.due && one.issue > one.other)
    .sort((a, b) => b.issue - a.issue || a.date.iso.localeCompare(b.date.iso))
  const fallback = [...judged].filter((one) => one.due === 0 && one.other === 0)
  const invoice = issue[0] ?? (judged.length === 1 || fallback.length >= 1 ? fallback[0] : undefined)
  const invoiceDate = invoice === undefined ? null : found(invoice.date, invoice.issue > 0 ? invoice.issue : 0.5)
  const due = judged
    .filter((one) => one.due > 0 && one.due > one.issue && one.due >= one.other && one.date !== invoice?.date)
    .sort((a, b) => b.due - a.due || a.date.iso.localeCompare(b.date.iso))
  const plausible = due.filter((one) => invoiceDate === null || one.date.iso >= invoiceDate.value)
  const chosen = plausible[0] ?? due[0]
  const dueDate =
    chosen !== undefined
      ? found(chosen.date, chosen.due)
      : invoiceDate === null
        ? null
        : relativeDue(sheet, invoiceDate.value, around.blockedCells)
  return { invoiceDate, dueDate }
}

const found = (date: DateFound, score: number): Found => ({ value: date.iso, tokens: date.tokens, score })

function judge(sheet: Sheet, date: DateFound, number: Found | null): Judged {
  const judged: Judged = { date, issue: 0, due: 0, other: 0 }
  const state = (meaning: 'issue' | 'due' | 'other', strength: number) => {
    judged[meaning] = Math.max(judged[meaning], strength)
  }
  const cell = sheet.cells[date.cell]
  if (cell === undefined) return judged
  if (chargedThen(cell, date)) {
    state('due', 3.5)
    return judged
  }
  const lead = cell.tokens.slice(previousDateEnd(cell, date), date.from)
  const before = introduction(sheet, cell)
  const own = afterNumber(cell, date, number) ?? lastLabel(lead)
  if (own !== null) {
    state(inSentence(own.meaning, [...before, ...lead]), own.distance <= 2 ? 4 : 2.5)
    return judged
  }
  // `Pago por transferencia a 85 días: 01/07/2025`
  if (
    /\b(?:pago|pagament|pagamento|payment|cobro)\b.*\b(?:dias|dies|days|egun)\b/.test(wordsOf([...before, ...lead]))
  ) {
    state('due', 2.4)
    return judged
  }
  const wrapped = date.from > 0 ? null : wrappedLabel(sheet, cell)
  if (wrapped !== null) {
    state(wrapped.meaning, 3)
    return judged
  }
  if (date.from <= 1) {
    const row = sheet.rows[date.row]
    const left = row?.cells.filter((other) => other.x1 <= cell.x0).at(-1)
    const leftLabel =
      left === undefined || cell.x0 - left.x1 > 22 * cell.size || /\d{4}/.test(left.text)
        ? null
        : lastLabel(left.tokens)
    const closed = leftLabel !== null && left !== undefined && /:$/.test(left.text)
    const above = closed ? null : labelAbove(sheet, cell, date)
    if (left !== undefined && leftLabel !== null && leftLabel.distance <= 2)
      state(isOfAnother(sheet, left) ? 'other' : leftLabel.meaning, above === null ? 3.4 : 2.6)
    if (above !== null) state(above.meaning, 3 - 0.3 * above.steps)
    if (leftLabel !== null || above !== null) return judged
  }
  // unlabelled: beside the number of the invoice, or after a town (`Madrid, 12 de marzo`)
  const first = number?.tokens[0]
  if (first !== undefined && first.page === date.page) {
    if (first.row === date.row && first.cell === date.cell) state('issue', 2.4)
    else if (first.row === date.row) state('issue', 1.6)
    else if (Math.abs(first.y0 - date.y0) < 3 * first.size && Math.abs(first.x0 - date.x0) < 14 * first.size)
      state('issue', 1.8)
  }
  const page = sheet.document.pages.find((candidate) => candidate.index === date.page)
  if (page !== undefined && date.page === sheet.document.pages[0]?.index && date.y0 < 0.4 * page.heightPt)
    state('issue', 0.8)
  if (/^(?:lectura|periodo|del?|desde|hasta|al|albar\p{L}*)\b/iu.test(cell.text) && date.from > 0) state('other', 1.5)
  return judged
}

/** What stands left of a cell and ends with a colon: `Condiciones de pago:   hasta el 6 de mayo`. */
function introduction(sheet: Sheet, cell: Cell): readonly Token[] {
  const left = sheet.rows[cell.row]?.cells.findLast((other) => other.x1 <= cell.x0)
  return left !== undefined && /:$/.test(left.text) && cell.x0 - left.x1 < 3 * cell.size ? left.tokens : []
}

const wordsOf = (tokens: readonly Token[]): string => tokens.map((token) => token.bare).join(' ')

/** `El 07.09.2025 se cargará en tu cuenta`: what is said after the date. */
function chargedThen(cell: Cell, date: DateFound): boolean {
  const words = cell.tokens.slice(date.to, date.to + 4).map((token) => token.bare)
  return /^(?:(?:se|es|le|te|lo|sera|ser[aá]) )?(?:cargara|cobrara|adeudara|girara|carregara|cobrarem|cargado|adeudado|pasara)/.test(
    words.join(' '),
  )
}

/**
 * A label within a sentence: `hasta el 6 de mayo` ends a term of payment where payment is spoken of, and `de fecha` after
 * the number of another document (`Rectifica a la factura F-17 de fecha …`) is that document's.
 */
function inSentence(meaning: 'issue' | 'due' | 'other', lead: readonly Token[]): 'issue' | 'due' | 'other' {
  const words = wordsOf(lead)
  if (meaning === 'other' && /\b(?:hasta|fins|ata|until|before)(?: el| al| o| a)?$/.test(words))
    return /\b(?:pago|pagar|pagos|pagament|pagamento|cobro|abonar|payment|pay)\b/.test(words) ? 'due' : 'other'
  if (meaning === 'issue' && /\b(?:de|con|del) (?:fecha|data)(?: el| de)?$/.test(words))
    return findLabels(lead, numberLabels).at(-1)?.meaning === 'other' || /\b(?:rectifica|anula|abona)\b/.test(words)
      ? 'other'
      : 'issue'
  return meaning
}

/** `Nº 2023-A-7589 del 17/09/2023`, `… de fecha …`: the date right after the invoice's number is the invoice's. */
function afterNumber(cell: Cell, date: DateFound, number: Found | null): { meaning: 'issue'; distance: number } | null {
  const last = number?.tokens.at(-1)
  const at = last === undefined ? -1 : cell.tokens.indexOf(last)
  if (at < 0 || at >= date.from || date.from - at > 4) return null
  const between = cell.tokens.slice(at + 1, date.from).map((token) => token.bare)
  return between.every((word) => /^(?:|del|de|fecha|data|d|a|con|el|do|da)$/.test(word))
    ? { meaning: 'issue', distance: 0 }
    : null
}

/** `DE FECHA` right below `FRA. ORIGINAL` or `Pedido` is the date of that document. */
function isOfAnother(sheet: Sheet, label: Cell): boolean {
  if (!/^(?:de|con|del)\b/i.test(label.text)) return false
  const above = sheet.rows[label.row - 1]?.cells.find((cell) => Math.abs(cell.x0 - label.x0) < 0.5 * label.size)
  if (above === undefined || above.page !== label.page || label.y0 - above.y1 > 1.5 * label.size) return false
  return labelAt(above.tokens, 0, numberLabels)?.meaning === 'other'
}

/** A sentence broken before its date: `… antes del` and the date opening the next row at the same margin. */
function wrappedLabel(sheet: Sheet, cell: Cell): { meaning: 'issue' | 'due' | 'other' } | null {
  const above = sheet.rows[cell.row - 1]?.cells.find((other) => Math.abs(other.x0 - cell.x0) < 1)
  if (above === undefined || above.page !== cell.page || above.tokens.length < 5) return null
  if (above.x1 < cell.x1 || cell.y0 - above.y1 > cell.size) return null
  const label = lastLabel(above.tokens)
  return label !== null && label.distance === 0 ? label : null
}

/** Labels before a date govern it only from the date before it on. */
function previousDateEnd(cell: Cell, date: DateFound): number {
  for (let index = date.from - 1; index >= 0; index -= 1) {
    if (/^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}/.test(cell.tokens[index]?.text ?? '')) return index + 1
  }
  return 0
}

function lastLabel(tokens: readonly Token[]): { meaning: 'issue' | 'due' | 'other'; distance: number } | null {
  const labels = findLabels(tokens, dateLabels).filter((found) => found.to === tokens.length || !isPreposition(found))
  const last = labels.at(-1)
  if (last === undefined) return null
  // `antes del día`, `abans del dia`: the day itself says nothing
  const before = labels.at(-2)
  const label =
    before !== undefined && before.to === last.from && /^(?:dia|eguna)$/.test(last.words.join(' ')) ? before : last
  const between = tokens
    .slice(label.to)
    .filter((token) => token.bare !== '' && !/^(?:el|de|del|dia|a|la|en|es)$/.test(token.bare))
  if (between.length > 3) return null
  // `Castelló del Vallès, a 5 de febrero`: part of a place's name
  if (label.words.join(' ') === 'del' && between.length > 0) return null
  // `del 1/3/2025 al 31/3/2025` is a period; `vence el` and `antes del` are phrases of their own
  if (between.some((token) => /\d{4}/.test(token.text)) && label.meaning !== 'due') return null
  if (between.length > 0 && findLabels(between, numberLabels).some((found) => found.meaning === 'other'))
    return { meaning: 'other', distance: between.length }
  return { meaning: meaningOf(label, tokens), distance: between.length }
}

/** `Fecha de otorgamiento`, `Data d'arribada`: a date of something that no list has is not the invoice's. */
function meaningOf(label: Label<'issue' | 'due' | 'other'>, tokens: readonly Token[]): 'issue' | 'due' | 'other' {
  const words = label.words.join('')
  const [first, second] = tokens.slice(label.to)
  if (first === undefined || !/^(?:fecha|data|date|dia|f)$/.test(words)) return label.meaning
  const [, own] = /^d'(\p{L}{4,})/u.exec(first.bare) ?? []
  const linked = /^(?:de|del|da|do|of)$/.test(first.bare) && /^\p{L}{4,}:?$/u.test(second?.text ?? '')
  const thing = own ?? (linked ? second?.bare : undefined)
  return thing === undefined ? label.meaning : (dateLabels.byJoined.get(words + thing)?.meaning ?? 'other')
}

/** `del` and `al` speak of the date right after them: `Vilafranca del Penedès, 9 de abril` has none. */
const isPreposition = (label: Label<string>): boolean => /^(?:del|al|a|de|el)$/.test(label.words.join(' '))

function labelAbove(
  sheet: Sheet,
  cell: Cell,
  date: DateFound,
): { meaning: 'issue' | 'due' | 'other'; steps: number } | null {
  let steps = 0
  for (let index = date.row - 1; index >= Math.max(0, date.row - 6); index -= 1) {
    const row = sheet.rows[index]
    if (row === undefined || row.page !== date.page) return null
    if (date.y0 - row.y1 > 2.6 * cell.size + 1.4 * cell.size * steps) return null
    const over = row.cells.filter(
      (other) => overlapX(other, date) > -0.5 * cell.size && other.y1 <= date.y0 + 0.7 * cell.size,
    )
    if (over.length === 0) continue
    steps += 1
    // a label left of a value names that value, not what stands below
    const valued = over.filter((other) => /\d/.test(other.text) && overlapX(other, date) > 0)
    for (const head of over) {
      if (valued.some((other) => other !== head && other.x0 >= head.x1)) continue
      const labels = findLabels(head.tokens, dateLabels).filter((label) => !isPreposition(label))
      const best = labels
        .map((label) => ({ label, tokens: head.tokens.slice(label.from, label.to) }))
        .filter(({ tokens }) => tokens.some((token) => overlapX(token, date) > -1.2 * cell.size))
        .at(0)
      if (best !== undefined && !/\d{4}|\d[/.-]\d/.test(head.text))
        return { meaning: meaningOf(best.label, head.tokens), steps }
    }
    if (over.some((head) => !/\d/.test(head.text))) return null
  }
  return null
}

/** `a 30 días`, `30 dies`, `30 days`, `30 egun`: the invoice date plus so many days. `Vencimiento: al contado` is the date itself. */
function relativeDue(sheet: Sheet, invoiceDate: string, blockedCells: ReadonlySet<number>): Found | null {
  for (const cell of sheet.cells) {
    if (blockedCells.has(cell.index)) continue
    const at = cell.tokens.findIndex(
      (token, index) =>
        /^(?:dias|dies|days|egun|egunetara|d\/f|dff|ddf)$/.test(token.bare) &&
        /^\d{1,3}$/.test(cell.tokens[index - 1]?.bare ?? ''),
    )
    const row = sheet.rows[cell.row]
    const context = row?.cells.map((other) => other.text).join(' ') ?? cell.text
    const above = sheet.rows[cell.row - 1]?.cells.find((other) => overlapX(other, cell) > 0)?.text ?? ''
    const due = /venc|vto|vcto|plazo|epe|mugaegun|\bdue\b|\bterms\b/i
    const first = cell.tokens[at - 1]
    const unit = cell.tokens[at]
    if (at > 0 && first !== undefined && unit !== undefined && due.test(`${context} ${above}`)) {
      if (/inter[ée]s|demora|devoluci|reclam|garant|v[áa]lid|desistim/i.test(context)) continue
      const days = Number(first.bare)
      if (days > 0 && days <= 365) return { value: addDays(invoiceDate, days), tokens: [first, unit], score: 1.8 }
    }
    if (/venc|vto|vcto/i.test(cell.text) && /\bcontado\b/i.test(cell.text))
      return { value: invoiceDate, tokens: cell.tokens, score: 1.2 }
  }
  return null
}
