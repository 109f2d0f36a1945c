import { fail } from '@asiento/proto/errors'
import { cents } from '@asiento/proto/money'
import type { Handlers } from '@asiento/proto/rpc'
import type { BankMovement } from '@asiento/proto/schemas/ledger/bank'
import { addDays } from '@asiento/proto/time'
import { sql } from 'kysely'
import { type Books, lockBooks, post } from '../adapters/out/books.ts'
import { entryColumns, saveEntry, toEntry } from '../adapters/out/entry-rows.ts'
import { toleranceDays } from '../domain/bank/candidate-index.ts'
import { amountsWanted, type MatchableMovement, matchMovements } from '../domain/bank/match.ts'
import type { EntryType, LedgerEntry } from '../domain/entry.ts'
import { settledStatus } from '../domain/entry.ts'
import { settlementOf } from '../domain/posting.ts'
import { entryView } from './entry-view.ts'
import { type Ledger, type LedgerTx, nowOf, todayOf } from './ledger.ts'
import { publishSettled } from './settled-logs.ts'
import { useMovement } from './use-movement.ts'
import { entryForUpdate } from './write-entry.ts'

type BankHandlers = Pick<Handlers<'ledger'>, 'matchBank' | 'confirmBankMatch'>

interface Movement extends MatchableMovement {
  sent: BankMovement
}

/** Settling pending entries with the movements of a bank statement. */
export const bank = (ledger: Ledger): BankHandlers => ({
  matchBank: async ({ body }, { actor }) => {
    const movements = body.movements.map(
      (sent): Movement => ({ sent, date: sent.date, amountCents: cents(sent.amount), description: sent.description }),
    )
    return ledger.db.transaction(async (tx) => {
      const books = await lockBooks(tx, actor.userId)
      const used = await usedMovements(tx, actor.userId, movements)
      const fresh = movements.filter((movement) => !used.has(movementId(movement.sent)))
      const result = matchMovements(fresh, await pendingEntries(tx, actor.userId, fresh))
      const settled = await settleMatched(tx, books, result.matched, nowOf(ledger))
      const before = await entriesById(tx, [...used.values()])
      const repeated = movements.flatMap((movement) => {
        const entry = before.get(used.get(movementId(movement.sent)) ?? 0)
        return entry === undefined ? [] : [{ movement: movement.sent, entry: entryView(entry) }]
      })
      const gone = movements.filter(({ sent }) => {
        const entryId = used.get(movementId(sent))
        return entryId !== undefined && !before.has(entryId)
      })
      const suggestions = bounded(result.suggestions)
      const listed = await entriesById(
        tx,
        suggestions.flatMap(({ candidates }) => candidates.map((candidate) => candidate.id)),
      )
      return {
        matched: [
          ...repeated,
          ...result.matched.map(({ movement, entry }) => ({
            movement: movement.sent,
            entry: entryView(found(settled, entry.id)),
          })),
        ],
        suggestions: suggestions.map(({ movement, candidates, more }) => ({
          movement: movement.sent,
          candidates: candidates.map((candidate) => entryView(found(listed, candidate.id))),
          more,
        })),
        unmatched: [...gone, ...result.unmatched].map((movement) => movement.sent),
        summary: {
          matched: repeated.length + result.matched.length,
          suggestions: result.suggestions.length,
          unmatched: gone.length + result.unmatched.length,
        },
      }
    })
  },

  confirmBankMatch: async ({ params, body }, { actor }) =>
    ledger.db.transaction(async (tx) => {
      const books = await lockBooks(tx, actor.userId)
      const entry = toEntry(await entryForUpdate(tx, params.entry_id, actor.userId))
      if (entry.status !== 'pending') fail('INVALID_STATE', { detail: `The entry is ${entry.status} already.` })
      const now = nowOf(ledger)
      const settled = settle(entry, body?.date ?? todayOf(ledger))
      const saved = await saveEntry(tx, settled, now)
      if (body?.movement_id != null) await useMovement(tx, actor.userId, String(body.movement_id), entry.id)
      await post(tx, books, [settlementOf(settled)], now)
      await publishSettled(tx, actor.userId, [saved])
      return entryView(saved)
    }),
})

const settle = (entry: LedgerEntry, paidAt: string): LedgerEntry => ({
  ...entry,
  status: settledStatus[entry.type],
  paidAt,
})

/** Entries shown as candidates in one answer, and of one movement at least. */
const shownMax = 30_000
const shownEachMin = 3

