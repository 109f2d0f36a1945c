/** Plans, their monthly quotas and what each of them opens. A gate is a row of this table, never a branch. */
export const planNames = ['free', 'starter', 'pro', 'business'] as const
export type PlanName = (typeof planNames)[number]

export const ledgerPlanNames = ['contab_basic', 'contab_pro', 'contab_business'] as const
export type LedgerPlanName = (typeof ledgerPlanNames)[number]

export const planFeatures = [
  'batch',
  'personal_certificate',
  'fraud_checks',
  'api_keys',
  'webhooks',
  'managed_certificates',
  'subaccounts',
] as const
export type PlanFeature = (typeof planFeatures)[number]

export interface PlanRow {
  monthlyQuota: number
  /** Most files of one /batch/job; 0 where the plan has no batches. */
  batchFilesMax: number
  features: Record<PlanFeature, boolean>
}

const opens = (...features: PlanFeature[]): Record<PlanFeature, boolean> =>
  Object.fromEntries(planFeatures.map((feature) => [feature, features.includes(feature)])) as Record<
    PlanFeature,
    boolean
  >

export const plans: Record<PlanName, PlanRow> = {
  free: { monthlyQuota: 2, batchFilesMax: 0, features: opens() },
  starter: { monthlyQuota: 150, batchFilesMax: 20, features: opens('batch', 'personal_certificate') },
  pro: {
    monthlyQuota: 1000,
    batchFilesMax: 100,
    features: opens('batch', 'personal_certificate', 'fraud_checks', 'api_keys', 'webhooks', 'managed_certificates'),
  },
  business: { monthlyQuota: 5000, batchFilesMax: 500, features: opens(...planFeatures) },
}

export type LedgerFeature = 'ledger' | 'insights' | 'yoy'

export const ledgerPlans: Record<LedgerPlanName, Record<LedgerFeature, boolean>> = {
  contab_basic: { ledger: true, insights: false, yoy: false },
  contab_pro: { ledger: true, insights: true, yoy: false },
  contab_business: { ledger: true, insights: true, yoy: true },
}

/** Sizes in bytes and counts that the specification's section 8 fixes. */
export const limits = {
  invoiceFileBytesMax: 20 * 1024 ** 2,
  certificateFileBytesMax: 5 * 1024 ** 2,
  attachmentFileBytesMax: 5 * 1024 ** 2,
  jsonBodyBytesMax: 10 * 1024 ** 2,
  xmlBodyBytesMax: 32 * 1024 ** 2,
  syncBatchFilesMax: 20,
  zipLogIdsMax: 500,
  bankMovementsMax: 10_000,
  idempotencyTtlHours: 24,
  batchJobTtlHours: 24,
  batchJobsListed: 20,
  requestLogRetentionDays: 30,
  quotaWarningRemaining: 0.15,
  subaccountAlertUsed: 0.9,
} as const

/** True when the plan opens the feature. */
export const planOpens = (plan: PlanName, feature: PlanFeature): boolean => plans[plan].features[feature]
