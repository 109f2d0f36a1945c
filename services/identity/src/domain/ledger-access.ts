import type { Actor } from '@asiento/proto/actor'
import type { LedgerPlanName } from '@asiento/proto/plans'
import { timestamp } from '@asiento/proto/time'

/** Whether the ledger is open and why: a ledger plan, else the trial, whose end was stored at registration. */
export function ledgerAccess(
  account: { ledgerPlan: LedgerPlanName | null; trialEndsAt: Date },
  now: Date,
): Actor['ledger'] {
  const inTrial = now < account.trialEndsAt
  const reason = account.ledgerPlan !== null ? 'subscription' : inTrial ? 'trial' : 'trial_expired'
  return {
    access: reason !== 'trial_expired',
    reason,
    plan: account.ledgerPlan,
    trialEndsAt: timestamp(account.trialEndsAt),
  }
}

/** The end of a trial of so many days. */
export const trialEnd = (now: Date, days: number): Date => new Date(now.getTime() + days * 86_400_000)
