import type { Consumer } from '@asiento/chassis/consume'
import { consumer } from '@asiento/chassis/consume'
import type { CallContext, Handlers } from '@asiento/proto/rpc'
import { sql } from 'kysely'
import { lockBooks } from '../adapters/out/books.ts'
import type { NewEntry } from '../adapters/out/entry-rows.ts'
import type { Tables } from '../adapters/out/tables.ts'
import type { LedgerEntry } from '../domain/entry.ts'
import { type ExtractionLog, entryOfLog, type ImportedEntry } from '../domain/importable.ts'
import { entryView } from './entry-view.ts'
import { fiscalTaxId } from './fiscal-profile.ts'
import { type Ledger, type LedgerTx, nowOf } from './ledger.ts'
import { recordEntries } from './record-entries.ts'

type ImportHandlers = Pick<Handlers<'ledger'>, 'importEntries' | 'pendingImport'>

/** Logs asked for and imported in one go. */
const pageSize = 500

/** Extractions as entries. Import and count read the same logs and ask the same predicate. */
export const importing = (ledger: Ledger): ImportHandlers => {
  const inTurn = oneAtATime()
  return {
    importEntries: (_, context) => inTurn(context.actor.userId, () => importAll(ledger, context.actor.userId, context)),

    pendingImport: async (_, context) => {
      const { userId } = context.actor
      const ownTaxId = await fiscalTaxId(ledger.db.query, userId)
      let count = 0
      for await (const { fresh } of logPages(ledger, userId, context)) {
        count += fresh.filter((log) => entryOfLog(log, ownTaxId) !== null).length
      }
      return { count }
    },
  }
}

async function importAll(ledger: Ledger, userId: number, context: CallContext) {
  const entries: LedgerEntry[] = []
  let seen = 0
  for await (const { logs, fresh } of logPages(ledger, userId, context)) {
    seen += logs
    if (fresh.length === 0) continue
    entries.push(...(await ledger.db.transaction((tx) => importLogs(ledger, tx, userId, fresh))))
  }
  return { imported: entries.length, skipped: seen - entries.length, entries: entries.map(entryView) }
}

/**
 * Lets callers of one account follow each other, so that a crowd of them waits here and not on connections. Right or
 * wrong does not depend on it: the books' lock and the key of `imported_logs` see to that.
 */
function oneAtATime() {
  const last = new Map<number, Promise<unknown>>()
  return async <R>(userId: number, work: () => Promise<R>): Promise<R> => {
    const turn = (last.get(userId) ?? Promise.resolve()).then(work, work)
    last.set(userId, turn)
    try {
      return await turn
    } finally {
      if (last.get(userId) === turn) last.delete(userId)
    }
  }
}

/** Imports each extraction as it happens, for accounts that want it. */
export const autoImport = (ledger: Ledger): Consumer<Tables> =>
  consumer({
    event: 'invoice.extracted',
    group: 'ledger.auto-import',
    handle: async (tx, event) => {
      const { logId, scope } = event.payload
      if (scope.sandbox || scope.subaccountId !== null) return
      const preference = await tx
        .selectFrom('preferences')
        .select('auto_import')
        .where('user_id', '=', scope.userId)
        .executeTakeFirst()
      if (preference?.auto_import !== true) return
      const { logs } = await ledger.rpc.extraction.logsForLedger(
        { userId: scope.userId, logIds: [logId] },
        { actor: null, requestId: event.id },
      )
      await importLogs(ledger, tx, scope.userId, logs)
    },
  })

/** The account's logs page by page: how many they are, and those that were not imported yet. */
async function* logPages(
  ledger: Ledger,
  userId: number,
  context: CallContext,
): AsyncGenerator<{ logs: number; fresh: ExtractionLog[] }> {
  let afterLogId = 0
  for (;;) {
    const { logs } = await ledger.rpc.extraction.logsForLedger({ userId, afterLogId, limit: pageSize }, context)
    const imported = await importedAmong(ledger, userId, logs)
    yield { logs: logs.length, fresh: logs.filter((log) => !imported.has(log.logId)) }
    const last = logs.at(-1)
    if (last === undefined || logs.length < pageSize) return
    afterLogId = last.logId
  }
}

/** Makes entries of the logs that can be imported and were not yet. The books' lock lets one importer in at a time. */
async function importLogs(
  ledger: Ledger,
  tx: LedgerTx,
  userId: number,
  logs: readonly ExtractionLog[],
): Promise<LedgerEntry[]> {
  const books = await lockBooks(tx, userId)
  const ownTaxId = await fiscalTaxId(tx, userId)
  const candidates = logs.map((log) => entryOfLog(log, ownTaxId)).filter((entry) => entry !== null)
  if (candidates.length === 0) return []
  const now = nowOf(ledger)
  const { rows } = await sql<{ log_id: number }>`
    insert into imported_logs (user_id, log_id, imported_at)
    select ${userId}::bigint, log_id, ${`${now}+00`}::timestamptz
    from unnest(${candidates.map((entry) => entry.logId)}::bigint[]) as log (log_id)
    on conflict do nothing returning log_id`.execute(tx)
  const fresh = new Set(rows.map((row) => row.log_id))
  const entries = candidates.filter((entry) => fresh.has(entry.logId)).map(asNewEntry)
  return recordEntries(tx, books, entries, now)
}

const asNewEntry = (entry: ImportedEntry): NewEntry => ({
  ...entry,
  status: 'pending',
  paidAt: null,
  source: 'extraction',
})

async function importedAmong({ db }: Ledger, userId: number, logs: readonly ExtractionLog[]): Promise<Set<number>> {
  if (logs.length === 0) return new Set()
  const { rows } = await sql<{ log_id: number }>`
    select log_id from imported_logs
    where user_id = ${userId} and log_id = any(${logs.map((log) => log.logId)}::bigint[])`.execute(db.query)
  return new Set(rows.map((row) => row.log_id))
}
