import type { LedgerPlanName, PlanName } from '@asiento/proto/plans'
import type { KeyPlanName } from '@asiento/proto/schemas/keys'
import type { Generated } from 'kysely'
import type { CheckoutKind } from '../../domain/prices.ts'

export type Locale = 'es' | 'en'

/** The tables of migrations/, typed by hand. */
export interface Tables {
  users: {
    id: Generated<number>
    email: string
    email_canonical: string
    password_hash: string | null
    full_name: string
    company: string | null
    locale: Generated<Locale>
    plan: Generated<PlanName>
    ledger_plan: LedgerPlanName | null
    email_verified_at: Date | null
    suspended_at: Date | null
    token_epoch: Generated<number>
    rate_per_minute: number | null
    trial_ends_at: Date
    trial_reminded_at: Date | null
    google_subject: string | null
    stripe_customer_id: string | null
    created_at: Date
  }
  mail_tokens: {
    token_hash: Buffer
    user_id: number | null
    purpose: 'verify' | 'reset'
    password_hash: string | null
    full_name: string | null
    company: string | null
    locale: Locale | null
    created_at: Date
    expires_at: Date
    used_at: Date | null
  }
  attempts: { subject: Buffer; failures: number; last_failed_at: Date; next_allowed_at: Date }
  subaccounts: {
    id: Generated<number>
    user_id: number
    name: string
    slug: string
    notes: string | null
    created_at: Date
    deleted_at: Date | null
  }
  api_keys: {
    id: Generated<number>
    user_id: number
    subaccount_id: number | null
    name: string
    plan: KeyPlanName
    key_hash: Buffer
    prefix: string
    quota: number | null
    created_at: Date
    last_used_at: Date | null
    revoked_at: Date | null
  }
  account_usage: {
    user_id: number
    period: string
    used: Generated<number>
    committed: Generated<number>
    warned_at: Date | null
  }
  key_usage: { key_id: number; period: string; used: Generated<number> }
  reservations: {
    id: string
    service: string
    user_id: number
    key_id: number | null
    subaccount_id: number | null
    on_account: boolean
    period: string
    credits: number
    state: 'reserved' | 'committed' | 'released' | 'expired'
    created_at: Date
    expires_at: Date
    settled_at: Date | null
  }
  stripe_events: { id: string; type: string; applied_at: Date }
  subscriptions: {
    id: string
    user_id: number
    kind: CheckoutKind
    plan: string
    started_at: Date
    ended_at: Date | null
  }
  audit_log: {
    id: Generated<number>
    at: Date
    operator: string
    action: string
    user_id: number | null
    before: string | null
    after: string | null
  }
}
