/**
 * Modelo 390, resumen anual del IVA (Orden EHA/3111/2009, as amended up to Orden HAC/1274/2024), régimen general, by rate.
 */
import { type Period, periodRange } from '../period.ts'
import { statutoryDueDate } from '../tax-calendar.ts'
import {
  type BoxRow,
  createSheet,
  type MissingBox,
  type Sheet,
  type TaxableEntry,
  type TaxModelDraft,
} from './model.ts'
import {
  currentInputBoxes390,
  investmentInputBoxes390,
  outputBoxes390,
  type RateBoxes,
  rowsWithin,
  surchargeBoxes390,
} from './vat-boxes.ts'
import type { VatLine } from './vat-lines.ts'
import { percentLabel, placeLines, put, putByRate } from './vat-sheet.ts'

const accrued: readonly BoxRow[] = [
  { box: '25', label: 'Adquisiciones intracomunitarias de bienes, tipo general: base' },
  { box: '26', label: 'Adquisiciones intracomunitarias de bienes, tipo general: cuota' },
  { box: '551', label: 'Adquisiciones intracomunitarias de servicios, tipo general: base' },
  { box: '552', label: 'Adquisiciones intracomunitarias de servicios, tipo general: cuota' },
  { box: '27', label: 'Otros supuestos de inversión del sujeto pasivo: base' },
  { box: '28', label: 'Otros supuestos de inversión del sujeto pasivo: cuota' },
  { box: '29', label: 'Modificación de bases y cuotas: base' },
  { box: '30', label: 'Modificación de bases y cuotas: cuota' },
  { box: '33', label: 'Total bases IVA' },
  { box: '34', label: 'Total cuotas IVA' },
]
const surchargeRows: readonly BoxRow[] = [
  { box: '43', label: 'Modificación del recargo de equivalencia: base' },
  { box: '44', label: 'Modificación del recargo de equivalencia: cuota' },
  { box: '47', label: 'Total cuotas IVA y recargo de equivalencia' },
]
const deducted: readonly BoxRow[] = [
  { box: '629', label: 'Adquisiciones intracomunitarias de bienes corrientes, tipo general: base' },
  { box: '630', label: 'Adquisiciones intracomunitarias de bienes corrientes, tipo general: cuota' },
  { box: '633', label: 'Adquisiciones intracomunitarias de bienes de inversión, tipo general: base' },
  { box: '634', label: 'Adquisiciones intracomunitarias de bienes de inversión, tipo general: cuota' },
  { box: '637', label: 'Adquisiciones intracomunitarias de servicios, tipo general: base' },
  { box: '638', label: 'Adquisiciones intracomunitarias de servicios, tipo general: cuota' },
  { box: '639', label: 'Rectificación de deducciones: base' },
  { box: '62', label: 'Rectificación de deducciones: cuota' },
  { box: '64', label: 'Suma de deducciones' },
  { box: '65', label: 'Resultado del régimen general (47 − 64)' },
  { box: '84', label: 'Suma de resultados' },
  { box: '86', label: 'Resultado de la liquidación anual' },
  { box: '99', label: 'Operaciones en régimen general' },
  { box: '103', label: 'Entregas intracomunitarias exentas' },
  { box: '125', label: 'Operaciones sujetas con inversión del sujeto pasivo' },
  { box: '108', label: 'Total volumen de operaciones' },
]

const notComputed: readonly MissingBox[] = [
  {
    box: '700, 701',
    label: 'Régimen ordinario al 0 %',
    reason: 'Un apunte sin cuota no dice si va al tipo 0 % o está exento.',
  },
  { box: '52–55', label: 'Importaciones', reason: 'Los apuntes no distinguen las importaciones.' },
  { box: '60, 61, 63', label: 'Compensaciones agrarias y regularizaciones', reason: 'Los apuntes no las distinguen.' },
  { box: '74–83', label: 'Régimen simplificado', reason: 'Solo se calcula el régimen general.' },
  {
    box: '85, 95–98',
    label: 'Compensación y resultados de las autoliquidaciones',
    reason: 'Dependen de lo presentado en cada 303.',
  },
  {
    box: '104, 105, 110',
    label: 'Exportaciones, exentas y no sujetas',
    reason: 'Un apunte sin cuota no dice por qué no la lleva.',
  },
  { box: '109–122', label: 'Operaciones específicas y prorratas', reason: 'Los apuntes no las distinguen.' },
]

