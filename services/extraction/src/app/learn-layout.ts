import type { Scope } from '@asiento/proto/actor'
import type { Extraction } from '@asiento/proto/schemas/extraction-result'
import { sql } from 'kysely'
import { learnLayout, type VendorLayout } from '../domain/learn-layout.ts'
import type { LayoutQuestion } from '../pipeline/layouts-port.ts'
import type { Deps } from './deps.ts'
import type { LogRow } from './log-row.ts'

const layoutsMax = 40

/** Whether an account (or its subaccount) has taught anything at all. */
export async function hasTaught({ db }: Pick<Deps, 'db'>, scope: Scope): Promise<boolean> {
  const { rows } = await sql<{ taught: boolean }>`
    select exists (select from vendor_layouts
      where user_id = ${scope.userId} and subaccount_id = ${scope.subaccountId ?? 0}) as taught`.execute(db.query)
  return rows[0]?.taught === true
}

/**
 * What an account (or its subaccount) taught about the vendor of a document, newest first: the vendor that was read, and
 * those whose tax id the document prints anywhere, since a correction may have been about the very tax id.
 */
export async function layoutsOf({ db }: Deps, scope: Scope, question: LayoutQuestion): Promise<VendorLayout[]> {
  const rows = await db.query
    .selectFrom('vendor_layouts')
    .select('layout')
    .where('user_id', '=', scope.userId)
    .where('subaccount_id', '=', scope.subaccountId ?? 0)
    .where((eb) =>
      eb.or([
        eb('vendor_vat', '=', question.vendorTaxId ?? ''),
        eb(sql`strpos(${question.printed}, vendor_vat)`, '>', 0),
      ]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('log_id', 'desc')
    .limit(layoutsMax)
    .execute()
  return rows.map((row) => row.layout as VendorLayout)
}

/**
 * Learns where this vendor prints the corrected fields, from the original while it is kept. A document that is gone or
 * cannot be read again teaches nothing, which is no failure of the correction.
 */
export async function learnFromCorrection(deps: Deps, row: LogRow, fields: Partial<Extraction>): Promise<void> {
  const vendorVat = row.vendor_vat
  if (row.document_key === null || vendorVat === null) return
  try {
    const bytes = await deps.objects.get(row.document_key)
    if (bytes === null) return
    const document = await deps.reader.run({ bytes, options: { filename: row.filename } })
    const layout = learnLayout({ ...fields, vendor_vat: vendorVat }, document)
    if (layout !== null) await keepLayout(deps, row, vendorVat, layout)
  } catch (error) {
    deps.log.warn({ err: error, logId: row.id }, 'nothing learned from a correction')
  }
}

async function keepLayout({ db, clock }: Deps, row: LogRow, vendorVat: string, layout: VendorLayout): Promise<void> {
  const value = { layout: JSON.stringify(layout), created_at: clock.now() }
  await db.query
    .insertInto('vendor_layouts')
    .values({
      user_id: row.user_id,
      subaccount_id: row.subaccount_id ?? 0,
      vendor_vat: vendorVat,
      log_id: row.id,
      ...value,
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'subaccount_id', 'vendor_vat', 'log_id']).doUpdateSet(value))
    .execute()
}

/** Takes back what a log taught. */
export async function forgetLayout({ db }: Deps, logId: number): Promise<void> {
  await db.query.deleteFrom('vendor_layouts').where('log_id', '=', logId).execute()
}
