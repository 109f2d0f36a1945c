import { percentOf } from '@asiento/proto/money'
import type { Chance } from './chance.ts'
import { iban as makeIban, makeParty, type Party, type PartyWish } from './party.ts'
import { type Trade, type TradeName, trades } from './trades.ts'

export interface Line {
  ref: string
  text: string
  quantity: number
  price: number
  discount: number
  rate: number
  cents: number
}
export interface Rate {
  rate: number
  base: number
  quota: number
  surchargeRate: number
  surcharge: number
}
export type Payment = 'transferencia' | 'domiciliacion' | 'cheque' | 'efectivo' | 'tarjeta' | null

/** An invented invoice; amounts are integer cents, dates `YYYY-MM-DD`. Withholding and deductions are positive. */
export interface Doc {
  kind: 'invoice' | 'simplified' | 'corrective'
  tax: 'IVA' | 'IGIC'
  vendor: Party
  buyer: Party | null
  number: string
  date: string
  due: string | null
  lines: Line[]
  withTax: boolean
  linesSum: number
  discountRate: number
  discount: number
  rates: Rate[]
  base: number
  quotas: number
  irpfRate: number
  irpf: number
  suplidos: { text: string; cents: number }[]
  /** Base, taxes and suplidos less withholding. */
  total: number
  /** Paid in advance, deducted after the total. */
  advance: number
  /** Kept back as a guarantee, deducted after the total. */
  guarantee: number
  iban: string | null
  masked: boolean
  payment: Payment
  pgc: string
}

export interface Wish {
  trade: TradeName | Trade
  kind?: Doc['kind']
  lines?: readonly [number, number]
  person?: boolean
  vendor?: PartyWish
  buyer?: PartyWish | null
  canary?: boolean
  withTax?: boolean
  surcharge?: boolean
  lineDiscounts?: boolean
  globalDiscount?: boolean
  irpf?: readonly number[]
  suplidos?: boolean
  advance?: boolean
  guarantee?: boolean
  due?: boolean
  payment?: readonly Payment[]
  iban?: 'always' | 'never' | 'masked' | 'transfer'
  wholeQuantities?: boolean
  decimals?: 2 | 3 | 4
}

const surcharges: Record<number, number> = { 21: 5.2, 10: 1.4, 4: 0.5 }
const igic: Record<number, number> = { 21: 7, 10: 3, 4: 0, 0: 0 }
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** Invents a document that adds up. */
export function makeDoc(chance: Chance, wish: Wish): Doc {
  const trade: Trade = typeof wish.trade === 'string' ? trades[wish.trade] : wish.trade
  const vendor = makeParty(chance, {
    names: trade.names,
    person: wish.person ?? false,
    canary: wish.canary ?? false,
    ...wish.vendor,
  })
  const buyer =
    wish.buyer === null
      ? null
      : makeParty(chance, wish.buyer ?? { person: wish.irpf === undefined && chance.yes(0.2), public: chance.yes(0.1) })
  const sign = wish.kind === 'corrective' ? -1 : 1
  const count = chance.int(...(wish.lines ?? [1, 8]))
  const oneRate = chance.yes(0.3) ? chance.pick(trade.items)[3] : null
  const lines: Line[] = []
  while (lines.length < count) {
    const [text, from, to, vat] = chance.pick(trade.items)
    if (oneRate !== null && vat !== oneRate) continue
    const places = wish.decimals ?? (from < 0.5 ? 3 : 2)
    const price = Math.max(0.01, Number((from + (to - from) * chance.next() ** 2).toFixed(places)))
    const quantity =
      sign *
      (wish.wholeQuantities || from > 90 || chance.yes(0.6)
        ? chance.pick([1, 1, 1, 2, 3, 4, 6, 10, 12, 25])
        : Number((chance.next() * 60 + 0.5).toFixed(chance.pick([1, 2, 2]))))
    const discount = wish.lineDiscounts && chance.yes(0.6) ? chance.pick([5, 10, 15, 20, 30]) : 0
    const net = (price * (100 - discount)) / 100
    lines.push({
      ref: chance.pick([chance.digits(6), `AR${chance.digits(4)}`, `${chance.digits(3)}.${chance.digits(3)}`]),
      text,
      quantity,
      price,
      discount,
      rate: wish.canary ? (igic[vat] ?? 0) : vat,
      cents: rounded(quantity * net * 100),
    })
  }
  const date = new Date(Date.UTC(2024, 0, 1) + chance.int(0, 1000) * 86_400_000).toISOString().slice(0, 10)
  const payment = chance.pick<Payment>(
    wish.payment ?? ['transferencia', 'transferencia', 'domiciliacion', 'tarjeta', 'efectivo', null],
  )
  const wantsIban =
    wish.iban === 'always' || wish.iban === 'masked' || (wish.iban === 'transfer' && payment === 'transferencia')
  const doc: Doc = {
    kind: wish.kind ?? 'invoice',
    tax: wish.canary ? 'IGIC' : 'IVA',
    vendor,
    buyer,
    number: numberOf(chance, date),
    date,
    due: wish.due ? addDays(date, chance.pick([0, 15, 30, 30, 45, 60, 90])) : null,
    lines,
    withTax: wish.withTax ?? false,
    linesSum: 0,
    discountRate: wish.globalDiscount && chance.yes(0.6) ? chance.pick([2, 3, 5, 10]) : 0,
    discount: 0,
    rates: [],
    base: 0,
    quotas: 0,
    irpfRate: wish.irpf === undefined ? 0 : chance.pick(wish.irpf),
    irpf: 0,
    suplidos:
      wish.suplidos && chance.yes(0.75)
        ? chance
            .pick([
              [['Tasa judicial', 30_000]],
              [['Registro Mercantil', 4_862]],
              [
                ['Provisión procurador', 15_000],
                ['Burofax', 3_121],
              ],
              [['Timbres y papel notarial', 1_263]],
            ] as [string, number][][])
            .map(([text, cents]) => ({ text, cents: cents + chance.int(0, 99) }))
        : [],
    total: 0,
    advance: 0,
    guarantee: 0,
    iban: wantsIban ? makeIban(chance) : null,
    masked: wish.iban === 'masked',
    payment,
    pgc: trade.pgc,
  }
  addUp(doc, wish.surcharge ?? false)
  if (wish.advance && chance.yes(0.7)) doc.advance = rounded((doc.total * chance.pick([0.2, 0.3, 0.5])) / 1000) * 1000
  if (wish.guarantee && chance.yes(0.75)) doc.guarantee = rounded(doc.base * 0.05)
  return doc
}

