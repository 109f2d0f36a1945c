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

/**
 * Mutations mirror the writes of REST: every JSON operation that changes something is one, named by its id, with one
 * input object. Files, secrets at the door and what a browser session must not do stay with REST.
 */
export const mutationFields: [string, Operation][] = Object.values(table)
  .filter((operation) => operation.method !== 'GET' && operation.auth !== 'none' && operation.auth !== 'key')
  .filter((operation) => operation.body === undefined || operation.body.kind === 'json')
  .filter((operation) => operation.response.kind === 'json' || operation.response.kind === 'empty')
  .map((operation) => [operation.id, operation])
