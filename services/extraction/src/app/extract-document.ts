import { WorkerTimeoutError } from '@asiento/chassis/workers'
import type { Actor } from '@asiento/proto/actor'
import { AppError, fail, failure } from '@asiento/proto/errors'
import { cents } from '@asiento/proto/money'
import { planOpens } from '@asiento/proto/plans'
import type { CallContext } from '@asiento/proto/rpc'
import type { Extraction, ExtractionResult } from '@asiento/proto/schemas/extraction-result'
import { madridDate } from '@asiento/proto/time'
import type { UnderstandContext } from '../domain/understand.ts'
import { sniff } from '../pages/sniff.ts'
import type { Deps } from './deps.ts'
import type { LogRow } from './log-row.ts'
import { readInvoice } from './read-invoice.ts'
import { closeLog, dropLog, failLog, openLog, reservationId, type Work } from './work-log.ts'

export interface ExtractCommand extends Work {
  actor: Actor
  context: CallContext
  /** Fields without which the document counts as failed: /convert cannot build a Facturae from less. */
  required?: readonly (keyof ExtractionResult)[]
  /** How the bytes become fields; the pipeline of pages unless named. */
  read?: (bytes: Uint8Array, context: UnderstandContext) => Promise<Extraction>
}

/**
 * The main job: reserves a credit, reads the document on a worker thread, has it judged, and stores result, settled
 * credit and event in one transaction.
 *
 * A file refused at the door (FILE_TYPE_INVALID, FILE_CONTENT_MISMATCH by its first bytes; INVALID_INPUT) leaves no log;
 * one that was opened and could not be read leaves a log with status 'error' and costs nothing. Fails QUOTA_EXCEEDED,
 * EXTRACTION_FAILED.
 */
export const extractDocument =
  (deps: Deps) =>
  async (command: ExtractCommand): Promise<ExtractionResult> => {
    const started = deps.clock.now().getTime()
    const bytes = await deps.objects.get(command.upload.objectKey)
    if (bytes === null) return fail('INVALID_INPUT', { detail: 'The file part is missing.' })
    if (command.read === undefined) sniff(bytes, { filename: command.upload.filename })
    const row = await openLog(deps, command)
    if (row.status === 'ok' && row.result !== null) return row.result
    if (row.status === 'error') return fail(codeOf(row), { detail: row.error_detail ?? undefined } as never)
    await reserve(deps, command, row)
    try {
      const ownTaxId = await deps.ownTaxId(command.context)
      const extraction = await read(deps, command, bytes, ownTaxId)
      requireFields(extraction, command.required ?? [])
      const result = await judge(deps, command, { row, extraction, started, ownTaxId })
      return await keep(deps, command, row, result)
    } catch (error) {
      const known = toFailure(error)
      // A full queue is no verdict on the document: nothing is stored and the call may come again.
      if (known.code === 'SERVICE_UNAVAILABLE') await abandon(deps, command, row)
      else await failLog(deps, row, command, known)
      throw known
    }
  }

/** Stores the result; if that fails, what was remembered and kept for it goes again. */
async function keep(
  deps: Deps,
  command: ExtractCommand,
  row: LogRow,
  result: ExtractionResult,
): Promise<ExtractionResult> {
  const document = await keepOriginal(deps, command, row)
  try {
    const charged = !result.warnings.some(({ code }) => code === 'no_invoice_found' || code === 'not_an_invoice')
    return await closeLog(deps, row, command, { result, charged, document })
  } catch (error) {
    if (document !== null) await deps.objects.delete(document.key).catch(() => {})
    await deps.rpc.risk.forget({ logId: row.id, scope: command.scope }, command.context).catch(() => {})
    throw error
  }
}

const codeOf = (row: LogRow): AppError['code'] => (row.error_code ?? 'EXTRACTION_FAILED') as AppError['code']

