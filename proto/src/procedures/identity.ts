import { z } from 'zod'
import { actorSchema, scopeSchema } from '../actor.ts'
import { procedure } from '../procedure.ts'
import { quotaSchema } from '../schemas/common.ts'
import { keyUsageSchema } from '../schemas/subaccounts.ts'

/**
 * What a service that reserves credits may offer under the name `reservationState`: identity asks it before it lets a
 * reservation of that service expire. `working`: keep it for a while longer; `done`: commit it; `gone`: give it back.
 * Without this procedure an expired reservation is given back.
 */
export const reservationStateProcedure = procedure(
  z.object({ reservationId: z.string() }),
  z.object({ state: z.enum(['working', 'done', 'gone']) }),
)

/** Calls that other services and the gateway make to identity. */
export const identityProcedures = {
  /**
   * Who a credential belongs to. Fails AUTH_INVALID_KEY, AUTH_INVALID_TOKEN, or ACCESS_DENIED for an account that is
   * suspended or unverified. Exactly one of the two is given.
   */
  authenticate: procedure(z.object({ apiKey: z.string().optional(), bearer: z.string().optional() }), actorSchema),
  /** An actor for work that goes on without a caller (batch items, schedules). Null when the account is gone. */
  actorFor: procedure(scopeSchema, actorSchema.nullable()),
  /**
   * Reserves one or more credits for a piece of work: of the caller's account and, with a key that has its own quota,
   * of the key. One database round trip. The same id again is the same reservation. Fails QUOTA_EXCEEDED.
   */
  reserveCredits: procedure(
    z.object({
      /** The id of the work itself, `<service>:<id>`; identity asks that service before it lets a reservation expire. */
      reservationId: z.string().min(1).max(200),
      credits: z.number().int().positive(),
      scope: scopeSchema,
    }),
    z.object({ quota: quotaSchema }),
  ),
  /** Commits or gives back at once, for callers without a transaction of their own; settled already: no effect. */
  settleCredits: procedure(
    z.object({ reservationId: z.string(), outcome: z.enum(['commit', 'release']) }),
    z.object({ settled: z.boolean() }),
  ),
  /** The quota that the caller draws on (a subaccount or sandbox key: its own). */
  quotaOf: procedure(scopeSchema, quotaSchema),
  /** A checkout session of the payment provider for the ledger's /subscribe. */
  createCheckout: procedure(
    z.object({ kind: z.enum(['plan', 'ledger_plan']), plan: z.string() }),
    z.object({ checkout_url: z.string(), session_id: z.string() }),
  ),
  /**
   * Whether the caller has this subaccount, closed ones included (their data is kept); for history filters. Fails
   * PLAN_REQUIRED below Business, ACCESS_DENIED for another account's.
   */
  subaccountExists: procedure(z.object({ subaccountId: z.number().int() }), z.object({ exists: z.boolean() })),
  /**
   * The keys of one of the caller's subaccounts with their use in this month, for its metrics. Fails PLAN_REQUIRED,
   * NOT_FOUND, ACCESS_DENIED.
   */
  subaccountUsage: procedure(
    z.object({ subaccountId: z.number().int() }),
    z.object({ keys: z.array(keyUsageSchema), quota: z.number().int(), used: z.number().int() }),
  ),
  /** Dependencies really probed. */
  health: procedure(z.object({}), z.object({ status: z.enum(['ok', 'degraded']) })),
}
