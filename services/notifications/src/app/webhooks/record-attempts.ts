import { withoutWaiting } from '@asiento/chassis/db'
import type { Actor } from '@asiento/proto/actor'
import { sql } from 'kysely'
import { type Attempt, afterAttempt, switchOffAfterMs } from '../../domain/after-attempt.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { arrayOf, type ClaimedDelivery } from './claim-deliveries.ts'
import type { WebhookDeps } from './deps.ts'

export interface Finished {
  delivery: ClaimedDelivery
  attempt: Attempt
}

type Deps = Pick<WebhookDeps, 'db' | 'clock' | 'retrySeconds' | 'rpc' | 'log'>

/**
 * Writes down how attempts ended, many in one statement. Whoever lost a delivery to another holder writes nothing; what a
 * crash of the database takes back is sent once more. Then webhooks that failed are looked at one by one; answers their ids.
 */
export async function recordAttempts(deps: Deps, finished: readonly Finished[]): Promise<number[]> {
  const now = deps.clock.now()
  const outcomes = finished.map(({ delivery, attempt }) => {
    const { retrySeconds } = deps
    const verdict = afterAttempt(attempt, { retrySeconds, tries: delivery.tries + 1, random: Math.random(), now })
    const delayMs = verdict.status === 'pending' ? verdict.delayMs : 0
    return { delivery, attempt, verdict, nextAttemptAt: new Date(now.getTime() + delayMs) }
  })
  const column = (of: (outcome: (typeof outcomes)[number]) => string | number | null) => arrayOf(outcomes, of)
  await sql`
    update deliveries d set status = o.status, next_attempt_at = o.next_attempt_at, lease_until = null, holder = null,
      attempts = attempts + 1, tries = tries + 1,
      response_status = o.response_status, duration_ms = o.duration_ms, last_error = o.last_error
    from unnest(${column(({ delivery }) => delivery.event.id)}::uuid[],
      ${column(({ delivery }) => delivery.webhook.id)}::bigint[],
      ${column(({ delivery }) => delivery.holder)}::uuid[],
      ${column(({ verdict }) => verdict.status)}::text[],
      ${column(({ nextAttemptAt }) => nextAttemptAt.toISOString())}::timestamptz[],
      ${column(({ attempt }) => attempt.responseStatus)}::integer[],
      ${column(({ attempt }) => attempt.durationMs)}::integer[],
      ${outcomes.map(({ attempt }) => errorText(attempt))}::text[])
      as o (event_id, webhook_id, holder, status, next_attempt_at, response_status, duration_ms, last_error),
      (select ${withoutWaiting}) as unwaited
    where d.event_id = o.event_id and d.webhook_id = o.webhook_id and d.holder = o.holder`.execute(deps.db.query)
  const delivered = outcomes.filter(({ verdict }) => verdict.status === 'delivered')
  await healWebhooks(deps, delivered)
  const failing = outcomes.filter(({ verdict }) => verdict.status !== 'delivered')
  for (const { delivery, verdict } of failing) {
    await noteFailure(deps, delivery, { gone: verdict.status === 'failed' && verdict.gone, now })
  }
  return [...new Set(failing.map(({ delivery }) => delivery.webhook.id))]
}

export function errorText({ error, responseStatus }: Attempt): string | null {
  if (error !== null) return error
  if (responseStatus === null || (responseStatus >= 200 && responseStatus < 300)) return null
  return responseStatus < 400 && responseStatus >= 300
    ? `answered ${responseStatus}; redirects are not followed`
    : `answered ${responseStatus}`
}

async function healWebhooks({ db }: Deps, delivered: readonly Finished[]): Promise<void> {
  const healed = delivered
    .filter(({ delivery }) => delivery.webhook.failing_since !== null)
    .map(({ delivery }) => delivery.webhook.id)
  if (healed.length === 0) return
  await db.query.updateTable('webhooks').set({ failing_since: null }).where('id', 'in', healed).execute()
}

/** Remembers since when a webhook fails, and switches it off after five days of it, or at once when it is gone. */
async function noteFailure(
  { db, rpc, log }: Deps,
  delivery: ClaimedDelivery,
  { gone, now }: { gone: boolean; now: Date },
): Promise<void> {
  const { id, user_id: userId, failing_since: since } = delivery.webhook
  const tooLong = since !== null && now.getTime() - since.getTime() >= switchOffAfterMs
  if (!gone && !tooLong) {
    if (since !== null) return
    await db.query
      .updateTable('webhooks')
      .set({ failing_since: now })
      .where('id', '=', id)
      .where('failing_since', 'is', null)
      .execute()
    return
  }
  const scope = { userId, keyId: null, subaccountId: null, sandbox: false }
  const owner: Actor | null = await rpc.identity.actorFor(scope, { actor: null, requestId: delivery.id })
  const reason = gone ? ('gone' as const) : ('failing' as const)
  await db.transaction(async (tx) => {
    const off = await tx
      .updateTable('webhooks')
      .set({ active: false, disabled_reason: reason })
      .where('id', '=', id)
      .where('active', '=', true)
      .returning('url')
      .executeTakeFirst()
    if (off === undefined) return
    await tx
      .updateTable('deliveries')
      .set({ status: 'failed', last_error: 'the webhook was switched off', lease_until: null, holder: null })
      .where('webhook_id', '=', id)
      .where('status', '=', 'pending')
      .execute()
    log.info({ webhook: id, reason }, 'webhook switched off')
    if (owner === null) return
    const { email: to, locale } = owner
    const mailId = `webhook-off:${id}:${delivery.id}:${delivery.attempts + 1}`
    await queueMail(tx, { mailId, to, locale, template: 'webhook_switched_off', data: { url: off.url, reason } }, now)
  })
}
