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
import { documentKey } from './page-key.ts'
import { askCircumstances, type Circumstances, readInvoice } from './read-invoice.ts'
import { createRefusals } from './refusals.ts'
import { type Closing, closeLog, dropLogs, failLog, openLog, reservationId, type Work } from './work-log.ts'

export interface ExtractCommand extends Work {
  actor: Actor
  context: CallContext
  /** The upload stays where it is, as the original that is kept too: somebody may have to read it again. */
  keepUpload?: boolean
  /** Its log, where it was opened together with others. */
  opened?: LogRow | undefined
  /** Asked already, for several documents together. */
  known?: Circumstances
  /** Fields without which the document counts as failed: /convert cannot build a Facturae from less. */
  required?: readonly (keyof ExtractionResult)[]
  /** How the bytes become fields; the pipeline of pages unless named. */
  read?: (bytes: Uint8Array, context: UnderstandContext) => Promise<Extraction>
}

export type Extract = (command: ExtractCommand) => Promise<ExtractionResult>

/** A document that has been read and judged, and whose log is still open. */
export interface Judged extends Closing {
  /** Where the log cannot be closed: takes back what was remembered and kept, and closes it with an error instead. */
  giveUp(error: unknown): Promise<AppError>
}

export interface Extractor {
  /**
   * The main job: reserves a credit, reads the document on a worker thread, has it judged, and stores result, settled
   * credit and event in one transaction.
   *
   * A file refused at the door (FILE_TYPE_INVALID, FILE_CONTENT_MISMATCH by its first bytes; INVALID_INPUT) leaves no log;
   * one that was opened and could not be read leaves a log with status 'error' and costs nothing. Fails QUOTA_EXCEEDED,
   * EXTRACTION_FAILED.
   */
  extract: Extract
  /** The same up to the last step, for who closes several logs together; or the log, where it has ended already. */
  prepare(command: ExtractCommand): Promise<Judged | { ended: LogRow }>
}

export function extractDocument(deps: Deps): Extractor {
  const refusals = createRefusals()
  const prepare: Extractor['prepare'] = async (command) => {
    const started = deps.clock.now().getTime()
    const asking = command.known ?? askCircumstances(deps, command.scope, command.context)
    const [bytes, known] = await Promise.all([deps.objects.get(command.upload.objectKey), asking])
    if (bytes === null) return fail('INVALID_INPUT', { detail: 'The file part is missing.' })
    if (command.read === undefined) sniff(bytes, { filename: command.upload.filename })
    const opening = refusals.watch(command.scope, open(deps, command))
    // Reading goes on beside log and credit, except for an account that had no credit a moment ago.
    const reading = refusals.has(command.scope)
      ? opening.then(() => read(deps, command, { bytes, known }))
      : read(deps, command, { bytes, known })
    reading.catch(() => {})
    const row = await opening
    if (row.status === 'ok' && row.result !== null) return { ended: row }
    if (row.status === 'error') return fail(codeOf(row), { detail: row.error_detail ?? undefined } as never)
    try {
      const { extraction, ownTaxId } = await reading
      requireFields(extraction, command.required ?? [])
      return await judgeAndKeep(deps, command, { row, extraction, started, ownTaxId })
    } catch (error) {
      const known = toFailure(error)
      // A full queue is no verdict on the document: nothing is stored and the call may come again.
      if (known.code === 'SERVICE_UNAVAILABLE') await abandon(deps, command, row)
      else await failLog(deps, row, command, known)
      throw known
    }
  }
  return {
    prepare,
    extract: async (command) => {
      const judged = await prepare(command)
      if ('ended' in judged) return judged.ended.result as ExtractionResult
      try {
        return await closeLog(deps, judged)
      } catch (error) {
        throw await judged.giveUp(error)
      }
    },
  }
}

/** The log of the work, its credit reserved. */
async function open(deps: Deps, command: ExtractCommand): Promise<LogRow> {
  const row = command.opened ?? (await openLog(deps, command))
  if (row.status === 'running') await reserve(deps, command, row)
  return row
}

/** Has it judged and its original kept; if the log is not closed then, what was remembered and kept goes again. */
async function judgeAndKeep(deps: Deps, command: ExtractCommand, read: Understood): Promise<Judged> {
  const { row } = read
  const keeping = keepOriginal(deps, command, row)
  keeping.catch(() => {})
  const takeBack = async () => {
    const document = await keeping.catch(() => null)
    if (document !== null && !command.keepUpload) await deps.objects.delete(document.key).catch(() => {})
    await deps.rpc.risk.forget({ logId: row.id, scope: command.scope }, command.context).catch(() => {})
  }
  try {
    const result = await judge(deps, command, read)
    const charged = !result.warnings.some(({ code }) => code === 'no_invoice_found' || code === 'not_an_invoice')
    const giveUp = async (error: unknown) => {
      await takeBack()
      const known = toFailure(error)
      await failLog(deps, row, command, known)
      return known
    }
    return { row, work: command, finished: { result, charged, document: await keeping }, giveUp }
  } catch (error) {
    await takeBack()
    throw error
  }
}

const codeOf = (row: LogRow): AppError['code'] => (row.error_code ?? 'EXTRACTION_FAILED') as AppError['code']

async function reserve(deps: Deps, command: ExtractCommand, row: LogRow): Promise<void> {
  const reservation = { reservationId: reservationId(command.workId), credits: 1, scope: command.scope }
  try {
    await deps.rpc.identity.reserveCredits(reservation, command.context)
  } catch (error) {
    await dropLogs(deps, [row.work_id])
    throw error
  }
}

async function abandon(deps: Deps, command: ExtractCommand, row: LogRow): Promise<void> {
  await dropLogs(deps, [row.work_id])
  const settlement = { reservationId: reservationId(command.workId), outcome: 'release' } as const
  await deps.rpc.identity.settleCredits(settlement, command.context)
}

interface ReadDocument {
  extraction: Extraction
  ownTaxId: string | null
}

async function read(
  deps: Deps,
  command: ExtractCommand,
  { bytes, known: { ownTaxId, taught } }: { bytes: Buffer; known: Circumstances },
): Promise<ReadDocument> {
  const { scope, upload } = command
  const context: UnderstandContext = {
    today: madridDate(deps.clock.now()),
    ...(ownTaxId === null ? {} : { accountTaxId: ownTaxId }),
  }
  const extraction =
    command.read === undefined
      ? await readInvoice(deps, bytes, { scope, taught, filename: upload.filename, context })
      : await command.read(bytes, context)
  return { extraction, ownTaxId }
}

function requireFields(extraction: Extraction, required: readonly string[]): void {
  const values: Record<string, unknown> = extraction
  const missing = required.filter((field) => values[field] === null || values[field] === undefined)
  if (missing.length > 0) {
    fail('INVALID_INPUT', { detail: `These fields were not found in the document: ${missing.join(', ')}.` })
  }
}

interface Understood extends ReadDocument {
  row: LogRow
  /** Milliseconds of the epoch. */
  started: number
}

async function judge(
  deps: Deps,
  command: ExtractCommand,
  { row, extraction, started, ownTaxId }: Understood,
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

/** Puts the upload where it is kept for review; the gateway deletes what stays behind. */
async function keepOriginal(deps: Deps, { upload, keepUpload }: ExtractCommand, row: LogRow) {
  if (deps.retentionDays === 0) return null
  const key = keepUpload === true ? upload.objectKey : documentKey(row)
  if (key !== upload.objectKey) await deps.objects.move(upload.objectKey, key)
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
