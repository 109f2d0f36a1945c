/** What a draft of a tax model is made of: boxes that are drillable to their entries. */
import type { Cents } from '@asiento/proto/money'
import type { TaxModelName } from '@asiento/proto/schemas/ledger/tax-models'
import type { LedgerEntry } from '../entry.ts'
import type { Period } from '../period.ts'

/** What of an entry decides its boxes. */
export type TaxableEntry = Pick<
  LedgerEntry,
  | 'id'
  | 'type'
  | 'date'
  | 'concept'
  | 'notes'
  | 'counterpartyName'
  | 'counterpartyVat'
  | 'invoiceNumber'
  | 'accountCode'
  | 'baseCents'
  | 'taxRate'
  | 'taxCents'
  | 'irpfCents'
  | 'totalCents'
  | 'taxLines'
>

export type BoxUnit = 'euros' | 'percent' | 'count'

export interface TaxBox {
  /** As printed on the form. */
  box: string
  /** Spanish. */
  label: string
  /** Hundredths of the unit: cents, hundredths of a percent; a count of 3 is 300. So `/ 100` gives the printed number. */
  valueCents: Cents
  unit: BoxUnit
  /** The entries behind the value, in the order of their ids, each once; a sum of boxes has those of its boxes. */
  entryIds: number[]
}

/** A box of the form that the ledger's data cannot fill, and why. */
export interface MissingBox {
  box: string
  label: string
  reason: string
}

export interface TaxModelDraft {
  model: TaxModelName
  year: number
  period: Period
  boxes: TaxBox[]
  /** To pay when positive, to offset or refund when negative; 0 for the informative 347. */
  resultCents: Cents
  dueDate: string
  notComputed: MissingBox[]
  /** Entries of the period that are in no box although they look as if they should, with the reason in Spanish. */
  leftOut: { entryId: number; reason: string }[]
  /** The statutes and forms that the boxes follow. */
  sources: string[]
}

/** Values by box while a model is worked out. */
export interface Sheet {
  add: (box: string, valueCents: Cents, entryIds: Iterable<number>) => void
  /** A box that is the signed sum of others: `sum('46', ['27'], ['45'])` is 27 − 45. */
  sum: (box: string, plus: readonly string[], minus?: readonly string[]) => void
  set: (box: string, valueCents: Cents, fromBoxes?: readonly string[]) => void
  value: (box: string) => Cents
  boxes: (rows: readonly BoxRow[]) => TaxBox[]
}

export interface BoxRow {
  box: string
  label: string
  unit?: BoxUnit
}

export function createSheet(): Sheet {
  const values = new Map<string, { valueCents: Cents; entryIds: Set<number> }>()
  const at = (box: string): { valueCents: Cents; entryIds: Set<number> } => {
    const found = values.get(box) ?? { valueCents: 0, entryIds: new Set<number>() }
    values.set(box, found)
    return found
  }
  const value = (box: string): Cents => values.get(box)?.valueCents ?? 0
  const add: Sheet['add'] = (box, valueCents, entryIds) => {
    const cell = at(box)
    cell.valueCents += valueCents
    for (const id of entryIds) cell.entryIds.add(id)
  }
  const set: Sheet['set'] = (box, valueCents, fromBoxes = []) => {
    const cell = at(box)
    cell.valueCents = valueCents
    for (const other of fromBoxes) for (const id of values.get(other)?.entryIds ?? []) cell.entryIds.add(id)
  }
  return {
    add,
    set,
    value,
    sum: (box, plus, minus = []) => {
      const total = (boxes: readonly string[]): Cents => boxes.reduce((sum, each) => sum + value(each), 0)
      set(box, total(plus) - total(minus), [...plus, ...minus])
    },
    boxes: (rows) =>
      rows.map(({ box, label, unit }) => ({
        box,
        label,
        valueCents: value(box) === 0 ? 0 : value(box),
        unit: unit ?? 'euros',
        entryIds: [...(values.get(box)?.entryIds ?? [])].sort((a, b) => a - b),
      })),
  }
}
