import { fail } from '@asiento/proto/errors'
import Stripe from 'stripe'
import type { IdentityConfig } from '../../config.ts'

/** The payment provider's client, at the configured base address; null where payments are off. */
export function createStripe(config: IdentityConfig): Stripe | null {
  if (config.STRIPE_SECRET_KEY === undefined) return null
  const base = new URL(config.STRIPE_API_BASE)
  const https = base.protocol === 'https:'
  return new Stripe(config.STRIPE_SECRET_KEY, {
    protocol: https ? 'https' : 'http',
    host: base.hostname,
    port: base.port === '' ? (https ? 443 : 80) : Number(base.port),
    maxNetworkRetries: 1,
    timeout: 15_000,
    telemetry: false,
  })
}

/** Runs a call to the provider; whatever fails there is PAYMENT_ERROR here. */
export async function charged<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    return fail('PAYMENT_ERROR', { cause })
  }
}
