/**
 * Modelo 347, operaciones con terceras personas (RD 1065/2007 arts. 31–35, Orden EHA/3012/2008): each counterparty with
 * which the year's operations exceed 3,005.06 €, taxes included, sales and purchases apart, by quarters.
 */
import type { Cents } from '@asiento/proto/money'
import { checkTaxId, normalizeTaxId } from '@asiento/proto/tax-id'
import { type Period, quarterOf } from '../period.ts'
import { statutoryDueDate } from '../tax-calendar.ts'
import { type BoxRow, createSheet, type TaxableEntry, type TaxModelDraft } from './model.ts'

/** RD 1065/2007 art. 33.1: declared are those above, not at, this amount. */
export const threshold347Cents: Cents = 3_005_06

/** A (adquisiciones) is what we buy, B (entregas) what we sell. */
export type Key347 = 'A' | 'B'

const keyLabels: Record<Key347, string> = { A: 'compras', B: 'ventas' }
const quarters = ['T1', 'T2', 'T3', 'T4'] as const

interface Person {
  key: Key347
  taxId: string
  name: string | null
  entries: TaxableEntry[]
}

/**
 * Drafts the 347 of a year. Boxes: `01` the number of declared persons and `02` the sum; then, for each, `B-A58818501` with the
 * year's amount and `B-A58818501-T1` … `-T4` with the quarters, highest amount first.
 */
export function model347(year: number, period: Period, entries: readonly TaxableEntry[]): TaxModelDraft {
  const sheet = createSheet()
  const leftOut: TaxModelDraft['leftOut'] = []
  const people = new Map<string, Person>()
  for (const entry of entries) {
    if (!entry.date.startsWith(`${year}-`)) continue
    const reason = exclusion(entry)
    if (reason === 'silent') continue
    if (reason !== null) leftOut.push({ entryId: entry.id, reason })
    else addTo(people, entry)
  }
  const declared = [...people.values()]
    .map((person) => ({ ...person, amountCents: person.entries.reduce((sum, entry) => sum + amountOf(entry), 0) }))
    .filter((person) => Math.abs(person.amountCents) > threshold347Cents)
    .sort((a, b) => b.amountCents - a.amountCents || (boxOf(a) < boxOf(b) ? -1 : 1))
  const rows: BoxRow[] = [
    { box: '01', label: 'Número total de personas y entidades', unit: 'count' },
    { box: '02', label: 'Importe total anual de las operaciones' },
  ]
  for (const person of declared) {
    const box = boxOf(person)
    const label = `${person.name ?? person.taxId} (${person.taxId}), ${keyLabels[person.key]}`
    rows.push(
      { box, label },
      ...quarters.map((quarter) => ({ box: `${box}-${quarter}`, label: `${label}, ${quarter}` })),
    )
    sheet.add(
      '01',
      100,
      person.entries.map((entry) => entry.id),
    )
    for (const entry of person.entries) {
      for (const each of ['02', box, `${box}-${quarterOf(entry.date)}`]) sheet.add(each, amountOf(entry), [entry.id])
    }
  }
  return {
    model: '347',
    year,
    period,
    boxes: sheet.boxes(rows),
    resultCents: 0,
    dueDate: statutoryDueDate('347', year, 'Y'),
    notComputed: [
      {
        box: 'Metálico',
        label: 'Cobros en metálico de más de 6.000 €',
        reason: 'Los apuntes no detallan los cobros en metálico por año de la operación.',
      },
      {
        box: 'C, D, E, F, G',
        label: 'Otras claves de operación',
        reason: 'Solo se distinguen compras (A) y ventas (B).',
      },
      {
        box: 'Criterio de caja',
        label: 'Operaciones del criterio de caja',
        reason: 'El devengo se toma de la fecha del apunte.',
      },
      {
        box: 'Inmuebles',
        label: 'Arrendamiento de locales de negocio',
        reason: 'No constan las referencias catastrales.',
      },
    ],
    leftOut,
    sources: ['RD 1065/2007 arts. 31–35', 'Orden EHA/3012/2008'],
  }
}

/** Why an entry is not declared: null when it is; `silent` when nobody would look for it there. */
function exclusion(entry: TaxableEntry): string | null {
  if (/^6[34]/.test(entry.accountCode)) return 'silent'
  if (entry.irpfCents !== 0) return 'Lleva retención: se declara en el 190 o el 180 (RD 1065/2007 art. 33.2.i).'
  const { value, kind } = checkTaxId(entry.counterpartyVat ?? '')
  if (value === '') return 'No tiene NIF de la otra parte.'
  if (kind === null) return 'La otra parte no tiene NIF español: se declara, en su caso, en el 349.'
  return null
}

function addTo(people: Map<string, Person>, entry: TaxableEntry): void {
  const taxId = normalizeTaxId(entry.counterpartyVat ?? '')
  const key: Key347 = entry.type === 'income' ? 'B' : 'A'
  const person = people.get(`${key}-${taxId}`) ?? { key, taxId, name: null, entries: [] }
  person.name ??= entry.counterpartyName
  person.entries.push(entry)
  people.set(`${key}-${taxId}`, person)
}

/** Taxes and recargo included, withholdings not taken off. */
const amountOf = (entry: TaxableEntry): Cents => entry.baseCents + entry.taxCents

const boxOf = ({ key, taxId }: Pick<Person, 'key' | 'taxId'>): string => `${key}-${taxId}`