/** Half away from zero, after the last binary digits are cut off. */
const rounded = (value: number): number => Math.sign(value) * Math.round(Number(Math.abs(value).toFixed(6)))

/** Takes every sum of a document from its lines. */
export function addUp(doc: Doc, surcharge: boolean): void {
  doc.linesSum = sum(doc.lines.map((line) => line.cents))
  doc.discount = percentOf(doc.linesSum, doc.discountRate)
  const keys = [...new Set(doc.lines.map((line) => line.rate))].sort((a, b) => b - a)
  let left = doc.discount
  doc.rates = keys.map((rate, index) => {
    const own = sum(doc.lines.filter((line) => line.rate === rate).map((line) => line.cents))
    const cut = index === keys.length - 1 ? left : percentOf(own, doc.discountRate)
    left -= cut
    const gross = own - cut
    const base = doc.withTax ? rounded((gross * 100) / (100 + rate)) : gross
    const surchargeRate = surcharge ? (surcharges[rate] ?? 0) : 0
    return {
      rate,
      base,
      quota: doc.withTax ? gross - base : percentOf(base, rate),
      surchargeRate,
      surcharge: percentOf(base, surchargeRate),
    }
  })
  doc.base = sum(doc.rates.map((row) => row.base))
  doc.quotas = sum(doc.rates.map((row) => row.quota + row.surcharge))
  doc.irpf = percentOf(doc.base, doc.irpfRate)
  doc.total = doc.base + doc.quotas - doc.irpf + sum(doc.suplidos.map((item) => item.cents))
}

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

function numberOf(chance: Chance, date: string): string {
  const year = date.slice(0, 4)
  const n = chance.int(3, 8999)
  const wide = String(n).padStart(5, '0')
  return chance.pick([
    `${n}`,
    `${year}/${n}`,
    `${wide}`,
    `F${year.slice(2)}/${wide}`,
    `${chance.pick(['A', 'FV', 'VEN', 'S', 'R'])}${year.slice(2)}-${wide}`,
    `${chance.digits(10)}`,
    `${year}-${wide}`,
    `${n}/${year.slice(2)}`,
    `FVR/${year}/${wide}`,
    `${chance.pick(['B', 'FAC', 'N'])} ${n}`,
    `${chance.digits(2)}-${chance.pick(['T', 'M', 'K'])}${chance.digits(4)}-${wide}`,
    `E-${year}${wide}`,
  ])
}

/** The truth of a document in the format of the labelled sets. */
export function truthOf(
  doc: Doc,
  layout: string,
  shows: { lineRates: boolean; quantities: boolean; prices: boolean } = {
    lineRates: true,
    quantities: true,
    prices: true,
  },
): Record<string, unknown> {
  const main = [...doc.rates].sort((a, b) => Math.abs(b.base) - Math.abs(a.base))[0]
  const surcharge = sum(doc.rates.map((row) => row.surcharge))
  return {
    vendor_name: doc.vendor.name,
    vendor_vat: doc.vendor.vat,
    vendor_address: doc.vendor.street,
    vendor_city: doc.vendor.city,
    buyer_name: doc.buyer?.name ?? null,
    buyer_vat: doc.buyer?.vat ?? null,
    invoice_number: doc.number,
    invoice_date: doc.date,
    due_date: doc.due,
    currency: 'EUR',
    subtotal: doc.base / 100,
    tax: doc.quotas / 100,
    total: doc.total / 100,
    iban: doc.masked ? null : doc.iban,
    payment_method: doc.payment,
    irpf_rate: doc.irpfRate === 0 ? null : doc.irpfRate,
    irpf_amount: doc.irpfRate === 0 ? null : doc.irpf / 100,
    declared_tax_rate: main?.rate ?? null,
    ...(surcharge === 0 ? {} : { surcharge: surcharge / 100 }),
    line_items: doc.lines.map((line) => ({
      description: line.text,
      quantity: shows.quantities ? line.quantity : null,
      unit_price: shows.prices ? line.price : null,
      tax_rate: shows.lineRates ? line.rate : null,
      total: line.cents / 100,
    })),
    pgc_hint: doc.pgc,
    _meta: { class: 'digital', layout },
  }
}
