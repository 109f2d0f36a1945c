import { createHash } from 'node:crypto'
import { traceHeaders } from '@asiento/chassis/telemetry'
import { scopeOf } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import { madridDate } from '@asiento/proto/time'
import type { CustodyTable } from '../adapters/out/tables.ts'
import type { InvoiceSummary } from '../work/tasks.ts'
import type { Deps, Work } from './deps.ts'

export interface CustodyCommand extends Work {
  source: CustodyTable['source']
  xml: string
  filename: string
  summary: InvoiceSummary
  externalRef: string | null
  /** The log that the caller names; a new one where it is not the caller's own. */
  logId: number | null
  /** Committed in the same transaction. */
  reservationId: string | null
}

/** The signed XML of this work, as it was first kept. */
export interface Kept {
  logId: number
  xml: string
  objectKey: string
}

/**
 * Keeps a signed XML by its hash, with its record, `invoice.signed` and the settled credit in one transaction. The same
 * work again answers what was kept the first time.
 */
export const keepInCustody =
  (deps: Deps) =>
  async (command: CustodyCommand): Promise<Kept> => {
    const { actor, context, workId, summary } = command
    const bytes = Buffer.from(command.xml, 'utf8')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const objectKey = `custody/${sha256.slice(0, 2)}/${sha256}.xml`
    const [{ logId }] = await Promise.all([
      deps.rpc.extraction.logForDocument(
        {
          workId,
          logId: command.logId,
          source: command.source === 'sign' ? 'sign' : 'convert',
          filename: command.filename,
          externalRef: command.externalRef,
          vendorName: summary.vendorName,
          vendorVat: summary.vendorVat,
          invoiceNumber: summary.invoiceNumber,
          invoiceDate: summary.invoiceDate,
          totalCents: summary.totalCents,
        },
        context,
      ),
      deps.objects.put(objectKey, bytes, { contentType: 'application/xml' }),
    ])
    const scope = scopeOf(actor)
    const now = deps.clock.now()
    const row = {
      storage_file_id: deps.ids.uuid(),
      work_id: workId,
      log_id: logId,
      user_id: scope.userId,
      key_id: scope.keyId,
      subaccount_id: scope.subaccountId,
      sandbox: scope.sandbox,
      source: command.source,
      sha256,
      size_bytes: bytes.byteLength,
      object_key: objectKey,
      filename: command.filename,
      invoice_number: summary.invoiceNumber,
      invoice_date: summary.invoiceDate,
      seller_tax_id: summary.vendorVat,
      external_ref: command.externalRef,
      created_at: now,
      expires_at: yearsAfter(madridDate(now), deps.custodyYears),
    }
    const inserted = await deps.writeCustody({
      row,
      scope,
      reservationId: command.reservationId,
      trace: traceHeaders(),
    })
    if (inserted) return { logId, xml: command.xml, objectKey }
    return (await keptBefore(deps, workId)) ?? fail('SERVICE_ERROR', { internal: 'custody of a repeated work is gone' })
  }

/** What was kept of this work already; null when nothing was. */
export async function keptBefore(deps: Deps, workId: string): Promise<Kept | null> {
  const row = await deps.db.query
    .selectFrom('custody')
    .select(['log_id', 'object_key'])
    .where('work_id', '=', workId)
    .executeTakeFirst()
  if (row === undefined) return null
  const bytes = await deps.objects.get(row.object_key)
  if (bytes === null) return fail('SERVICE_ERROR', { internal: `custody object ${row.object_key} is missing` })
  return { logId: row.log_id, xml: bytes.toString('utf8'), objectKey: row.object_key }
}

/** The same day some years later; 29 February becomes 1 March. */
function yearsAfter(date: string, years: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(Date.UTC(year + years, month - 1, day)).toISOString().slice(0, 10)
}
