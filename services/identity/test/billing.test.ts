import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Actor } from '@asiento/proto/actor'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAccount, as, codeOf, type Identity, input, nobody, startIdentity } from './kit.ts'
import { startStripeMock } from './stripe-mock.ts'

const stripeMock = await startStripeMock()
if (stripeMock === null) console.warn('skipped: checkout against stripe-mock (5 tests), because Go is missing')

describe.skipIf(stripeMock === null)('checkout', () => {
  let identity: Identity
  beforeAll(async () => {
    identity = await startIdentity({
      environment: { STRIPE_SECRET_KEY: 'sk_test_123', STRIPE_API_BASE: stripeMock?.url ?? '' },
    })
  })
  afterAll(async () => {
    await identity.stop()
    stripeMock?.stop()
  })

  test.each(['starter', 'pro'])('the provider accepts the session for plan %s', async (plan) => {
    const actor = await addAccount(identity, { plan: 'free' })
    const session = await identity.call.checkout(input({ body: { plan } }), as(actor))
    expect(session.checkout_url).toMatch(/^https:\/\//)
    expect(session.session_id).toMatch(/^cs_/)
  })

  test.each(['contab_basic', 'contab_pro', 'contab_business'])('and for the ledger plan %s', async (plan) => {
    const order = { kind: 'ledger_plan' as const, plan }
    const session = await identity.call.createCheckout(order, as(await addAccount(identity)))
    expect(session.session_id).toMatch(/^cs_/)
  })
})

describe('what a checkout asks the provider', () => {
  test('carries user, kind and plan on session and subscription, and the configured price', async () => {
    const seen: URLSearchParams[] = []
    const provider = createServer(async (request, reply) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      seen.push(new URLSearchParams(Buffer.concat(chunks).toString()))
      reply.setHeader('content-type', 'application/json')
      if (seen.length === 1) reply.end(JSON.stringify({ id: 'cs_1', url: 'https://pay.example.com/cs_1' }))
      else reply.writeHead(400).end(JSON.stringify({ error: { type: 'invalid_request_error', message: 'no' } }))
    })
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
    const identity = await startIdentity({
      environment: {
        STRIPE_SECRET_KEY: 'sk_test_123',
        STRIPE_API_BASE: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
        STRIPE_PRICES: 'starter=price_1,pro=price_2',
        PUBLIC_URL: 'https://facturas.example.com',
      },
    })
    const actor = await addAccount(identity)
    const order = () => identity.call.checkout(input({ body: { plan: 'pro' } }), as(actor))
    expect(await order()).toEqual({ checkout_url: 'https://pay.example.com/cs_1', session_id: 'cs_1' })
    expect(Object.fromEntries(seen[0] ?? [])).toMatchObject({
      mode: 'subscription',
      client_reference_id: String(actor.userId),
      'metadata[user_id]': String(actor.userId),
      'metadata[kind]': 'plan',
      'metadata[plan]': 'pro',
      'subscription_data[metadata][plan]': 'pro',
      'line_items[0][price]': 'price_2',
      success_url: 'https://facturas.example.com/?checkout=success',
    })
    expect(await codeOf(order())).toBe('PAYMENT_ERROR')
    provider.closeAllConnections()
    provider.close()
    expect(await codeOf(order())).toBe('PAYMENT_ERROR')
    await identity.stop()
  })
})

