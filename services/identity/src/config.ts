import { keyList, whole } from '@asiento/chassis/config'
import { z } from 'zod'

/** The identity service's environment. */
export const identityEnvironment = z.object({
  /** Signs sessions: `kid:base64,…`; the first signs, all verify. */
  JWT_SECRET: keyList,
  /** The address that clients use; links in mails and returns from the checkout are made from it. */
  PUBLIC_URL: z.url().default('http://localhost:8080'),
  /** Days of ledger trial from registration; 0 is none. */
  LEDGER_TRIAL_DAYS: whole({ min: 0, max: 3_650, fallback: 14 }),
  RATE_LIMIT_PER_MINUTE: whole({ min: 1, max: 1_000_000, fallback: 60 }),
  /** The OpenID Connect issuer of /auth/google; its keys are found through its discovery document. */
  GOOGLE_ISSUER: z.url().default('https://accounts.google.com'),
  /** Absent: sign-in through the provider is off. */
  GOOGLE_CLIENT_ID: z.string().optional(),
  /** Absent: payments are off. */
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_BASE: z.url().default('https://api.stripe.com'),
  /** `plan=price_…,plan=price_…`: prices of the payment provider; a plan without one is charged by the built-in list. */
  STRIPE_PRICES: z
    .string()
    .regex(/^[a-z_]+=\w+(,[a-z_]+=\w+)*$/, 'Use plan=price_id, separated by commas')
    .optional(),
  /** Minutes after which an unsettled reservation of credits is looked into. */
  RESERVATION_MINUTES: whole({ min: 1, max: 1_440, fallback: 15 }),
})

export type IdentityConfig = z.output<typeof identityEnvironment>
