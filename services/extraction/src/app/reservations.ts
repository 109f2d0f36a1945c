import { failure } from '@asiento/proto/errors'
import { sql } from 'kysely'
import type { Deps } from './deps.ts'
import { documentKey } from './page-key.ts'
import { failLog } from './work-log.ts'

/** Longer than any document may take: whoever worked on it is gone. */
const staleAfterMs = 15 * 60_000

/** What became of the work behind a reservation. */
export const reservationState =
  ({ db }: Pick<Deps, 'db'>) =>
  async (id: string): Promise<{ state: 'working' | 'done' | 'gone' }> => {
    const workId = id.replace(/^extraction:/, '')
    if (!/^[0-9a-f-]{36}$/.test(workId)) return { state: 'gone' }
    const row = await db.query
      .selectFrom('logs')
      .select(['status', 'credit'])
      .where('work_id', '=', workId)
      .executeTakeFirst()
    if (row?.status === 'running') return { state: 'working' }
    return { state: row?.credit === 'commit' ? 'done' : 'gone' }
  }

/** Ends work whose holder died and that nobody has taken over: a failed log, its credit given back. */
export async function releaseStaleWork(deps: Pick<Deps, 'db' | 'clock' | 'objects'>): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - staleAfterMs)
  const rows = await deps.db.query
    .selectFrom('logs')
    .selectAll()
    .where('status', '=', 'running')
    .where('created_at', '<', before)
    .limit(200)
    .execute()
  for (const row of rows) {
    await failLog(
      deps,
      row,
      { workId: row.work_id },
      failure('EXTRACTION_FAILED', { detail: 'The work was interrupted.' }),
    )
    await deps.objects.delete(documentKey(row))
  }
}

/** Extractions of the last days by subaccount, from the day's sums. */
export const usageSince =
  ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  async ({ userId, days }: { userId: number; days: number }) => {
    const since = new Date(clock.now().getTime() - (days - 1) * 86_400_000).toISOString().slice(0, 10)
    const rows = await db.query
      .selectFrom('daily_usage')
      .select(['subaccount_id', sql<number>`sum(ok_count + error_count)::bigint`.as('count')])
      .where('user_id', '=', userId)
      .where('day', '>=', since)
      .groupBy('subaccount_id')
      .execute()
    return {
      bySubaccount: rows.map((row) => ({
        subaccountId: row.subaccount_id === 0 ? null : row.subaccount_id,
        count: row.count,
      })),
    }
  }
