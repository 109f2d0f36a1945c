import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import type Stripe from 'stripe'
import { charged } from '../adapters/out/stripe.ts'
import type { IdentityConfig } from '../config.ts'
import { type CheckoutKind, prices, sellablePlan } from '../domain/prices.ts'
import type { Deps } from './deps.ts'

/**
 * Starts a checkout of the payment provider for a monthly subscription. The session and the subscription carry user,
 * kind and plan, so that the webhook needs nothing else.
 *
 * Fails INVALID_PLAN, PAYMENT_NOT_CONFIGURED, PAYMENT_ERROR.
 */
export const createCheckout =
  (deps: Deps, stripe: Stripe | null) =>
  async (
    order: { kind: CheckoutKind; plan: string },
    actor: Actor,
  ): Promise<{ checkout_url: string; session_id: string }> => {
    const plan = sellablePlan(order.kind, order.plan)
    const client = stripe ?? fail('PAYMENT_NOT_CONFIGURED')
    const metadata = { user_id: String(actor.userId), kind: order.kind, plan }
    const session = await charged(() =>
      client.checkout.sessions.create({
        mode: 'subscription',
        client_reference_id: String(actor.userId),
        customer_email: actor.email,
        locale: actor.locale,
        metadata,
        subscription_data: { metadata },
        line_items: [{ quantity: 1, ...priceOf(deps.config, plan) }],
        success_url: `${deps.config.PUBLIC_URL}/?checkout=success`,
        cancel_url: `${deps.config.PUBLIC_URL}/?checkout=cancelled`,
      }),
    )
    return session.url === null
      ? fail('PAYMENT_ERROR', { internal: 'the provider answered a session without an address' })
      : { checkout_url: session.url, session_id: session.id }
  }

/** The price configured at the provider, else one of the built-in list. */
function priceOf(config: IdentityConfig, plan: keyof typeof prices) {
  const configured = (config.STRIPE_PRICES ?? '').split(',').find((part) => part.startsWith(`${plan}=`))
  if (configured !== undefined) return { price: configured.slice(plan.length + 1) }
  const { name, monthlyCents } = prices[plan]
  return {
    price_data: {
      currency: 'eur',
      unit_amount: monthlyCents,
      recurring: { interval: 'month' as const },
      product_data: { name },
    },
  }
}
