import type { Database } from '@asiento/chassis/db'
import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import { cents } from '@asiento/proto/money'
import { chartAccount } from '@asiento/proto/pgc'
import type { CallContext } from '@asiento/proto/rpc'
import type { AccountingDetail, categorizeRequest } from '@asiento/proto/schemas/risk'
import { checkTaxId } from '@asiento/proto/tax-id'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { AccountModel } from '../adapters/out/account-model.ts'
import type { OwnTaxIds } from '../adapters/out/own-tax-ids.ts'
import type { Tables } from '../adapters/out/tables.ts'
import { accountingOf, proposed, taught } from '../domain/accounting.ts'
import { classify } from '../domain/pgc/classify.ts'
import { storedVat } from '../domain/vendor-key.ts'
import { vendorVatOf } from './vendors.ts'

type CategorizeRequest = z.output<typeof categorizeRequest>

/** The account of a purchase that is only described. Stores nothing. */
export const categorize =
  (deps: { db: Database<Tables>; model: AccountModel | null; ownTaxIds: OwnTaxIds }) =>
  async (request: CategorizeRequest, context: CallContext<Actor>): Promise<AccountingDetail> => {
    const { actor } = context
    const vat = storedVat(request.vendor_vat ?? null)
    const kind = checkTaxId(vat ?? '').kind
    const [learned, own] =
      vat === null ? [null, []] : await Promise.all([learnedAccount(deps.db, actor, vat), deps.ownTaxIds(context)])
    const situation = {
      vendorName: request.vendor_name,
      vendorIsPerson: kind === 'nif' || kind === 'nie',
      lines: (request.line_items ?? []).map((line) => ({
        description: line.description ?? '',
        totalCents: amount(line.total),
        quantity: line.quantity,
      })),
      totalCents: amount(request.total),
      irpfRate: request.irpf_rate,
      learnedAccount: learned,
      ownInvoice: own.some((id) => storedVat(id) === vat),
    }
    const decided = accountingOf(situation)
    if (deps.model === null || decided.confidence !== 'baja') return decided
    const code = await deps.model(
      situation,
      decided.suggestions.map((suggestion) => suggestion.account_code),
    )
    return code === null ? decided : proposed(code, classify(situation))
  }

/** Teaches the account of a vendor. Fails with INVALID_INPUT for no tax id, or an account that the chart lacks. */
export const teachCategory =
  (db: Database<Tables>) =>
  async (actor: Actor, request: { vendorVat: string; accountCode: string }): Promise<AccountingDetail> => {
    const vat = vendorVatOf(request.vendorVat)
    const code = request.accountCode.replace(/[.\s]/g, '')
    if (chartAccount(code) === null) fail('INVALID_INPUT', { detail: 'account_code: the chart has no such account.' })
    if (!actor.sandbox) await teach(db.query, actor, vat, code)
    return taught(code, classify({ lines: [] }))
  }

/** Keeps what an account taught, in whatever transaction is given. */
export async function teach(
  query: Database<Tables>['query'],
  scope: { userId: number; subaccountId: number | null },
  vendorVat: string,
  accountCode: string,
): Promise<void> {
  await query
    .insertInto('learned_categories')
    .values({
      user_id: scope.userId,
      subaccount_id: scope.subaccountId ?? 0,
      vendor_vat: vendorVat,
      account_code: accountCode,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'subaccount_id', 'vendor_vat'])
        .doUpdateSet({ account_code: accountCode, taught_at: sql`now()` }),
    )
    .execute()
}

async function learnedAccount(db: Database<Tables>, actor: Actor, vat: string): Promise<string | null> {
  const row = await db.query
    .selectFrom('learned_categories')
    .select('account_code')
    .where('user_id', '=', actor.userId)
    .where('subaccount_id', '=', actor.subaccountId ?? 0)
    .where('vendor_vat', '=', vat)
    .executeTakeFirst()
  return row?.account_code ?? null
}

/** Euros as cents; null where the amount is beyond what money holds. */
function amount(value: number | null | undefined): number | null {
  if (value == null) return null
  try {
    return cents(value)
  } catch {
    return null
  }
}
