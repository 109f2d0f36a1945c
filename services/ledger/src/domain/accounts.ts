import type { EntryType } from './entry.ts'

/**
 * The accounts of the general chart (Plan General de Contabilidad, Real Decreto 1514/2007, cuarta parte) that postings
 * use by themselves.
 */
export const postingAccounts = {
  bank: '572',
  cash: '570',
  customers: '430',
  suppliers: '400',
  creditors: '410',
  assetSuppliers: '523',
  payroll: '465',
  socialSecurity: '476',
  inputTax: '472',
  outputTax: '477',
  withheldFromUs: '473',
  withheldByUs: '4751',
} as const

/** The account of an entry whose owner named none: services rendered, other services. */
export const defaultAccount: Record<EntryType, string> = { income: '705', expense: '629' }

/**
 * Whom an expense is owed to, by the beginning of its account, the longest one deciding. 629 is also where an expense
 * goes whose nature nobody stated, so it is owed to the general supplier account.
 */
const creditorByPrefix: readonly { prefix: string; account: string }[] = [
  { prefix: '629', account: postingAccounts.suppliers },
  { prefix: '642', account: postingAccounts.socialSecurity },
  { prefix: '62', account: postingAccounts.creditors },
  { prefix: '64', account: postingAccounts.payroll },
  { prefix: '2', account: postingAccounts.assetSuppliers },
]

/** The account that an entry is owed on until it is settled. */
export function counterpartyAccount(type: EntryType, accountCode: string): string {
  if (type === 'income') return postingAccounts.customers
  return creditorByPrefix.find(({ prefix }) => accountCode.startsWith(prefix))?.account ?? postingAccounts.suppliers
}

/** The account that the money moves on. */
export const treasuryAccount = (paymentMethod: string | null): string =>
  paymentMethod === 'efectivo' ? postingAccounts.cash : postingAccounts.bank
