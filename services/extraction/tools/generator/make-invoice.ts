import { apportion, type Cents, percentOf, scaled, scaledText, timesToCents } from '@asiento/proto/money'
import type { PaymentMethod } from '@asiento/proto/schemas/extraction-result'
import type { Invoice, InvoiceLine, RateRow } from './invoice.ts'
import type { Language } from './labels.ts'
import { makeParty } from './make-party.ts'
import type { City } from './places.ts'
import type { Random } from './random.ts'
import { spanishIban } from './tax-ids.ts'
import { type Trade, trades } from './trades.ts'

/** Recargo de equivalencia beside each rate of VAT (Ley 37/1992 art. 161). */
const surchargeOf: Record<number, number> = { 21: 5.2, 10: 1.4, 4: 0.5 }
/** IGIC rates that stand for the VAT rates of the goods (Ley 4/2012 arts. 51 ff.). */
const igicOf: Record<number, number> = { 21: 7, 10: 3, 4: 0, 0: 0 }
const ipsiOf: Record<number, number> = { 21: 4, 10: 2, 4: 1, 0: 0 }

/** Invents an invoice that adds up. */
export function makeInvoice(random: Random): Invoice {
  const trade = random.pick(trades)
  const { party: vendor, city } = makeParty(random, { trade, person: trade.person && random.chance(0.4) })
  const kind = random.weighted([
    ['invoice', 84],
    ['simplified', trade.receipt ? 12 : 2],
    ['corrective', 7],
  ] as const)
  const linesIncludeTax = (kind === 'simplified' && random.chance(0.75)) || random.chance(0.015)
  const lines = makeLines(random, { trade, city, linesIncludeTax })
  const surcharge = trade.surcharge && city.tax === 'IVA' && !linesIncludeTax && random.chance(0.12)
  const withholdingRate = withholdingFor(random, trade, vendor.isPerson, kind)
  const sign = kind === 'corrective' ? -1 : 1
  const amounts = addUp(random, { lines, linesIncludeTax, surcharge, withholdingRate, plain: kind !== 'invoice' })
  const date = makeDate(random)
  const payment = makePayment(random, kind)
  const invoice: Invoice = {
    language: languageFor(random, city),
    kind,
    taxType: city.tax,
    vendor,
    buyer:
      kind === 'simplified' ? null : makeParty(random, { person: withholdingRate === 0 && random.chance(0.15) }).party,
    number: makeNumber(random, date),
    date,
    dueDate:
      kind === 'invoice' && random.chance(0.6)
        ? addDays(date, random.pick([0, 7, 10, 15, 20, 30, 30, 30, 45, 60, 60, 90]))
        : null,
    lines,
    linesIncludeTax,
    ...amounts,
    withholdingRate,
    ...payment,
    exemptReason: amounts.rates.every(({ rate }) => rate === 0)
      ? 'Operación exenta de IVA según el art. 20 de la Ley 37/1992'
      : null,
    correctedNumber: kind === 'corrective' ? makeNumber(random, date) : null,
    pgcHint: trade.pgc,
  }
  return sign === 1 ? invoice : negate(invoice)
}

function languageFor(random: Random, city: City): Language {
  if (random.chance(0.04)) return 'en'
  return city.language !== 'es' && random.chance(0.45) ? city.language : 'es'
}

interface LineOptions {
  trade: Trade
  city: City
  linesIncludeTax: boolean
}

function makeLines(random: Random, { trade, city, linesIncludeTax }: LineOptions): InvoiceLine[] {
  const count = random.weighted([
    [random.int(1, 3), 40],
    [random.int(4, 8), 40],
    [random.int(9, 16), 13],
    [random.int(24, 60), 7],
  ] as const)
  const discounted = random.chance(0.18)
  const oneRate = random.chance(0.35)
  const mainRate = random.pick(trade.items)[3]
  const items = trade.items.filter(([, , , rate]) => !oneRate || rate === mainRate)
  const fine = random.chance(0.1)
  return Array.from({ length: count }, () => {
    const [name, from, to, vat, measure] = random.pick(items.length > 0 ? items : trade.items)
    const taxRate = city.tax === 'IVA' ? vat : ((city.tax === 'IGIC' ? igicOf : ipsiOf)[vat] ?? 0)
    const price = from + (to - from) * random.next() ** 2
    const decimals =
      price < 1 && fine
        ? 4
        : random.weighted([
            [2, 90],
            [0, 7],
            [3, 3],
          ] as const)
    const unitPrice = scaledText(scaled(Math.max(0.01, price).toFixed(price < 1 ? Math.max(2, decimals) : decimals)), 2)
    const quantity = makeQuantity(random, measure)
    const discountPercent = discounted && random.chance(0.7) ? random.pick([5, 10, 10, 15, 20, 25, 30, 50, 12.5]) : 0
    return {
      reference: `${random.pick(['', '', 'A', 'REF', 'P-', 'X'])}${random.digits(random.int(3, 6))}`,
      description: decorate(random, name),
      quantity,
      unitPrice,
      discountPercent,
      taxRate,
      totalCents: lineTotal(quantity, unitPrice, discountPercent),
    }
  }).filter(({ totalCents }) => totalCents > 0 || linesIncludeTax)
}

