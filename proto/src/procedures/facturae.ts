import { z } from 'zod'
import { procedure } from '../procedure.ts'
import { reservationStateProcedure } from './identity.ts'

/** Calls that other services make to facturae. */
export const facturaeProcedures = {
  /** Dependencies really probed. */
  health: procedure(z.object({}), z.object({ status: z.enum(['ok', 'degraded']) })),
  /**
   * Builds, and with `sign` signs with the account's stored certificate, the Facturae of an invoice that the ledger
   * issues. The invoice has the shape of the JSON mode of /convert. The same `issueId` again is the same invoice: it is
   * kept in custody once. Fails INVALID_INPUT, XML_BUILD_FAILED, XML_SIGN_FAILED like /convert.
   */
  issueInvoice: procedure(
    z.object({ issueId: z.string().min(1).max(100), invoice: z.record(z.string(), z.unknown()), sign: z.boolean() }),
    z.object({
      xml: z.string(),
      filename: z.string(),
      signed: z.boolean(),
      /** The log under which the signed XML is in custody; null when it is not signed. */
      logId: z.int().nullable(),
    }),
  ),
  /** What became of a signature that reserved a credit; identity asks before a reservation expires. */
  reservationState: reservationStateProcedure,
  /** Which of these logs have a signed XML in custody, which the law keeps when the extraction is erased. */
  inCustody: procedure(z.object({ logIds: z.array(z.int()).max(500) }), z.object({ logIds: z.array(z.int()) })),
}