/** Drafts the 390 of a year, whatever period is asked. */
export function model390(year: number, period: Period, entries: readonly TaxableEntry[]): TaxModelDraft {
  const range = periodRange(year, 'Y')
  const sheet = createSheet()
  const leftOut = placeLines(sheet, entries, range, { output: placeOutput, input: placeInput })
  const tables = [outputBoxes390, surchargeBoxes390, currentInputBoxes390, investmentInputBoxes390] as const
  const [output, surcharge, current, investment] = tables.map((table) => rowsWithin(table, range.from, range.to)) as [
    RateBoxes[],
    RateBoxes[],
    RateBoxes[],
    RateBoxes[],
  ]
  settle(sheet, { output, surcharge, current, investment })
  return {
    model: '390',
    year,
    period,
    boxes: sheet.boxes([
      ...rateRows(output, 'Régimen ordinario'),
      ...accrued,
      ...rateRows(surcharge, 'Recargo de equivalencia'),
      ...surchargeRows,
      ...rateRows(current, 'IVA deducible, operaciones interiores corrientes'),
      { box: '48', label: 'Total bases deducibles en operaciones interiores corrientes' },
      { box: '49', label: 'Total cuotas deducibles en operaciones interiores corrientes' },
      ...rateRows(investment, 'IVA deducible, bienes de inversión'),
      { box: '50', label: 'Total bases deducibles en bienes de inversión' },
      { box: '51', label: 'Total cuotas deducibles en bienes de inversión' },
      ...deducted,
    ]),
    resultCents: sheet.value('86'),
    dueDate: statutoryDueDate('390', year, 'Y'),
    notComputed: [...notComputed],
    leftOut,
    sources: ['Orden EHA/3111/2009', ...new Set([...output, ...surcharge, ...current].map((each) => each.source))],
  }
}

function placeOutput(sheet: Sheet, line: VatLine): boolean {
  if (line.kind === 'intra_community') return put(sheet, line, ['103'])
  if (line.kind === 'reverse_charge') return put(sheet, line, ['125'])
  if (line.kind === 'untaxed') return true
  if (line.kind === 'surcharge')
    return line.corrective ? put(sheet, line, ['43', '44']) : putByRate(sheet, line, surchargeBoxes390)
  const placed = line.corrective ? put(sheet, line, ['29', '30']) : putByRate(sheet, line, outputBoxes390)
  if (placed) put(sheet, line, ['99'])
  return placed
}

function placeInput(sheet: Sheet, line: VatLine): boolean {
  if (line.kind === 'untaxed' || line.kind === 'surcharge') return true
  const selfCharged = line.kind !== 'domestic'
  if (line.corrective) {
    if (selfCharged) put(sheet, line, ['29', '30'])
    return put(sheet, line, ['639', '62'])
  }
  if (line.kind === 'intra_community') {
    const goods = line.goods || line.investment
    put(sheet, line, goods ? ['25', '26'] : ['551', '552'])
    return put(sheet, line, line.investment ? ['633', '634'] : goods ? ['629', '630'] : ['637', '638'])
  }
  if (selfCharged) put(sheet, line, ['27', '28'])
  return putByRate(sheet, line, line.investment ? investmentInputBoxes390 : currentInputBoxes390)
}

function settle(
  sheet: Sheet,
  rows: Record<'output' | 'surcharge' | 'current' | 'investment', readonly RateBoxes[]>,
): void {
  const bases = (of: readonly RateBoxes[]): string[] => of.map((each) => each.base)
  const amounts = (of: readonly RateBoxes[]): string[] => of.map((each) => each.amount)
  sheet.sum('33', [...bases(rows.output), '25', '551', '27', '29'])
  sheet.sum('34', [...amounts(rows.output), '26', '552', '28', '30'])
  sheet.sum('47', ['34', ...amounts(rows.surcharge), '44'])
  sheet.sum('48', bases(rows.current))
  sheet.sum('49', amounts(rows.current))
  sheet.sum('50', bases(rows.investment))
  sheet.sum('51', amounts(rows.investment))
  sheet.sum('64', ['49', '51', '630', '634', '638', '62'])
  sheet.sum('65', ['47'], ['64'])
  sheet.sum('84', ['65'])
  sheet.sum('86', ['84'])
  sheet.sum('108', ['99', '103', '125'])
}

const rateRows = (rows: readonly RateBoxes[], what: string): BoxRow[] =>
  rows.flatMap(({ base, amount, rate }) => {
    const percent = percentLabel(rate)
    return [
      { box: base, label: `${what}, ${percent}: base imponible` },
      { box: amount, label: `${what}, ${percent}: cuota` },
    ]
  })
