import { euros } from '@asiento/proto/money'
import type { TaxBox, TaxModelDraft } from './model.ts'

/** A draft by its public names: euros (percents and counts as such), boxes in the order of the form. */
export const taxModelView = (draft: TaxModelDraft) => ({
  model: draft.model,
  year: draft.year,
  period: draft.period,
  boxes: draft.boxes.map(taxBoxView),
  result: euros(draft.resultCents),
  due_date: draft.dueDate,
  not_computed: draft.notComputed,
  left_out: draft.leftOut.map(({ entryId, reason }) => ({ entry_id: entryId, reason })),
  sources: draft.sources,
})

const taxBoxView = ({ box, label, valueCents, unit, entryIds }: TaxBox) => ({
  box,
  label,
  amount: euros(valueCents),
  unit,
  entries_count: entryIds.length,
})
