import type { Actor, Scope } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import { type LedgerPlanName, type PlanName, planOpens } from '@asiento/proto/plans'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Locale } from '../adapters/out/tables.ts'
import { hashKey, isKey } from '../domain/api-key.ts'
import { ledgerAccess } from '../domain/ledger-access.ts'
import type { Deps } from './deps.ts'
import { readSession } from './session-tokens.ts'

/** What an actor is made from. */
interface AccountRow {
  user_id: number
  email: string
  locale: Locale
  plan: PlanName
  ledger_plan: LedgerPlanName | null
  email_verified_at: Date | null
  suspended_at: Date | null
  token_epoch: number
  rate_per_minute: number | null
  trial_ends_at: Date
  key_id: number | null
  key_plan: 'free' | 'pro' | null
  subaccount_id: number | null
}

interface Account {
  row: AccountRow
  actor: Actor
}

const userColumns = `u.id as user_id, u.email, u.locale, u.plan, u.ledger_plan, u.email_verified_at, u.suspended_at,
  u.token_epoch, u.rate_per_minute, u.trial_ends_at`
const ofKey = `select ${userColumns}, k.id as key_id, k.plan as key_plan, k.subaccount_id
  from api_keys k join users u on u.id = k.user_id left join subaccounts s on s.id = k.subaccount_id`

/** Prepared once a connection: planning these joins takes longer than running them. */
const statements = {
  byKeyHash: {
    name: 'account-by-key-hash',
    text: `${ofKey} where k.key_hash = $1 and k.revoked_at is null and s.deleted_at is null`,
  },
  /** Of a key that may be revoked by now: work that it began goes on. */
  byKeyId: { name: 'account-by-key-id', text: `${ofKey} where k.id = $1` },
  byUserId: {
    name: 'account-by-user-id',
    text: `select ${userColumns}, null::bigint as key_id, null as key_plan, null::bigint as subaccount_id
      from users u where u.id = $1`,
  },
}

/**
 * A gateway of its own remembers for as long again: together a little under the second within which a revocation must be
 * felt everywhere.
 */
const cacheMs = 450

export interface Accounts {
  /**
   * Who a credential belongs to. Fails AUTH_INVALID_KEY, AUTH_INVALID_TOKEN, ACCESS_DENIED for an account that is
   * suspended or unverified, PLAN_REQUIRED for a key whose plan has no keys any more.
   */
  authenticate(credentials: { apiKey?: string | undefined; bearer?: string | undefined }): Promise<Actor>
  /** An actor for work without a caller; null when the account is gone or suspended. */
  actorFor(scope: Scope): Promise<Actor | null>
  /** Forgets what is cached here, after a change. */
  forget(): void
  /** Writes down when keys were last used. */
  flushKeyUse(): Promise<void>
}

/**
 * Looks credentials up: one indexed select, cached for less than half a second from before the select began. Concurrent calls
 * with one credential share it.
 */
export function createAccounts(deps: Deps): Accounts {
  const cache = new LRUCache<string, Promise<Account | undefined>>({ max: 20_000, ttl: cacheMs, ttlResolution: 0 })
  const keysUsed = new Map<number, Date>()

  const cached = (name: string, via: Actor['via'], load: () => Promise<AccountRow | undefined>) => {
    const known = cache.get(name)
    if (known !== undefined) return known
    const loading = load().then((row) => row && { row, actor: toActor(deps, row, via) })
    cache.set(name, loading)
    loading.catch(() => cache.delete(name))
    return loading
  }

  const byKey = async (apiKey: string): Promise<Actor> => {
    const hash = hashKey(apiKey)
    const account = await cached(`key:${hash.toString('base64')}`, 'key', async () =>
      isKey(apiKey) ? accountOf(deps, 'byKeyHash', hash) : undefined,
    )
    if (account === undefined || account.row.key_id === null) return fail('AUTH_INVALID_KEY')
    const { row, actor } = account
    checkState(row)
    if (!planOpens(row.plan, row.subaccount_id === null ? 'api_keys' : 'subaccounts')) fail('PLAN_REQUIRED')
    keysUsed.set(account.row.key_id, deps.clock.now())
    return actor
  }

  const byBearer = async (bearer: string): Promise<Actor> => {
    const session = await readSession(deps, bearer)
    const account = await cached(`user:${session.userId}`, 'jwt', () => accountOf(deps, 'byUserId', session.userId))
    if (account === undefined) return fail('AUTH_INVALID_TOKEN')
    checkState(account.row)
    if (account.row.token_epoch !== session.epoch) fail('AUTH_INVALID_TOKEN')
    return account.actor
  }

  return {
    authenticate: async ({ apiKey, bearer }) => {
      if (apiKey !== undefined) return byKey(apiKey)
      if (bearer !== undefined) return byBearer(bearer)
      return fail('AUTH_REQUIRED')
    },
    actorFor: async (scope) => {
      const row =
        scope.keyId === null
          ? await accountOf(deps, 'byUserId', scope.userId)
          : await accountOf(deps, 'byKeyId', scope.keyId)
      if (row === undefined || row.user_id !== scope.userId || row.suspended_at !== null) return null
      return toActor(deps, row, 'system')
    },
    forget: () => cache.clear(),
    flushKeyUse: async () => {
      const used = [...keysUsed]
      keysUsed.clear()
      if (used.length === 0) return
      await sql`update api_keys k set last_used_at = greatest(k.last_used_at, v.at)
        from (select unnest(${used.map(([id]) => id)}::bigint[]) as id,
                     unnest(${used.map(([, at]) => at)}::timestamptz[]) as at) v
        where k.id = v.id`.execute(deps.db.query)
    },
  }
}

async function accountOf(
  { db }: Deps,
  statement: keyof typeof statements,
  value: Buffer | number,
): Promise<AccountRow | undefined> {
  const { rows } = await db.pool.query<AccountRow>({ ...statements[statement], values: [value] })
  return rows[0]
}

function checkState(row: AccountRow): void {
  if (row.suspended_at !== null) fail('ACCESS_DENIED', { detail: 'This account is suspended.' })
  if (row.email_verified_at === null) fail('ACCESS_DENIED', { detail: 'Verify your email address first.' })
}

function toActor({ config, clock }: Deps, row: AccountRow, via: Actor['via']): Actor {
  return {
    userId: row.user_id,
    email: row.email,
    locale: row.locale,
    plan: row.plan,
    via,
    keyId: row.key_id,
    subaccountId: row.subaccount_id,
    sandbox: row.key_plan === 'free',
    ratePerMinute: row.rate_per_minute ?? config.RATE_LIMIT_PER_MINUTE,
    ledger: ledgerAccess({ ledgerPlan: row.ledger_plan, trialEndsAt: row.trial_ends_at }, clock.now()),
  }
}
