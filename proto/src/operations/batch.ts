/** Rows of the operation table: batch. */
export const batchOperations = {}
