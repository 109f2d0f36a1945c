import { availableParallelism } from 'node:os'
import { whole } from '@asiento/chassis/config'
import { consumer } from '@asiento/chassis/consume'
import type { Log } from '@asiento/chassis/log'
import { defineService } from '@asiento/chassis/service'
import { createWorkerPool } from '@asiento/chassis/workers'
import { type Actor, scopeOf } from '@asiento/proto/actor'
import { fail } from '@asiento/proto/errors'
import type { CallContext } from '@asiento/proto/rpc'
import { z } from 'zod'
import { createLanguageModel, type LanguageModel } from './adapters/language-model.ts'
import { createOwnTaxId } from './adapters/own-tax-id.ts'
import type { Tables } from './adapters/tables.ts'
import { createBatch } from './app/batch/batch.ts'
import { correctExtraction, undoCorrections } from './app/correct-extraction.ts'
import type { Deps } from './app/deps.ts'
import { eraseExtraction, forgetOldDocuments } from './app/erase-extraction.ts'
import { exportHistory } from './app/export-history.ts'
import { extractDocument } from './app/extract-document.ts'
import { importXml } from './app/import-xml.ts'
import { listDueDates } from './app/list-due-dates.ts'
import { listHistory } from './app/list-history.ts'
import { logForDocument } from './app/log-for-document.ts'
import { logsById, logsForLedger, visibleLogs } from './app/logs-for-others.ts'
import { releaseStaleWork, reservationState, usageSince } from './app/reservations.ts'
import { showDocument, showHistoryItem, showPage } from './app/show-history-item.ts'
import { showMetrics } from './app/show-metrics.ts'
import { subaccountHistory, subaccountMetrics } from './app/show-subaccount.ts'
import type { Document } from './domain/page.ts'
import type { RenderTask } from './pages/render-worker.ts'
import type { ReadTask } from './pages/worker.ts'
import type { Read } from './pipeline/extract-invoice.ts'
import type { PipelineTask } from './pipeline/worker.ts'

const documentTimeoutMs = 120_000

const config = z.object({
  OCR_WORKERS: whole({ min: 1, max: 64, fallback: availableParallelism() }),
  DOCUMENT_RETENTION_DAYS: whole({ min: 0, max: 3_650, fallback: 30 }),
  /** An OpenAI-compatible server (up to and with `/v1`), asked only where a result is doubtful; absent: never. */
  EXTRACTION_LLM_URL: z.url().optional(),
  EXTRACTION_LLM_MODEL: z.string().optional(),
  EXTRACTION_LLM_KEY: z.string().optional(),
  EXTRACTION_LLM_TIMEOUT_MS: whole({ min: 50, max: 60_000, fallback: 15_000 }),
})

const modelOf = (settings: z.output<typeof config>, log: Log): LanguageModel | null =>
  settings.EXTRACTION_LLM_URL === undefined
    ? null
    : createLanguageModel({
        url: settings.EXTRACTION_LLM_URL,
        model: settings.EXTRACTION_LLM_MODEL ?? 'default',
        key: settings.EXTRACTION_LLM_KEY,
        timeoutMs: settings.EXTRACTION_LLM_TIMEOUT_MS,
        now: () => performance.now(),
        log,
      })

