/** Rows of the operation table: keys. */
export const keysOperations = {}
