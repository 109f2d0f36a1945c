import { publish } from '@asiento/chassis/outbox'
import { fail } from '@asiento/proto/errors'
import { ledgerPlanNames, planNames } from '@asiento/proto/plans'
import Stripe from 'stripe'
import { z } from 'zod'
import type { CheckoutKind } from '../domain/prices.ts'
import type { Deps, IdentityTx } from './deps.ts'

const metadataSchema = z.discriminatedUnion('kind', [
  z.object({ user_id: z.coerce.number().int().positive(), kind: z.literal('plan'), plan: z.enum(planNames) }),
  z.object({
    user_id: z.coerce.number().int().positive(),
    kind: z.literal('ledger_plan'),
    plan: z.enum(ledgerPlanNames),
  }),
])
type Order = z.output<typeof metadataSchema>

/** An id, or the expanded object that has one. */
const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null)

/**
 * Applies an event of the payment provider: its signature is over the exact bytes of the body, and each event counts
 * once however often it comes. A wrong signature fails INVALID_INPUT.
 */
export const stripeWebhook =
  (deps: Deps, changed: () => void) =>
  async (rawBody: string, signature: string | undefined): Promise<{ received: true }> => {
    const secret = deps.config.STRIPE_WEBHOOK_SECRET ?? fail('PAYMENT_NOT_CONFIGURED')
    const event = readEvent(rawBody, signature ?? '', secret)
    await deps.db.transaction(async (tx) => {
      const first = await tx
        .insertInto('stripe_events')
        .values({ id: event.id, type: event.type, applied_at: deps.clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (first !== undefined) await apply(deps, tx, event)
    })
    changed()
    return { received: true }
  }

function readEvent(rawBody: string, signature: string, secret: string): Stripe.Event {
  try {
    return Stripe.webhooks.constructEvent(rawBody, signature, secret)
  } catch (cause) {
    return fail('INVALID_INPUT', { detail: 'The signature of the event is wrong.', cause })
  }
}

async function apply(deps: Deps, tx: IdentityTx, event: Stripe.Event): Promise<void> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return start(deps, tx, event.data.object)
    case 'customer.subscription.deleted':
      return end(deps, tx, event.data.object)
    default:
      return
  }
}

async function start(deps: Deps, tx: IdentityTx, session: Stripe.Checkout.Session): Promise<void> {
  // A slow means of payment: the plan starts when its own event says that it succeeded.
  if (session.payment_status === 'unpaid') return
  const order = readOrder(deps, session.metadata)
  if (order === null || !(await userExists(tx, order.user_id))) return
  const subscriptionId = idOf(session.subscription) ?? session.id
  const row = await tx
    .insertInto('subscriptions')
    .values({
      id: subscriptionId,
      user_id: order.user_id,
      kind: order.kind,
      plan: order.plan,
      started_at: deps.clock.now(),
      ended_at: null,
    })
    // It may be cancelled already: events come in any order.
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ plan: order.plan }))
    .returning('ended_at')
    .executeTakeFirstOrThrow()
  if (row.ended_at !== null) return
  const customer = idOf(session.customer)
  if (customer !== null) {
    await tx.updateTable('users').set({ stripe_customer_id: customer }).where('id', '=', order.user_id).execute()
  }
  await setPlan(tx, order)
}

async function end(deps: Deps, tx: IdentityTx, subscription: Stripe.Subscription): Promise<void> {
  const now = deps.clock.now()
  const known = await tx
    .updateTable('subscriptions')
    .set({ ended_at: now })
    .where('id', '=', subscription.id)
    .returning(['user_id', 'kind', 'plan'])
    .executeTakeFirst()
  const order = known === undefined ? readOrder(deps, subscription.metadata) : metadataSchema.parse(known)
  if (order === null || !(await userExists(tx, order.user_id))) return
  if (known === undefined) {
    await tx
      .insertInto('subscriptions')
      .values({
        id: subscription.id,
        user_id: order.user_id,
        kind: order.kind,
        plan: order.plan,
        started_at: now,
        ended_at: now,
      })
      .execute()
  }
  await fallBack(tx, order)
}

/** What the account still pays for, else nothing; a plan that did not come from this subscription stays. */
async function fallBack(tx: IdentityTx, ended: Order): Promise<void> {
  const user = await tx
    .selectFrom('users')
    .select(['plan', 'ledger_plan'])
    .where('id', '=', ended.user_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if ((ended.kind === 'plan' ? user.plan : user.ledger_plan) !== ended.plan) return
  const other = await tx
    .selectFrom('subscriptions')
    .select('plan')
    .where('user_id', '=', ended.user_id)
    .where('kind', '=', ended.kind)
    .where('ended_at', 'is', null)
    .orderBy('started_at', 'desc')
    .executeTakeFirst()
  if (other !== undefined) return setPlan(tx, metadataSchema.parse({ ...ended, plan: other.plan }))
  const changes = ended.kind === 'plan' ? { plan: 'free' as const } : { ledger_plan: null }
  await tx.updateTable('users').set(changes).where('id', '=', ended.user_id).execute()
  await announce(tx, ended.user_id, ended.kind)
}

async function setPlan(tx: IdentityTx, order: Order): Promise<void> {
  const changes = order.kind === 'plan' ? { plan: order.plan } : { ledger_plan: order.plan }
  await tx.updateTable('users').set(changes).where('id', '=', order.user_id).execute()
  await announce(tx, order.user_id, order.kind)
}

const announce = (tx: IdentityTx, userId: number, change: CheckoutKind): Promise<void> =>
  publish(tx, 'account.changed', { key: `user:${userId}`, payload: { userId, change } })

function readOrder({ log }: Deps, metadata: Stripe.Metadata | null): Order | null {
  const parsed = metadataSchema.safeParse(metadata ?? {})
  if (parsed.success) return parsed.data
  log.warn({ problem: z.prettifyError(parsed.error) }, 'a payment event is not about a plan of ours')
  return null
}

async function userExists(tx: IdentityTx, userId: number): Promise<boolean> {
  const row = await tx.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()
  return row !== undefined
}
