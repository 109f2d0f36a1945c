import type { Tx } from '@asiento/chassis/db'
import type { Actor } from '@asiento/proto/actor'
import { planOpens } from '@asiento/proto/plans'
import type { WebhookEvent } from '@asiento/proto/schemas/webhooks'
import { sql } from 'kysely'
import type { Tables } from '../../adapters/tables.ts'
import { envelope } from '../../domain/webhook-payload.ts'
import { deliveryChannel, type WebhookDeps } from './deps.ts'

export interface WebhookNews {
  event: WebhookEvent
  /** The id of the event on the bus: one delivery a webhook, however often it comes. */
  eventId: string
  occurredAt: Date
  userId: number
  /** Deliveries with one key go out in order. */
  orderKey: string
  data: (owner: Actor) => Record<string, unknown>
}

/**
 * Writes one delivery for each webhook that listens, in the transaction that remembers the event. An account whose plan
 * has no webhooks (any more), or that is gone, gets none.
 */
export async function queueEvent(deps: Pick<WebhookDeps, 'rpc' | 'clock'>, tx: Tx<Tables>, news: WebhookNews) {
  if (!(await hasWebhooks(tx, news.userId))) return
  const owner = await ownerOf(deps, news.userId, news.eventId)
  await pause(tx, news.userId, owner)
  if (owner === null || !planOpens(owner.plan, 'webhooks')) return
  const now = deps.clock.now()
  const body = envelope(news.event, news.occurredAt, news.data(owner))
  await sql`
    with written as (
      insert into deliveries (id, webhook_id, event, event_id, order_key, body, status, next_attempt_at, created_at)
      select ${deliveryId(news.eventId)}, id, ${news.event}, ${news.eventId}, ${news.orderKey}, ${body}, 'pending', ${now}, ${now}
      from webhooks
      where user_id = ${news.userId} and active and events && array['*', ${news.event}]
      on conflict (id) do nothing
    )
    select pg_notify(${deliveryChannel}, '')`.execute(tx)
}

/** What a transaction that holds many events of an account has asked once. */
const asked = new WeakMap<Tx<Tables>, Map<number, boolean>>()

async function hasWebhooks(tx: Tx<Tables>, userId: number): Promise<boolean> {
  const answers = asked.get(tx) ?? new Map<number, boolean>()
  asked.set(tx, answers)
  const known = answers.get(userId)
  if (known !== undefined) return known
  const found = await tx.selectFrom('webhooks').select('id').where('user_id', '=', userId).limit(1).execute()
  answers.set(userId, found.length > 0)
  return found.length > 0
}

/** Of a webhook's row and an event: half a SHA-256, as a UUID of version 8 (RFC 9562). */
const deliveryId = (eventId: string) => sql`
  overlay(overlay(left(encode(sha256(convert_to(id || ':' || ${eventId}::text, 'UTF8')), 'hex'), 32)
    placing '8' from 13) placing 'a' from 17)::uuid`

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
  await sql`select pg_notify(${deliveryChannel}, '')`.execute(tx)
}
