/** Rows of the operation table: risk. */
export const riskOperations = {}
