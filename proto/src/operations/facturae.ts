/** Rows of the operation table: facturae. */
export const facturaeOperations = {}
