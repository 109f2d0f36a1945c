import { z } from 'zod'
import { ledgerPlanNames, planNames } from './plans.ts'

/**
 * Who calls: made by identity from a key or a token, carried in every internal call inside a signed token, and the only
 * thing that services trust about the caller.
 */
export const actorSchema = z.object({
  /** The account's owner; every resource belongs to an account. */
  userId: z.number().int(),
  email: z.string(),
  locale: z.enum(['es', 'en']),
  plan: z.enum(planNames),
  via: z.enum(['key', 'jwt', 'system']),
  /** The API key's id, null with a JWT. */
  keyId: z.number().int().nullable(),
  /** Set when the key belongs to a subaccount: the caller then sees only that client company. */
  subaccountId: z.number().int().nullable(),
  /** A key of plan 'free': results stay out of metrics, duplicates, vendor trust, ledger import and webhooks. */
  sandbox: z.boolean(),
  ratePerMinute: z.number().int(),
  ledger: z.object({
    access: z.boolean(),
    reason: z.enum(['trial', 'subscription', 'trial_expired']),
    plan: z.enum(ledgerPlanNames).nullable(),
    /** `YYYY-MM-DD HH:MM:SS` in UTC. */
    trialEndsAt: z.string(),
  }),
})

export type Actor = z.infer<typeof actorSchema>

/** The owner of a piece of work; what results are filed under. */
export interface Scope {
  userId: number
  keyId: number | null
  subaccountId: number | null
  sandbox: boolean
}

export const scopeSchema = z.object({
  userId: z.number().int(),
  keyId: z.number().int().nullable(),
  subaccountId: z.number().int().nullable(),
  sandbox: z.boolean(),
})

export const scopeOf = (actor: Actor): Scope => ({
  userId: actor.userId,
  keyId: actor.keyId,
  subaccountId: actor.subaccountId,
  sandbox: actor.sandbox,
})
