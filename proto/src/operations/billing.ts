import { z } from 'zod'
import { operation } from '../operation.ts'

/** Rows of the operation table: billing. */
export const billingOperations = {
  checkout: operation({
    id: 'checkout',
    service: 'identity',
    method: 'POST',
    path: '/billing/checkout',
    tag: 'Billing',
    summary: 'Starts a checkout for the plan starter or pro',
    auth: 'jwt',
    body: { kind: 'json', schema: z.object({ plan: z.string() }) },
    response: { kind: 'json', status: 200, schema: z.object({ checkout_url: z.string(), session_id: z.string() }) },
    errors: ['INVALID_PLAN', 'PAYMENT_NOT_CONFIGURED', 'PAYMENT_ERROR'],
    examples: {
      request: { plan: 'pro' },
      response: { checkout_url: 'https://checkout.stripe.com/c/pay/cs_test_1', session_id: 'cs_test_1' },
    },
  }),
  stripeWebhook: operation({
    id: 'stripeWebhook',
    service: 'identity',
    method: 'POST',
    path: '/billing/stripe/webhook',
    tag: 'Billing',
    summary: 'Events of the payment provider',
    description:
      'Checked by the signature over the exact body. Each event counts once. `checkout.session.completed` sets the plan, `customer.subscription.deleted` takes it back.',
    auth: 'none',
    headers: ['stripe-signature', 'x-raw-body'],
    rawBody: true,
    body: { kind: 'json', schema: z.unknown() },
    response: { kind: 'json', status: 200, schema: z.object({ received: z.literal(true) }) },
    errors: ['INVALID_INPUT', 'PAYMENT_NOT_CONFIGURED'],
  }),
}
