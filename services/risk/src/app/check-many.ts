import type { Database } from '@asiento/chassis/db'
import { type BulkInvoice, earlierInvoices } from '../adapters/out/earlier-invoices.ts'
import type { Tables } from '../adapters/out/tables.ts'
import { type DuplicateVerdict, findDuplicate } from '../domain/duplicates.ts'

const atOnce = 1_000

/**
 * Of which stored invoice each of many is a copy, in their order; null for none. Looks only: nothing is remembered, no
 * lock is taken, and the given ones are not compared with each other.
 */
export async function checkMany(
  db: Database<Tables>,
  scope: { userId: number; subaccountId: number | null },
  invoices: readonly BulkInvoice[],
): Promise<(DuplicateVerdict | null)[]> {
  const verdicts: (DuplicateVerdict | null)[] = []
  for (let start = 0; start < invoices.length; start += atOnce) {
    const part = invoices.slice(start, start + atOnce)
    const earlier = await earlierInvoices(db, scope, part)
    verdicts.push(...part.map((invoice, index) => findDuplicate(invoice, earlier[index] ?? [])))
  }
  return verdicts
}
