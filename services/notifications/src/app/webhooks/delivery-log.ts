import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import { type Delivery, type WebhookEvent, webhookEvents } from '@asiento/proto/schemas/webhooks'
import { timestamp } from '@asiento/proto/time'
import { sql } from 'kysely'
import { envelope, sampleData } from '../../domain/webhook-payload.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import type { DeliveryRow } from './claim-deliveries.ts'
import { deliveryChannel, type WebhookDeps } from './deps.ts'
import { webhookOf } from './manage-webhooks.ts'
import { errorText } from './record-attempts.ts'

const deliveriesListed = 100
const keepMs = 30 * 24 * 3_600_000

const toDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  event: row.event,
  status: row.status,
  attempts: row.attempts,
  response_status: row.response_status,
  duration_ms: row.duration_ms,
  last_error: row.last_error,
  created_at: timestamp(row.created_at),
  next_attempt_at: row.status === 'pending' ? timestamp(row.next_attempt_at) : null,
})

/** The last deliveries of a webhook, newest first. */
export const listDeliveries = (deps: WebhookDeps) => async (actor: Actor, id: number) => {
  const webhook = await webhookOf(deps, actor, id)
  const rows = await deps.db.query
    .selectFrom('deliveries')
    .selectAll()
    .where('webhook_id', '=', webhook.id)
    .orderBy('seq', 'desc')
    .limit(deliveriesListed)
    .execute()
  return { deliveries: rows.map(toDelivery) }
}

/** Sends a delivery again, with its id and its body, by the whole schedule. Fails INVALID_STATE while it is pending. */
export const redeliver = (deps: WebhookDeps) => async (actor: Actor, id: number, deliveryId: string) => {
  const webhook = await webhookOf(deps, actor, id)
  if (!webhook.active) fail('INVALID_STATE', { detail: 'The webhook is switched off.' })
  const known = await deps.db.query
    .selectFrom('deliveries')
    .select(['id', 'status'])
    .where('webhook_id', '=', webhook.id)
    .where((eb) => eb(sql<string>`id::text`, '=', deliveryId.toLowerCase()))
    .executeTakeFirst()
  if (known === undefined) return fail('NOT_FOUND', { detail: 'There is no such delivery.' })
  const row = await deps.db.query
    .updateTable('deliveries')
    .set({ status: 'pending', tries: 0, next_attempt_at: deps.clock.now(), last_error: null })
    .where('id', '=', known.id)
    .where('status', '<>', 'pending')
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return fail('INVALID_STATE', { detail: 'The delivery is on its way already.' })
  await sql`select pg_notify(${deliveryChannel}, '')`.execute(deps.db.query)
  return toDelivery(row)
}

/** Sends a sample at once and tells how it went; it is not tried again, and works for a webhook that is switched off. */
export const testWebhook = (deps: WebhookDeps) => async (actor: Actor, id: number) => {
  const webhook = await webhookOf(deps, actor, id)
  const now = deps.clock.now()
  const event = webhookEvents.find((kind): kind is WebhookEvent => webhook.events.includes(kind)) ?? 'invoice.extracted'
  const sample = { id: deps.ids.uuid(), event, body: envelope(event, now, sampleData[event]), test: true }
  const attempt = await attemptDelivery(deps, { ...webhook, ...sample })
  const ok = attempt.responseStatus !== null && attempt.responseStatus >= 200 && attempt.responseStatus < 300
  const row = await deps.db.query
    .insertInto('deliveries')
    .values({
      ...sample,
      webhook_id: webhook.id,
      event_id: sample.id,
      order_key: `test:${sample.id}`,
      status: ok ? 'delivered' : 'failed',
      attempts: 1,
      tries: 1,
      next_attempt_at: now,
      holder: null,
      lease_until: null,
      response_status: attempt.responseStatus,
      duration_ms: attempt.durationMs,
      last_error: errorText(attempt),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toDelivery(row)
}

/** Forgets old entries of the log; what is pending stays. */
export const forgetOldDeliveries =
  ({ db, clock }: Pick<WebhookDeps, 'db' | 'clock'>) =>
  async (): Promise<void> => {
    await db.query
      .deleteFrom('deliveries')
      .where('created_at', '<', new Date(clock.now().getTime() - keepMs))
      .where('status', '<>', 'pending')
      .execute()
  }
