import type { Database } from '@asiento/chassis/db'
import { failValidation } from '@asiento/proto/errors'
import { cents, euros } from '@asiento/proto/money'
import { pgcLabel } from '@asiento/proto/pgc'
import type { Handlers } from '@asiento/proto/rpc'
import type { Tables } from '../adapters/out/tables.ts'
import { budgetActuals } from '../domain/budget.ts'
import { type Ledger, todayOf } from './ledger.ts'

type BudgetHandlers = Pick<Handlers<'ledger'>, 'getBudget' | 'putBudget'>
type Query = Database<Tables>['query']

/** The budget of a year beside what the journal says. */
export const budget = (ledger: Ledger): BudgetHandlers => ({
  getBudget: async ({ query }, { actor }) =>
    budgetView(ledger.db.query, actor.userId, query.year ?? Number(todayOf(ledger).slice(0, 4))),

  putBudget: async ({ body }, { actor }) =>
    ledger.db.transaction(async (tx) => {
      const rows = body.items.map((item) => ({
        user_id: actor.userId,
        year: body.year,
        account_code: item.account_code,
        month: item.month ?? 0,
        amount_cents: cents(item.amount),
      }))
      const keys = new Set(rows.map((row) => `${row.account_code}/${row.month}`))
      if (keys.size < rows.length) failValidation(['body', 'items'], 'An account and month may occur once')
      await tx.deleteFrom('budget_items').where('user_id', '=', actor.userId).where('year', '=', body.year).execute()
      if (rows.length > 0) {
        await tx
          .insertInto('budget_items')
          .values(rows)
          .onConflict((conflict) =>
            conflict
              .columns(['user_id', 'year', 'account_code', 'month'])
              .doUpdateSet((update) => ({ amount_cents: update.ref('excluded.amount_cents') })),
          )
          .execute()
      }
      return budgetView(tx, actor.userId, body.year)
    }),
})

async function budgetView(query: Query, userId: number, year: number) {
  const items = await query
    .selectFrom('budget_items')
    .select(['account_code', 'month', 'amount_cents'])
    .where('user_id', '=', userId)
    .where('year', '=', year)
    .orderBy('account_code')
    .orderBy('month')
    .execute()
  const moved = await query
    .selectFrom('journal_months')
    .select(['account_code', 'month', 'debit_cents', 'credit_cents'])
    .where('user_id', '=', userId)
    .where('month', '>=', `${year}-01-01`)
    .where('month', '<=', `${year}-12-01`)
    .execute()
  const actuals = budgetActuals(
    items.map((item) => ({
      accountCode: item.account_code,
      month: item.month === 0 ? null : item.month,
      amountCents: item.amount_cents,
    })),
    moved.map((row) => ({
      accountCode: row.account_code,
      month: Number(row.month.slice(5, 7)),
      debitCents: Number(row.debit_cents),
      creditCents: Number(row.credit_cents),
    })),
  )
  return {
    year,
    items: actuals.map((item) => ({
      account_code: item.accountCode,
      account_label: pgcLabel(item.accountCode),
      month: item.month,
      amount: euros(item.amountCents),
      actual: euros(item.actualCents),
      deviation: euros(item.deviationCents),
      deviation_pct: item.deviationPct,
    })),
  }
}
