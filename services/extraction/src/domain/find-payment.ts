import type { PaymentMethod } from '@asiento/proto/schemas/extraction-result'
import type { Cell, Sheet } from './layout.ts'
import type { Found } from './parties.ts'
import { methods, vague } from './payment-words.ts'
import { fold } from './text.ts'

const payLabel =
  /forma de pago|f\. pago|metodo de pago|medio de pago|modo de pago|condiciones de pago|forma de pagament|forma pago|pago|pagado|cobrado|payment|paid|ordaintzeko|ordainketa|pagament|abonado|cobro|devolucion|devolucio|condicions de pagament|mitja de pagament|vencimiento/

const anyWord = new RegExp(` (?:${methods.flatMap(({ words }) => words).join('|')}) `)

/** How the invoice is or was paid, as it says; words in lines of the invoice do not count. */
export function findPayment(
  sheet: Sheet,
  blockedCells: ReadonlySet<number>,
): (Omit<Found, 'value'> & { value: PaymentMethod }) | null {
  let best: (Omit<Found, 'value'> & { value: PaymentMethod }) | null = null
  for (const cell of sheet.cells) {
    if (blockedCells.has(cell.index)) continue
    const text = ` ${fold(cell.text)
      .replace(/hacer(?:se|lo|la)? efectiv[oa]|fer(?:-se)? efectiu|hacera? efectiv[oa]/g, ' ')
      .replace(/(?:cheque|tarjeta|targeta|vale) (?:de )?(?:regalo|regal|cliente|socio|fideli\w+)/g, ' ')
      .replace(/[^a-z0-9·%-]+/g, ' ')} `
    if (!anyWord.test(text)) continue
    const row = sheet.rows[cell.row]
    const left = row?.cells.filter((other) => other.x1 <= cell.x0).at(-1)
    const above = aboveText(sheet, cell)
    const labelled =
      payLabel.test(text) || (left !== undefined && payLabel.test(fold(left.text))) || payLabel.test(above)
    const hits = methods.flatMap(({ method, words }) =>
      words.map((word) => ({ method, word, at: text.indexOf(` ${word} `) })).filter((hit) => hit.at >= 0),
    )
    if (hits.length === 0) continue
    const hit = hits.sort((a, b) => weight(b) - weight(a) || a.at - b.at)[0]
    if (hit === undefined) continue
    const score =
      (labelled ? 3 : 1) +
      weight(hit) -
      (cell.tokens.length > 25 ? 1.2 : 0) -
      (cell.tokens.length > 12 && !labelled ? 0.4 : 0)
    if (best !== null && best.score >= score) continue
    const first = hit.word.split(' ')[0] ?? ''
    const tokens = cell.tokens.filter((token) => token.bare.startsWith(first))
    best = { value: hit.method, tokens: tokens.length > 0 ? tokens : cell.tokens, score }
  }
  return best === null || best.score < 0.9 ? null : best
}

const aboveText = (sheet: Sheet, cell: Cell): string => {
  const row = sheet.rows[cell.row - 1]
  if (row === undefined || row.page !== cell.page || cell.y0 - row.y1 > 2 * cell.size) return ''
  return fold(row.cells.find((other) => other.x0 < cell.x1 && other.x1 > cell.x0)?.text ?? '')
}

const weight = (hit: { word: string }): number => (vague.has(hit.word) ? 0.3 : 0.8) + (hit.word.includes(' ') ? 0.4 : 0)
