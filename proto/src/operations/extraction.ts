/** Rows of the operation table: extraction. */
export const extractionOperations = {}
