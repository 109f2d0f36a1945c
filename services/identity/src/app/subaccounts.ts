import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import type { InputOf, OutputOf } from '@asiento/proto/operation'
import type { Operations } from '@asiento/proto/operations'
import { limits, planOpens } from '@asiento/proto/plans'
import { sql } from 'kysely'
import { periodOf } from '../domain/period.ts'
import { percentage } from '../domain/quota.ts'
import { freeSlug, slugOf } from '../domain/slug.ts'
import type { Deps } from './deps.ts'
import { insertKey, shownKey } from './keys.ts'
import { type SubaccountRow, selectSubaccounts, shownSubaccount } from './subaccount-usage.ts'

/** One page of the account's subaccounts; `q` searches name and slug. */
export const listSubaccounts =
  (deps: Deps) =>
  async (
    { query }: InputOf<Operations['listSubaccounts']>,
    actor: Actor,
  ): Promise<OutputOf<Operations['listSubaccounts']>> => {
    const { q, limit, offset } = query
    const like = `%${q.replace(/[\\%_]/g, '\\$&')}%`
    const condition = sql`s.user_id = ${actor.userId} and s.deleted_at is null
      and (s.name ilike ${like} or s.slug ilike ${like})`
    const rows = await selectSubaccounts(deps, condition, sql`limit ${limit} offset ${offset}`)
    // A page beyond the end has no row that could carry the count.
    const total = rows[0]?.total ?? (offset === 0 ? 0 : ((await selectSubaccounts(deps, condition))[0]?.total ?? 0))
    return { items: rows.map(shownSubaccount), total, limit, offset, has_more: offset + rows.length < total }
  }

/** Adds a subaccount with a slug that is free in the account; the slugs of closed ones stay taken. */
export const createSubaccount =
  (deps: Deps) =>
  async (
    { body }: InputOf<Operations['createSubaccount']>,
    actor: Actor,
  ): Promise<OutputOf<Operations['createSubaccount']>> => {
    const row = await deps.db.transaction(async (tx) => {
      // The account's row orders those who add at the same moment.
      await tx.selectFrom('users').select('id').where('id', '=', actor.userId).forNoKeyUpdate().execute()
      const slug = slugOf(body.name)
      const taken = await tx
        .selectFrom('subaccounts')
        .select('slug')
        .where('user_id', '=', actor.userId)
        .where('slug', 'like', `${slug}%`)
        .execute()
      return tx
        .insertInto('subaccounts')
        .values({
          user_id: actor.userId,
          name: body.name,
          slug: freeSlug(slug, new Set(taken.map((other) => other.slug))),
          notes: body.notes ?? null,
          created_at: deps.clock.now(),
        })
        .returningAll()
        .executeTakeFirstOrThrow()
    })
    return shownSubaccount({ ...row, total_used: 0, total_quota: 0, keys_count: 0 })
  }

/** One subaccount with its keys. Fails NOT_FOUND, ACCESS_DENIED. */
export const getSubaccount =
  (deps: Deps) =>
  async (id: number, actor: Actor): Promise<OutputOf<Operations['getSubaccount']>> => {
    const row = await ownSubaccount(deps, id, actor)
    return { ...shownSubaccount(row), keys: await keysWithUse(deps, id) }
  }

/** Changes what is given. Fails NOT_FOUND, ACCESS_DENIED. */
export const updateSubaccount =
  (deps: Deps) =>
  async (
    { params, body }: InputOf<Operations['updateSubaccount']>,
    actor: Actor,
  ): Promise<OutputOf<Operations['updateSubaccount']>> => {
    await ownSubaccount(deps, params.subaccount_id, actor)
    const changes = {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.notes === undefined ? {} : { notes: body.notes }),
    }
    if (Object.keys(changes).length > 0) {
      await deps.db.query.updateTable('subaccounts').set(changes).where('id', '=', params.subaccount_id).execute()
    }
    return shownSubaccount(await ownSubaccount(deps, params.subaccount_id, actor))
  }

/** Closes a subaccount: its keys stop working, its data is kept. Fails NOT_FOUND, ACCESS_DENIED. */
export const deleteSubaccount =
  (deps: Deps, changed: () => void) =>
  async (id: number, actor: Actor): Promise<{ deleted: true }> => {
    await ownSubaccount(deps, id, actor)
    await deps.db.query
      .updateTable('subaccounts')
      .set({ deleted_at: deps.clock.now() })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .execute()
    changed()
    return { deleted: true }
  }

/** Makes a key with a monthly quota of its own. Fails NOT_FOUND, ACCESS_DENIED. */
export const createSubaccountKey =
  (deps: Deps) =>
  async (
    { params, body }: InputOf<Operations['createSubaccountKey']>,
    actor: Actor,
  ): Promise<OutputOf<Operations['createSubaccountKey']>> => {
    const { id: subaccountId } = await ownSubaccount(deps, params.subaccount_id, actor)
    const { name, quota } = body
    const key = { userId: actor.userId, subaccountId, name, plan: 'pro' as const, quota }
    const row = await insertKey(deps, deps.db.query, key)
    return { id: row.id, name, quota, raw_key: row.raw_key, prefix: row.prefix, subaccount_id: subaccountId }
  }

