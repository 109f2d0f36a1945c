import { fail } from '@asiento/proto/errors'
import type { LedgerTx } from './ledger.ts'

/** Remembers which entry an imported movement settled. Fails INVALID_STATE when it has settled another. */
export async function useMovement(tx: LedgerTx, userId: number, id: string, entryId: number): Promise<void> {
  const movement = await tx
    .selectFrom('bank_movements')
    .select('entry_id')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (movement === undefined) return
  if (movement.entry_id !== null) {
    fail('INVALID_STATE', { detail: `The movement has settled entry ${movement.entry_id} already.` })
  }
  await tx
    .updateTable('bank_movements')
    .set({ entry_id: entryId })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}
