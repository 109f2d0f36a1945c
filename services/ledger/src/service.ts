import { defineService } from '@asiento/chassis/service'
import { createWorkerPool } from '@asiento/chassis/workers'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Tables } from './adapters/out/tables.ts'
import { access } from './app/access.ts'
import { attachments, deleteReleasedObjects } from './app/attachments.ts'
import { bank } from './app/bank.ts'
import { budget } from './app/budget.ts'
import { createExporter } from './app/export-table.ts'
import { fiscalProfile } from './app/fiscal-profile.ts'
import { autoImport, importing } from './app/import-entries.ts'
import { issuedInvoiceXml, issueInvoices } from './app/issue-invoices.ts'
import { journal } from './app/journal.ts'
import { listEntries } from './app/list-entries.ts'
import { expireProposals, proposals } from './app/proposals.ts'
import { recurring } from './app/recurring.ts'
import { recurringInvoices } from './app/recurring-invoices.ts'
import { reports } from './app/reports.ts'
import { runRecurring } from './app/run-recurring.ts'
import { logsInJournal } from './app/settled-logs.ts'
import type { SheetTask } from './app/sheet-worker.ts'
import type { StatementTask } from './app/statement-worker.ts'
import { statements } from './app/statements.ts'
import { taxModels } from './app/tax-models.ts'
import { taxPayments } from './app/tax-payments.ts'
import { writeEntry } from './app/write-entry.ts'
import type { Statement } from './domain/statements/statement.ts'

/** The accounting ledger: /contabilidad. */
export const ledger = defineService<Tables>()({
  name: 'ledger',
  config: z.object({}),
  migrations: new URL('../migrations/', import.meta.url),
  create: (resources) => {
    const sheets = createWorkerPool<SheetTask, Uint8Array>({
      module: new URL('./app/sheet-worker.ts', import.meta.url),
      threadsMax: 1,
      queueMax: 16,
      timeoutMs: 60_000,
    })
    const reader = createWorkerPool<StatementTask, Statement>({
      module: new URL('./app/statement-worker.ts', import.meta.url),
      threadsMax: 1,
      queueMax: 32,
      timeoutMs: 30_000,
    })
    const exportTable = createExporter(resources, sheets)
    return {
      handlers: {
        ...access(resources),
        ...writeEntry(resources),
        listEntries: listEntries(resources, exportTable),
        ...attachments(resources),
        getEntryFacturae: issuedInvoiceXml(resources),
        ...importing(resources),
        ...recurring(resources),
        ...recurringInvoices(resources),
        ...bank(resources),
        ...statements(resources, reader),
        ...budget(resources),
        ...taxPayments(resources),
        ...proposals(resources),
        ...fiscalProfile(resources),
        ...journal(resources, exportTable),
        taxModel: taxModels(resources),
        ...reports(resources, exportTable),
        logsInJournal: logsInJournal(resources),
        health: async () => {
          await sql`select 1`.execute(resources.db.query)
          return { status: 'ok' }
        },
      },
      consumers: [autoImport(resources)],
      schedules: [
        { name: 'run-recurring', everyMs: 10_000, run: () => runRecurring(resources) },
        { name: 'issue-invoices', everyMs: 10_000, run: () => issueInvoices(resources) },
        { name: 'expire-proposals', everyMs: 3_600_000, run: () => expireProposals(resources) },
        { name: 'delete-released-objects', everyMs: 60_000, run: () => deleteReleasedObjects(resources) },
      ],
      close: async () => {
        await Promise.all([sheets.close(), reader.close()])
      },
    }
  },
})
