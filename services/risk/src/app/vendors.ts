import type { Database } from '@asiento/chassis/db'
import type { Actor } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import { checkIban } from '@asiento/proto/iban'
import type { VendorTrust } from '@asiento/proto/schemas/risk'
import { timestamp } from '@asiento/proto/time'
import { sql } from 'kysely'
import type { Tables } from '../adapters/out/tables.ts'
import { storedVat } from '../domain/vendor-key.ts'

type VendorRow = Pick<Tables['vendors'], 'vendor_vat' | 'vendor_name' | 'trusted_iban' | 'source'> & { last_seen: Date }

const columns = ['vendor_vat', 'vendor_name', 'trusted_iban', 'source', 'last_seen'] as const

/** The vendors of the account, or of the subaccount whose key calls, last seen first. */
export const listVendors =
  (db: Database<Tables>) =>
  async (actor: Actor): Promise<{ vendors: VendorTrust[] }> => {
    const rows = await db.query
      .selectFrom('vendors')
      .select(columns)
      .where('user_id', '=', actor.userId)
      .where('subaccount_id', '=', actor.subaccountId ?? 0)
      .orderBy('last_seen', 'desc')
      .orderBy('vendor_vat')
      .execute()
    return { vendors: rows.map(toTrust) }
  }

/** How many distinct vendors of a company are recognized: seen on an invoice, or taught. */
export const learnedVendors =
  (db: Database<Tables>) =>
  async (scope: { userId: number; subaccountId: number | null }): Promise<{ count: number }> => {
    const company = sql`user_id = ${scope.userId} and subaccount_id = ${scope.subaccountId ?? 0}`
    const { rows } = await sql<{ count: number }>`select count(*) as count from (
      select vendor_vat from vendors where ${company}
      union select vendor_vat from learned_categories where ${company}) known`.execute(db.query)
    return { count: rows[0]?.count ?? 0 }
  }

/** Trusts an IBAN from now on. Fails with INVALID_INPUT when vendor_vat is no tax id or the IBAN is not valid. */
export const setVendorIban =
  (db: Database<Tables>) =>
  async (actor: Actor, request: { vendorVat: string; iban: string }): Promise<VendorTrust> => {
    const vat = vendorVatOf(request.vendorVat)
    const iban = checkIban(request.iban)
    if (!iban.valid) fail('INVALID_INPUT', { detail: 'iban: the check digits or the length are wrong.' })
    const row = {
      user_id: actor.userId,
      subaccount_id: actor.subaccountId ?? 0,
      vendor_vat: vat,
      trusted_iban: iban.value,
      source: 'set' as const,
      vendor_name: null,
      first_log_id: null,
    }
    // A sandbox key may try the call; what it sets is not kept.
    if (actor.sandbox) return toTrust({ ...row, last_seen: new Date() })
    const kept = await db.query
      .insertInto('vendors')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'subaccount_id', 'vendor_vat'])
          .doUpdateSet({ trusted_iban: iban.value, source: 'set', first_log_id: null, last_seen: sql`now()` }),
      )
      .returning(columns)
      .executeTakeFirstOrThrow()
    return toTrust(kept)
  }

/** The tax id of a path, also when it came encoded twice. Fails with INVALID_INPUT. */
export function vendorVatOf(text: string): string {
  const vat = storedVat(decoded(text))
  return vat ?? fail('INVALID_INPUT', { detail: 'vendor_vat: this is no tax id.' })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const toTrust = (row: VendorRow): VendorTrust => ({
  vendor_vat: row.vendor_vat,
  vendor_name: row.vendor_name,
  trusted_iban: row.trusted_iban,
  source: row.source,
  last_seen: timestamp(row.last_seen),
})
