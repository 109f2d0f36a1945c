/** Rows of the operation table: auth. */
export const authOperations = {}