/** Documents into invoices, and what was read: history, corrections, metrics, due dates. */
export const extraction = defineService<Tables>()({
  name: 'extraction',
  config,
  migrations: new URL('../migrations/', import.meta.url),
  create: ({ config, db, objects, rpc, log, clock, ids }) => {
    const pipeline = createWorkerPool<PipelineTask, Read>({
      module: new URL('./pipeline/worker.ts', import.meta.url),
      threadsMax: config.OCR_WORKERS,
      queueMax: 64,
      timeoutMs: documentTimeoutMs,
      heapMb: 1_024,
    })
    const pictures = createWorkerPool<RenderTask, Uint8Array>({
      module: new URL('./pages/render-worker.ts', import.meta.url),
      threadsMax: 1,
      queueMax: 32,
      timeoutMs: 30_000,
    })
    const reader = createWorkerPool<ReadTask, Document>({
      module: new URL('./pages/worker.ts', import.meta.url),
      threadsMax: 1,
      queueMax: 32,
      timeoutMs: documentTimeoutMs,
    })
    const deps: Deps = {
      db,
      objects,
      rpc,
      log,
      clock,
      ids,
      pipeline,
      reader,
      pictures,
      ownTaxId: createOwnTaxId({ rpc, now: () => performance.now(), log }),
      model: modelOf(config, log),
      retentionDays: config.DOCUMENT_RETENTION_DAYS,
    }
    const extractor = extractDocument(deps)
    const { extract } = extractor
    const fileUnder = logForDocument(deps)
    const batch = createBatch(deps, extractor, config.OCR_WORKERS)
    const work = (actor: Actor, context: CallContext) => ({
      workId: context.workId ?? ids.uuid(),
      actor,
      scope: scopeOf(actor),
      context,
    })
    return {
      handlers: {
        ...batch.handlers,
        extract: ({ files, headers }, context) =>
          extract({
            ...work(context.actor, context),
            source: 'extract',
            upload: files[0] ?? fail('INVALID_INPUT'),
            externalRef: headers['x-external-ref'] ?? null,
          }),
        importXml: ({ files, headers }, context) =>
          importXml(
            deps,
            extract,
          )({
            ...work(context.actor, context),
            source: 'import',
            upload: files[0] ?? fail('INVALID_INPUT'),
            externalRef: headers['x-external-ref'] ?? null,
          }),
        history: ({ query }, { actor }) => listHistory(deps)(actor, query),
        historyExport: ({ query }, { actor }) => exportHistory(deps)(actor, query),
        historyItem: ({ params }, { actor }) => showHistoryItem(deps)(actor, params.log_id),
        correctExtraction: ({ params, body }, context) =>
          correctExtraction(deps)(context.actor, params.log_id, body, context),
        undoCorrections: ({ params }, { actor }) => undoCorrections(deps)(actor, params.log_id),
        historyDocument: ({ params }, { actor }) => showDocument(deps)(actor, params.log_id),
        historyPage: ({ params }, { actor }) => showPage(deps)(actor, params.log_id, params.n),
        eraseExtraction: ({ params }, context) => eraseExtraction(deps)(context.actor, params.log_id, context),
        metrics: (_input, context) => showMetrics(deps)(context.actor, context),
        dueDates: (_input, { actor }) => listDueDates(deps)(actor),
        subaccountHistory: ({ params, query }, context) =>
          subaccountHistory(deps)(context, params.subaccount_id, query),
        subaccountMetrics: ({ params }, context) => subaccountMetrics(deps)(context, params.subaccount_id),
        health: async () => ({ status: 'ok' }),
        extractForConvert: ({ upload, externalRef, required }, context) => {
          const actor = context.actor ?? fail('AUTH_REQUIRED')
          return extract({
            ...work(actor, context),
            source: 'convert',
            upload,
            externalRef,
            required: required as never,
          })
        },
        logForDocument: (input, { actor }) => fileUnder(actor ?? fail('AUTH_REQUIRED'), input),
        logsById: ({ logIds }, { actor }) => logsById(deps)(actor ?? fail('AUTH_REQUIRED'), logIds),
        visibleLogs: ({ logIds }, { actor }) => visibleLogs(deps)(actor ?? fail('AUTH_REQUIRED'), logIds),
        logsForLedger: (input) => logsForLedger(deps)(input),
        reservationState: ({ reservationId }) => reservationState(deps)(reservationId),
        usageSince: (input) => usageSince(deps)(input),
      },
      consumers: [
        ...batch.consumers,
        consumer<Tables, 'ledger.log.settled'>({
          event: 'ledger.log.settled',
          group: 'extraction.due-dates',
          handle: async (tx, { payload }) => {
            await tx
              .updateTable('logs')
              .set({ paid: payload.settled })
              .where('id', '=', payload.logId)
              .where('user_id', '=', payload.userId)
              .execute()
          },
        }),
      ],
      schedules: [
        ...batch.schedules,
        { name: 'forget-old-documents', everyMs: 600_000, run: () => forgetOldDocuments(deps) },
        { name: 'release-stale-work', everyMs: 30_000, run: () => releaseStaleWork(deps) },
      ],
      close: async () => {
        await batch.close()
        await pipeline.close()
        await reader.close()
        await pictures.close()
      },
    }
  },
})
