import type { Operation } from '@asiento/proto/operation'
import { operations } from '@asiento/proto/operations'

/**
 * Which operation answers which GraphQL field, by id. A field whose operation is not in the table does not appear; lists
 * that answer `{ items, total, … }` become connections.
 */
const queryIds: Record<string, string> = {
  me: 'me',
  quota: 'quota',
  metrics: 'metrics',
  history: 'history',
  extraction: 'historyItem',
  job: 'getJob',
  jobs: 'listJobs',
  vendors: 'listVendors',
  alerts: 'listDuplicates',
  certificates: 'listCertificates',
  keys: 'listKeys',
  webhooks: 'listWebhooks',
  subaccounts: 'listSubaccounts',
  dueDates: 'dueDates',
}

const ledgerIds: Record<string, string> = {
  access: 'ledgerAccess',
  entries: 'listEntries',
  journal: 'journal',
  trialBalance: 'trialBalance',
  recurring: 'listRecurring',
  recurringInvoices: 'listRecurringInvoices',
  proposals: 'listProposals',
  budget: 'getBudget',
  taxPayments: 'listTaxPayments',
  fiscalProfile: 'getFiscalProfile',
  insights: 'insights',
  yoy: 'insightsYoy',
  taxModel: 'taxModel',
}

const table: Record<string, Operation> = operations

const rows = (ids: Record<string, string>): [string, Operation][] =>
  Object.entries(ids).flatMap(([field, id]): [string, Operation][] => {
    const operation = table[id]
    return operation === undefined ? [] : [[field, operation]]
  })

/** Fields of the root query. */
export const queryFields = rows(queryIds)

/** Fields of `ledger { … }`. */
export const ledgerFields = rows(ledgerIds)

/** Operations whose id is no verb and noun. */
const mutationNames: Record<string, string> = {
  logout: 'endSessions',
  checkout: 'startCheckout',
  convert: 'convertInvoice',
  convertToFacturae: 'createFacturae',
  categorize: 'categorizePurchase',
}

/**
 * Mutations mirror the writes of REST: every JSON operation that changes something is one, with one input object. Files
 * stay with REST.
 */
export const mutationFields: [string, Operation][] = Object.values(table)
  .filter((operation) => operation.method !== 'GET' && operation.auth !== 'none' && operation.auth !== 'key')
  .filter(({ body }) => body === undefined || body.kind === 'json' || body.kind === 'json_or_files')
  .filter((operation) => operation.response.kind === 'json' || operation.response.kind === 'empty')
  .map((operation) => [mutationNames[operation.id] ?? operation.id, operation])

/** Operations that stream become subscriptions. */
export const subscriptionFields = rows({ jobProgress: 'jobEvents' })
