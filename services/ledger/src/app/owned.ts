import { fail } from '@asiento/proto/errors'

/**
 * The row of an item that belongs to the caller. Fails NOT_FOUND when it does not exist, ACCESS_DENIED when it is
 * someone else's.
 */
export function owned<R extends { user_id: number }>(row: R | undefined, userId: number): R {
  if (row === undefined) return fail('NOT_FOUND')
  if (row.user_id !== userId) return fail('ACCESS_DENIED')
  return row
}
