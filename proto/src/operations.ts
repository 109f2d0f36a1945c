import type { Operation } from './operation.ts'
import { authOperations } from './operations/auth.ts'
import { batchOperations } from './operations/batch.ts'
import { billingOperations } from './operations/billing.ts'
import { extractionOperations } from './operations/extraction.ts'
import { facturaeOperations } from './operations/facturae.ts'
import { keysOperations } from './operations/keys.ts'
import { ledgerOperations } from './operations/ledger.ts'
import { notificationsOperations } from './operations/notifications.ts'
import { riskOperations } from './operations/risk.ts'
import { subaccountsOperations } from './operations/subaccounts.ts'
import { systemOperations } from './operations/system.ts'

/**
 * The operation table: one row an endpoint that works. What is not here is not advertised and answers 404.
 */
export const operations = {
  ...systemOperations,
  ...authOperations,
  ...keysOperations,
  ...subaccountsOperations,
  ...billingOperations,
  ...extractionOperations,
  ...batchOperations,
  ...facturaeOperations,
  ...riskOperations,
  ...notificationsOperations,
  ...ledgerOperations,
} as const satisfies Record<string, Operation>

export type Operations = typeof operations
export type OperationId = keyof Operations
