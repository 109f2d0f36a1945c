import { publishAll } from '@asiento/chassis/outbox'
import type { Handlers } from '@asiento/proto/rpc'
import type { LedgerEntry } from '../domain/entry.ts'
import type { Ledger, LedgerTx } from './ledger.ts'

type SettledEntry = Pick<LedgerEntry, 'logId' | 'status'>

/** Tells extraction which of its invoices are settled or open again, so that due dates leave the settled ones out. */
export async function publishSettled(tx: LedgerTx, userId: number, entries: readonly SettledEntry[]): Promise<void> {
  const publications = entries.flatMap(({ logId, status }) =>
    logId === null ? [] : [{ key: String(userId), payload: { logId, userId, settled: status !== 'pending' } }],
  )
  await publishAll(tx, 'ledger.log.settled', publications)
}

/** Logs that once became entries: the journal keeps those for good, also when the entry was deleted since. */
export const logsInJournal =
  ({ db }: Ledger): Handlers<'ledger'>['logsInJournal'] =>
  async ({ logIds }, { actor }) => {
    if (actor === null || logIds.length === 0) return { logIds: [] }
    const rows = await db.query
      .selectFrom('imported_logs')
      .select('log_id')
      .where('user_id', '=', actor.userId)
      .where('log_id', 'in', logIds)
      .execute()
    return { logIds: rows.map((row) => row.log_id) }
  }
