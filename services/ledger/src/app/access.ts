import { scopeOf } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import { euros } from '@asiento/proto/money'
import { ledgerPlanNames } from '@asiento/proto/plans'
import type { Handlers } from '@asiento/proto/rpc'
import { sql } from 'kysely'
import { accessOf, recommendPlan } from '../domain/access.ts'
import { type Ledger, nowOf } from './ledger.ts'

type AccessHandlers = Pick<
  Handlers<'ledger'>,
  'ledgerAccess' | 'ledgerExpirySummary' | 'subscribeLedger' | 'setAutoImport' | 'learnedVendors'
>

/** Whether the ledger is open, what would be lost, and how to keep it. */
export const access = (ledger: Ledger): AccessHandlers => ({
  ledgerAccess: async (_, { actor }) => {
    const standing = accessOf(actor.ledger, nowOf(ledger))
    return {
      access: standing.access,
      reason: standing.reason,
      ledger_plan: standing.ledgerPlan,
      trial_ends_at: standing.trialEndsAt,
      days_left: standing.daysLeft,
    }
  },

  ledgerExpirySummary: async (_, { actor }) => {
    const standing = accessOf(actor.ledger, nowOf(ledger))
    const use = await useOf(ledger, actor.userId)
    const { plan, reasons } = recommendPlan(use)
    return {
      trial_ends_at: standing.trialEndsAt,
      days_left: standing.daysLeft,
      entries: use.entries,
      attachments: use.attachments,
      recurring: use.recurring,
      proposals: use.proposals,
      income_total: euros(use.incomeCents),
      expense_total: euros(use.expenseCents),
      recommended_plan: plan,
      reasons,
    }
  },

  subscribeLedger: async ({ body }, context) => {
    const plan = ledgerPlanNames.find((name) => name === body.plan)
    if (plan === undefined) {
      return fail('INVALID_PLAN', { detail: `Unknown plan; valid: ${ledgerPlanNames.join(', ')}.` })
    }
    return ledger.rpc.identity.createCheckout({ kind: 'ledger_plan', plan }, context)
  },

  setAutoImport: async ({ body }, { actor }) => {
    const preference = { auto_import: body.auto_import, import_popup_shown: true }
    await ledger.db.query
      .insertInto('preferences')
      .values({ user_id: actor.userId, ...preference })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(preference))
      .execute()
    return { auto_import: body.auto_import, import_popup_shown: true }
  },

  learnedVendors: async (_, context) => ledger.rpc.risk.learnedVendors(scopeOf(context.actor), context),
})

async function useOf({ db }: Ledger, userId: number) {
  const { rows } = await sql<{
    entries: number
    income: string
    expense: string
    years: number
    attachments: number
    recurring: number
    proposals: number
  }>`
    select coalesce(sum(entries), 0)::bigint as entries,
      coalesce(sum(total_cents) filter (where type = 'income'), 0) as income,
      coalesce(sum(total_cents) filter (where type = 'expense'), 0) as expense,
      count(distinct date_trunc('year', month)) filter (where entries > 0) as years,
      (select count(*) from entries where user_id = ${userId} and attachment is not null) as attachments,
      (select count(*) from recurring where user_id = ${userId}) as recurring,
      (select count(*) from proposals where user_id = ${userId}) as proposals
    from entry_months where user_id = ${userId}`.execute(db.query)
  const row = rows[0]
  return {
    entries: row?.entries ?? 0,
    incomeCents: Number(row?.income ?? 0),
    expenseCents: Number(row?.expense ?? 0),
    years: row?.years ?? 0,
    attachments: row?.attachments ?? 0,
    recurring: row?.recurring ?? 0,
    proposals: row?.proposals ?? 0,
  }
}
