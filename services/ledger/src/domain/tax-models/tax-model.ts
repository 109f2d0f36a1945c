import { type TaxModelName, taxModelNames } from '@asiento/proto/schemas/ledger/tax-models'
import { type DateRange, type Period, periodMonths, periodRange } from '../period.ts'
import type { TaxableEntry, TaxBox, TaxModelDraft } from './model.ts'
import { model130, type Options130 } from './model-130.ts'
import { model303, type Options303 } from './model-303.ts'
import { model347 } from './model-347.ts'
import { model390 } from './model-390.ts'
import { model111, model115 } from './model-withholdings.ts'

export interface TaxModelOptions extends Options130, Options303 {}

type Drafter = (
  year: number,
  period: Period,
  entries: readonly TaxableEntry[],
  options: TaxModelOptions,
) => TaxModelDraft

const drafters: Record<TaxModelName, Drafter> = {
  '303': model303,
  '130': model130,
  '111': model111,
  '115': model115,
  '347': model347,
  '390': model390,
}

export const isTaxModel = (name: string): name is TaxModelName => taxModelNames.some((known) => known === name)

/** The days whose entries a draft needs: the 130 counts from 1 January, 347 and 390 the whole year. */
export function entriesNeeded(model: TaxModelName, year: number, period: Period): DateRange {
  const wholeYear = periodRange(year, 'Y')
  if (model === '347' || model === '390') return wholeYear
  if (model !== '130') return periodRange(year, period)
  return { from: wholeYear.from, to: periodRange(year, `T${Math.ceil(periodMonths(period).last / 3)}` as Period).to }
}

/** Drafts a model from the entries of {@link entriesNeeded}; more entries do no harm. */
export const draftTaxModel = (
  model: TaxModelName,
  year: number,
  period: Period,
  entries: readonly TaxableEntry[],
  options: TaxModelOptions = {},
): TaxModelDraft => drafters[model](year, period, entries, options)

/** A box by its number, with or without leading zeros; null where the draft has none. */
export function boxOf(draft: TaxModelDraft, box: string): TaxBox | null {
  const bare = (name: string): string => name.toUpperCase().replace(/^0+(?=\d)/, '')
  return draft.boxes.find((each) => bare(each.box) === bare(box)) ?? null
}
