import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import type { InputOf, OutputOf } from '@asiento/proto/operation'
import type { Operations } from '@asiento/proto/operations'
import { plans } from '@asiento/proto/plans'
import { type KeyPlanName, keyPlanNames } from '@asiento/proto/schemas/keys'
import { timestamp } from '@asiento/proto/time'
import type { Selectable } from 'kysely'
import type { Tables } from '../adapters/out/tables.ts'
import { hashKey, keyRandomBytes, makeKey } from '../domain/api-key.ts'
import { quotaOf } from './credits.ts'
import type { Deps } from './deps.ts'

type KeyRow = Selectable<Tables['api_keys']>

export interface NewKey {
  userId: number
  subaccountId: number | null
  name: string
  plan: KeyPlanName
  /** Credits a month of its own; null draws on the account alone. */
  quota: number | null
}

/** Writes a new key; its value is in this answer and nowhere else. */
export async function insertKey(
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  query: Deps['db']['query'],
  key: NewKey,
): Promise<KeyRow & { raw_key: string }> {
  const made = makeKey(ids.bytes(keyRandomBytes))
  const row = await query
    .insertInto('api_keys')
    .values({
      user_id: key.userId,
      subaccount_id: key.subaccountId,
      name: key.name,
      plan: key.plan,
      quota: key.quota,
      key_hash: made.hash,
      prefix: made.prefix,
      created_at: clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...row, raw_key: made.raw }
}

/** Makes a key; plan `free` makes a sandbox key with the quota of the free plan. Fails INVALID_PLAN. */
export const createKey =
  (deps: Deps) =>
  async ({ body }: InputOf<Operations['createKey']>, actor: Actor): Promise<OutputOf<Operations['createKey']>> => {
    const plan =
      keyPlanNames.find((name) => name === body.plan) ??
      fail('INVALID_PLAN', { detail: `Unknown plan; valid: ${keyPlanNames.join(', ')}.` })
    const quota = plan === 'free' ? plans.free.monthlyQuota : null
    const key = { userId: actor.userId, subaccountId: null, name: body.name, plan, quota }
    const row = await insertKey(deps, deps.db.query, key)
    const { id, name, raw_key, prefix } = row
    return { id, name, plan, raw_key, prefix, created_at: timestamp(row.created_at) }
  }

/** A key as lists show it. */
export const shownKey = (row: KeyRow) => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  prefix: row.prefix,
  sandbox: row.plan === 'free',
  subaccount_id: row.subaccount_id,
  created_at: timestamp(row.created_at),
  last_used_at: row.last_used_at === null ? null : timestamp(row.last_used_at),
  revoked_at: row.revoked_at === null ? null : timestamp(row.revoked_at),
})

/** All keys of the account, newest first. */
export const listKeys =
  (deps: Deps) =>
  async (actor: Actor): Promise<OutputOf<Operations['listKeys']>> => {
    const rows = await deps.db.query
      .selectFrom('api_keys')
      .selectAll()
      .where('user_id', '=', actor.userId)
      .orderBy('id', 'desc')
      .execute()
    return { keys: rows.map(shownKey) }
  }

/** The key of the call, with the quota that it draws on. */
export const myKey =
  (deps: Deps) =>
  async (actor: Actor): Promise<OutputOf<Operations['myKey']>> => {
    const row = await deps.db.query
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', actor.keyId ?? fail('AUTH_REQUIRED'))
      .executeTakeFirstOrThrow()
    const { quota, used, remaining, quota_reset_at } = await quotaOf(deps)(actor)
    return { ...shownKey(row), quota, used, remaining, quota_reset_at }
  }

/**
 * Revokes one key of the account. Fails KEY_NOT_FOUND for a missing or revoked one, ACCESS_DENIED for another account's.
 */
export const revokeKey =
  (deps: Deps, changed: () => void) =>
  async (which: { id: number } | { key: string }, actor: Actor): Promise<{ id: number; revoked: true }> => {
    const row = await deps.db.query
      .selectFrom('api_keys')
      .select(['id', 'user_id'])
      .where((where) => ('id' in which ? where('id', '=', which.id) : where('key_hash', '=', hashKey(which.key))))
      .executeTakeFirst()
    if (row === undefined) return fail('KEY_NOT_FOUND')
    if (row.user_id !== actor.userId) fail('ACCESS_DENIED')
    const revoked = await deps.db.query
      .updateTable('api_keys')
      .set({ revoked_at: deps.clock.now() })
      .where('id', '=', row.id)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    changed()
    return { id: (revoked ?? fail('KEY_NOT_FOUND')).id, revoked: true }
  }
