import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { ItemRow } from './jobs.ts'

/** How long an item stays with a holder that has fallen silent. */
export const leaseMs = 15_000
export const heartbeatMs = 4_000

/**
 * Takes the next open items by turn, each for one holder: those that wait and are due, and those whose holder fell
 * silent. Replicas never wait for each other (SKIP LOCKED).
 */
export async function claimItems(
  { db, clock, ids }: Pick<Deps, 'db' | 'clock' | 'ids'>,
  count: number,
): Promise<ItemRow[]> {
  const now = clock.now()
  const { rows } = await sql<ItemRow>`
    update batch_items set status = 'working', holder = ${ids.uuid()}, claims = claims + 1,
      lease_until = ${new Date(now.getTime() + leaseMs)}
    where (job_id, position) in (
      select job_id, position from batch_items
      where status in ('waiting', 'working') and next_attempt_at <= ${now}
        and (status = 'waiting' or lease_until < ${now})
      order by turn, job_id, position limit ${count} for update skip locked)
    returning *`.execute(db.query)
  return rows.sort((a, b) => a.turn - b.turn)
}

/** Keeps an item for its holder. */
export async function keepItem({ db, clock }: Pick<Deps, 'db' | 'clock'>, item: ItemRow): Promise<void> {
  await db.query
    .updateTable('batch_items')
    .set({ lease_until: new Date(clock.now().getTime() + leaseMs) })
    .where('job_id', '=', item.job_id)
    .where('position', '=', item.position)
    .where('holder', '=', item.holder)
    .where('status', '=', 'working')
    .execute()
}

/** Hands an item back for a later attempt, as the same work or, after a failed log, as new work. */
export async function postponeItem(
  { db, clock, ids }: Pick<Deps, 'db' | 'clock' | 'ids'>,
  item: ItemRow,
  { delayMs, failed }: { delayMs: number; failed: boolean },
): Promise<void> {
  await db.query
    .updateTable('batch_items')
    .set((eb) => ({
      // A cancelled job takes nothing back.
      status: eb
        .case()
        .when(
          eb.exists(
            eb
              .selectFrom('batch_jobs as j')
              .select('j.job_id')
              .where('j.job_id', '=', item.job_id)
              .where('j.status', '=', 'running'),
          ),
        )
        .then('waiting' as const)
        .else('cancelled' as const)
        .end(),
      holder: null,
      lease_until: null,
      next_attempt_at: new Date(clock.now().getTime() + delayMs),
      ...(failed ? { work_id: ids.uuid(), failures: eb('failures', '+', 1) } : {}),
    }))
    .where('job_id', '=', item.job_id)
    .where('position', '=', item.position)
    .where('holder', '=', item.holder)
    .where('status', '=', 'working')
    .execute()
}
