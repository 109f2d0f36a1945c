import { failValidation } from '@asiento/proto/errors'
import { type Cents, euros } from '@asiento/proto/money'
import type { Handlers } from '@asiento/proto/rpc'
import { entriesByIds, taxableBetween } from '../adapters/out/entries-between.ts'
import { accountSums } from '../adapters/out/journal.ts'
import { type Period, periodRange } from '../domain/period.ts'
import { boxOf, draftTaxModel, entriesNeeded, type TaxModelOptions } from '../domain/tax-models/tax-model.ts'
import { entryView } from './entry-view.ts'
import { readProfile } from './fiscal-profile.ts'
import type { Ledger } from './ledger.ts'

/** Drafts of tax models from the entries of their period, and what stands behind each box. */
export const taxModels =
  (ledger: Ledger): Handlers<'ledger'>['taxModel'] =>
  async ({ params: { model }, query: { year, period, box } }, { actor }) => {
    const { query } = ledger.db
    const entries = await taxableBetween(query, actor.userId, entriesNeeded(model, year, period))
    const options = await optionsOf(ledger, actor.userId, year, period)
    const draft = draftTaxModel(model, year, period, entries, options)
    const drilled = box === '' ? undefined : boxOf(draft, box)
    if (drilled === null) failValidation(['query', 'box'], `The draft of model ${model} has no box ${box}`)
    return {
      model,
      year,
      period,
      boxes: draft.boxes.map(({ box: number, label, valueCents, unit, entryIds }) => ({
        box: number,
        label,
        amount: euros(valueCents),
        unit,
        entries_count: entryIds.length,
      })),
      result: euros(draft.resultCents),
      due_date: draft.dueDate,
      not_computed: draft.notComputed,
      left_out: draft.leftOut.map(({ entryId, reason }) => ({ entry_id: entryId, reason })),
      sources: draft.sources,
      ...(drilled == null
        ? {}
        : { entries: (await entriesByIds(query, actor.userId, drilled.entryIds)).map(entryView) }),
    }
  }

/** What the drafts need beside the entries: the regime, last year's net income, and what is left to be offset. */
async function optionsOf(ledger: Ledger, userId: number, year: number, period: Period): Promise<TaxModelOptions> {
  const profile = await readProfile(ledger.db.query, userId)
  const sums = await accountSums(ledger.db.query, userId, periodRange(year - 1, 'Y'), null)
  const net = sums
    .filter(({ accountCode }) => /^[67]/.test(accountCode))
    .reduce((total, row) => total + row.creditCents - row.debitCents, 0)
  return {
    method: profile.irpf_regime?.toLowerCase().includes('normal') === true ? 'normal' : 'simplificada',
    previousYearNetCents: sums.length === 0 ? null : net,
    pendingCompensationCents: await leftToOffset(ledger, userId, year, period),
  }
}

/** What the 303 before this one left to be offset, as far as its payment record says so. */
async function leftToOffset({ db }: Ledger, userId: number, year: number, period: Period): Promise<Cents> {
  const before = periodBefore(year, period)
  if (before === null) return 0
  const row = await db.query
    .selectFrom('tax_payments')
    .select('amount_cents')
    .where('user_id', '=', userId)
    .where('model', '=', '303')
    .where('year', '=', before.year)
    .where('period', '=', before.period)
    .executeTakeFirst()
  return Math.max(0, -(row?.amount_cents ?? 0))
}

function periodBefore(year: number, period: Period): { year: number; period: Period } | null {
  if (period === 'Y') return null
  const letter = period.charAt(0)
  const number = Number(period.slice(1))
  const last = letter === 'T' ? 4 : 12
  const previous = number === 1 ? last : number - 1
  const text = letter === 'T' ? `T${previous}` : `M${String(previous).padStart(2, '0')}`
  return { year: number === 1 ? year - 1 : year, period: text as Period }
}
