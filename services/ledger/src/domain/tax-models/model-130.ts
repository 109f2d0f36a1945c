/**
 * Modelo 130, pago fraccionado del IRPF in estimación directa (Orden EHA/672/2007; RD 439/2007 arts. 110 and 30). Its
 * figures run from 1 January, so each quarter is worked out after the ones before it.
 */
import { type Cents, percentOf } from '@asiento/proto/money'
import { type Period, periodMonths, periodRange } from '../period.ts'
import { statutoryDueDate } from '../tax-calendar.ts'
import {
  type BoxRow,
  createSheet,
  type MissingBox,
  type Sheet,
  type TaxableEntry,
  type TaxModelDraft,
} from './model.ts'

export interface Options130 {
  /** Estimación directa `simplificada` adds the expenses that are hard to justify; that is the default. */
  method?: 'simplificada' | 'normal'
  /** Net income of the year before, which decides box 13; null or absent: box 13 is 0. */
  previousYearNetCents?: Cents | null
}

const instalmentPercent = 20

/** Provisions and expenses of hard justification: percent of the net income, with a yearly cap (RD 439/2007 art. 30.2.ª). */
export const hardToJustify: readonly { since: number; until: number | null; percent: number; source: string }[] = [
  { since: 2015, until: 2022, percent: 5, source: 'RD 439/2007 art. 30.2.ª; Ley 35/2006 art. 30.2.4.ª' },
  { since: 2023, until: 2023, percent: 7, source: 'Ley 35/2006 disposición adicional 53.ª (Ley 31/2022)' },
  { since: 2024, until: null, percent: 5, source: 'RD 439/2007 art. 30.2.ª; Ley 35/2006 art. 30.2.4.ª' },
]
const hardToJustifyCapCents: Cents = 2_000_00

/** Quarterly reduction by the net income of the year before (RD 439/2007 art. 110.3.c). */
const reductions: readonly { upToCents: Cents; reductionCents: Cents }[] = [
  { upToCents: 9_000_00, reductionCents: 100_00 },
  { upToCents: 10_000_00, reductionCents: 75_00 },
  { upToCents: 11_000_00, reductionCents: 50_00 },
  { upToCents: 12_000_00, reductionCents: 25_00 },
]

const rows: readonly BoxRow[] = [
  { box: '01', label: 'Ingresos computables desde el 1 de enero' },
  { box: '02', label: 'Gastos fiscalmente deducibles desde el 1 de enero' },
  { box: '03', label: 'Rendimiento neto (01 − 02)' },
  { box: '04', label: '20 % del rendimiento neto positivo' },
  { box: '05', label: 'Pagos fraccionados de los trimestres anteriores' },
  { box: '06', label: 'Retenciones e ingresos a cuenta soportados desde el 1 de enero' },
  { box: '07', label: 'Pago fraccionado previo del trimestre (04 − 05 − 06)' },
  { box: '12', label: 'Suma de pagos fraccionados previos (07 + 11, cero si es negativa)' },
  { box: '13', label: 'Minoración por rendimientos del año anterior (art. 110.3.c)' },
  { box: '14', label: 'Diferencia (12 − 13)' },
  { box: '15', label: 'Resultados negativos de trimestres anteriores' },
  { box: '17', label: 'Total (14 − 15 − 16)' },
  { box: '19', label: 'Resultado de la autoliquidación (17 − 18)' },
]

const notComputed: readonly MissingBox[] = [
  {
    box: '08–11',
    label: 'Actividades agrícolas, ganaderas, forestales y pesqueras',
    reason: 'Los apuntes no las distinguen.',
  },
  { box: '16', label: 'Deducción por vivienda habitual', reason: 'No consta en la contabilidad.' },
  {
    box: '18',
    label: 'Resultado de anteriores autoliquidaciones del periodo',
    reason: 'Se calcula la autoliquidación inicial.',
  },
  {
    box: '02 (amortizaciones)',
    label: 'Amortización del inmovilizado',
    reason: 'Las inversiones (grupo 2) no se amortizan aquí: añada la dotación como gasto de la cuenta 68.',
  },
]

