import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import type { Webhook } from '@asiento/proto/schemas/webhooks'
import { timestamp } from '@asiento/proto/time'
import type { Selectable } from 'kysely'
import type { Tables } from '../../adapters/tables.ts'
import type { SigningKeys } from '../../domain/sign-delivery.ts'
import { checkAddress, checkEvents } from './check-address.ts'
import type { WebhookDeps } from './deps.ts'
import { newSecret, sealSecret } from './secrets.ts'

export type WebhookRow = Selectable<Tables['webhooks']>

const webhooksMax = 100
const rotationMs = 24 * 3_600_000

const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  events: row.events,
  active: row.active,
  disabled_reason: row.disabled_reason,
  created_at: timestamp(row.created_at),
})

/** A webhook of the caller's account. Fails WEBHOOK_NOT_FOUND. */
export async function webhookOf({ db }: Pick<WebhookDeps, 'db'>, actor: Actor, id: number): Promise<WebhookRow> {
  const row = await db.query
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', actor.userId)
    .executeTakeFirst()
  return row ?? fail('WEBHOOK_NOT_FOUND')
}

export interface NewWebhook {
  url: string
  events: string[]
  secret?: string | undefined
}

/** Registers a webhook; the answer is the only one that shows its secret. */
export const createWebhook = (deps: WebhookDeps) => async (actor: Actor, body: NewWebhook) => {
  const { db, clock, ids, sealer } = deps
  const events = checkEvents(body.events)
  const { count } = await db.query
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', actor.userId)
    .executeTakeFirstOrThrow()
  if (count >= webhooksMax) fail('INVALID_INPUT', { detail: `An account has at most ${webhooksMax} webhooks.` })
  const url = await checkAddress(deps, body.url)
  const secret = body.secret ?? newSecret(ids)
  const row = await db.query
    .insertInto('webhooks')
    .values({
      user_id: actor.userId,
      url,
      events,
      disabled_reason: null,
      failing_since: null,
      secret: JSON.stringify(sealSecret(sealer, secret, actor.userId)) as never,
      previous_secret: null,
      previous_until: null,
      created_at: clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...toWebhook(row), secret }
}

export const listWebhooks =
  ({ db }: WebhookDeps) =>
  async (actor: Actor) => {
    const rows = await db.query
      .selectFrom('webhooks')
      .selectAll()
      .where('user_id', '=', actor.userId)
      .orderBy('id')
      .execute()
    return { webhooks: rows.map(toWebhook) }
  }

export const getWebhook = (deps: WebhookDeps) => async (actor: Actor, id: number) =>
  toWebhook(await webhookOf(deps, actor, id))

export interface WebhookPatch {
  url?: string | undefined
  events?: string[] | undefined
  active?: boolean | undefined
}

/** Changes a webhook; switched on again, it begins with a clean slate. */
export const updateWebhook = (deps: WebhookDeps) => async (actor: Actor, id: number, patch: WebhookPatch) => {
  const before = await webhookOf(deps, actor, id)
  const events = patch.events === undefined ? before.events : checkEvents(patch.events)
  const url = patch.url === undefined || patch.url === before.url ? before.url : await checkAddress(deps, patch.url)
  const active = patch.active ?? before.active
  const fresh = url !== before.url || (active && !before.active)
  const row = await deps.db.query
    .updateTable('webhooks')
    .set({
      url,
      events,
      active,
      ...(fresh ? { failing_since: null } : {}),
      ...(active ? { disabled_reason: null } : {}),
    })
    .where('id', '=', id)
    .where('user_id', '=', actor.userId)
    .returningAll()
    .executeTakeFirst()
  return toWebhook(row ?? fail('WEBHOOK_NOT_FOUND'))
}

/** Deletes a webhook and its log. */
export const deleteWebhook =
  ({ db }: WebhookDeps) =>
  async (actor: Actor, id: number) => {
    await db.transaction(async (tx) => {
      // Waits for whoever writes deliveries, who keeps the webhook's row for as long; nobody begins after it.
      const row = await tx
        .deleteFrom('webhooks')
        .where('id', '=', id)
        .where('user_id', '=', actor.userId)
        .returning('id')
        .executeTakeFirst()
      if (row === undefined) fail('WEBHOOK_NOT_FOUND')
      await tx.deleteFrom('deliveries').where('webhook_id', '=', id).execute()
    })
    return { deleted: true as const }
  }

/** Makes a new secret; the one before it signs beside it for 24 hours. */
export const rotateSecret = (deps: WebhookDeps) => async (actor: Actor, id: number) => {
  const { db, clock, ids, sealer } = deps
  const secret = newSecret(ids)
  const until = new Date(clock.now().getTime() + rotationMs)
  const row = await db.query
    .updateTable('webhooks')
    .set((eb) => ({
      previous_secret: eb.ref('secret'),
      previous_until: until,
      secret: JSON.stringify(sealSecret(sealer, secret, actor.userId)) as never,
    }))
    .where('id', '=', id)
    .where('user_id', '=', actor.userId)
    .returningAll()
    .executeTakeFirst()
  return { ...toWebhook(row ?? fail('WEBHOOK_NOT_FOUND')), secret, previous_secret_until: timestamp(until) }
}

/** The keys that sign at this moment: of the present secret and, while a rotation lasts, of the one before it. */
export function keysOf(
  { keyring, clock }: Pick<WebhookDeps, 'keyring' | 'clock'>,
  row: Pick<WebhookRow, 'user_id' | 'secret' | 'previous_secret' | 'previous_until'>,
): { keys: SigningKeys; previousKeys: SigningKeys | null } {
  const previous = row.previous_until !== null && row.previous_until > clock.now() ? row.previous_secret : null
  return {
    keys: keyring(row.secret, row.user_id),
    previousKeys: previous === null ? null : keyring(previous, row.user_id),
  }
}
