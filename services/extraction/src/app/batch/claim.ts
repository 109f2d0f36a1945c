import { withoutWaiting } from '@asiento/chassis/db'
import type { Scope } from '@asiento/proto/actor'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { ItemRow } from './jobs.ts'

/** How long an item stays with a holder that has fallen silent. */
export const leaseMs = 15_000
export const heartbeatMs = 4_000

export interface ClaimedItem extends ItemRow {
  /** Whose job it is of. */
  scope: Scope
}

/**
 * Takes the next open items by turn, each for one holder: those that wait and are due, and those whose holder fell
 * silent. Replicas never wait for each other (SKIP LOCKED).
 */
export async function claimItems(
  { db, clock, ids }: Pick<Deps, 'db' | 'clock' | 'ids'>,
  count: number,
): Promise<ClaimedItem[]> {
  const now = clock.now()
  const { rows } = await sql<ClaimedItem>`
    with due as (
      select job_id, position from batch_items
      where status in ('waiting', 'working') and next_attempt_at <= ${now}
        and (status = 'waiting' or lease_until < ${now})
      order by turn, job_id, position limit ${count} for update skip locked)
    update batch_items i set status = 'working', holder = ${ids.uuid()}, claims = claims + 1,
      lease_until = ${new Date(now.getTime() + leaseMs)}
    from due, batch_jobs j
    where (i.job_id, i.position) = (due.job_id, due.position) and j.job_id = i.job_id
    returning i.*, ${withoutWaiting}, jsonb_build_object('userId', j.user_id, 'keyId', j.key_id,
      'subaccountId', j.subaccount_id, 'sandbox', j.sandbox) as scope`.execute(db.query)
  return rows.sort((a, b) => a.turn - b.turn)
}

/** Keeps what its holders still have in hand, all in one statement. */
export async function keepItems(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  items: Iterable<ClaimedItem>,
): Promise<void> {
  const held = [...items].map(({ job_id, position, holder }) => ({ job_id, position, holder }))
  if (held.length === 0) return
  await sql`
    update batch_items i set lease_until = ${new Date(clock.now().getTime() + leaseMs)}
    from jsonb_to_recordset(${JSON.stringify(held)}::jsonb) as h (job_id uuid, position int, holder uuid)
    where (i.job_id, i.position, i.holder) = (h.job_id, h.position, h.holder) and i.status = 'working'
    returning ${withoutWaiting}`.execute(db.query)
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
