import { type Cents, percentOf } from '@asiento/proto/money'

/**
 * Which printed amount is wrong when the sums of an invoice do not hold: the single one whose correction makes every
 * relation hold again. Where no single one does, each broken relation is reported by itself.
 */

/** Printed amounts of an invoice as its labels give them; null where nothing is printed. */
export interface Stated {
  rows: StatedRow[]
  /** Amounts outside every tax: exempt bases and suplidos. */
  others: Cents
  withholding: { amount: Cents; rate: string | null } | null
  total: Cents | null
  /** Sum of the line totals, null when it cannot be told. */
  lines: Cents | null
  /** Bases and quotas added up, where the document prints them besides the rows. */
  baseSum: Cents | null
  taxSum: Cents | null
}

export interface StatedRow {
  base: Cents
  rate: string | null
  tax: Cents
  surcharge: { amount: Cents; rate: string | null } | null
}

export interface Mismatch {
  field: string
  /** Printed minus computed. */
  residueCents: Cents
  message: string
}

type Relation = 'quota' | 'surcharge' | 'sum' | 'withholding' | 'lines' | 'baseSum' | 'taxSum'
interface Broken {
  relation: Relation
  row: number
  residue: Cents
}

export interface DiagnoseOptions {
  /** Rates that a row may bear; a wrong printed rate is recognized only when another of them fits. */
  rates: readonly string[]
  withholdingRates: readonly string[]
  /** Cents that a quota may be off because it was added up from rounded lines. */
  quotaSlack: Cents
  linesIncludeTax: boolean
}

/** An empty list when everything holds. */
export function diagnose(stated: Stated, options: DiagnoseOptions): Mismatch[] {
  const broken = brokenRelations(stated, options)
  if (broken.length === 0) return []
  for (const repair of repairs(stated, options)) {
    if (brokenRelations(repair.stated, options).length === 0) return [repair.mismatch]
  }
  return unexplainedBy(broken)
}

function brokenRelations(stated: Stated, options: DiagnoseOptions): Broken[] {
  const broken: Broken[] = []
  const base = sum(stated.rows.map((row) => row.base))
  const tax = sum(stated.rows.map((row) => row.tax + (row.surcharge?.amount ?? 0)))
  for (const [index, row] of stated.rows.entries()) {
    if (row.rate !== null) {
      const residue = row.tax - percentOf(row.base, row.rate)
      if (Math.abs(residue) > options.quotaSlack) broken.push({ relation: 'quota', row: index, residue })
    }
    if (row.surcharge?.rate != null) {
      const residue = row.surcharge.amount - percentOf(row.base, row.surcharge.rate)
      if (Math.abs(residue) > options.quotaSlack) broken.push({ relation: 'surcharge', row: index, residue })
    }
  }
  if (stated.withholding !== null && stated.withholding.rate !== null) {
    const residue = stated.withholding.amount - percentOf(base, stated.withholding.rate)
    const withOthers = stated.withholding.amount - percentOf(base + stated.others, stated.withholding.rate)
    if (Math.abs(residue) > 1 && Math.abs(withOthers) > 1) broken.push({ relation: 'withholding', row: 0, residue })
  }
  if (stated.total !== null) {
    const computed = base + tax + stated.others - (stated.withholding?.amount ?? 0)
    const residue = stated.total - computed
    if (Math.abs(residue) > 0) broken.push({ relation: 'sum', row: 0, residue })
  }
  if (stated.lines !== null) {
    const target = options.linesIncludeTax ? base + tax : base
    const slack = stated.lines === 0 ? 0 : 2
    const residue = target - stated.lines
    const withOthers = target + stated.others - stated.lines
    if (Math.abs(residue) > slack && Math.abs(withOthers) > slack) broken.push({ relation: 'lines', row: 0, residue })
  }
  if (stated.baseSum !== null && Math.abs(stated.baseSum - base) > 0)
    broken.push({ relation: 'baseSum', row: 0, residue: stated.baseSum - base })
  if (stated.taxSum !== null && Math.abs(stated.taxSum - tax) > 0)
    broken.push({ relation: 'taxSum', row: 0, residue: stated.taxSum - tax })
  return broken
}

interface Repair {
  stated: Stated
  mismatch: Mismatch
}

