import { eurosText } from '@asiento/proto/money'
import type { Color, FontFamily } from './canvas.ts'
import type { Invoice } from './invoice.ts'
import { type Labels, labels } from './labels.ts'
import type { Random } from './random.ts'

/** How one document writes its words, numbers, dates and tax ids; the same throughout the document. */
export interface PrintStyle {
  font: FontFamily
  size: number
  accent: Color
  /** One chosen label per concept. */
  label: Record<Exclude<keyof Labels, 'months' | 'methods' | 'longDate'>, string>
  colon: string
  /** An amount of cents, with the currency as this document writes it. */
  money: (cents: number) => string
  /** An amount in a table cell. */
  cell: (cents: number) => string
  decimal: (value: string, decimalsMin?: number) => string
  percent: (value: number) => string
  date: (date: string) => string
  taxId: (taxId: string) => string
  iban: (iban: string, masked: boolean) => string
  method: (invoice: Invoice) => string
}

export interface StyleChoices {
  fonts: readonly FontFamily[]
  /** Which half of each list of synonyms may be used: blind families speak with words that development ones do not. */
  words: 'first' | 'last'
}

const accents: readonly Color[] = [
  [0, 0, 0],
  [0.1, 0.25, 0.5],
  [0.5, 0.1, 0.1],
  [0.05, 0.4, 0.3],
  [0.25, 0.25, 0.28],
  [0.75, 0.35, 0.05],
  [0.3, 0.1, 0.4],
]

export function makeStyle(random: Random, invoice: Invoice, { fonts, words }: StyleChoices): PrintStyle {
  const language = labels[invoice.language]
  const number = makeNumberStyle(random, invoice)
  const symbol = random.weighted([
    [' €', 45],
    ['', 30],
    ['€', 8],
    [' EUR', 8],
    [' Euros', 2],
  ] as const)
  const cellSymbol = random.chance(0.5) ? symbol.replace(' Euros', '') : ''
  const percentStyle = random.pick(['%', ' %', '%', ',00%', ',00 %'])
  const chosen = choose(random, language, words)
  return {
    font: random.pick(fonts),
    size: random.pick([7.5, 8, 8.5, 9, 9, 9.5, 10, 10.5]),
    accent: random.pick(accents),
    label: chosen,
    colon: random.weighted([
      [':', 75],
      ['', 15],
      [' :', 10],
    ] as const),
    money: (cents) => `${number(eurosText(cents))}${symbol}`,
    cell: (cents) => `${number(eurosText(cents))}${cellSymbol}`,
    decimal: (value, decimalsMin = 0) => number(padDecimals(value, decimalsMin)),
    percent: (value) => printPercent(value, percentStyle),
    date: makeDateStyle(random, language),
    taxId: makeTaxIdStyle(random),
    iban: makeIbanStyle(random),
    method: ({ paymentMethod }) => (paymentMethod === null ? '' : random.pick(language.methods[paymentMethod])),
  }
}

function choose(random: Random, language: Labels, words: 'first' | 'last'): PrintStyle['label'] {
  const pick = (all: readonly string[]): string => {
    if (all.length < 4) return random.pick(all)
    const cut = Math.ceil(all.length * 0.62)
    return random.pick(words === 'first' ? all.slice(0, cut) : all.slice(cut - 1))
  }
  const { months: _months, methods: _methods, longDate: _longDate, ...lists } = language
  // Object.fromEntries forgets the keys; they are those of the labels.
  return Object.fromEntries(Object.entries(lists).map(([key, all]) => [key, pick(all)])) as PrintStyle['label']
}

const padDecimals = (value: string, decimalsMin: number): string => {
  const [whole = '0', fraction = ''] = value.split('.')
  const padded = fraction.padEnd(decimalsMin, '0')
  return padded === '' ? whole : `${whole}.${padded}`
}

