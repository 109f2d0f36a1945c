import { type Cents, cents, hasAtMostDecimals } from '@asiento/proto/money'
import { type DecimalSign, decimalSignOf, toDecimal } from './decimals.ts'
import { boxOf, type Sheet, type Token, textOf } from './layout.ts'
import type { Box } from './page.ts'

/**
 * Numbers as printed: amounts, quantities, prices and percentages, in the Spanish way (`1.234,56`), the English one and
 * with blanks between thousands.
 */
export interface Figure extends Box {
  tokens: Token[]
  text: string
  /** The exact decimal, as `proto/money` reads it: `-1234.5`. */
  decimal: string
  /** Rounded to cents. */
  cents: Cents
  decimals: number
  percent: boolean
  /** A currency sign or code stands at it. */
  currency: boolean
  page: number
  row: number
  cell: number
  ocr: boolean
  /** True when look-alike signs had to be replaced to read it. */
  repaired: boolean
  confidence: number
}

const core = /^[\d.,']{1,24}$/
const currencies = new Set(['€', 'eur', 'euros', 'euro', '$', 'usd', '£', 'gbp'])

/** All numbers of the sheet, in reading order. */
export function readFigures(sheet: Sheet): Figure[] {
  const sign = decimalSignOf(sheet.tokens)
  const figures: Figure[] = []
  for (const cell of sheet.cells) {
    let index = 0
    while (index < cell.tokens.length) {
      const found = figureAt(cell.tokens, index, sign)
      if (found === null) index += 1
      else {
        figures.push(found.figure)
        index = found.next
      }
    }
  }
  return figures
}

function figureAt(tokens: readonly Token[], start: number, sign: DecimalSign): { figure: Figure; next: number } | null {
  const taken: Token[] = []
  let index = start
  let currency = false
  let negative = false
  let percent = false
  const first = tokens[index]
  if (first === undefined) return null
  // a separate sign or currency before the number
  const before = tokens[start - 1]
  for (let steps = 0; steps < 2; steps += 1) {
    const token = tokens[index]
    const next = tokens[index + 1]
    if (token === undefined || next === undefined) break
    const plain = token.text.toLowerCase()
    if (currencies.has(plain) && startsLikeNumber(next.text) && near(token, next, 0.9) && !endsLikeNumber(before)) {
      currency = true
    } else if (
      /^[-−–—+]$/.test(token.text) &&
      startsLikeNumber(next.text) &&
      near(token, next, 0.9) &&
      opensCell(before, token)
    ) {
      negative = token.text !== '+'
    } else break
    taken.push(token)
    index += 1
  }
  const token = tokens[index]
  if (token === undefined) return null
  const read = strip(token.text, token.ocr)
  if (read === null) return null
  taken.push(token)
  let digits = read.digits
  let repaired = read.repaired
  currency ||= read.currency
  negative ||= read.negative
  percent ||= read.percent
  let closed = read.closed
  index += 1
  // pieces that belong to the same number
  while (!closed && index < tokens.length && digits.length < 20) {
    const next = tokens[index]
    const last = taken.at(-1)
    if (next === undefined || last === undefined) break
    const more = strip(next.text, next.ocr)
    if (more === null || more.opened) break
    const tight = near(last, next, fillsCell(tokens) ? 0.7 : 0.42)
    const thousands =
      /^\d{1,3}(?: \d{3})*$/.test(digits) && /^\d{3}(?:[.,]\d{2})?$/.test(more.digits) && tight && !/^0/.test(digits)
    const brokenOff = last.ocr && tight && (/[.,]$/.test(digits) || /^[.,]\d/.test(more.digits)) && /\d/.test(digits)
    if (thousands && (/[.,]\d{2}$/.test(more.digits) || followedByThousands(tokens, index) || fillsCell(tokens)))
      digits = `${digits} ${more.digits}`
    else if (brokenOff) digits += more.digits
    else break
    taken.push(next)
    repaired ||= more.repaired
    currency ||= more.currency
    percent ||= more.percent
    negative ||= more.negative
    closed = more.closed
    index += 1
  }
  const decimal = toDecimal(digits, sign)
  if (decimal === null) return null
  const last = taken.at(-1)
  const after = tokens[index]
  const words = percentWords(tokens, index)
  if (last !== undefined && after !== undefined && !percent && near(last, after, 1.1)) {
    if (words > 0) {
      percent = true
      taken.push(...tokens.slice(index, index + words))
      index += words
    } else if (after.text === '%') {
      percent = true
      taken.push(after)
      index += 1
    } else if (currencies.has(after.text.toLowerCase().replace(/[.,;)]+$/, ''))) {
      currency = true
      taken.push(after)
      index += 1
    }
  }
  const negativeText = negative ? `-${decimal}` : decimal
  return {
    figure: {
      ...boxOf(taken),
      tokens: taken,
      text: textOf(taken),
      decimal: negativeText,
      cents: cents(negativeText),
      decimals: decimal.split('.')[1]?.length ?? 0,
      percent,
      currency,
      page: token.page,
      row: token.row,
      cell: token.cell,
      ocr: token.ocr,
      repaired,
      confidence: Math.min(...taken.map((part) => part.confidence)),
    },
    next: index,
  }
}

