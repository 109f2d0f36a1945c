/** Rows of the operation table: ledger. */
export const ledgerOperations = {}