/** quantity × price × (1 − discount), rounded once. */
function lineTotal(quantity: string, unitPrice: string, discountPercent: number): Cents {
  const net = scaled(unitPrice) * (scaled(100) - scaled(discountPercent))
  return timesToCents(quantity, scaledText(net / scaled(100)))
}

function makeQuantity(random: Random, measure: 'units' | 'hours' | 'weight' | 'one'): string {
  if (measure === 'one') return random.chance(0.93) ? '1' : String(random.int(2, 3))
  if (measure === 'hours')
    return random.pick(['1', '2', '3', '4', '6', '8', '10', '12', '16', '24', '1.5', '2.5', '3.25', '7.5', '37.5'])
  if (measure === 'weight')
    return random.chance(0.3)
      ? String(random.int(2, 900))
      : (random.int(20, 90_000) / 100).toFixed(random.pick([1, 2, 2, 3]))
  return String(
    random.weighted([
      [random.int(1, 5), 60],
      [random.int(6, 30), 30],
      [random.pick([50, 100, 144, 200, 500, 1000, 1500]), 10],
    ] as const),
  )
}

function decorate(random: Random, name: string): string {
  if (random.chance(0.72)) return name
  return random.pick([
    `${name} (${random.pick(['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio'])} 2026)`,
    `${name} s/ albarán ${random.digits(5)} de ${random.int(1, 28)}/0${random.int(1, 9)}`,
    `${name} según presupuesto nº ${random.int(100, 999)}/25`,
    `${name}. Incluye desplazamiento y pequeño material necesario para su puesta en servicio`,
    `${name} - ref. ${random.digits(4)}`,
    `${name} (obra ${random.pick(['Las Rozas', 'nave 3', 'C/ Luna 14', 'planta baja'])})`,
    `${name}, servicio realizado los días ${random.int(1, 10)} y ${random.int(11, 28)} del mes en curso`,
  ])
}

function withholdingFor(random: Random, trade: Trade, isPerson: boolean, kind: Invoice['kind']): number {
  if (kind === 'simplified' || trade.withholding === 0) return 0
  if (trade.withholding === 19) return random.chance(0.8) ? 19 : 0
  if (!isPerson) return 0
  return trade.withholding === 15 && random.chance(0.2) ? 7 : trade.withholding
}

interface Sums {
  lines: readonly InvoiceLine[]
  linesIncludeTax: boolean
  surcharge: boolean
  withholdingRate: number
  plain: boolean
}

type Amounts = Pick<
  Invoice,
  | 'sumCents'
  | 'globalDiscountPercent'
  | 'globalDiscountCents'
  | 'chargesCents'
  | 'rates'
  | 'subtotalCents'
  | 'taxCents'
  | 'withholdingCents'
  | 'suplidosCents'
  | 'totalCents'
>