/** Revokes a key of a subaccount. Fails NOT_FOUND, ACCESS_DENIED, KEY_NOT_FOUND. */
export const deleteSubaccountKey =
  (deps: Deps, changed: () => void) =>
  async (
    { params }: InputOf<Operations['deleteSubaccountKey']>,
    actor: Actor,
  ): Promise<OutputOf<Operations['deleteSubaccountKey']>> => {
    await ownSubaccount(deps, params.subaccount_id, actor)
    const revoked = await deps.db.query
      .updateTable('api_keys')
      .set({ revoked_at: deps.clock.now() })
      .where('id', '=', params.key_id)
      .where('subaccount_id', '=', params.subaccount_id)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (revoked === undefined) fail('KEY_NOT_FOUND')
    changed()
    return { deleted: true }
  }

const thirtyDaysMs = 30 * 86_400_000

/** All subaccounts together, with an alert for each that used 90 % of its quota. */
export const subaccountsSummary =
  (deps: Deps) =>
  async (actor: Actor): Promise<OutputOf<Operations['subaccountsSummary']>> => {
    const rows = await selectSubaccounts(deps, sql`s.user_id = ${actor.userId} and s.deleted_at is null`)
    const sum = (of: (row: SubaccountRow) => number) => rows.reduce((total, row) => total + of(row), 0)
    const [totalUsed, totalQuota] = [sum((row) => row.total_used), sum((row) => row.total_quota)]
    const top = rows.toSorted((a, b) => b.total_used - a.total_used)[0]
    return {
      count: rows.length,
      total_used: totalUsed,
      total_quota: totalQuota,
      pct_used: percentage(totalUsed, totalQuota),
      most_active:
        top === undefined || top.total_used === 0
          ? null
          : { id: top.id, name: top.name, slug: top.slug, total_used: top.total_used },
      last_30_days: await invoicesSince(deps, actor, new Date(deps.clock.now().getTime() - thirtyDaysMs)),
      alerts: rows
        .filter((row) => row.total_used > 0 && row.total_used >= row.total_quota * limits.subaccountAlertUsed)
        .map((row) => ({ subaccount: row.name, slug: row.slug, pct: percentage(row.total_used, row.total_quota) })),
      subaccounts: rows.map(({ id, name, total_used, total_quota }) => ({ id, name, total_used, total_quota })),
    }
  }

/** The keys of a subaccount and their use, for its metrics. Fails PLAN_REQUIRED, NOT_FOUND, ACCESS_DENIED. */
export const subaccountUsage = (deps: Deps) => async (id: number, actor: Actor) => {
  requireSubaccounts(actor)
  const row = await ownSubaccount(deps, id, actor)
  const keys = (await keysWithUse(deps, id)).filter((key) => key.revoked_at === null)
  return {
    keys: keys.map(({ name, quota, used, remaining }) => ({ name, quota, used, remaining })),
    quota: row.total_quota,
    used: row.total_used,
  }
}

/** Whether the account has, or had, this subaccount. Fails PLAN_REQUIRED, ACCESS_DENIED. */
export const subaccountExists =
  (deps: Deps) =>
  async (id: number, actor: Actor): Promise<{ exists: boolean }> => {
    requireSubaccounts(actor)
    const row = await deps.db.query.selectFrom('subaccounts').select('user_id').where('id', '=', id).executeTakeFirst()
    if (row !== undefined && row.user_id !== actor.userId) fail('ACCESS_DENIED')
    return { exists: row !== undefined }
  }

function requireSubaccounts(actor: Actor): void {
  if (!planOpens(actor.plan, 'subaccounts')) fail('PLAN_REQUIRED')
}

async function ownSubaccount(deps: Deps, id: number, actor: Actor): Promise<SubaccountRow> {
  const [row] = await selectSubaccounts(deps, sql`s.id = ${id}`)
  if (row === undefined) return fail('NOT_FOUND')
  if (row.user_id !== actor.userId) return fail('ACCESS_DENIED')
  return row.deleted_at === null ? row : fail('NOT_FOUND')
}

async function keysWithUse(deps: Deps, subaccountId: number) {
  const rows = await deps.db.query
    .selectFrom('api_keys as k')
    .leftJoin('key_usage as u', (join) =>
      join.onRef('u.key_id', '=', 'k.id').on('u.period', '=', periodOf(deps.clock.now())),
    )
    .selectAll('k')
    .select('u.used')
    .where('k.subaccount_id', '=', subaccountId)
    .orderBy('k.id', 'desc')
    .execute()
  return rows.map((row) => {
    const [quota, used] = [row.quota ?? 0, row.used ?? 0]
    return { ...shownKey(row), quota, used, remaining: Math.max(0, quota - used) }
  })
}

async function invoicesSince(deps: Deps, actor: Actor, since: Date): Promise<number> {
  const row = await deps.db.query
    .selectFrom('reservations')
    .select((select) => select.fn.coalesce(select.fn.sum<number>('credits'), sql.lit(0)).as('credits'))
    .where('user_id', '=', actor.userId)
    .where('subaccount_id', 'is not', null)
    .where('state', '=', 'committed')
    .where('service', '=', 'extraction')
    .where('settled_at', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(row.credits)
}
