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
export const importing = (ledger: Ledger): ImportHandlers => ({
  importEntries: async (_, context) => {
    const { userId } = context.actor
    const entries: LedgerEntry[] = []
    let seen = 0
    for await (const logs of logPages(ledger, userId, context)) {
      seen += logs.length
      entries.push(...(await ledger.db.transaction((tx) => importLogs(ledger, tx, userId, logs))))
    }
    return { imported: entries.length, skipped: seen - entries.length, entries: entries.map(entryView) }
  },

  pendingImport: async (_, context) => {
    const { userId } = context.actor
    const ownTaxId = await fiscalTaxId(ledger.db.query, userId)
    let count = 0
    for await (const logs of logPages(ledger, userId, context)) {
      const importable = logs.filter((log) => entryOfLog(log, ownTaxId) !== null)
      count += importable.length - (await importedAmong(ledger, userId, importable))
    }
    return { count }
  },
})

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

async function* logPages(ledger: Ledger, userId: number, context: CallContext): AsyncGenerator<ExtractionLog[]> {
  let afterLogId = 0
  for (;;) {
    const { logs } = await ledger.rpc.extraction.logsForLedger({ userId, afterLogId, limit: pageSize }, context)
    if (logs.length > 0) yield logs
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
  notes: null,
  source: 'extraction',
})

async function importedAmong({ db }: Ledger, userId: number, entries: readonly ExtractionLog[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::bigint as count from imported_logs
    where user_id = ${userId} and log_id = any(${entries.map((entry) => entry.logId)}::bigint[])`.execute(db.query)
  return rows[0]?.count ?? 0
}
