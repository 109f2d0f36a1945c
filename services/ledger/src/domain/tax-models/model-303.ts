/**
 * Modelo 303, autoliquidación del IVA, régimen general (Orden EHA/3786/2008 with its amendments up to Orden
 * HFP/3666/2024). Devengo is the date of the entry: the criterio de caja is not applied.
 */
import type { Cents } from '@asiento/proto/money'
import { type DateRange, type Period, periodRange } from '../period.ts'
import { statutoryDueDate } from '../tax-calendar.ts'
import {
  type BoxRow,
  createSheet,
  type MissingBox,
  type Sheet,
  type TaxableEntry,
  type TaxModelDraft,
} from './model.ts'
import { outputBoxes303, type RateBoxes, rowsWithin, surchargeBoxes303 } from './vat-boxes.ts'
import type { VatLine } from './vat-lines.ts'
import { type Boxes, percentLabel, placeLines, put, putByRate } from './vat-sheet.ts'

export interface Options303 {
  /** Box 110: what earlier periods left to be offset; 0 unless given. */
  pendingCompensationCents?: Cents
}

const accruedTotals = ['152', '167', '03', '155', '06', '09', '11', '13', '15', '158', '170', '18', '21', '24', '26']
const deductibleTotals = ['29', '31', '33', '35', '37', '39', '41', '42', '43', '44']

const fixedRows = {
  accrued: [
    { box: '10', label: 'Adquisiciones intracomunitarias de bienes y servicios: base' },
    { box: '11', label: 'Adquisiciones intracomunitarias de bienes y servicios: cuota (al tipo general)' },
    { box: '12', label: 'Otras operaciones con inversión del sujeto pasivo: base' },
    { box: '13', label: 'Otras operaciones con inversión del sujeto pasivo: cuota (al tipo general)' },
    { box: '14', label: 'Modificación de bases y cuotas: base' },
    { box: '15', label: 'Modificación de bases y cuotas: cuota' },
  ],
  surcharge: [
    { box: '25', label: 'Modificación de bases y cuotas del recargo de equivalencia: base' },
    { box: '26', label: 'Modificación de bases y cuotas del recargo de equivalencia: cuota' },
  ],
  rest: [
    { box: '27', label: 'Total cuota devengada' },
    { box: '28', label: 'Cuotas soportadas en operaciones interiores corrientes: base' },
    { box: '29', label: 'Cuotas soportadas en operaciones interiores corrientes: cuota' },
    { box: '30', label: 'Cuotas soportadas en operaciones interiores con bienes de inversión: base' },
    { box: '31', label: 'Cuotas soportadas en operaciones interiores con bienes de inversión: cuota' },
    { box: '36', label: 'Adquisiciones intracomunitarias de bienes y servicios corrientes: base' },
    { box: '37', label: 'Adquisiciones intracomunitarias de bienes y servicios corrientes: cuota' },
    { box: '38', label: 'Adquisiciones intracomunitarias de bienes de inversión: base' },
    { box: '39', label: 'Adquisiciones intracomunitarias de bienes de inversión: cuota' },
    { box: '40', label: 'Rectificación de deducciones: base' },
    { box: '41', label: 'Rectificación de deducciones: cuota' },
    { box: '45', label: 'Total a deducir' },
    { box: '46', label: 'Resultado del régimen general (27 − 45)' },
    { box: '59', label: 'Entregas intracomunitarias de bienes y servicios' },
    { box: '122', label: 'Operaciones sujetas con inversión del sujeto pasivo' },
    { box: '64', label: 'Suma de resultados (46 + 58 + 76)' },
    { box: '65', label: 'Porcentaje atribuible a la Administración del Estado', unit: 'percent' },
    { box: '66', label: 'Atribuible a la Administración del Estado' },
    { box: '110', label: 'Cuotas a compensar pendientes de periodos anteriores' },
    { box: '78', label: 'Cuotas a compensar de periodos anteriores aplicadas en este periodo' },
    { box: '87', label: 'Cuotas a compensar pendientes para periodos posteriores' },
    { box: '69', label: 'Resultado de la autoliquidación (66 + 77 − 78 + 68 + 108)' },
    { box: '71', label: 'Resultado (69 − 70 + 109)' },
  ],
} as const satisfies Record<string, readonly BoxRow[]>

const notComputed: readonly MissingBox[] = [
  missing('150–152', 'Régimen general al 0 %', 'Un apunte sin cuota no dice si va al tipo 0 % o está exento.'),
  missing('32–35', 'Importaciones', 'Los apuntes no distinguen las importaciones ni su DUA.'),
  missing('42', 'Compensaciones del régimen especial de la agricultura', 'Los apuntes no las distinguen.'),
  missing('43', 'Regularización de bienes de inversión', 'Necesita el porcentaje de deducción de otros años.'),
  missing('44', 'Regularización por prorrata definitiva', 'Se calcula con deducción plena, sin prorrata.'),
  missing('58', 'Régimen simplificado', 'Solo se calcula el régimen general.'),
  missing('60', 'Exportaciones y operaciones asimiladas', 'Los apuntes no dicen si hubo exportación.'),
  missing('62, 63, 74, 75', 'Criterio de caja', 'El devengo se toma de la fecha del apunte.'),
  missing('68', 'Regularización anual ante varias Administraciones', 'Se atribuye el 100 % al Estado.'),
  missing(
    '70, 108, 109',
    'Rectificativas y devoluciones acordadas',
    'Se calcula la autoliquidación inicial del periodo.',
  ),
  missing('76', 'Regularización de cuotas del art. 80.Cinco.5.ª', 'Los apuntes no la distinguen.'),
  missing('77', 'IVA a la importación liquidado por la Aduana', 'Los apuntes no distinguen las importaciones.'),
  missing(
    '120, 123, 124',
    'No sujetas por localización y ventanilla única',
    'Los apuntes no dicen dónde se localizan.',
  ),
]

