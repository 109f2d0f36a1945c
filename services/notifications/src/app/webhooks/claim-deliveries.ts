import { withoutWaiting } from '@asiento/chassis/db'
import { sql } from 'kysely'
import type { WebhookDeps } from './deps.ts'
import type { WebhookRow } from './manage-webhooks.ts'

/** How long a delivery stays with a holder that has fallen silent, and how often one that lives renews its own. */
const leaseMs = 10_000
export const renewMs = 3_000

/** What an event says, read once for all its deliveries. */
export interface StoredEvent {
  id: string
  event: string
  /** The exact bytes that are signed and sent. */
  body: Buffer
  test: boolean
}

/** What a webhook adds to a delivery. */
export type WebhookOfDelivery = Pick<
  WebhookRow,
  'id' | 'user_id' | 'url' | 'secret' | 'previous_secret' | 'previous_until' | 'failing_since'
>
export const webhookColumns = [
  'id',
  'user_id',
  'url',
  'secret',
  'previous_secret',
  'previous_until',
  'failing_since',
] as const

/** Whoever writes it into a row holds that delivery until the lease ends. */
export interface Lease {
  holder: string
  leaseUntil: Date
}

export interface ClaimedDelivery extends Lease {
  id: string
  event: StoredEvent
  webhook: WebhookOfDelivery
  /** Attempts that have ended, in all and in the present round of the schedule. */
  attempts: number
  tries: number
}

export const newLease = ({ clock, ids }: Pick<WebhookDeps, 'clock' | 'ids'>): Lease => ({
  holder: ids.uuid(),
  leaseUntil: new Date(clock.now().getTime() + leaseMs),
})

interface Claimed {
  id: string
  seq: number
  event_id: string
  webhook_id: number
  attempts: number
  tries: number
}

/**
 * Takes due deliveries, at most so many a webhook: a dead receiver fills its own places and nobody else's, and one that
 * keeps failing has one place only. A first attempt waits until the first attempts of earlier deliveries of the same
 * webhook and invoice are over; one that waits for its retry holds nobody.
 */
export async function claimDeliveries(
  deps: Pick<WebhookDeps, 'db' | 'clock' | 'ids'>,
  options: { count: number; perWebhook: number; busy: ReadonlyMap<number, number> },
): Promise<ClaimedDelivery[]> {
  const { db, clock } = deps
  const now = clock.now()
  const { holder, leaseUntil } = newLease(deps)
  const busy = JSON.stringify(Object.fromEntries(options.busy))
  // Places of rows and not a join: they are then found by them whatever the planner believes about the table.
  // A claim that a crash of the database undoes is a claim that runs out.
  const { rows } = await sql<Claimed>`
    update deliveries set holder = ${holder}, lease_until = ${leaseUntil}
    from (select ${withoutWaiting}) as unwaited
    where ctid = any(array(
      select d.ctid from webhooks w cross join lateral (
        select d.ctid from deliveries d
        where d.webhook_id = w.id and d.status = 'pending' and d.next_attempt_at <= ${now}
          and (d.lease_until is null or d.lease_until < ${now})
          and (d.attempts > 0 or not exists (
            select 1 from events this
              join events earlier on earlier.user_id = this.user_id and earlier.order_key = this.order_key
                and earlier.seq < this.seq
              join deliveries e on e.event_id = earlier.id and e.webhook_id = d.webhook_id
            where this.id = d.event_id and e.status = 'pending' and e.attempts = 0))
        order by d.next_attempt_at, d.seq
        limit greatest(0, case when w.failing_since is null then ${options.perWebhook}::int else 1 end
          - coalesce((${busy}::jsonb ->> w.id::text)::int, 0))
        for update skip locked
      ) d
      where w.active and not w.paused
      limit ${options.count}
    ))
    returning id, seq, event_id, webhook_id, attempts, tries`.execute(db.query)
  const webhookIds = rows.map((row) => row.webhook_id)
  const eventIds = rows.map((row) => row.event_id)
  const [webhooks, events] = await Promise.all([webhooksOf(deps, webhookIds), eventsOf(deps, eventIds)])
  return rows
    .sort((a, b) => a.seq - b.seq)
    .flatMap(({ id, event_id, webhook_id, attempts, tries }) => {
      const webhook = webhooks.get(webhook_id)
      const event = events.get(event_id)
      if (webhook === undefined || event === undefined) return []
      return [{ id, event, webhook, attempts, tries, holder, leaseUntil }]
    })
}

/** Webhooks that deliveries go out to at present, by id. */
export async function webhooksOf({ db }: Pick<WebhookDeps, 'db'>, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, WebhookOfDelivery>()
  const found = await db.query
    .selectFrom('webhooks')
    .select(webhookColumns)
    .where('id', 'in', [...new Set(ids)])
    .where('active', '=', true)
    .where('paused', '=', false)
    .execute()
  return new Map(found.map((webhook) => [webhook.id, webhook]))
}

async function eventsOf({ db }: Pick<WebhookDeps, 'db'>, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, StoredEvent>()
  const found = await db.query
    .selectFrom('events')
    .select(['id', 'event', 'body', 'test'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(found.map((event) => [event.id, { ...event, body: Buffer.from(event.body, 'utf8') }]))
}

/** Keeps deliveries for their holder; those that another has taken meanwhile keep their old, ended lease. */
export async function renewDeliveries(
  { db, clock }: Pick<WebhookDeps, 'db' | 'clock'>,
  deliveries: readonly ClaimedDelivery[],
): Promise<void> {
  const leaseUntil = new Date(clock.now().getTime() + leaseMs)
  const { rows } = await sql<{ id: string }>`
    update deliveries d set lease_until = ${leaseUntil} from ${heldBy(deliveries)}, (select ${withoutWaiting}) as unwaited
    where d.event_id = h.event_id and d.webhook_id = h.webhook_id and d.holder = h.holder
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
    update deliveries d set holder = null, lease_until = null from ${heldBy(deliveries)}
    where d.event_id = h.event_id and d.webhook_id = h.webhook_id and d.holder = h.holder`.execute(db.query)
}

function heldBy(deliveries: readonly ClaimedDelivery[]) {
  return sql`unnest(${arrayOf(deliveries, ({ event }) => event.id)}::uuid[],
    ${arrayOf(deliveries, ({ webhook }) => webhook.id)}::bigint[],
    ${arrayOf(deliveries, ({ holder }) => holder)}::uuid[]) as h (event_id, webhook_id, holder)`
}

/** A column of values that need no escaping (numbers, ids, flags, null), as PostgreSQL reads an array. */
export const arrayOf = <R>(rows: readonly R[], column: (row: R) => string | number | boolean | null): string =>
  `{${rows.map((row) => String(column(row))).join()}}`
