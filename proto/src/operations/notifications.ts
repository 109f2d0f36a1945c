/** Rows of the operation table: notifications. */
export const notificationsOperations = {}
