import { publish } from '@asiento/chassis/outbox'
import type { Scope } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import { limits, type PlanName, plans } from '@asiento/proto/plans'
import { sql } from 'kysely'
import { periodOf } from '../domain/period.ts'
import { planQuotas, type Quota, quotaState } from '../domain/quota.ts'
import type { Deps, IdentityTx } from './deps.ts'
import { requestMail } from './mail-tokens.ts'

export interface ReserveCredits {
  /** `<service>:<id of the work>`. */
  reservationId: string
  credits: number
  scope: Scope
}

interface ReserveRow {
  outcome: 'reserved' | 'exceeded' | 'gone'
  plan: PlanName
  quota: number
  used: number
}

/**
 * Reserves credits for a piece of work, of the account and of the key's own quota, in one statement and one round trip.
 * The same id again is the same reservation. Fails QUOTA_EXCEEDED with the X-Quota headers of the quota that was short,
 * ACCESS_DENIED when the account or key is gone.
 */
export const reserveCredits =
  (deps: Pick<Deps, 'db' | 'clock' | 'config'>) =>
  async ({ reservationId, credits, scope }: ReserveCredits): Promise<{ quota: Quota }> => {
    const now = deps.clock.now()
    const period = periodOf(now)
    const expiresAt = new Date(now.getTime() + deps.config.RESERVATION_MINUTES * 60_000)
    const { rows } = await sql<ReserveRow>`
      select outcome, plan, quota, used from reserve_credits(${reservationId}, ${scope.userId}, ${scope.keyId},
        ${credits}, ${period}, ${now}, ${expiresAt}, ${planQuotas})`.execute(deps.db.query)
    const row = rows[0]
    if (row === undefined || row.outcome === 'gone') return fail('ACCESS_DENIED')
    const quota = quotaState({ ...row, period })
    if (row.outcome === 'exceeded') fail('QUOTA_EXCEEDED', { headers: quotaHeaders(quota) })
    return { quota }
  }

const quotaHeaders = (quota: Quota): Record<string, string> => ({
  'x-quota-used': String(quota.used),
  'x-quota-limit': String(quota.quota),
  'x-quota-remaining': String(quota.remaining),
})

interface SettleRow {
  settled: boolean
  warn: boolean
  user_id: number
  period: string
  plan: PlanName
  quota: number
  committed: number
}

/**
 * Commits a reservation or gives it back, in one statement; settled already or unknown: no effect. The commit that takes
 * the account to 15 % of its quota or below publishes `quota.warning`, once a period.
 */
export async function settleCredits(
  deps: Pick<Deps, 'clock' | 'ids'>,
  tx: IdentityTx,
  settlement: { reservationId: string; outcome: 'commit' | 'release' | 'expire' },
): Promise<{ settled: boolean }> {
  const { rows } = await sql<SettleRow>`
    select * from settle_credits(${settlement.reservationId}, ${settlement.outcome}, ${deps.clock.now()},
      ${planQuotas}, ${limits.quotaWarningRemaining})`.execute(tx)
  const row = rows[0]
  if (row?.warn === true) await warn(deps, tx, row)
  return { settled: row?.settled === true }
}

async function warn(deps: Pick<Deps, 'ids'>, tx: IdentityTx, row: SettleRow): Promise<void> {
  const remaining = Math.max(0, row.quota - row.committed)
  const { user_id: userId, period, quota, committed: used, plan } = row
  await publish(tx, 'quota.warning', {
    key: `user:${userId}`,
    payload: { userId, used, quota, remaining, plan, period },
  })
  const user = await tx
    .selectFrom('users')
    .select(['email', 'locale', 'full_name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  await requestMail(deps, tx, {
    to: user.email,
    locale: user.locale,
    template: 'quota_warning',
    data: { full_name: user.full_name, used, quota, remaining, plan },
    mailId: `quota-warning:${userId}:${period}`,
  })
}

interface QuotaRow {
  plan: PlanName
  account_used: number
  key_plan: 'free' | 'pro' | null
  key_quota: number | null
  key_used: number
}

/** Prepared once a connection: planning these joins takes longer than running them. */
const quotaStatement = {
  name: 'quota-of',
  text: `
    select u.plan, coalesce(a.used, 0) as account_used, k.plan as key_plan, k.quota as key_quota,
      coalesce(ku.used, 0) as key_used
    from users u
      left join account_usage a on a.user_id = u.id and a.period = $2
      left join api_keys k on k.id = $3 and k.user_id = u.id
      left join key_usage ku on ku.key_id = k.id and ku.period = $2
    where u.id = $1`,
}

/** The quota that the caller draws on: a key's own where it has one, else the account's. One select. */
export const quotaOf =
  (deps: Pick<Deps, 'db' | 'clock'>) =>
  async (scope: Scope): Promise<Quota> => {
    const period = periodOf(deps.clock.now())
    const { rows } = await deps.db.pool.query<QuotaRow>({
      ...quotaStatement,
      values: [scope.userId, period, scope.keyId],
    })
    const row = rows[0] ?? fail('ACCESS_DENIED')
    if (row.key_quota === null) {
      return quotaState({ plan: row.plan, quota: plans[row.plan].monthlyQuota, used: row.account_used, period })
    }
    const plan = row.key_plan === 'free' ? 'free' : row.plan
    return quotaState({ plan, quota: row.key_quota, used: row.key_used, period })
  }
