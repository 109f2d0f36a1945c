import { z } from 'zod'
import { procedure } from '../procedure.ts'

/** Calls that other services make to ledger. */
export const ledgerProcedures = {
  /** Dependencies really probed. */
  health: procedure(z.object({}), z.object({ status: z.enum(['ok', 'degraded']) })),
  /** Which of these logs have entries in the journal, which the law keeps when the extraction is erased. */
  logsInJournal: procedure(z.object({ logIds: z.array(z.int()).max(500) }), z.object({ logIds: z.array(z.int()) })),
}
