import type { Extraction } from '@asiento/proto/schemas/extraction-result'

/** Fields of the header that are scored, with how a value is compared. The rules are those of the labelled set. */
export const headerFields = [
  'vendor_name',
  'vendor_vat',
  'vendor_address',
  'vendor_city',
  'buyer_name',
  'buyer_vat',
  'invoice_number',
  'invoice_date',
  'due_date',
  'currency',
  'subtotal',
  'tax',
  'total',
  'iban',
  'payment_method',
  'irpf_rate',
  'declared_tax_rate',
] as const
export type HeaderField = (typeof headerFields)[number]

export interface TruthLine {
  description: string
  quantity: number | null
  unit_price: number | null
  total: number
}
export type Truth = Record<HeaderField, string | number | null> & {
  line_items: TruthLine[]
  surcharge?: number
  _meta: { class?: string; layout?: string; planted?: { kind: string; twin: string } }
}
export type Prediction = Partial<Omit<Extraction, 'line_items'>> & {
  line_items?: Partial<Extraction['line_items'][number]>[]
}

const plain = (text: unknown): string =>
  String(text).normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().replace(/\s+/g, ' ').trim()
const named = (text: unknown): string =>
  plain(text)
    .replace(/\./g, '')
    .replace(/,/g, ' ')
    .replace(/[^A-Z0-9& ]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
const bare = (text: unknown): string => plain(text).replace(/[^A-Z0-9]/g, '')
const taxId = (text: unknown): string => bare(text).replace(/^ES(?=.{9}$)/, '')

/** True when a predicted cell is right: an empty one where the truth is empty, else equal by the field's own rule. */
export function isRight(field: HeaderField, truth: Truth, prediction: Prediction): boolean {
  const expected = truth[field]
  const value = prediction[field] ?? null
  if (expected === null || expected === undefined) return value === null || value === ''
  if (value === null || value === '') return false
  if (field === 'subtotal' || field === 'tax' || field === 'total') {
    const off = Math.abs(Number(expected) - Number(value))
    return (
      off <= 0.0101 ||
      (field === 'tax' &&
        truth.surcharge !== undefined &&
        Math.abs(Number(expected) - truth.surcharge - Number(value)) <= 0.0101)
    )
  }
  if (field === 'irpf_rate' || field === 'declared_tax_rate') return Math.abs(Number(expected) - Number(value)) < 0.005
  if (field.endsWith('_vat')) return taxId(expected) === taxId(value)
  if (field.endsWith('_date')) return expected === value
  if (field === 'iban') return bare(expected) === bare(value)
  if (field === 'invoice_number') return plain(expected).replace(/\s/g, '') === plain(value).replace(/\s/g, '')
  if (field === 'currency' || field === 'payment_method') return plain(expected) === plain(value)
  return similarity(named(expected), named(value)) >= 90 || similarity(plain(expected), plain(value)) >= 90
}

/** Pairs that match (total to the cent, description alike), of them with quantity and price right, and both counts. */
export function matchLines(
  truth: Truth,
  prediction: Prediction,
): { matched: number; strict: number; truth: number; predicted: number } {
  const predicted = prediction.line_items ?? []
  const pairs = truth.line_items.flatMap((line, index) =>
    predicted.flatMap((other, at) => {
      const alike = similarity(named(line.description), named(other.description ?? ''))
      if (alike < 80 || Math.abs((other.total ?? Number.NaN) - line.total) > 0.0101 || other.total == null) return []
      const close = (a: number | null, b: number | null | undefined) =>
        a === null || (b != null && Math.abs(a - b) <= Math.max(0.0101, Math.abs(a) * 0.005))
      const strict = close(line.quantity, other.quantity) && close(line.unit_price, other.unit_price)
      return [{ index, at, strict, score: alike + (strict ? 5 : 0) }]
    }),
  )
  const used = new Set<string>()
  let matched = 0
  let strict = 0
  for (const pair of pairs.sort((a, b) => b.score - a.score)) {
    if (used.has(`t${pair.index}`) || used.has(`p${pair.at}`)) continue
    used.add(`t${pair.index}`).add(`p${pair.at}`)
    matched += 1
    if (pair.strict) strict += 1
  }
  return { matched, strict, truth: truth.line_items.length, predicted: predicted.length }
}

/** Likeness of two texts in percent: twice the longest common subsequence over both lengths. */
export function similarity(a: string, b: string): number {
  if (a.length + b.length === 0) return 100
  let previous = new Uint16Array(b.length + 1)
  for (let i = 1; i <= a.length; i += 1) {
    const current = new Uint16Array(b.length + 1)
    for (let j = 1; j <= b.length; j += 1) {
      current[j] = a[i - 1] === b[j - 1] ? (previous[j - 1] ?? 0) + 1 : Math.max(previous[j] ?? 0, current[j - 1] ?? 0)
    }
    previous = current
  }
  return (200 * (previous[b.length] ?? 0)) / (a.length + b.length)
}

/** The 95 % Wilson interval of a share, in percent. */
export function wilson(hits: number, count: number): [number, number] {
  if (count === 0) return [0, 100]
  const z = 1.96
  const p = hits / count
  const middle = (p + (z * z) / (2 * count)) / (1 + (z * z) / count)
  const half = (z * Math.sqrt((p * (1 - p)) / count + (z * z) / (4 * count * count))) / (1 + (z * z) / count)
  return [100 * Math.max(0, middle - half), 100 * Math.min(1, middle + half)]
}
