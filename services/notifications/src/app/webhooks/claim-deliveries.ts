import { withoutWaiting } from '@asiento/chassis/db'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../adapters/tables.ts'
import type { WebhookDeps } from './deps.ts'
import type { WebhookRow } from './manage-webhooks.ts'

/** How long a delivery stays with a holder that has fallen silent, and how often one that lives renews its own. */
const leaseMs = 10_000
export const renewMs = 3_000

export type DeliveryRow = Selectable<Tables['deliveries']>

/** A delivery with what its webhook adds to it. */
export type ClaimedDelivery = Pick<
  DeliveryRow,
  'id' | 'seq' | 'webhook_id' | 'event' | 'body' | 'test' | 'attempts' | 'tries'
> & { holder: string; leaseUntil: Date } & WebhookOfDelivery

export type WebhookOfDelivery = Pick<
  WebhookRow,
  'user_id' | 'url' | 'secret' | 'previous_secret' | 'previous_until' | 'failing_since'
>

type Claimed = Omit<ClaimedDelivery, 'holder' | 'leaseUntil' | keyof WebhookOfDelivery>

/**
 * Takes due deliveries, at most so many a webhook: a dead receiver fills its own places and nobody else's, and one that
 * keeps failing has one place only. A first attempt waits until the first attempts of earlier deliveries of the same
 * webhook and invoice are over; one that waits for its retry holds nobody.
 */
export async function claimDeliveries(
  deps: Pick<WebhookDeps, 'db' | 'clock' | 'ids'>,
  options: { count: number; perWebhook: number; busy: ReadonlyMap<number, number> },
): Promise<ClaimedDelivery[]> {
  const { db, clock, ids } = deps
  const now = clock.now()
  const leaseUntil = new Date(now.getTime() + leaseMs)
  const holder = ids.uuid()
  const busy = JSON.stringify(Object.fromEntries(options.busy))
  // An array and not a join: the rows are then found by their key whatever the planner believes about the table.
  // A claim that a crash of the database undoes is a claim that runs out.
  const { rows } = await sql<Claimed>`
    update deliveries set holder = ${holder}, lease_until = ${leaseUntil}, attempts = attempts + 1, tries = tries + 1
    from (select ${withoutWaiting}) as unwaited
    where id = any(array(
      select d.id from webhooks w cross join lateral (
        select d.id from deliveries d
        where d.webhook_id = w.id and d.status = 'pending' and d.next_attempt_at <= ${now}
          and (d.lease_until is null or d.lease_until < ${now})
          and (d.attempts > 0 or not exists (
            select 1 from deliveries e
            where e.webhook_id = d.webhook_id and e.order_key = d.order_key and e.seq < d.seq and e.status = 'pending'
              and (e.attempts = 0 or (e.attempts = 1 and e.lease_until >= ${now}))))
        order by d.next_attempt_at, d.seq
        limit greatest(0, case when w.failing_since is null then ${options.perWebhook}::int else 1 end
          - coalesce((${busy}::jsonb ->> w.id::text)::int, 0))
        for update skip locked
      ) d
      where w.active and not w.paused
      limit ${options.count}
    ))
    returning id, seq, webhook_id, event, body, test, attempts, tries`.execute(db.query)
  const webhooks = await webhooksOf(deps, rows)
  return rows
    .flatMap((row) => {
      const webhook = webhooks.get(row.webhook_id)
      return webhook === undefined ? [] : [{ ...row, ...webhook, holder, leaseUntil }]
    })
    .sort((a, b) => a.seq - b.seq)
}

/** Read once a webhook, not once a delivery. */
async function webhooksOf({ db }: Pick<WebhookDeps, 'db'>, rows: readonly Claimed[]) {
  if (rows.length === 0) return new Map<number, WebhookOfDelivery>()
  const found = await db.query
    .selectFrom('webhooks')
    .select(['id', 'user_id', 'url', 'secret', 'previous_secret', 'previous_until', 'failing_since'])
    .where('id', 'in', [...new Set(rows.map((row) => row.webhook_id))])
    .execute()
  return new Map<number, WebhookOfDelivery>(found.map(({ id, ...webhook }) => [id, webhook]))
}

/** Keeps deliveries for their holder; those that another has taken meanwhile keep their old, ended lease. */
export async function renewDeliveries(
  { db, clock }: Pick<WebhookDeps, 'db' | 'clock'>,
  deliveries: readonly ClaimedDelivery[],
): Promise<void> {
  const leaseUntil = new Date(clock.now().getTime() + leaseMs)
  const { rows } = await sql<{ id: string }>`
    update deliveries d set lease_until = ${leaseUntil} from ${heldBy(deliveries)}, (select ${withoutWaiting}) as unwaited
    where d.id = h.id and d.holder = h.holder
    returning d.id`.execute(db.query)
  const renewed = new Set(rows.map((row) => row.id))
  for (const delivery of deliveries) if (renewed.has(delivery.id)) delivery.leaseUntil = leaseUntil
}

/** Gives back deliveries that were claimed and not sent, as if nobody had taken them. */
export async function releaseDeliveries(
  { db }: Pick<WebhookDeps, 'db'>,
  deliveries: readonly ClaimedDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return
  await sql`
    update deliveries d set holder = null, lease_until = null, attempts = d.attempts - 1, tries = d.tries - 1
    from ${heldBy(deliveries)} where d.id = h.id and d.holder = h.holder`.execute(db.query)
}

function heldBy(deliveries: readonly ClaimedDelivery[]) {
  const held = JSON.stringify(deliveries.map(({ id, holder }) => ({ id, holder })))
  return sql`jsonb_to_recordset(${held}::jsonb) as h(id uuid, holder uuid)`
}
