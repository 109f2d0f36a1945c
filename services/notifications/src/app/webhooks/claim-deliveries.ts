import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../adapters/tables.ts'
import type { WebhookDeps } from './deps.ts'
import type { WebhookRow } from './manage-webhooks.ts'

/** Longer than any attempt: whoever held a delivery for so long is gone. */
const leaseMs = 30_000

export type DeliveryRow = Selectable<Tables['deliveries']>

/** A delivery with what its webhook adds to it. */
export type ClaimedDelivery = DeliveryRow &
  Pick<WebhookRow, 'user_id' | 'url' | 'secret' | 'previous_secret' | 'previous_until' | 'failing_since'>

/**
 * Takes due deliveries, at most so many a webhook: a dead receiver fills its own places and nobody else's, and one that
 * keeps failing has one place only. A first attempt waits until the first attempts of earlier deliveries of the same
 * webhook and invoice are over; one that waits for its retry holds nobody.
 */
export async function claimDeliveries(
  { db, clock, ids, perDestination }: Pick<WebhookDeps, 'db' | 'clock' | 'ids' | 'perDestination'>,
  options: { count: number; busy: ReadonlyMap<number, number> },
): Promise<ClaimedDelivery[]> {
  const now = clock.now()
  const busy = JSON.stringify(Object.fromEntries(options.busy))
  const { rows } = await sql<ClaimedDelivery>`
    with due as (
      select d.id from webhooks w cross join lateral (
        select d.id from deliveries d
        where d.webhook_id = w.id and d.status = 'pending' and d.next_attempt_at <= ${now}
          and (d.lease_until is null or d.lease_until < ${now})
          and (d.attempts > 0 or not exists (
            select 1 from deliveries e
            where e.webhook_id = d.webhook_id and e.order_key = d.order_key and e.seq < d.seq and e.status = 'pending'
              and (e.attempts = 0 or (e.attempts = 1 and e.lease_until >= ${now}))))
        order by d.next_attempt_at, d.seq
        limit greatest(0, case when w.failing_since is null then ${perDestination}::int else 1 end
          - coalesce((${busy}::jsonb ->> w.id::text)::int, 0))
        for update skip locked
      ) d
      where w.active and not w.paused
      limit ${options.count}
    )
    update deliveries d set holder = ${ids.uuid()}, lease_until = ${new Date(now.getTime() + leaseMs)},
      attempts = d.attempts + 1, tries = d.tries + 1
    from webhooks w
    where d.id in (select id from due) and w.id = d.webhook_id
    returning d.*, w.user_id, w.url, w.secret, w.previous_secret, w.previous_until, w.failing_since`.execute(db.query)
  return rows.sort((a, b) => a.seq - b.seq)
}