/** The best candidates of each movement, so many that the answer stays readable for whoever gets it. */
function bounded<S extends { candidates: unknown[]; more: boolean }>(suggestions: readonly S[]): S[] {
  const each = Math.max(shownEachMin, Math.floor(shownMax / Math.max(1, suggestions.length)))
  return suggestions.map((suggestion) => ({
    ...suggestion,
    candidates: suggestion.candidates.slice(0, each),
    more: suggestion.more || suggestion.candidates.length > each,
  }))
}

const movementId = (sent: BankMovement): string => (sent.id == null ? '' : String(sent.id))

/** Which imported movements have settled an entry already, and which one: they settle no other. */
async function usedMovements(
  tx: LedgerTx,
  userId: number,
  movements: readonly Movement[],
): Promise<Map<string, number>> {
  const ids = movements.map(({ sent }) => movementId(sent)).filter((id) => id !== '')
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; entry_id: number }>`
    select id, entry_id from bank_movements
    where user_id = ${userId} and entry_id is not null and id = any(${ids}::text[])`.execute(tx)
  return new Map(rows.map((row) => [row.id, row.entry_id]))
}

interface PendingEntry {
  id: number
  type: EntryType
  status: 'pending'
  date: string
  dueDate: string | null
  totalCents: number
  invoiceNumber: string | null
  counterpartyVat: string | null
  counterpartyName: string | null
  concept: string
}

/** The pending entries that can be candidates of these movements at all. */
export async function pendingEntries(
  tx: LedgerTx,
  userId: number,
  movements: readonly MatchableMovement[],
): Promise<PendingEntry[]> {
  if (movements.length === 0) return []
  const dates = movements.map((movement) => movement.date).sort()
  const from = addDays(dates[0] ?? '', -toleranceDays)
  const to = addDays(dates.at(-1) ?? '', toleranceDays)
  const wanted = amountsWanted(movements)
  const { rows } = await sql<PendingEntry>`
    select id, type, status, date, due_date as "dueDate", total_cents as "totalCents",
      invoice_number as "invoiceNumber", counterparty_vat as "counterpartyVat",
      counterparty_name as "counterpartyName", concept
    from entries
    where user_id = ${userId} and status = 'pending'
      and (date between ${from} and ${to} or due_date between ${from} and ${to})
      and ((type = 'income' and total_cents = any(${wanted.income}::bigint[]))
        or (type = 'expense' and total_cents = any(${wanted.expense}::bigint[])))`.execute(tx)
  return rows
}

/** Settles matched entries on the days of their movements: in the order of their ids, two statements for all. */
async function settleMatched(
  tx: LedgerTx,
  books: Books,
  matched: readonly { movement: Movement; entry: PendingEntry }[],
  now: string,
): Promise<Map<number, LedgerEntry>> {
  if (matched.length === 0) return new Map()
  const paid = new Map(matched.map(({ movement, entry }) => [entry.id, movement.date]))
  const ids = [...paid.keys()].sort((a, b) => a - b)
  await sql`select id from entries where id = any(${ids}::bigint[]) order by id for update`.execute(tx)
  await sql`
    update entries set status = case type when 'income' then 'collected' else 'paid' end, paid_at = settled.paid_at,
      updated_at = ${`${now}+00`}::timestamptz
    from unnest(${ids}::bigint[], ${ids.map((id) => paid.get(id))}::date[]) as settled (id, paid_at)
    where entries.id = settled.id and entries.status = 'pending'`.execute(tx)
  const sent = matched.filter(({ movement }) => movementId(movement.sent) !== '')
  await sql`
    update bank_movements set entry_id = used.entry_id
    from unnest(${sent.map(({ movement }) => movementId(movement.sent))}::text[],
      ${sent.map(({ entry }) => entry.id)}::bigint[]) as used (id, entry_id)
    where bank_movements.user_id = ${books.userId} and bank_movements.id = used.id`.execute(tx)
  const settled = await entriesById(tx, ids)
  await post(
    tx,
    books,
    ids.map((id) => settlementOf(found(settled, id))),
    now,
  )
  await publishSettled(tx, books.userId, [...settled.values()])
  return settled
}

async function entriesById(tx: LedgerTx, ids: readonly number[]): Promise<Map<number, LedgerEntry>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('entries')
    .select(entryColumns)
    .where(sql<boolean>`id = any(${[...new Set(ids)]}::bigint[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, toEntry(row)]))
}

function found(entries: ReadonlyMap<number, LedgerEntry>, id: number): LedgerEntry {
  const entry = entries.get(id)
  if (entry === undefined) throw new Error(`entry ${id} vanished within its transaction`)
  return entry
}
