import type { Tx } from '@asiento/chassis/db'
import type { Actor } from '@asiento/proto/actor'
import { planOpens } from '@asiento/proto/plans'
import type { WebhookEvent } from '@asiento/proto/schemas/webhooks'
import { sql } from 'kysely'
import type { Tables } from '../../adapters/tables.ts'
import { envelope } from '../../domain/webhook-payload.ts'
import { arrayOf, type ClaimedDelivery, newLease, type StoredEvent, webhookColumns } from './claim-deliveries.ts'
import type { DeliveryRunner } from './delivery-runner.ts'
import { deliveryChannel, type WebhookDeps } from './deps.ts'

export interface WebhookNews {
  event: WebhookEvent
  /** The id of the event on the bus: one delivery a webhook, however often it comes. */
  eventId: string
  occurredAt: Date
  userId: number
  /** Deliveries of an account with one key go out in order. */
  orderKey: string
  data: (owner: Actor) => Record<string, unknown>
}

type Deps = Pick<WebhookDeps, 'rpc' | 'clock' | 'ids'>

/**
 * Writes one delivery for each webhook that listens, in the transaction that remembers the events. An account whose plan
 * has no webhooks (any more), or that is gone, gets none. What the runner has room for is written as claimed by it, and
 * handed over by what this answers, once the transaction has committed; if that never happens the lease runs out.
 */
export async function queueEvents(
  deps: Deps,
  runner: DeliveryRunner,
  tx: Tx<Tables>,
  news: readonly WebhookNews[],
): Promise<(() => void) | undefined> {
  if (news.length === 0) return undefined
  const listeners = await listenersOf(deps, tx, news)
  const heard = news.flatMap((each) => {
    const { owner, webhooks } = listeners.get(each.userId) ?? {}
    const listening = webhooks?.filter(
      ({ active, events }) => active && (events.includes('*') || events.includes(each.event)),
    )
    return owner === undefined || !listening?.length ? [] : [{ news: each, event: toStored(each, owner), listening }]
  })
  if (heard.length === 0) return undefined
  const first = await keepEvents(deps, tx, heard)

  const lease = newLease(deps)
  const room = new Map<number, number>()
  const deliveries = heard.flatMap(({ event, listening }) =>
    listening.map((webhook) => {
      const places = room.get(webhook.id) ?? (webhook.failing_since === null ? runner.room(webhook.id) : 0)
      const held = places > 0 && first.has(event.id)
      room.set(webhook.id, held ? places - 1 : places)
      return { id: deps.ids.uuid(), event, webhook, attempts: 0, tries: 0, ...lease, held }
    }),
  )
  const written = await sql`
    insert into deliveries (id, event_id, webhook_id, status, next_attempt_at, holder, lease_until)
    select id, event_id, webhook_id, 'pending', ${deps.clock.now()},
      case when held then ${lease.holder}::uuid end, case when held then ${lease.leaseUntil}::timestamptz end
    from unnest(${arrayOf(deliveries, ({ id }) => id)}::uuid[], ${arrayOf(deliveries, ({ event }) => event.id)}::uuid[],
      ${arrayOf(deliveries, ({ webhook }) => webhook.id)}::bigint[], ${arrayOf(deliveries, ({ held }) => held)}::boolean[])
      as written (id, event_id, webhook_id, held)
    on conflict (event_id, webhook_id) do nothing`.execute(tx)
  const taken = deliveries.filter(({ held }) => held)
  // Some were there already, from before the inbox forgot their event: then the leases sort out which.
  const isWhole = Number(written.numAffectedRows) === deliveries.length
  if (!isWhole || taken.length < deliveries.length) await wakeRunners(tx)
  return isWhole ? () => runner.take(taken) : undefined
}

interface Listener {
  owner: Actor
  webhooks: (ClaimedDelivery['webhook'] & { events: string[]; active: boolean })[]
}

/** The webhooks of each account that may have some, kept from being deleted until the transaction ends. */
async function listenersOf(deps: Deps, tx: Tx<Tables>, news: readonly WebhookNews[]): Promise<Map<number, Listener>> {
  const users = [...new Set(news.map(({ userId }) => userId))]
  const webhooks = await tx
    .selectFrom('webhooks')
    .select([...webhookColumns, 'events', 'active'])
    .where('user_id', 'in', users)
    .orderBy('id')
    .forKeyShare()
    .execute()
  const listeners = new Map<number, Listener>()
  for (const [userId, own] of Map.groupBy(webhooks, (webhook) => webhook.user_id)) {
    const eventId = news.find((each) => each.userId === userId)?.eventId ?? ''
    const owner = await ownerOf(deps, userId, eventId)
    await pause(tx, userId, owner)
    if (owner !== null && planOpens(owner.plan, 'webhooks')) listeners.set(userId, { owner, webhooks: own })
  }
  return listeners
}

function toStored({ event, eventId, occurredAt, data }: WebhookNews, owner: Actor): StoredEvent {
  return { id: eventId, event, body: Buffer.from(envelope(event, occurredAt, data(owner)), 'utf8'), test: false }
}

/** Writes events down; answers the ids of those that need not wait for an earlier one. */
async function keepEvents(
  { clock }: Deps,
  tx: Tx<Tables>,
  heard: readonly { news: WebhookNews; event: StoredEvent }[],
): Promise<Set<string>> {
  const rows = heard.map(({ news: { userId, orderKey }, event: { id, event, body } }) => {
    return { id, user_id: userId, event, order_key: orderKey, body: body.toString('utf8') }
  })
  const kept = await sql<{ id: string; is_first: boolean }>`
    insert into events (id, user_id, event, order_key, body, created_at)
    select id, user_id, event, order_key, body, ${clock.now()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as news (id uuid, user_id bigint, event text, order_key text, body text)
    on conflict (id) do nothing
    returning id, not exists (
      select 1 from events earlier where earlier.user_id = events.user_id and earlier.order_key = events.order_key
    ) as is_first`.execute(tx)
  const isFirst = new Set(kept.rows.filter((row) => row.is_first).map((row) => row.id))
  const keys = new Set<string>()
  for (const { id, user_id, order_key } of rows) {
    const key = `${user_id}:${order_key}`
    if (keys.has(key)) isFirst.delete(id)
    keys.add(key)
  }
  return isFirst
}

const ownerOf = ({ rpc }: Pick<WebhookDeps, 'rpc'>, userId: number, requestId: string): Promise<Actor | null> =>
  rpc.identity.actorFor({ userId, keyId: null, subaccountId: null, sandbox: false }, { actor: null, requestId })

/** Holds an account's webhooks back while its plan has none, and lets them go on afterwards. */
async function pause(tx: Tx<Tables>, userId: number, owner: Actor | null): Promise<void> {
  const paused = owner === null || !planOpens(owner.plan, 'webhooks')
  await tx.updateTable('webhooks').set({ paused }).where('user_id', '=', userId).where('paused', '<>', paused).execute()
}

/** Follows a change of plan or a suspension at once. */
export async function followAccount(
  deps: Pick<WebhookDeps, 'rpc'>,
  tx: Tx<Tables>,
  userId: number,
  eventId: string,
): Promise<void> {
  await pause(tx, userId, await ownerOf(deps, userId, eventId))
  await wakeRunners(tx)
}

const wakeRunners = (tx: Tx<Tables>) => sql`select pg_notify(${deliveryChannel}, '')`.execute(tx)
