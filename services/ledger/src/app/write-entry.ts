import { failValidation } from '@asiento/proto/errors'
import type { Handlers } from '@asiento/proto/rpc'
import type { EntryCreate, EntryPatch } from '@asiento/proto/schemas/ledger/entries'
import { lockBooks, post } from '../adapters/out/books.ts'
import {
  entryColumns,
  type NewEntry,
  releaseObject,
  type SelectedEntry,
  saveEntry,
  toEntry,
} from '../adapters/out/entry-rows.ts'
import { defaultAccount } from '../domain/accounts.ts'
import { changeAmounts, deriveAmounts, refuseNegative } from '../domain/amounts.ts'
import { type EntryStatus, type EntryType, type LedgerEntry, settledStatus, statusFits } from '../domain/entry.ts'
import { correction, postingsOf } from '../domain/posting.ts'
import { entryView } from './entry-view.ts'
import { type Ledger, type LedgerTx, nowOf, todayOf } from './ledger.ts'
import { owned } from './owned.ts'
import { recordEntry } from './record-entries.ts'
import { publishSettled } from './settled-logs.ts'
import { changedAmounts, statedAmounts } from './stated-amounts.ts'
import { useMovement } from './use-movement.ts'

type EntryHandlers = Pick<Handlers<'ledger'>, 'createEntry' | 'getEntry' | 'updateEntry' | 'deleteEntry'>

/** Creating, reading, changing and deleting one entry; each change leaves its trace in the journal. */
export const writeEntry = (ledger: Ledger): EntryHandlers => ({
  createEntry: async ({ body }, { actor }) => {
    const entry = newEntry(body)
    return ledger.db.transaction(async (tx) => {
      const recorded = await recordEntry(tx, actor.userId, entry, nowOf(ledger))
      if (body.movement_id != null) await useMovement(tx, actor.userId, String(body.movement_id), recorded.id)
      return entryView(recorded)
    })
  },

  getEntry: async ({ params }, { actor }) => {
    const row = await ledger.db.query
      .selectFrom('entries')
      .select(entryColumns)
      .where('id', '=', params.entry_id)
      .executeTakeFirst()
    return entryView(toEntry(owned(row, actor.userId)))
  },

  updateEntry: async ({ params, body }, { actor }) =>
    ledger.db.transaction(async (tx) => {
      const books = await lockBooks(tx, actor.userId)
      const before = toEntry(await entryForUpdate(tx, params.entry_id, actor.userId))
      const after = patched(before, body, todayOf(ledger))
      const now = nowOf(ledger)
      const saved = await saveEntry(tx, after, now)
      await post(tx, books, correction(postingsOf(before), postingsOf(after)), now)
      if (before.status !== after.status) await publishSettled(tx, actor.userId, [after])
      return entryView(saved)
    }),

  deleteEntry: async ({ params }, { actor }) => {
    await ledger.db.transaction(async (tx) => {
      const books = await lockBooks(tx, actor.userId)
      const row = await entryForUpdate(tx, params.entry_id, actor.userId)
      const now = nowOf(ledger)
      if (row.attachment !== null) await releaseObject(tx, row.attachment.objectKey, now)
      await tx.deleteFrom('entries').where('id', '=', row.id).execute()
      await post(tx, books, correction(postingsOf(toEntry(row)), []), now)
      if (row.status !== 'pending') await publishSettled(tx, actor.userId, [{ logId: row.log_id, status: 'pending' }])
    })
    return undefined
  },
})

/** The caller's entry, locked. Fails NOT_FOUND or ACCESS_DENIED. */
export async function entryForUpdate(tx: LedgerTx, entryId: number, userId: number): Promise<SelectedEntry> {
  const row = await tx
    .selectFrom('entries')
    .select(entryColumns)
    .where('id', '=', entryId)
    .forUpdate()
    .executeTakeFirst()
  return owned(row, userId)
}

const blankToNull = (text: string | null | undefined): string | null => (text === '' ? null : (text ?? null))

function newEntry(body: EntryCreate): NewEntry {
  const { type } = body
  const amounts = deriveAmounts(statedAmounts(body))
  refuseNegative(amounts)
  const status = body.status ?? 'pending'
  checkStatus(type, status, body.paid_at)
  return {
    ...amounts,
    type,
    status,
    date: body.date,
    dueDate: body.due_date ?? null,
    concept: body.concept,
    counterpartyName: blankToNull(body.counterparty_name),
    counterpartyVat: blankToNull(body.counterparty_vat),
    invoiceNumber: blankToNull(body.invoice_number),
    accountCode: body.account_code ?? defaultAccount[type],
    paymentMethod: blankToNull(body.payment_method),
    paidAt: status === 'pending' ? null : (body.paid_at ?? body.date),
    notes: blankToNull(body.notes),
    source: body.movement_id == null ? 'manual' : 'bank',
    logId: null,
  }
}

/** The entry after a change. Fails with 422 where what is left does not fit together. */
export function patched(before: LedgerEntry, change: EntryPatch, today: string): LedgerEntry {
  const type = change.type ?? before.type
  const kept = before.status === 'pending' ? 'pending' : settledStatus[type]
  const status = change.status ?? kept
  checkStatus(type, status, change.paid_at)
  const amounts = changeAmounts(before, changedAmounts(change))
  if (before.totalCents > 0) refuseNegative(amounts)
  const text = (given: string | null | undefined, current: string | null): string | null =>
    given === undefined ? current : blankToNull(given)
  return {
    ...before,
    ...amounts,
    type,
    status,
    date: change.date ?? before.date,
    dueDate: change.due_date === undefined ? before.dueDate : change.due_date,
    concept: change.concept ?? before.concept,
    counterpartyName: text(change.counterparty_name, before.counterpartyName),
    counterpartyVat: text(change.counterparty_vat, before.counterpartyVat),
    invoiceNumber: text(change.invoice_number, before.invoiceNumber),
    accountCode: change.account_code ?? (type === before.type ? before.accountCode : defaultAccount[type]),
    paymentMethod: text(change.payment_method, before.paymentMethod),
    paidAt: status === 'pending' ? null : (change.paid_at ?? before.paidAt ?? today),
    notes: text(change.notes, before.notes),
  }
}

function checkStatus(type: EntryType, status: EntryStatus, paidAt: string | null | undefined): void {
  if (!statusFits(type, status)) {
    failValidation(['body', 'status'], `An ${type} is pending or ${settledStatus[type]}, never ${status}`)
  }
  if (status === 'pending' && paidAt != null) {
    failValidation(['body', 'paid_at'], `A pending entry has no paid_at: give status ${settledStatus[type]} too`)
  }
}
