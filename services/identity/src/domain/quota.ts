import { type PlanName, planNames, plans } from '@asiento/proto/plans'
import type { quotaSchema } from '@asiento/proto/schemas/common'
import type { z } from 'zod'
import { periodEnd } from './period.ts'

export type Quota = z.infer<typeof quotaSchema>

/** Monthly quotas by plan, as the SQL functions take them. */
export const planQuotas: string = JSON.stringify(
  Object.fromEntries(planNames.map((plan) => [plan, plans[plan].monthlyQuota])),
)

/** The state of a quota as section 2.7 shows it. `remaining` never goes below zero, also after a downgrade. */
export function quotaState(state: { plan: PlanName; quota: number; used: number; period: string }): Quota {
  const { plan, quota, used, period } = state
  return {
    plan,
    quota,
    used,
    remaining: Math.max(0, quota - used),
    quota_reset_at: periodEnd(period),
    pct_used: percentage(used, quota),
  }
}

/** Percent with two decimals; 0 of 0 is 0, anything of 0 is 100. */
export function percentage(part: number, whole: number): number {
  if (whole === 0) return part === 0 ? 0 : 100
  return Math.round((part * 10_000) / whole) / 100
}
