import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import { type Delivery, type WebhookEvent, webhookEvents } from '@asiento/proto/schemas/webhooks'
import { timestamp } from '@asiento/proto/time'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../adapters/tables.ts'
import { envelope, sampleData } from '../../domain/webhook-payload.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import { deliveryChannel, type WebhookDeps } from './deps.ts'
import { webhookOf } from './manage-webhooks.ts'
import { errorText } from './record-attempts.ts'

const deliveriesListed = 100
const keepMs = 30 * 24 * 3_600_000

type Row = Selectable<Tables['deliveries']>
type EventOfRow = Pick<Selectable<Tables['events']>, 'event' | 'created_at'>

const toDelivery = (row: Row, { event, created_at }: EventOfRow): Delivery => ({
  id: row.id,
  event,
  status: row.status,
  attempts: row.attempts,
  response_status: row.response_status,
  duration_ms: row.duration_ms,
  last_error: row.last_error,
  created_at: timestamp(created_at),
  next_attempt_at: row.status === 'pending' ? timestamp(row.next_attempt_at) : null,
})

/** The last deliveries of a webhook, newest first. */
export const listDeliveries = (deps: WebhookDeps) => async (actor: Actor, id: number) => {
  const webhook = await webhookOf(deps, actor, id)
  const rows = await deps.db.query
    .selectFrom('deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .selectAll('d')
    .select(['e.event', 'e.created_at'])
    .where('webhook_id', '=', webhook.id)
    .orderBy('d.seq', 'desc')
    .limit(deliveriesListed)
    .execute()
  return { deliveries: rows.map((row) => toDelivery(row, row)) }
}

/** Sends a delivery again, with its id and its body, by the whole schedule. Fails INVALID_STATE while it is pending. */
export const redeliver = (deps: WebhookDeps) => async (actor: Actor, id: number, deliveryId: string) => {
  const webhook = await webhookOf(deps, actor, id)
  if (!webhook.active) fail('INVALID_STATE', { detail: 'The webhook is switched off.' })
  const known = await deps.db.query
    .selectFrom('deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .select(['d.event_id', 'e.event', 'e.created_at'])
    .where('webhook_id', '=', webhook.id)
    .where((eb) => eb(sql<string>`d.id::text`, '=', deliveryId.toLowerCase()))
    .executeTakeFirst()
  if (known === undefined) return fail('NOT_FOUND', { detail: 'There is no such delivery.' })
  const row = await deps.db.query
    .updateTable('deliveries')
    .set({ status: 'pending', tries: 0, next_attempt_at: deps.clock.now(), last_error: null })
    .where('event_id', '=', known.event_id)
    .where('webhook_id', '=', webhook.id)
    .where('status', '<>', 'pending')
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return fail('INVALID_STATE', { detail: 'The delivery is on its way already.' })
  await sql`select pg_notify(${deliveryChannel}, '')`.execute(deps.db.query)
  return toDelivery(row, known)
}

/** Sends a sample at once and tells how it went; it is not tried again, and works for a webhook that is switched off. */
export const testWebhook = (deps: WebhookDeps) => async (actor: Actor, webhookId: number) => {
  const webhook = await webhookOf(deps, actor, webhookId)
  const now = deps.clock.now()
  const event = webhookEvents.find((kind): kind is WebhookEvent => webhook.events.includes(kind)) ?? 'invoice.extracted'
  const id = deps.ids.uuid()
  const body = envelope(event, now, sampleData[event])
  const sample = { id, event: { id, event, body: Buffer.from(body, 'utf8'), test: true }, webhook }
  const attempt = await attemptDelivery(deps, sample)
  const ok = attempt.responseStatus !== null && attempt.responseStatus >= 200 && attempt.responseStatus < 300
  return deps.db.transaction(async (tx) => {
    await tx
      .insertInto('events')
      .values({ id, user_id: actor.userId, event, order_key: `test:${id}`, body, test: true, created_at: now })
      .execute()
    const row = await tx
      .insertInto('deliveries')
      .values({
        id,
        webhook_id: webhook.id,
        event_id: id,
        status: ok ? 'delivered' : 'failed',
        attempts: 1,
        tries: 1,
        next_attempt_at: now,
        holder: null,
        lease_until: null,
        response_status: attempt.responseStatus,
        duration_ms: attempt.durationMs,
        last_error: errorText(attempt),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return toDelivery(row, { event, created_at: now })
  })
}

/** Forgets old entries of the log, and what nobody's entry speaks of any more; what is pending stays. */
export const forgetOldDeliveries =
  ({ db, clock }: Pick<WebhookDeps, 'db' | 'clock'>) =>
  async (): Promise<void> => {
    const before = new Date(clock.now().getTime() - keepMs)
    await db.query
      .deleteFrom('deliveries as d')
      .using('events as e')
      .whereRef('d.event_id', '=', 'e.id')
      .where('e.created_at', '<', before)
      .where('d.status', '<>', 'pending')
      .execute()
    await db.query
      .deleteFrom('events as e')
      .where('created_at', '<', before)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('deliveries as d').select('d.id').whereRef('d.event_id', '=', 'e.id'))),
      )
      .execute()
  }
