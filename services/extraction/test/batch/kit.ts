import { randomUUID } from 'node:crypto'
import { startTestService, type TestService, testActor } from '@asiento/chassis/testing/service'
import type { Actor, Scope } from '@asiento/proto/actor'
import { failure } from '@asiento/proto/errors'
import type { Upload } from '@asiento/proto/operation'
import type { RpcClients } from '@asiento/proto/rpc'
import type { Tables } from '../../src/adapters/tables.ts'
import { extraction } from '../../src/service.ts'
import { drawInvoice } from '../../tools/generator/draw.ts'
import { families } from '../../tools/generator/families.ts'
import { makeInvoice } from '../../tools/generator/make-invoice.ts'
import { random } from '../../tools/generator/random.ts'

export type Service = TestService<'extraction', Tables>

/** The neighbours of extraction as their procedures promise them, with a book of credits that a test can read. */
export function neighbours(options: { credits?: number; away?: number; unwritable?: number } = {}) {
  const book = {
    credits: options.credits ?? 1_000,
    away: options.away ?? 0,
    /** So many verdicts hold what no database can store. */
    unwritable: options.unwritable ?? 0,
    reserved: new Set<string>(),
  }
  const quota = () => ({
    plan: 'business',
    quota: book.credits,
    used: book.reserved.size,
    remaining: book.credits - book.reserved.size,
    quota_reset_at: '2026-12-01 00:00:00',
    pct_used: 0,
  })
  const identity = {
    actorFor: async (scope: Scope) => testActor({ userId: scope.userId }),
    quotaOf: async () => quota(),
    reserveCredits: async ({ reservationId }: { reservationId: string }) => {
      if (book.away > 0) {
        book.away -= 1
        throw failure('SERVICE_UNAVAILABLE')
      }
      if (!book.reserved.has(reservationId) && quota().remaining <= 0) throw failure('QUOTA_EXCEEDED')
      book.reserved.add(reservationId)
      return { quota: quota() }
    },
    settleCredits: async ({ reservationId }: { reservationId: string }) => {
      book.reserved.delete(reservationId)
      return { settled: true }
    },
  }
  const accounting = {
    account_code: '629',
    account_label: 'Otros servicios',
    type: 'gasto',
    type_label: 'Gasto',
    confidence: 'baja',
    method: 'regla',
    reasoning: '',
    suggestions: [],
  }
  const risk = {
    assess: async () => {
      const account_label = book.unwritable > 0 ? 'a\u0000b' : accounting.account_label
      book.unwritable -= 1
      return { fraudChecks: null, accounting: { ...accounting, account_label }, warnings: [] }
    },
    forget: async () => ({ forgotten: true }),
  }
  return { book, rpc: { identity, risk } as unknown as RpcClients }
}

export const startExtraction = (rpc: RpcClients): Promise<Service> =>
  startTestService(extraction, { rpc, environment: { OCR_WORKERS: '2' } })

let sample: Promise<Uint8Array> | undefined
const samplePdf = (): Promise<Uint8Array> => {
  sample ??= drawInvoice(random('batch/layout'), makeInvoice(random('batch')), random('batch').pick(families.dev)).then(
    ({ bytes }) => bytes,
  )
  return sample
}

/** Uploads as the gateway hands them on: digital invoices, or what `content` says. */
export const uploads = async (service: Service, count: number, content?: string): Promise<Upload[]> => {
  const bytes = content === undefined ? await samplePdf() : Buffer.from(content)
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const stored = await service.objects.put(`uploads/2026-01-01/${randomUUID()}`, bytes)
      return {
        field: 'files',
        filename: `${index}.pdf`,
        contentType: 'application/pdf',
        objectKey: stored.key,
        ...stored,
      }
    }),
  )
}

const nothing = { params: {}, query: {}, body: undefined, files: [], headers: {} }
const context = (actor: Actor, workId?: string) => ({ actor, requestId: 'test', ...(workId ? { workId } : {}) })

export const createJob = (service: Service, files: Upload[], actor = testActor(), workId?: string) =>
  service.call.createJob({ ...nothing, files }, context(actor, workId))
export const getJob = (service: Service, job_id: string, actor = testActor()) =>
  service.call.getJob({ ...nothing, params: { job_id } }, context(actor))
export const jobProgress = (service: Service, job_id: string, actor = testActor()) =>
  service.call.jobEvents({ ...nothing, params: { job_id } }, context(actor))
export const cancelJob = (service: Service, job_id: string, actor = testActor()) =>
  service.call.cancelJob({ ...nothing, params: { job_id } }, context(actor))
export const listJobs = (service: Service, actor = testActor()) => service.call.listJobs(nothing, context(actor))
export const extractBatch = (service: Service, files: Upload[], actor = testActor(), workId?: string) =>
  service.call.extractBatch({ ...nothing, files }, context(actor, workId))

/** The job once it is no longer running. */
export async function ended(service: Service, jobId: string, actor = testActor()) {
  const deadline = Date.now() + 50_000
  for (;;) {
    const job = await getJob(service, jobId, actor)
    if (job.status !== 'running') return job
    if (Date.now() > deadline) throw new Error(`job still runs: ${job.processed} of ${job.total}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