describe('payments', () => {
  const secret = 'whsec_test'
  let identity: Identity
  beforeAll(async () => {
    identity = await startIdentity({ environment: { STRIPE_WEBHOOK_SECRET: secret } })
  })
  afterAll(() => identity.stop())

  test.each(['business', 'free', 'contab_pro', ''])('a checkout for plan %j is INVALID_PLAN', async (plan) => {
    const actor = await addAccount(identity)
    expect(await codeOf(identity.call.checkout(input({ body: { plan } }), as(actor)))).toBe('INVALID_PLAN')
  })

  test('without a provider they are PAYMENT_NOT_CONFIGURED', async () => {
    const actor = await addAccount(identity)
    expect(await codeOf(identity.call.checkout(input({ body: { plan: 'pro' } }), as(actor)))).toBe(
      'PAYMENT_NOT_CONFIGURED',
    )
  })

  const send = (body: string, signature: string) =>
    identity.call.stripeWebhook(
      input({ body: JSON.parse(body) as unknown, headers: { 'x-raw-body': body, 'stripe-signature': signature } }),
      nobody,
    )
  const sign = (body: string) => Stripe.webhooks.generateTestHeaderString({ payload: body, secret })
  const event = (type: string, object: Record<string, unknown>, id = `evt_${randomUUID()}`) =>
    JSON.stringify({ id, object: 'event', type, data: { object } })
  const deliver = (body: string) => send(body, sign(body))
  const order = (actor: Actor, kind: string, plan: string) => ({ user_id: String(actor.userId), kind, plan })
  const completed = (actor: Actor, kind: string, plan: string, subscription: string, more = {}) =>
    event('checkout.session.completed', {
      id: 'cs_1',
      subscription,
      payment_status: 'paid',
      metadata: order(actor, kind, plan),
      ...more,
    })
  const cancelled = (actor: Actor, kind: string, plan: string, id: string) =>
    event('customer.subscription.deleted', { id, metadata: order(actor, kind, plan) })
  const plansOf = async ({ userId }: Actor) => {
    const row = await identity.db.query
      .selectFrom('users')
      .select(['plan', 'ledger_plan'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    return [row.plan, row.ledger_plan]
  }
  const announcements = async ({ userId }: Actor) => {
    const rows = await identity.db.query
      .selectFrom('outbox')
      .select('payload')
      .where('name', '=', 'account.changed')
      .where('key', '=', `user:${userId}`)
      .execute()
    return rows.length
  }

  test('a paid checkout sets the plan, its cancellation takes it back', async () => {
    const actor = await addAccount(identity, { plan: 'free' })
    await deliver(completed(actor, 'plan', 'pro', 'sub_a'))
    await deliver(completed(actor, 'ledger_plan', 'contab_pro', 'sub_b'))
    expect(await plansOf(actor)).toEqual(['pro', 'contab_pro'])
    await deliver(cancelled(actor, 'plan', 'pro', 'sub_a'))
    expect(await plansOf(actor)).toEqual(['free', 'contab_pro'])
    await deliver(cancelled(actor, 'ledger_plan', 'contab_pro', 'sub_b'))
    expect(await plansOf(actor)).toEqual(['free', null])
    expect(await announcements(actor)).toBe(4)
  })

  test('an event counts once, also when it comes ten times at the same moment', async () => {
    const actor = await addAccount(identity, { plan: 'free' })
    const body = completed(actor, 'plan', 'starter', 'sub_c')
    await Promise.all(Array.from({ length: 10 }, () => deliver(body)))
    expect(await announcements(actor)).toBe(1)
  })

  test('a cancellation that overtakes its checkout wins', async () => {
    const actor = await addAccount(identity, { plan: 'free' })
    await deliver(cancelled(actor, 'plan', 'pro', 'sub_d'))
    await deliver(completed(actor, 'plan', 'pro', 'sub_d'))
    expect(await plansOf(actor)).toEqual(['free', null])
  })

  test('the end of an older subscription leaves the newer one’s plan alone', async () => {
    const actor = await addAccount(identity, { plan: 'free' })
    await deliver(completed(actor, 'plan', 'starter', 'sub_e'))
    await deliver(completed(actor, 'plan', 'pro', 'sub_f'))
    await deliver(cancelled(actor, 'plan', 'starter', 'sub_e'))
    expect(await plansOf(actor)).toEqual(['pro', null])
  })

  test('a checkout that is not paid yet waits for its payment', async () => {
    const actor = await addAccount(identity, { plan: 'free' })
    await deliver(completed(actor, 'plan', 'pro', 'sub_g', { payment_status: 'unpaid' }))
    expect(await plansOf(actor)).toEqual(['free', null])
    await deliver(
      event('checkout.session.async_payment_succeeded', {
        id: 'cs_2',
        subscription: 'sub_g',
        metadata: order(actor, 'plan', 'pro'),
      }),
    )
    expect(await plansOf(actor)).toEqual(['pro', null])
  })

  test.each([
    ['of another kind', (actor: Actor) => event('invoice.paid', { metadata: order(actor, 'plan', 'pro') })],
    ['without our metadata', () => event('checkout.session.completed', { id: 'cs_9', metadata: {} })],
    ['for a plan that is none', (actor: Actor) => completed(actor, 'plan', 'platinum', 'sub_h')],
    ['for an account that is gone', (actor: Actor) => completed({ ...actor, userId: 999_999 }, 'plan', 'pro', 'sub_i')],
  ])('an event %s is received and changes nothing', async (_name, make) => {
    const actor = await addAccount(identity, { plan: 'free' })
    expect(await deliver(make(actor))).toEqual({ received: true })
    expect(await plansOf(actor)).toEqual(['free', null])
  })

  test('a signature of another body, another secret or another time is refused', async () => {
    const actor = await addAccount(identity, { plan: 'free' })
    const body = completed(actor, 'plan', 'pro', 'sub_j')
    const old = Math.floor(Date.now() / 1_000) - 3_600
    for (const signature of [
      sign(`${body} `),
      Stripe.webhooks.generateTestHeaderString({ payload: body, secret: 'whsec_other' }),
      Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: old }),
      'nonsense',
      '',
    ]) {
      expect(await codeOf(send(body, signature))).toBe('INVALID_INPUT')
    }
    expect(await plansOf(actor)).toEqual(['free', null])
  })
})
