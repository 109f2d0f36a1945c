import type { LedgerPlanName } from '@asiento/proto/plans'

/** What an account's ledger access rests on; instants are `YYYY-MM-DD HH:MM:SS` in UTC. */
export interface LedgerStanding {
  plan: LedgerPlanName | null
  trialEndsAt: string
}

export interface LedgerAccess {
  access: boolean
  reason: 'trial' | 'subscription' | 'trial_expired'
  ledgerPlan: LedgerPlanName | null
  trialEndsAt: string
  /** Whole days of trial that are left, a begun one counting; 0 after its end. */
  daysLeft: number
}

/** Whether the ledger is open at an instant, and why: a plan comes first, then the trial. */
export function accessOf({ plan, trialEndsAt }: LedgerStanding, now: string): LedgerAccess {
  const trial = now < trialEndsAt
  return {
    access: plan !== null || trial,
    reason: plan !== null ? 'subscription' : trial ? 'trial' : 'trial_expired',
    ledgerPlan: plan,
    trialEndsAt,
    daysLeft: trial ? Math.ceil((instant(trialEndsAt) - instant(now)) / 86_400_000) : 0,
  }
}

const instant = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`)

export interface LedgerUse {
  entries: number
  attachments: number
  recurring: number
  proposals: number
  /** Calendar years that have entries. */
  years: number
}

interface Recommendation {
  plan: LedgerPlanName
  reason: string
  applies: (use: LedgerUse) => boolean
}

/** What speaks for a plan; the highest plan with a reason is recommended. */
const recommendations: readonly Recommendation[] = [
  {
    plan: 'contab_business',
    reason: 'Tienes apuntes de varios ejercicios: la comparativa interanual los aprovecha.',
    applies: ({ years }) => years >= 2,
  },
  {
    plan: 'contab_business',
    reason: 'Registras más de 500 apuntes.',
    applies: ({ entries }) => entries > 500,
  },
  {
    plan: 'contab_pro',
    reason: 'Tienes cobros o pagos recurrentes: la previsión de tesorería los incluye.',
    applies: ({ recurring }) => recurring > 0,
  },
  {
    plan: 'contab_pro',
    reason: 'Envías presupuestos a clientes: los análisis por cliente te ayudan a seguirlos.',
    applies: ({ proposals }) => proposals > 0,
  },
  { plan: 'contab_pro', reason: 'Registras más de 50 apuntes.', applies: ({ entries }) => entries > 50 },
]

const basicReason = 'El plan básico cubre tu volumen actual de apuntes.'

/** The plan that fits the use made so far, with its reasons in Spanish. */
export function recommendPlan(use: LedgerUse): { plan: LedgerPlanName; reasons: string[] } {
  const fitting = recommendations.filter((row) => row.applies(use))
  const plan = fitting[0]?.plan ?? 'contab_basic'
  return { plan, reasons: fitting.length === 0 ? [basicReason] : fitting.map((row) => row.reason) }
}
