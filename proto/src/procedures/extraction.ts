import { z } from 'zod'
import { procedure } from '../procedure.ts'
import { ledgerLogs, ledgerLogsQuery } from '../schemas/ledger.ts'

/** Calls that other services make to extraction. */
export const extractionProcedures = {
  /** Dependencies really probed. */
  health: procedure(z.object({}), z.object({ status: z.enum(['ok', 'degraded']) })),
  /**
   * The master account's successful logs, ascending by id, for the ledger's import: corrections applied; neither those
   * of subaccounts nor of sandbox keys nor erased ones.
   */
  logsForLedger: procedure(ledgerLogsQuery, ledgerLogs),
}
