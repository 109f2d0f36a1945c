import { fail } from '@asiento/proto/errors'
import { type LedgerPlanName, ledgerPlanNames } from '@asiento/proto/plans'

/** What a checkout is for: the account's plan or its ledger plan. */
export type CheckoutKind = 'plan' | 'ledger_plan'

/** Plans that a customer buys alone; business is agreed upon with a person. */
export const sellablePlanNames = ['starter', 'pro'] as const
export type SellablePlanName = (typeof sellablePlanNames)[number]

interface Price {
  name: string
  /** Euro cents a month, without VAT. */
  monthlyCents: number
}

/** Prices where the payment provider has none configured (`STRIPE_PRICES`). */
export const prices: Record<SellablePlanName | LedgerPlanName, Price> = {
  starter: { name: 'Asiento Starter', monthlyCents: 1_900 },
  pro: { name: 'Asiento Pro', monthlyCents: 4_900 },
  contab_basic: { name: 'Asiento Contabilidad Basic', monthlyCents: 900 },
  contab_pro: { name: 'Asiento Contabilidad Professional', monthlyCents: 1_900 },
  contab_business: { name: 'Asiento Contabilidad Business', monthlyCents: 3_900 },
}

/** A plan that can be bought at a checkout of this kind. Fails INVALID_PLAN. */
export function sellablePlan(kind: CheckoutKind, plan: string): keyof typeof prices {
  const names: readonly (keyof typeof prices)[] = kind === 'plan' ? sellablePlanNames : ledgerPlanNames
  return (
    names.find((name) => name === plan) ?? fail('INVALID_PLAN', { detail: `Unknown plan; valid: ${names.join(', ')}.` })
  )
}
