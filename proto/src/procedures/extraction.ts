import { z } from 'zod'
import { procedure } from '../procedure.ts'
import { extractionResult } from '../schemas/extraction-result.ts'
import { ledgerLogs, ledgerLogsQuery } from '../schemas/ledger/importable-logs.ts'
import { reservationStateProcedure } from './identity.ts'

/** An upload as the gateway hands it on; see `Upload` of the operation table. */
export const uploadSchema = z.object({
  field: z.string(),
  objectKey: z.string(),
  sha256: z.string(),
  sizeBytes: z.number().int(),
  filename: z.string(),
  contentType: z.string(),
})

/** Calls that other services make to extraction. */
export const extractionProcedures = {
  /** Dependencies really probed. */
  health: procedure(z.object({}), z.object({ status: z.enum(['ok', 'degraded']) })),
  /**
   * The master account's successful logs, ascending by id, for the ledger's import: corrections applied; neither those
   * of subaccounts nor of sandbox keys nor erased ones.
   */
  logsForLedger: procedure(ledgerLogsQuery, ledgerLogs),
  /**
   * Reads a document for /convert: one credit, given back when a field of `required` was not found (INVALID_INPUT naming
   * the fields) or the document fails. Fails like /extract.
   */
  extractForConvert: procedure(
    z.object({ upload: uploadSchema, externalRef: z.string().nullable(), required: z.array(z.string()) }),
    extractionResult,
  ),
  /**
   * A log for an invoice that was converted or signed: the named one where it is the caller's own, else a new one.
   * Calling it again with the same `workId` answers the same log.
   */
  logForDocument: procedure(
    z.object({
      workId: z.uuid(),
      logId: z.number().int().nullable(),
      source: z.enum(['convert', 'sign']),
      filename: z.string(),
      externalRef: z.string().nullable(),
      vendorName: z.string().nullable(),
      vendorVat: z.string().nullable(),
      invoiceNumber: z.string().nullable(),
      invoiceDate: z.string().nullable(),
      totalCents: z.number().int().nullable(),
    }),
    z.object({ logId: z.number().int() }),
  ),
  /**
   * Successful logs that the caller may see, in the order asked for. Fails INVOICE_NOT_FOUND naming the first one that is
   * missing, foreign or failed.
   */
  logsById: procedure(
    z.object({ logIds: z.array(z.number().int()).min(1).max(500) }),
    z.object({ logs: z.array(z.object({ logId: z.number().int(), result: extractionResult.nullable() })) }),
  ),
  /** Which of these logs the caller may see (any status). */
  visibleLogs: procedure(
    z.object({ logIds: z.array(z.number().int()).max(500) }),
    z.object({ logIds: z.array(z.number().int()) }),
  ),
  /** What became of a piece of work that reserved credits; identity asks before a reservation expires. */
  reservationState: reservationStateProcedure,
  /** How many extractions a scope has, by day, for summaries of subaccounts. */
  usageSince: procedure(
    z.object({ userId: z.number().int(), days: z.number().int().min(1).max(366) }),
    z.object({
      bySubaccount: z.array(z.object({ subaccountId: z.number().int().nullable(), count: z.number().int() })),
    }),
  ),
}
