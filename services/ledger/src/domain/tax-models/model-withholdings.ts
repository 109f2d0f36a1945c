/**
 * Modelo 111 (retenciones del trabajo y de actividades económicas, Orden EHA/586/2011) and modelo 115 (arrendamiento de
 * inmuebles urbanos, Orden EHA/3435/2007): what we withheld from those we pay. Rents are the entries of account 621, work
 * those of accounts 64; everything else with a withholding is a professional's or another economic activity.
 */
import { normalizeTaxId } from '@asiento/proto/tax-id'
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

const rows111: readonly BoxRow[] = [
  { box: '01', label: 'Rendimientos del trabajo dinerarios: perceptores', unit: 'count' },
  { box: '02', label: 'Rendimientos del trabajo dinerarios: importe de las percepciones' },
  { box: '03', label: 'Rendimientos del trabajo dinerarios: importe de las retenciones' },
  { box: '07', label: 'Actividades económicas dinerarias: perceptores', unit: 'count' },
  { box: '08', label: 'Actividades económicas dinerarias: importe de las percepciones' },
  { box: '09', label: 'Actividades económicas dinerarias: importe de las retenciones' },
  { box: '28', label: 'Suma de retenciones e ingresos a cuenta' },
  { box: '30', label: 'Resultado a ingresar (28 − 29)' },
]

const missing111: readonly MissingBox[] = [
  {
    box: '04–06, 10–12',
    label: 'Rendimientos en especie',
    reason: 'Los apuntes no distinguen las retribuciones en especie.',
  },
  { box: '13–18', label: 'Premios', reason: 'Los apuntes no los distinguen.' },
  { box: '19–24', label: 'Aprovechamientos forestales', reason: 'Los apuntes no los distinguen.' },
  { box: '25–27', label: 'Cesión de derechos de imagen', reason: 'Los apuntes no la distinguen.' },
  { box: '29', label: 'Resultado de anteriores autoliquidaciones', reason: 'Se calcula la autoliquidación inicial.' },
]

const rows115: readonly BoxRow[] = [
  { box: '01', label: 'Número de perceptores', unit: 'count' },
  { box: '02', label: 'Base de las retenciones e ingresos a cuenta' },
  { box: '03', label: 'Retenciones e ingresos a cuenta' },
  { box: '05', label: 'Resultado a ingresar (03 − 04)' },
]

const missing115: readonly MissingBox[] = [
  { box: '04', label: 'Resultado de anteriores autoliquidaciones', reason: 'Se calcula la autoliquidación inicial.' },
]

/** Drafts the 111 of a period. */
export function model111(year: number, period: Period, entries: readonly TaxableEntry[]): TaxModelDraft {
  const sheet = createSheet()
  const withheld = withheldIn(year, period, entries).filter((entry) => !isRent(entry))
  fill(sheet, ['01', '02', '03'], withheld.filter(isWork))
  fill(
    sheet,
    ['07', '08', '09'],
    withheld.filter((entry) => !isWork(entry)),
  )
  sheet.sum('28', ['03', '09'])
  sheet.sum('30', ['28'])
  return {
    model: '111',
    year,
    period,
    boxes: sheet.boxes(rows111),
    resultCents: sheet.value('30'),
    dueDate: statutoryDueDate('111', year, period),
    notComputed: [...missing111],
    leftOut: [],
    sources: ['Orden EHA/586/2011', 'RD 439/2007 arts. 74–100'],
  }
}

/** Drafts the 115 of a period. */
export function model115(year: number, period: Period, entries: readonly TaxableEntry[]): TaxModelDraft {
  const sheet = createSheet()
  fill(sheet, ['01', '02', '03'], withheldIn(year, period, entries).filter(isRent))
  sheet.sum('05', ['03'])
  return {
    model: '115',
    year,
    period,
    boxes: sheet.boxes(rows115),
    resultCents: sheet.value('05'),
    dueDate: statutoryDueDate('115', year, period),
    notComputed: [...missing115],
    leftOut: [],
    sources: ['Orden EHA/3435/2007', 'RD 439/2007 art. 100'],
  }
}

function withheldIn(year: number, period: Period, entries: readonly TaxableEntry[]): TaxableEntry[] {
  const { from, to } = periodRange(year, period)
  return entries.filter(
    (entry) => entry.type === 'expense' && entry.irpfCents !== 0 && entry.date >= from && entry.date <= to,
  )
}

/** A payee is one however often it is paid: by tax id, else by name, else the entry stands alone. */
function fill(
  sheet: Sheet,
  [count, base, withheld]: readonly [string, string, string],
  entries: readonly TaxableEntry[],
): void {
  const payees = new Map<string, number[]>()
  for (const entry of entries) {
    const payee =
      normalizeTaxId(entry.counterpartyVat ?? '') ||
      (entry.counterpartyName?.trim().toLowerCase() ?? '') ||
      `#${entry.id}`
    payees.set(payee, [...(payees.get(payee) ?? []), entry.id])
    sheet.add(base, entry.baseCents, [entry.id])
    sheet.add(withheld, -entry.irpfCents, [entry.id])
  }
  for (const ids of payees.values()) sheet.add(count, 100, ids)
}

const isRent = (entry: TaxableEntry): boolean => entry.accountCode.startsWith('621')
const isWork = (entry: TaxableEntry): boolean => entry.accountCode.startsWith('64')
