import { withoutWaiting } from '@asiento/chassis/db'
import type { Actor } from '@asiento/proto/actor'
import { sql } from 'kysely'
import { type Attempt, afterAttempt, switchOffAfterMs } from '../../domain/after-attempt.ts'
import { queueMail } from '../mail/queue-mail.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import type { WebhookDeps } from './deps.ts'

export interface Finished {
  delivery: ClaimedDelivery
  attempt: Attempt
}

type Deps = Pick<WebhookDeps, 'db' | 'clock' | 'retrySeconds' | 'rpc' | 'log'>

/**
 * Writes down how attempts ended, many in one statement. Whoever lost a delivery to another holder writes nothing; what a
 * crash of the database takes back is sent once more. Then webhooks that failed are looked at one by one.
 */
export async function recordAttempts(deps: Deps, finished: readonly Finished[]): Promise<void> {
  const now = deps.clock.now()
  const outcomes = finished.map(({ delivery, attempt }) => {
    const { retrySeconds } = deps
    const verdict = afterAttempt(attempt, { retrySeconds, tries: delivery.tries, random: Math.random(), now })
    const gone = verdict.status === 'failed' && verdict.gone
    return { delivery, attempt, gone, ...toColumns(verdict, now), row: columnsOf(delivery, attempt) }
  })
  const rows = outcomes.map(({ row, status, next_attempt_at }) => ({ ...row, status, next_attempt_at }))
  await sql`
    update deliveries d set status = o.status, next_attempt_at = o.next_attempt_at, lease_until = null, holder = null,
      response_status = o.response_status, duration_ms = o.duration_ms, last_error = o.last_error
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o(id uuid, holder uuid, status text,
      next_attempt_at timestamptz, response_status integer, duration_ms integer, last_error text),
      (select ${withoutWaiting}) as unwaited
    where d.id = o.id and d.holder = o.holder`.execute(deps.db.query)
  await healWebhooks(deps, outcomes)
  for (const outcome of outcomes) {
    if (outcome.status === 'delivered') continue
    await noteFailure(deps, outcome.delivery, { gone: outcome.gone, now })
  }
}

const toColumns = (verdict: ReturnType<typeof afterAttempt>, now: Date) => ({
  status: verdict.status,
  next_attempt_at: new Date(now.getTime() + (verdict.status === 'pending' ? verdict.delayMs : 0)),
})

const columnsOf = (delivery: ClaimedDelivery, attempt: Attempt) => ({
  id: delivery.id,
  holder: delivery.holder,
  response_status: attempt.responseStatus,
  duration_ms: attempt.durationMs,
  last_error: errorText(attempt),
})

export function errorText({ error, responseStatus }: Attempt): string | null {
  if (error !== null) return error
  if (responseStatus === null || (responseStatus >= 200 && responseStatus < 300)) return null
  return responseStatus < 400 && responseStatus >= 300
    ? `answered ${responseStatus}; redirects are not followed`
    : `answered ${responseStatus}`
}

async function healWebhooks({ db }: Deps, outcomes: { delivery: ClaimedDelivery; status: string }[]): Promise<void> {
  const healed = outcomes
    .filter(({ delivery, status }) => status === 'delivered' && delivery.failing_since !== null)
    .map(({ delivery }) => delivery.webhook_id)
  if (healed.length === 0) return
  await db.query.updateTable('webhooks').set({ failing_since: null }).where('id', 'in', healed).execute()
}

/** Remembers since when a webhook fails, and switches it off after five days of it, or at once when it is gone. */
async function noteFailure(
  { db, rpc, log }: Deps,
  delivery: ClaimedDelivery,
  { gone, now }: { gone: boolean; now: Date },
): Promise<void> {
  const { webhook_id: id, failing_since: since } = delivery
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
  const scope = { userId: delivery.user_id, keyId: null, subaccountId: null, sandbox: false }
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
    const mailId = `webhook-off:${id}:${delivery.id}:${delivery.attempts}`
    await queueMail(tx, { mailId, to, locale, template: 'webhook_switched_off', data: { url: off.url, reason } }, now)
  })
}
