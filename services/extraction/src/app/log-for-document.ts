import { type Actor, scopeOf } from '@asiento/proto/actor'
import type { extractionProcedures } from '@asiento/proto/procedures/extraction'
import type { z } from 'zod'
import type { Deps } from './deps.ts'
import { searchText, visibleTo } from './log-row.ts'

type Command = z.output<typeof extractionProcedures.logForDocument.input>

/** The log under which a converted or signed invoice is filed: the named one where it is the caller's, else a new one. */
export const logForDocument =
  (deps: Deps) =>
  async (actor: Actor, command: Command): Promise<{ logId: number }> => {
    const { db, clock } = deps
    if (command.logId !== null) {
      const own = await db.query
        .selectFrom('logs')
        .select('id')
        .where('id', '=', command.logId)
        .where(visibleTo(actor))
        .executeTakeFirst()
      if (own !== undefined) return { logId: own.id }
    }
    const scope = scopeOf(actor)
    await db.query
      .insertInto('logs')
      .values({
        work_id: command.workId,
        user_id: scope.userId,
        key_id: scope.keyId,
        subaccount_id: scope.subaccountId,
        sandbox: scope.sandbox,
        source: command.source,
        status: 'ok',
        filename: command.filename,
        external_ref: command.externalRef,
        vendor_name: command.vendorName,
        vendor_vat: command.vendorVat,
        invoice_number: command.invoiceNumber,
        invoice_date: command.invoiceDate,
        total_cents: command.totalCents,
        currency: 'EUR',
        search: searchText([command.filename, command.vendorName, command.invoiceNumber, command.externalRef]),
        created_at: clock.now(),
        finished_at: clock.now(),
      } as never)
      .onConflict((conflict) => conflict.column('work_id').doNothing())
      .execute()
    const { id } = await db.query
      .selectFrom('logs')
      .select('id')
      .where('work_id', '=', command.workId)
      .executeTakeFirstOrThrow()
    return { logId: id }
  }