/** Every correction of one printed value that some other relation suggests, the likeliest first. */
function repairs(stated: Stated, options: DiagnoseOptions): Repair[] {
  const found: Repair[] = []
  const base = sum(stated.rows.map((row) => row.base))
  const tax = sum(stated.rows.map((row) => row.tax + (row.surcharge?.amount ?? 0)))
  const withheld = stated.withholding?.amount ?? 0
  const single = stated.rows.length === 1
  for (const [index, row] of stated.rows.entries()) {
    const field = (name: string) =>
      single ? name : `tax_breakdown[${index}].${name === 'subtotal' ? 'base' : 'amount'}`
    for (const rate of options.rates) {
      if (rate === row.rate || row.rate === null) continue
      const residue = row.tax - percentOf(row.base, row.rate)
      found.push({
        stated: withRow(stated, index, { ...row, rate }),
        mismatch: {
          field: single ? 'declared_tax_rate' : `tax_breakdown[${index}].rate`,
          residueCents: residue,
          message: `El tipo impreso ${row.rate} % no da la cuota ${text(row.tax)} sobre la base ${text(row.base)}; el ${rate} % sí.`,
        },
      })
    }
    const taxes = [
      ...(row.rate === null ? [] : [percentOf(row.base, row.rate)]),
      ...(stated.total === null ? [] : [stated.total - base - stated.others + withheld - (tax - row.tax)]),
    ]
    for (const value of taxes) {
      found.push({
        stated: withRow(stated, index, { ...row, tax: value }),
        mismatch: mismatch(field('tax'), row.tax, value, 'La cuota impresa no corresponde a su base y al total'),
      })
    }
    const bases = [
      ...(stated.total === null ? [] : [stated.total - tax - stated.others + withheld - (base - row.base)]),
      ...(stated.lines === null || options.linesIncludeTax
        ? []
        : [stated.lines - (base - row.base), stated.lines - stated.others - (base - row.base)]),
      ...(stated.baseSum === null ? [] : [stated.baseSum - (base - row.base)]),
    ]
    for (const value of bases) {
      found.push({
        stated: withRow(stated, index, { ...row, base: value }),
        mismatch: mismatch(
          field('subtotal'),
          row.base,
          value,
          'La base impresa no corresponde a las líneas, la cuota y el total',
        ),
      })
    }
    if (row.surcharge !== null && row.surcharge.rate !== null) {
      const value = percentOf(row.base, row.surcharge.rate)
      found.push({
        stated: withRow(stated, index, { ...row, surcharge: { ...row.surcharge, amount: value } }),
        mismatch: mismatch(
          `tax_breakdown[${stated.rows.length + index}].amount`,
          row.surcharge.amount,
          value,
          'El recargo impreso no corresponde a su base',
        ),
      })
    }
  }
  if (stated.total !== null) {
    const value = base + tax + stated.others - withheld
    found.push({
      stated: { ...stated, total: value },
      mismatch: mismatch(
        'total',
        stated.total,
        value,
        'El total impreso no es la suma de bases y cuotas menos la retención',
      ),
    })
  }
  if (stated.withholding !== null) {
    const values = [
      ...(stated.total === null ? [] : [base + tax + stated.others - stated.total]),
      ...(stated.withholding.rate === null ? [] : [percentOf(base, stated.withholding.rate)]),
    ]
    for (const value of values) {
      found.push({
        stated: { ...stated, withholding: { ...stated.withholding, amount: value } },
        mismatch: mismatch(
          'irpf_amount',
          -stated.withholding.amount,
          -value,
          'La retención impresa no corresponde a su base y al total',
        ),
      })
    }
    for (const rate of options.withholdingRates) {
      const printed = stated.withholding.rate
      if (rate === printed || printed === null) continue
      found.push({
        stated: { ...stated, withholding: { ...stated.withholding, rate } },
        mismatch: {
          field: 'irpf_rate',
          residueCents: stated.withholding.amount - percentOf(base, printed),
          message: `El tipo de retención impreso ${printed} % no da ${text(stated.withholding.amount)}; el ${rate} % sí.`,
        },
      })
    }
  }
  if (stated.lines !== null) {
    const target = options.linesIncludeTax ? base + tax : base
    found.push({
      stated: { ...stated, lines: target },
      mismatch: mismatch('line_items', stated.lines, target, 'Las líneas no suman la base impresa'),
    })
  }
  if (stated.baseSum !== null)
    found.push({
      stated: { ...stated, baseSum: base },
      mismatch: mismatch('subtotal', stated.baseSum, base, 'La suma de bases impresa no es la de sus filas'),
    })
  if (stated.taxSum !== null)
    found.push({
      stated: { ...stated, taxSum: tax },
      mismatch: mismatch('tax', stated.taxSum, tax, 'La suma de cuotas impresa no es la de sus filas'),
    })
  return found
}

const fieldOf: Record<Relation, string> = {
  quota: 'tax',
  surcharge: 'tax',
  sum: 'total',
  withholding: 'irpf_amount',
  lines: 'line_items',
  baseSum: 'subtotal',
  taxSum: 'tax',
}

const unexplainedBy = (broken: readonly Broken[]): Mismatch[] =>
  broken.map(({ relation, residue }) => ({
    field: fieldOf[relation],
    residueCents: residue,
    message: messages[relation],
  }))

const messages: Record<Relation, string> = {
  quota: 'La cuota impresa no es el tipo por la base.',
  surcharge: 'El recargo impreso no es el tipo por la base.',
  sum: 'El total impreso no es la suma de bases y cuotas menos la retención.',
  withholding: 'La retención impresa no es el tipo por la base.',
  lines: 'Las líneas no suman la base impresa.',
  baseSum: 'La suma de bases impresa no es la de sus filas.',
  taxSum: 'La suma de cuotas impresa no es la de sus filas.',
}

const mismatch = (field: string, printed: Cents, computed: Cents, what: string): Mismatch => ({
  field,
  residueCents: printed - computed,
  message: `${what}: ${text(printed)} impreso, ${text(computed)} calculado.`,
})

const withRow = (stated: Stated, index: number, row: StatedRow): Stated => ({
  ...stated,
  rows: stated.rows.map((other, position) => (position === index ? row : other)),
})

const sum = (amounts: readonly Cents[]): Cents => amounts.reduce((total, amount) => total + amount, 0)
const text = (cents: Cents): string => (cents / 100).toFixed(2).replace('.', ',')