/** Carried from quarter to quarter: earlier positive boxes 07, and negative results not yet made up for. */
interface Carry {
  paidCents: Cents
  negativeCents: Cents
}

/** Drafts the 130 of the quarter in which the period ends; needs the entries since 1 January. */
export function model130(
  year: number,
  period: Period,
  entries: readonly TaxableEntry[],
  options: Options130 = {},
): TaxModelDraft {
  const quarters = Math.ceil(periodMonths(period).last / 3)
  let carry: Carry = { paidCents: 0, negativeCents: 0 }
  let sheet = createSheet()
  for (let quarter = 1; quarter <= quarters; quarter += 1) {
    sheet = workOut(year, quarter, entries, options, carry)
    carry = carryOn(sheet, carry)
  }
  return {
    model: '130',
    year,
    period,
    boxes: sheet.boxes(rows),
    resultCents: sheet.value('19'),
    dueDate: statutoryDueDate('130', year, `T${quarters}` as Period),
    notComputed: [...notComputed],
    leftOut: entries
      .filter((entry) => entry.type === 'expense' && entry.accountCode.startsWith('2') && within(entry, year, quarters))
      .map((entry) => ({
        entryId: entry.id,
        reason: 'Es una inversión: se deduce por amortización, no al comprarla.',
      })),
    sources: ['Orden EHA/672/2007', 'RD 439/2007 art. 110', ...(options.method === 'normal' ? [] : sourceOf(year))],
  }
}

function workOut(
  year: number,
  quarter: number,
  entries: readonly TaxableEntry[],
  options: Options130,
  carry: Carry,
): Sheet {
  const sheet = createSheet()
  for (const entry of entries) {
    if (!within(entry, year, quarter)) continue
    if (entry.type === 'income') {
      sheet.add('01', entry.baseCents, [entry.id])
      if (entry.irpfCents !== 0) sheet.add('06', -entry.irpfCents, [entry.id])
    } else if (!entry.accountCode.startsWith('2')) sheet.add('02', entry.baseCents, [entry.id])
  }
  if (options.method !== 'normal') {
    sheet.add('02', provisionFor(year, sheet.value('01') - sheet.value('02')), [])
  }
  sheet.sum('03', ['01'], ['02'])
  sheet.set('04', Math.max(0, percentOf(sheet.value('03'), instalmentPercent)), ['03'])
  sheet.set('05', carry.paidCents)
  sheet.sum('07', ['04'], ['05', '06'])
  sheet.set('12', Math.max(0, sheet.value('07')), ['07'])
  sheet.set('13', reductionFor(options.previousYearNetCents ?? null))
  sheet.sum('14', ['12'], ['13'])
  sheet.set('15', Math.min(carry.negativeCents, Math.max(0, sheet.value('14'))))
  sheet.sum('17', ['14'], ['15'])
  sheet.sum('19', ['17'])
  return sheet
}

const carryOn = (sheet: Sheet, carry: Carry): Carry => ({
  paidCents: carry.paidCents + Math.max(0, sheet.value('07')),
  negativeCents: carry.negativeCents - sheet.value('15') + Math.max(0, -sheet.value('19')),
})

const within = (entry: TaxableEntry, year: number, quarter: number): boolean =>
  entry.date >= `${year}-01-01` && entry.date <= periodRange(year, `T${quarter}` as Period).to

function provisionFor(year: number, netCents: Cents): Cents {
  const rule = hardToJustify.find((each) => each.since <= year && (each.until === null || year <= each.until))
  return rule === undefined || netCents <= 0 ? 0 : Math.min(hardToJustifyCapCents, percentOf(netCents, rule.percent))
}

const sourceOf = (year: number): string[] =>
  hardToJustify
    .filter((each) => each.since <= year && (each.until === null || year <= each.until))
    .map((each) => each.source)

function reductionFor(previousYearNetCents: Cents | null): Cents {
  if (previousYearNetCents === null) return 0
  return reductions.find((each) => previousYearNetCents <= each.upToCents)?.reductionCents ?? 0
}