async function reserve(deps: Deps, command: ExtractCommand, row: LogRow): Promise<void> {
  const reservation = { reservationId: reservationId(command.workId), credits: 1, scope: command.scope }
  try {
    await deps.rpc.identity.reserveCredits(reservation, command.context)
  } catch (error) {
    await dropLog(deps, row)
    throw error
  }
}

async function abandon(deps: Deps, command: ExtractCommand, row: LogRow): Promise<void> {
  await dropLog(deps, row)
  const settlement = { reservationId: reservationId(command.workId), outcome: 'release' } as const
  await deps.rpc.identity.settleCredits(settlement, command.context)
}

async function read(deps: Deps, command: ExtractCommand, bytes: Buffer, ownTaxId: string | null): Promise<Extraction> {
  const context: UnderstandContext = {
    today: madridDate(deps.clock.now()),
    ...(ownTaxId === null ? {} : { accountTaxId: ownTaxId }),
  }
  if (command.read !== undefined) return command.read(bytes, context)
  return readInvoice(deps, bytes, { scope: command.scope, filename: command.upload.filename, context })
}

function requireFields(extraction: Extraction, required: readonly string[]): void {
  const values: Record<string, unknown> = extraction
  const missing = required.filter((field) => values[field] === null || values[field] === undefined)
  if (missing.length > 0) {
    fail('INVALID_INPUT', { detail: `These fields were not found in the document: ${missing.join(', ')}.` })
  }
}

interface Judged {
  row: LogRow
  extraction: Extraction
  /** Milliseconds of the epoch. */
  started: number
  ownTaxId: string | null
}

async function judge(
  deps: Deps,
  command: ExtractCommand,
  { row, extraction, started, ownTaxId }: Judged,
): Promise<ExtractionResult> {
  const verdict = await deps.rpc.risk.assess(
    {
      logId: row.id,
      scope: command.scope,
      fraudChecks: planOpens(command.actor.plan, 'fraud_checks'),
      fileSha256: command.upload.sha256,
      vendorName: extraction.vendor_name,
      vendorVat: extraction.vendor_vat,
      vendorCountry: extraction.vendor_country,
      buyerVat: extraction.buyer_vat,
      invoiceNumber: extraction.invoice_number,
      invoiceDate: extraction.invoice_date,
      totalCents: extraction.total === null ? null : cents(extraction.total),
      taxCents: extraction.tax === null ? null : cents(extraction.tax),
      irpfRate: extraction.irpf_rate,
      iban: extraction.iban,
      ownTaxIds: ownTaxId === null ? [] : [ownTaxId],
      lines: extraction.line_items.map((line) => ({
        description: line.description,
        totalCents: line.total === null ? null : cents(line.total),
        quantity: line.quantity,
      })),
    },
    command.context,
  )
  const { reasoning: _reasoning, suggestions: _suggestions, ...accounting } = verdict.accounting
  return {
    ...extraction,
    warnings: [...extraction.warnings, ...verdict.warnings],
    accounting,
    fraud_checks: verdict.fraudChecks,
    external_ref: command.externalRef,
    filename: command.upload.filename,
    processing_ms: deps.clock.now().getTime() - started,
    _log_id: row.id,
  }
}

/** Moves the upload to where it is kept for review; the gateway deletes what stays behind. */
async function keepOriginal(deps: Deps, command: ExtractCommand, row: LogRow) {
  if (deps.retentionDays === 0) return null
  const key = `documents/${row.user_id}/${row.id}-${command.workId}`
  await deps.objects.move(command.upload.objectKey, key)
  return { key, until: new Date(deps.clock.now().getTime() + deps.retentionDays * 86_400_000) }
}

function toFailure(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof WorkerTimeoutError) {
    return failure('FILE_TYPE_INVALID', {
      detail: 'The document takes too long to read; it may be damaged.',
      cause: error,
    })
  }
  return failure('EXTRACTION_FAILED', { cause: error })
}