function makeNumberStyle(random: Random, invoice: Invoice): (text: string) => string {
  const style = random.weighted([
    ['spanish', 72],
    ['plain', 20],
    ['english', invoice.language === 'en' ? 60 : 3],
    ['spaced', 2],
  ] as const)
  const trailingMinus = random.chance(0.15)
  return (text) => {
    const negative = text.startsWith('-')
    const [whole = '0', fraction] = text.replace('-', '').split('.')
    const separator = style === 'spanish' ? '.' : style === 'english' ? ',' : style === 'spaced' ? ' ' : ''
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, separator)
    const point = style === 'english' ? '.' : ','
    const printed = fraction === undefined ? grouped : `${grouped}${point}${fraction}`
    if (!negative) return printed
    return trailingMinus ? `${printed}-` : `-${printed}`
  }
}

function printPercent(value: number, style: string): string {
  if (!Number.isInteger(value)) return `${String(value).replace('.', ',')}${style.includes(' ') ? ' %' : '%'}`
  return `${value}${style}`
}

function makeDateStyle(random: Random, language: Labels): (date: string) => string {
  const style = random.weighted([
    ['dd/mm/yyyy', 46],
    ['dd-mm-yyyy', 14],
    ['dd.mm.yyyy', 6],
    ['dd/mm/yy', 8],
    ['long', 14],
    ['yyyy-mm-dd', 4],
    ['d/m/yyyy', 5],
    ['dd-mmm-yyyy', 4],
    ['dd mmm yyyy', 3],
  ] as const)
  return (date) => {
    const [year = '', month = '', day = ''] = date.split('-')
    const name = language.months[Number(month) - 1] ?? ''
    switch (style) {
      case 'dd-mm-yyyy':
        return `${day}-${month}-${year}`
      case 'dd.mm.yyyy':
        return `${day}.${month}.${year}`
      case 'dd/mm/yy':
        return `${day}/${month}/${year.slice(2)}`
      case 'long':
        return language.longDate(Number(day), name, Number(year))
      case 'yyyy-mm-dd':
        return date
      case 'd/m/yyyy':
        return `${Number(day)}/${Number(month)}/${year}`
      case 'dd-mmm-yyyy':
        return `${day}-${name.slice(0, 3)}-${year}`
      case 'dd mmm yyyy':
        return `${day} ${name.slice(0, 3)}. ${year}`
      default:
        return `${day}/${month}/${year}`
    }
  }
}

function makeTaxIdStyle(random: Random): (taxId: string) => string {
  const style = random.weighted([
    ['bare', 68],
    ['dash', 14],
    ['ES', 10],
    ['ES-', 3],
    ['dots', 4],
    ['blank', 3],
  ] as const)
  return (taxId) => {
    const company = /^[A-W]/.test(taxId)
    switch (style) {
      case 'dash':
        return company ? `${taxId.slice(0, 1)}-${taxId.slice(1)}` : `${taxId.slice(0, -1)}-${taxId.slice(-1)}`
      case 'ES':
        return `ES${taxId}`
      case 'ES-':
        return `ES-${taxId}`
      case 'dots':
        return /^\d/.test(taxId)
          ? `${taxId.slice(0, 2)}.${taxId.slice(2, 5)}.${taxId.slice(5, 8)}-${taxId.slice(8)}`
          : taxId
      case 'blank':
        return company ? `${taxId.slice(0, 1)} ${taxId.slice(1)}` : taxId
      default:
        return taxId
    }
  }
}

function makeIbanStyle(random: Random): (iban: string, masked: boolean) => string {
  const style = random.weighted([
    ['fours', 60],
    ['bare', 20],
    ['ccc', 12],
    ['dashes', 8],
  ] as const)
  return (iban, masked) => {
    const shown = masked ? `${iban.slice(0, 12)}${'*'.repeat(8)}${iban.slice(-4)}` : iban
    if (style === 'bare') return shown
    if (style === 'ccc')
      return `${shown.slice(0, 4)} ${shown.slice(4, 8)} ${shown.slice(8, 12)} ${shown.slice(12, 14)} ${shown.slice(14)}`
    return (shown.match(/.{1,4}/g) ?? [shown]).join(style === 'dashes' ? '-' : ' ')
  }
}
