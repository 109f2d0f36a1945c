import { type Database, withoutWaiting } from '@asiento/chassis/db'
import type { Scope } from '@asiento/proto/actor'
import { sql } from 'kysely'
import { z } from 'zod'
import type { DuplicateVerdict, EarlierInvoice } from '../../domain/duplicates.ts'
import type { Tables } from './tables.ts'

/** What an invoice is judged by, ready for the database. */
export interface JudgedInvoice {
  logId: number
  scope: Scope
  fileSha256: string
  vendorKey: string | null
  vendorVat: string | null
  vendorName: string | null
  numberKey: string | null
  number: string | null
  totalCents: number | null
  date: string | null
  /** A valid IBAN, normalized. */
  iban: string | null
}

const earlierRow = z
  .object({
    log_id: z.number(),
    seq: z.number(),
    same_file: z.boolean(),
    vendor_key: z.string().nullable(),
    vendor_name: z.string().nullable(),
    number_key: z.string().nullable(),
    invoice_number: z.string().nullable(),
    total_cents: z.number().nullable(),
    invoice_date: z.string().nullable(),
  })
  .transform(
    (row): EarlierInvoice => ({
      logId: row.log_id,
      seq: row.seq,
      sameFile: row.same_file,
      vendor: { key: row.vendor_key, name: row.vendor_name },
      numberKey: row.number_key,
      number: row.invoice_number,
      totalCents: row.total_cents,
      date: row.invoice_date,
    }),
  )

const knowledge = z.object({
  candidates: z.array(earlierRow),
  /** Null when no tax id was read. `first`: the IBAN of this invoice is, or becomes, the trusted one. */
  trust: z.object({ trusted_iban: z.string().nullable(), first: z.boolean() }).nullable(),
  shared_with: z.string().nullable(),
  dismissed: z.array(z.number()),
  learned: z.string().nullable(),
  vies: z.object({ registered: z.boolean(), age_seconds: z.number() }).nullable(),
})
export type Knowledge = z.output<typeof knowledge>

const company = (scope: { subaccountId: number | null }): number => scope.subaccountId ?? 0

export type Store = ReturnType<typeof createStore>

/**
 * Reads and writes of the assessment itself; see `migrations/0002` for what happens in the one round trip. Nothing here
 * waits for the disk: extraction stores the result, and waits, before anybody is told of it.
 */
export const createStore = (db: Database<Tables>) => ({
  /** Remembers the invoice, unless it is a sandbox's, and answers all that is known about its like. */
  async assess(invoice: JudgedInvoice): Promise<Knowledge> {
    const { rows } = await sql<{ known: unknown }>`select assess_invoice(
      ${invoice.scope.userId}::bigint, ${company(invoice.scope)}::bigint, ${invoice.scope.keyId}::bigint,
      ${invoice.logId}::bigint, ${!invoice.scope.sandbox}::boolean, ${Buffer.from(invoice.fileSha256, 'hex')}::bytea,
      ${invoice.vendorKey}::text, ${invoice.vendorVat}::text, ${invoice.vendorName}::text, ${invoice.numberKey}::text,
      ${invoice.number}::text, ${invoice.totalCents}::bigint, ${invoice.date}::date, ${invoice.iban}::text) as known,
      ${withoutWaiting} as unwaited`.execute(db.query)
    return knowledge.parse(rows[0]?.known)
  },

  /** Keeps the alert, for confirming and dismissing. A decision that was taken already stays. */
  async keepAlert(invoice: JudgedInvoice, verdict: DuplicateVerdict): Promise<void> {
    await db.query
      .insertInto('duplicates')
      .values({
        log_id: invoice.logId,
        original_log_id: verdict.originalLogId,
        user_id: invoice.scope.userId,
        subaccount_id: company(invoice.scope),
        key_id: invoice.scope.keyId,
        reason: verdict.reason,
        score: verdict.score,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['log_id', 'original_log_id'])
          .doUpdateSet({ reason: (row) => row.ref('excluded.reason'), score: (row) => row.ref('excluded.score') }),
      )
      .returning(withoutWaiting.as('unwaited'))
      .execute()
  },

  async keepViesAnswer(vat: string, registered: boolean): Promise<void> {
    await db.query
      .insertInto('vies_verdicts')
      .values({ vat, registered })
      .onConflict((conflict) => conflict.column('vat').doUpdateSet({ registered, asked_at: sql`now()` }))
      .execute()
  },
})