/** Drafts the 303 of a period from the entries; those of other dates are passed over. */
export function model303(
  year: number,
  period: Period,
  entries: readonly TaxableEntry[],
  options: Options303 = {},
): TaxModelDraft {
  const range = periodRange(year, period)
  const sheet = createSheet()
  const leftOut = placeLines(sheet, entries, range, { output: placeOutput, input: placeInput })
  settle(sheet, options.pendingCompensationCents ?? 0)
  return {
    model: '303',
    year,
    period,
    boxes: sheet.boxes(rowsOf(range, sheet)),
    resultCents: sheet.value('71'),
    dueDate: statutoryDueDate('303', year, period),
    notComputed: [...notComputed],
    leftOut,
    sources: [
      'Orden EHA/3786/2008',
      ...new Set(
        rowsWithin([...outputBoxes303, ...surchargeBoxes303], range.from, range.to).map((each) => each.source),
      ),
    ],
  }
}

function placeOutput(sheet: Sheet, line: VatLine): boolean {
  if (line.kind === 'intra_community') return put(sheet, line, ['59'])
  if (line.kind === 'reverse_charge') return put(sheet, line, ['122'])
  if (line.kind === 'untaxed') return true
  if (line.kind === 'surcharge') {
    return line.corrective ? put(sheet, line, ['25', '26']) : putByRate(sheet, line, surchargeBoxes303)
  }
  return line.corrective ? put(sheet, line, ['14', '15']) : putByRate(sheet, line, outputBoxes303)
}

/** Where a purchase is deducted: current operations, and those with assets. */
const deductedIn: Record<'domestic' | 'intra_community', { current: Boxes; investment: Boxes }> = {
  domestic: { current: ['28', '29'], investment: ['30', '31'] },
  intra_community: { current: ['36', '37'], investment: ['38', '39'] },
}

/** A purchase without Spanish VAT on which we charge it to ourselves is on both sides of the form. */
function placeInput(sheet: Sheet, line: VatLine): boolean {
  if (line.kind === 'untaxed' || line.kind === 'surcharge') return true
  const intra = line.kind === 'intra_community'
  if (line.kind !== 'domestic') put(sheet, line, line.corrective ? ['14', '15'] : intra ? ['10', '11'] : ['12', '13'])
  const deducted = deductedIn[intra ? 'intra_community' : 'domestic'][line.investment ? 'investment' : 'current']
  return put(sheet, line, line.corrective ? ['40', '41'] : deducted)
}

function settle(sheet: Sheet, pendingCents: Cents): void {
  sheet.sum('27', accruedTotals)
  sheet.sum('45', deductibleTotals)
  sheet.sum('46', ['27'], ['45'])
  sheet.sum('64', ['46'])
  sheet.set('65', 100_00)
  sheet.sum('66', ['64'])
  sheet.set('110', pendingCents)
  sheet.set('78', Math.min(pendingCents, Math.max(0, sheet.value('66'))))
  sheet.sum('87', ['110'], ['78'])
  sheet.sum('69', ['66'], ['78'])
  sheet.sum('71', ['69'])
}

function rowsOf({ from, to }: DateRange, sheet: Sheet): BoxRow[] {
  return [
    ...rateRows(rowsWithin(outputBoxes303, from, to), 'Régimen general', sheet),
    ...fixedRows.accrued,
    ...rateRows(rowsWithin(surchargeBoxes303, from, to), 'Recargo de equivalencia', sheet),
    ...fixedRows.surcharge,
    ...fixedRows.rest,
  ]
}

/** Rates that share a box at one time are named together. */
function rateRows(rows: readonly RateBoxes[], what: string, sheet: Sheet): BoxRow[] {
  const byBase = Map.groupBy(rows, (each) => each.base)
  return [...byBase.values()].flatMap((group): BoxRow[] => {
    const [first] = group
    if (first === undefined) return []
    const rates = [...new Set(group.map((each) => percentLabel(each.rate)))].join(' / ')
    const percent: BoxRow[] =
      first.percent === null ? [] : [{ box: first.percent, label: `${what}, ${rates}: tipo`, unit: 'percent' }]
    if (first.percent !== null && sheet.value(first.percent) === 0)
      sheet.set(first.percent, Math.round(first.rate * 100))
    return [
      { box: first.base, label: `${what}, ${rates}: base imponible` },
      ...percent,
      { box: first.amount, label: `${what}, ${rates}: cuota` },
    ]
  })
}

function missing(box: string, label: string, reason: string): MissingBox {
  return { box, label, reason }
}