/** How many words say percent: `21 por 100`, `7 por ciento`, `10 per cent`. */
function percentWords(tokens: readonly Token[], index: number): number {
  const [first, second] = [tokens[index]?.bare, tokens[index + 1]?.bare]
  if (first === 'percent' || first === 'porcentaje') return 1
  return (first === 'por' || first === 'per') && /^(?:100|cien|ciento|cent|cen)$/.test(second ?? '') ? 2 : 0
}

const near = (a: Token, b: Token, sizes: number): boolean => b.x0 - a.x1 <= sizes * Math.max(a.size, 4)
const startsLikeNumber = (text: string): boolean => /^[-−–(+€$£]{0,2}[\d.,]/.test(text)
const endsLikeNumber = (token: Token | undefined): boolean => token !== undefined && /\d[.,%]?$/.test(token.text)
const opensCell = (before: Token | undefined, sign: Token): boolean =>
  before === undefined || sign.x0 - before.x1 > 0.6 * sign.size || /[:€%]$/.test(before.text)

/** `14 104` alone in its cell is one number. */
const fillsCell = (tokens: readonly Token[]): boolean =>
  tokens.length >= 2 &&
  tokens.length <= 3 &&
  tokens.every((token, at) => (at === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(token.text))

function followedByThousands(tokens: readonly Token[], index: number): boolean {
  const here = tokens[index]
  const next = tokens[index + 1]
  return here !== undefined && next !== undefined && near(here, next, 0.42) && /^\d{3}[.,]\d{2}(?!\d)/.test(next.text)
}

interface Stripped {
  digits: string
  negative: boolean
  percent: boolean
  currency: boolean
  /** Something before or after it ends the number, so no further piece may join. */
  opened: boolean
  closed: boolean
  repaired: boolean
}

const lookAlikes: Record<string, string> = {
  O: '0',
  o: '0',
  Q: '0',
  D: '0',
  l: '1',
  I: '1',
  '|': '1',
  i: '1',
  S: '5',
  s: '5',
  B: '8',
  Z: '2',
  z: '2',
  g: '9',
  q: '9',
  A: '4',
}

/** Takes sign, brackets, currency and percent off a word; null when what remains is no number. */
function strip(word: string, ocr: boolean): Stripped | null {
  if (word.length > 28) return null
  let text = word.replace(/[−–—]/g, '-').replace(/[’´`]/g, "'")
  let currency = false
  let percent = false
  let negative = false
  let opened = false
  let closed = false
  if (text.startsWith('(') && text.endsWith(')') && /\d[.,]\d{2}/.test(text)) negative = !text.includes('%')
  const head = /^[(€$£%+-]{1,3}/.exec(text)?.[0] ?? ''
  if (head !== '') {
    opened = true
    if (/[€$£]/.test(head)) currency = true
    if (head.includes('-')) negative = true
    // the Basque way: `%21`
    if (head.includes('%')) percent = true
    text = text.slice(head.length)
  }
  const tail = /(?:eur|euros|usd|gbp|[€$£%);:*-]){1,4}[.,]?$/i.exec(text)?.[0] ?? ''
  if (tail !== '') {
    closed = true
    if (/[€$£]|eur|usd|gbp/i.test(tail)) currency = true
    if (tail.includes('%')) percent = true
    if (tail.includes('-')) negative = true
    text = text.slice(0, text.length - tail.length)
  }
  if (!ocr) text = text.replace(/[.,]+$/, '')
  let repaired = false
  if (ocr && !core.test(text) && /\d/.test(text)) {
    const trimmed = text.replace(/[EeCc]$/, '')
    const replaced = [...trimmed].map((sign) => lookAlikes[sign] ?? sign).join('')
    const changed = [...trimmed].filter((sign) => lookAlikes[sign] !== undefined).length
    if (core.test(replaced) && changed * 2 < replaced.length && /[.,]\d{2}$/.test(replaced)) {
      text = replaced
      repaired = true
    }
  }
  if (!core.test(text) || !/\d/.test(text)) return null
  if (!ocr && /^[.,']/.test(text)) return null
  return { digits: text, negative, percent, currency, opened, closed, repaired }
}

/** True for a figure that can be an amount of money: exactly two decimals, or whole euros with a currency at it. */
export const isMoney = (figure: Figure): boolean =>
  !figure.percent && (figure.decimals === 2 || (figure.currency && hasAtMostDecimals(figure.decimal, 2)))
