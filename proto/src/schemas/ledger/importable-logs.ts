import { z } from 'zod'
import { timestampSchema } from '../common.ts'

/** A log of extraction as the ledger imports it: `result` is the stored result, corrections applied. */
export const ledgerLogs = z.object({
  logs: z.array(z.object({ logId: z.int(), createdAt: timestampSchema, result: z.unknown() })),
})

/** Which logs the ledger asks for: those after an id in ascending order, or the named ones. */
export const ledgerLogsQuery = z.object({
  userId: z.int(),
  afterLogId: z.int().min(0).default(0),
  logIds: z.array(z.int()).max(1000).optional(),
  limit: z.int().min(1).max(1000).default(500),
})