function addUp(random: Random, { lines, linesIncludeTax, surcharge, withholdingRate, plain }: Sums): Amounts {
  const perRate = new Map<number, Cents>()
  for (const line of lines) perRate.set(line.taxRate, (perRate.get(line.taxRate) ?? 0) + line.totalCents)
  const sumCents = sum([...perRate.values()])
  const simple = plain || linesIncludeTax
  const globalDiscountPercent = !simple && random.chance(0.09) ? random.pick([2, 3, 5, 10, 1.5]) : 0
  const globalDiscountCents = percentOf(sumCents, globalDiscountPercent)
  const chargesCents = !simple && withholdingRate === 0 && random.chance(0.06) ? random.int(300, 4500) : 0
  const rateKeys = [...perRate.keys()].sort((a, b) => b - a)
  const discounts = apportion(
    globalDiscountCents,
    rateKeys.map((rate) => perRate.get(rate) ?? 0),
  )
  const main = rateKeys.reduce(
    (best, rate) => ((perRate.get(rate) ?? 0) > (perRate.get(best) ?? 0) ? rate : best),
    rateKeys[0] ?? 21,
  )
  const rates = rateKeys.map((rate, index): RateRow => {
    const gross = (perRate.get(rate) ?? 0) - (discounts[index] ?? 0) + (rate === main ? chargesCents : 0)
    const baseCents = linesIncludeTax ? Math.round((gross * 100) / (100 + rate)) : gross
    const surchargeRate = surcharge ? (surchargeOf[rate] ?? 0) : 0
    return {
      rate,
      baseCents,
      quotaCents: linesIncludeTax ? gross - baseCents : percentOf(baseCents, rate),
      surchargeRate,
      surchargeCents: percentOf(baseCents, surchargeRate),
    }
  })
  const subtotalCents = sum(rates.map(({ baseCents }) => baseCents))
  const taxCents = sum(rates.map(({ quotaCents, surchargeCents }) => quotaCents + surchargeCents))
  const withholdingCents = percentOf(subtotalCents, withholdingRate)
  const suplidosCents = !simple && withholdingRate === 15 && random.chance(0.06) ? random.int(1200, 18_000) : 0
  const totalCents = subtotalCents + taxCents - withholdingCents + suplidosCents
  return {
    sumCents,
    globalDiscountPercent,
    globalDiscountCents,
    chargesCents,
    rates,
    subtotalCents,
    taxCents,
    withholdingCents,
    suplidosCents,
    totalCents,
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function makeDate(random: Random): string {
  const day = new Date(Date.UTC(2023, 0, 1) + random.int(0, 1400) * 86_400_000)
  return day.toISOString().slice(0, 10)
}

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

function makeNumber(random: Random, date: string): string {
  const year = date.slice(0, 4)
  const short = year.slice(2)
  const n = random.int(1, 9999)
  const padded = (size: number): string => String(n).padStart(size, '0')
  return random.pick([
    `${year}/${padded(4)}`,
    `${padded(3)}/${year}`,
    `F${short}${padded(5)}`,
    `${short}-${n}`,
    `FV-${year}-${padded(4)}`,
    `A/${n}`,
    `${n}`,
    `${padded(6)}`,
    `FAC${padded(5)}`,
    `${random.pick(['A', 'B', 'V', 'T', 'E'])}-${padded(4)}`,
    `${year}${padded(4)}`,
    `${short}/${padded(5)}`,
    `VF${short}/${padded(6)}`,
    `${random.pick(['GE', 'MA', 'ES'])}.${short}.${n}`,
    `${n}/${short}`,
    `2${random.digits(9)}`,
    `FR ${year} ${padded(3)}`,
    `${year}-${random.pick(['A', 'S', 'FV'])}-${n}`,
    `INV-${random.digits(6)}`,
    `${random.digits(3)}-${random.digits(3)}-${random.digits(6)}`,
  ])
}

function makePayment(
  random: Random,
  kind: Invoice['kind'],
): { iban: string | null; ibanMasked: boolean; paymentMethod: PaymentMethod | null } {
  if (kind === 'simplified')
    return { iban: null, ibanMasked: false, paymentMethod: random.pick(['efectivo', 'tarjeta', 'tarjeta', null]) }
  const paymentMethod = random.weighted<PaymentMethod | null>([
    ['transferencia', 50],
    ['domiciliacion', 22],
    ['efectivo', 6],
    ['tarjeta', 7],
    ['cheque', 3],
    [null, 12],
  ])
  const wants =
    paymentMethod === 'transferencia'
      ? 0.9
      : paymentMethod === 'domiciliacion'
        ? 0.7
        : paymentMethod === null
          ? 0.2
          : 0.05
  const iban = random.chance(wants) ? spanishIban(random) : null
  return { iban, ibanMasked: iban !== null && paymentMethod === 'domiciliacion' && random.chance(0.3), paymentMethod }
}

/** The mirror of an invoice: quantities and all amounts negative, unit prices as they were. */
function negate(invoice: Invoice): Invoice {
  return {
    ...invoice,
    lines: invoice.lines.map((line) => ({ ...line, quantity: `-${line.quantity}`, totalCents: -line.totalCents })),
    rates: invoice.rates.map((row) => ({
      ...row,
      baseCents: -row.baseCents,
      quotaCents: -row.quotaCents,
      surchargeCents: -row.surchargeCents || 0,
    })),
    sumCents: -invoice.sumCents,
    globalDiscountCents: -invoice.globalDiscountCents || 0,
    subtotalCents: -invoice.subtotalCents,
    taxCents: -invoice.taxCents || 0,
    withholdingCents: -invoice.withholdingCents || 0,
    totalCents: -invoice.totalCents,
  }
}
