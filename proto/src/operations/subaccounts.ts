/** Rows of the operation table: subaccounts. */
export const subaccountsOperations = {}
