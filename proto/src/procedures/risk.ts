import { z } from 'zod'
import { scopeSchema } from '../actor.ts'
import { procedure } from '../procedure.ts'
import { assessInput, assessOutput } from '../schemas/risk.ts'

/** Calls that other services make to risk. */
export const riskProcedures = {
  /** Dependencies really probed. */
  health: procedure(z.object({}), z.object({ status: z.enum(['ok', 'degraded']) })),
  /**
   * Judges an invoice that was just read and remembers it: duplicates, tax id, bank account, accounting account.
   *
   * Calling it again with the same `logId` answers the same and counts once. A sandbox scope is judged against the
   * stored invoices and leaves no trace.
   */
  assess: procedure(assessInput, assessOutput),
  /** Takes back what {@link assess} remembered of an invoice whose extraction failed afterwards. */
  forget: procedure(z.object({ logId: z.number().int(), scope: scopeSchema }), z.object({})),
  /** How many vendors the account is recognized for by itself: seen before or taught. */
  learnedVendors: procedure(scopeSchema, z.object({ count: z.int() })),
}
