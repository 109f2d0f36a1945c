import { z } from 'zod'
import { procedure } from '../procedure.ts'

/** Calls that other services make to ledger. */
export const ledgerProcedures = {
  /** Dependencies really probed. */
  health: procedure(z.object({}), z.object({ status: z.enum(['ok', 'degraded']) })),
}
