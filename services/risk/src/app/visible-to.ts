import type { Actor } from '@asiento/proto/actor'
import { sql } from 'kysely'

/**
 * The rows of invoices or of duplicates that a caller sees: a subaccount's key those of its subaccount, a key what was
 * made with itself, the account's owner everything.
 */
export function visibleTo(actor: Actor) {
  const own = sql<boolean>`user_id = ${actor.userId}`
  if (actor.subaccountId !== null) return sql<boolean>`${own} and subaccount_id = ${actor.subaccountId}`
  return actor.via === 'key' ? sql<boolean>`${own} and key_id = ${actor.keyId}` : own
}
