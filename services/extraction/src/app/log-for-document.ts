import { withoutWaiting } from '@asiento/chassis/db'
import { together } from '@asiento/chassis/together'
import { type Actor, scopeOf } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import type { extractionProcedures } from '@asiento/proto/procedures/extraction'
import type { z } from 'zod'
import type { Deps } from './deps.ts'
import { searchText, visibleTo } from './log-row.ts'

type Command = z.output<typeof extractionProcedures.logForDocument.input>

/**
 * The log under which a converted or signed invoice is filed: the named one where it is the caller's, else a new one. New
 * logs that are asked for at the same time are written together. Their commit does not wait for the disk: the custody
 * record that names them is committed afterwards, by a commit that does.
 */
export function logForDocument(deps: Deps): (actor: Actor, command: Command) => Promise<{ logId: number }> {
  const write = together(100, (rows: readonly NewLog[]) => writeLogs(deps, rows))
  return async (actor, command) => {
    if (command.logId !== null) {
      const own = await deps.db.query
        .selectFrom('logs')
        .select('id')
        .where('id', '=', command.logId)
        .where(visibleTo(actor))
        .executeTakeFirst()
      if (own !== undefined) return { logId: own.id }
    }
    return { logId: await write(newLog(actor, command, deps.clock.now())) }
  }
}

type NewLog = ReturnType<typeof newLog>

function newLog(actor: Actor, command: Command, now: Date) {
  const scope = scopeOf(actor)
  return {
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
    created_at: now,
    finished_at: now,
  }
}

/** The ids of the logs of so many pieces of work; those that are there already keep theirs. */
async function writeLogs({ db }: Deps, rows: readonly NewLog[]): Promise<number[]> {
  const written = await db.query
    .insertInto('logs')
    .values(rows as never)
    .onConflict((conflict) => conflict.column('work_id').doNothing())
    .returning(['id', 'work_id', withoutWaiting.as('unwaited')])
    .execute()
  const ids = new Map(written.map((row) => [row.work_id, row.id]))
  const others = rows.map((row) => row.work_id).filter((workId) => !ids.has(workId))
  if (others.length > 0) {
    const known = await db.query.selectFrom('logs').select(['id', 'work_id']).where('work_id', 'in', others).execute()
    for (const row of known) ids.set(row.work_id, row.id)
  }
  return rows.map(({ work_id }) => ids.get(work_id) ?? fail('SERVICE_ERROR', { internal: 'a new log is gone' }))
}
